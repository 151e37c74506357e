"""The merged notebook (the *graft*): the course's own notebook with a student's answers put in.

- `find_answers.py` finds the answers: by their cells' ids, else by what else is known of them, with a note.
  The student's other metadata, tags, cell order, outputs and kernel are ignored.
- A solution cell that was copied counts once: the last copy that is neither blank nor the stub, with a note.
  A missing cell counts as the stub.
- A cell that asks for a second look at a mark (`report/second_looks.py`) or names a group
  (`people/forming_groups.py`) is no part of the answers.
- A student's own cells (without an id of ours, and no unchanged demonstration) are put after the course's
  cell that they followed, so a helper defined in an extra cell works. A demonstration that the student
  changed is such a cell, too.
- The runner runs setup cells, solution cells and the student's own cells. It does not run demonstrations,
  which plot and train for minutes and which no answer may depend on, nor check cells: a check in the
  student's process decides nothing.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from autograder.runner.notebook_parser import Program
from autograder.submissions.cells import SECOND_LOOK, SubmittedCell, defines, group_in, same_code, words_of
from autograder.submissions.find_answers import (
    ABSENT,
    ANSWERS,
    MISSING,
    REST,
    changed,
    recognise,
)
from autograder.submissions.skeleton import Skeleton, SkeletonCell
from kqa_core.check.exercise import Exercise

NOT_PARSED: Mapping[str, Program] = {}


@dataclass(frozen=True)
class GraftedCell:
    """A cell of the graft: one of the skeleton's,
    possibly with the student's source, or one of the student's own.
    """

    role: str
    kind: str
    source: str
    grade_id: str | None = None


@dataclass(frozen=True)
class Graft:
    """The course's notebook with one student's answers in it."""

    skeleton: Skeleton
    cells: tuple[GraftedCell, ...]
    notes: tuple[str, ...] = ()
    # by source: what the sandbox parsed
    programs: Mapping[str, Program] = field(default_factory=dict, compare=False)
    # by exercise: how its answer was found, or that it was not, where a person should look
    doubts: Mapping[str, str] = field(default_factory=dict)
    absent: frozenset[str] = frozenset()  # exercises of which the submission has nothing

    @property
    def run(self) -> tuple[GraftedCell, ...]:
        """The cells that the runner runs, in order.
        A stub is left out if it would overwrite an answer in another cell.
        """
        return tuple(
            cell
            for cell in self.cells
            if cell.role == "setup"
            or (cell.role == "extra" and cell.kind == "code")
            or (cell.role == "solution" and not self._answered_elsewhere(cell))
        )

    @property
    def nothing_found(self) -> bool:
        """Whether the submission has no answer cell of this notebook."""
        answers = self.skeleton.exercises
        return bool(answers) and all(
            self.doubts.get(each.id) in (MISSING, REST) or each.id in self.absent for each in answers
        )

    @property
    def code(self) -> str:
        """A digest of all that the runner runs. Two submissions of the same code have the same."""
        cells = [[cell.role, cell.grade_id, cell.source] for cell in self.run]
        return hashlib.sha256(json.dumps(cells).encode()).hexdigest()

    def source(self, exercise: str) -> str:
        """The student's answer to an exercise, code or text."""
        return next(cell.source for cell in self.cells if cell.grade_id == exercise)

    def untouched(self, exercise: Exercise) -> bool:
        """Whether the answer cell is as released, and no other cell of theirs mentions the exercise."""
        source, stub = self.source(exercise.id), self.skeleton.stub(exercise.id)
        if exercise.written:
            return words_of(source) in ([], words_of(stub))
        if source.strip() and not same_code(source, stub, self.programs):
            return False
        word = re.compile(rf"\b{exercise.id}\b")
        mentioned = any(word.search(cell.source) for cell in self.run if cell.role == "extra")
        return not mentioned and not self._defined_elsewhere(exercise.id)

    def remark(self, exercise: Exercise) -> str | None:
        """What is odd about the text of a written answer that is there; None if nothing is."""
        words = words_of(self.source(exercise.id))
        stub = words_of(self.skeleton.stub(exercise.id))
        if any(words[start : start + len(stub)] == stub for start in range(len(words))):
            return f"it still holds the placeholder, {self.skeleton.stub(exercise.id)}"
        for cell in self.cells:
            theirs = words_of(cell.source)
            asked = cell.grade_id == f"statement_{exercise.id}" and len(words) > 3
            if asked and " ".join(words) in " ".join(theirs):
                return "it is a part of the question"
            if cell.role == "written" and cell.grade_id != exercise.id and words == theirs:
                return f"it is the same text as the answer to {cell.grade_id}"
        return None

    def _answered_elsewhere(self, cell: GraftedCell) -> bool:
        name = str(cell.grade_id)
        blank = not cell.source.strip() or same_code(cell.source, self.skeleton.stub(name), self.programs)
        return blank and self._defined_elsewhere(name)

    def _defined_elsewhere(self, exercise: str) -> bool:
        """Whether a cell other than its own defines an exercise:
        two answers merged into one cell, or moved to a new one.
        """
        others = (cell for cell in self.cells if cell.kind == "code")
        return any(
            defines(cell.source, exercise, self.programs) for cell in others if cell.grade_id != exercise
        )


def graft(skeleton: Skeleton, submitted: tuple[SubmittedCell, ...]) -> Graft:
    """Set the answers of `submitted` into `skeleton`."""
    submitted = _answers_only(skeleton, submitted)
    programs = {cell.source: cell.program for cell in submitted if cell.program is not None}
    seen = recognise(skeleton, submitted, programs)
    notes = _notes(skeleton, {**dict.fromkeys(seen.absent, ABSENT), **seen.doubts}, len(set(seen.by_id)))
    answers: dict[int, list[SubmittedCell]] = {}
    extras: dict[int, list[SubmittedCell]] = {}
    place = -1
    for at, (cell, known) in enumerate(zip(seen.cells, seen.places, strict=True)):
        if known is not None:
            place = max(place, known)
            frame = skeleton.cells[known]
            if frame.role in ANSWERS:
                answers.setdefault(known, []).append(cell)
                continue
            if frame.role in ("setup", "check") or at in seen.parts:
                continue
            if frame.role == "demonstration" and same_code(cell.source, frame.source, programs):
                continue
            if frame.kind == "markdown" and (cell.kind != "markdown" or not changed(cell.source, frame)):
                continue
        if cell.source.strip() and cell.kind in ("code", "markdown"):
            extras.setdefault(place, []).append(cell)
    cells = [_extra(cell) for cell in extras.get(-1, [])]
    for number, frame in enumerate(skeleton.cells):
        source = frame.source
        if frame.role in ANSWERS:
            found = seen.texts.get(number)
            source = found or _answer(frame, answers.get(number, []), notes, programs)
        cells.append(GraftedCell(frame.role, frame.kind, source, frame.grade_id))
        cells.extend(_extra(cell) for cell in extras.get(number, []))
    doubts = {str(skeleton.cells[number].grade_id): doubt for number, doubt in seen.doubts.items()}
    absent = frozenset(str(skeleton.cells[number].grade_id) for number in seen.absent)
    return Graft(skeleton, tuple(cells), tuple(notes), programs, doubts, absent)


def _answers_only(skeleton: Skeleton, submitted: Sequence[SubmittedCell]) -> tuple[SubmittedCell, ...]:
    """The cells but those that ask for a second look at a mark or name a group: new ones, and copies of one
    of ours. A cell that defines something stays.
    """
    ours = {name for frame in skeleton.cells for name in (frame.grade_id, frame.id) if name}

    def names(cell: SubmittedCell) -> set[str]:
        return {name for name in (cell.grade_id, cell.id) if name in ours}

    asking = [
        (SECOND_LOOK.match(cell.source.lstrip()) is not None or group_in(cell.source) is not None)
        and not (cell.program and cell.program[1])
        for cell in submitted
    ]
    answers = {name for cell, asks in zip(submitted, asking, strict=True) if not asks for name in names(cell)}
    return tuple(
        cell for cell, asks in zip(submitted, asking, strict=True) if not asks or names(cell) - answers
    )


def _notes(skeleton: Skeleton, doubts: Mapping[int, str], by_id: int) -> list[str]:
    """A line for each way in which answers were found, or were not."""
    names: dict[str, list[str]] = {}
    for number, doubt in sorted(doubts.items()):
        names.setdefault(doubt, []).append(str(skeleton.cells[number].grade_id))
    notes = [f"{', '.join(exercises)}: {doubt}" for doubt, exercises in names.items()]
    if by_id:
        cells = f"{by_id} answer cells have" if by_id > 1 else "an answer cell has"
        notes.insert(0, f"{cells} lost nbgrader's metadata: found by the cell's id")
    return notes


def with_answer(
    skeleton: Skeleton, exercise: str, source: str, programs: Mapping[str, Program] = NOT_PARSED
) -> Graft:
    """A graft that holds only the setup cells and one answer, to judge it alone."""
    cells = [
        GraftedCell(
            frame.role, frame.kind, source if frame.grade_id == exercise else frame.source, frame.grade_id
        )
        for frame in skeleton.cells
        if frame.role == "setup" or frame.grade_id == exercise
    ]
    return Graft(skeleton, tuple(cells), programs=programs)


def _extra(cell: SubmittedCell) -> GraftedCell:
    return GraftedCell("extra", cell.kind, cell.source)


def _answer(
    frame: SkeletonCell, copies: list[SubmittedCell], notes: list[str], programs: Mapping[str, Program]
) -> str:
    """The answer among the cells with its id: the last one that is answered. A cell of another kind, such as
    a note in Markdown that was copied from it, is the answer only if there is no other.
    """
    if not copies:
        return frame.source
    if len(copies) == 1:
        return copies[0].source
    answered = [
        copy for copy in copies if copy.source.strip() and not same_code(copy.source, frame.source, programs)
    ]
    right_kind = [copy for copy in answered if copy.kind == frame.kind]
    what = f"{frame.grade_id}: the answer cell occurs {len(copies)} times; the last answer counts"
    if right_kind and len(right_kind) < len(answered):
        what += f", and none that is no {frame.kind} cell"
    notes.append(what)
    return (right_kind or answered)[-1].source if answered else frame.source
