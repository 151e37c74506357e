"""Which cell of a submission is which cell of the course's notebook.

Many programs lie between a student and the grader. Some drop nbgrader's metadata when they save, some the
cells' ids, and some both. So a cell is found, in this order, by

1. its id;
2. nbgrader's id in its metadata;
3. its text, where that is as released: questions, checks, demonstrations, and the stubs of untouched answers.
   A text cell that holds more than a released text is cut there, and one that holds a part of it is that
   part: some programs join neighbouring cells, or give each paragraph a cell;
4. the function that it defines;
5. the check that follows it;
6. its place: what is between two known cells, where the notebook has one answer.

A check cell that holds something else than its check may be an answer whose own cell is gone.

What neither id nor metadata nor text decides is doubtful, and says how it was found. So is an answer whose
cell was not found, unless the file is whole and has nothing of the exercise. A doubtful answer goes to a
person, a written one with all text that may be it: see `autograder.judge.verdict`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from autograder.runner.notebook_parser import Program
from autograder.submissions.cells import (
    SubmittedCell,
    as_built,
    common_keys,
    cut,
    defines,
    known_program,
    text_digest,
    words_of,
)
from autograder.submissions.skeleton import Skeleton, SkeletonCell

Frames = Sequence[SkeletonCell]
Programs = Mapping[str, Program]
ANSWERS = ("solution", "written")
MIN_CHARACTERS = 20  # of a released text at which a cell is cut

MISSING = "the answer cell is missing"
ABSENT = "the notebook has neither its question nor its cell"
ELSEWHERE = "the answer is in the cell of another one"
BY_FUNCTION = "found by the function that its cell defines"
BY_CHECK = "found by the check that follows it"
BY_PLACE = "found by its place in the notebook"
SHARED = "its cell was not found; this is all there is where it and its neighbours should be"
REST = "its cell was not found; this is all text of the notebook that is nothing else"
SEVERAL = "several cells define it, and the last one counts"
BESIDE = "nothing is written in its cell; this is beside it"
CHANGED = "nothing is written in its cell, but the text of its question was changed"


@dataclass
class Recognised:
    """The cells of a submission, each with the number of the course's cell that it is, or None."""

    cells: list[SubmittedCell]
    places: list[int | None]
    doubts: dict[int, str] = field(default_factory=dict)  # number of an answer → how it was found
    texts: dict[int, str] = field(default_factory=dict)  # of answers that are several cells: all of them
    by_id: list[int] = field(default_factory=list)  # answers whose cells have lost nbgrader's metadata
    absent: set[int] = field(default_factory=set)  # answers to exercises that the file does not have
    parts: set[int] = field(default_factory=set)  # cells that hold a part of a text of ours

    def free(self, kind: str) -> Iterator[int]:
        """The cells of this kind that are nothing of ours, and hold something."""
        for number, cell in enumerate(self.cells):
            of_kind = (cell.kind == "code") == (kind == "code")
            if self.places[number] is None and of_kind and cell.source.strip():
                yield number


def recognise(skeleton: Skeleton, submitted: Sequence[SubmittedCell], programs: Programs) -> Recognised:
    """What each cell of a submission is."""
    frames = skeleton.cells
    submitted = [
        replace(cell, source=as_built(cell.source)) if cell.kind == "markdown" else cell for cell in submitted
    ]
    by_grade_id = {frame.grade_id: number for number, frame in enumerate(frames) if frame.grade_id}
    by_id = {frame.id: number for number, frame in enumerate(frames) if frame.id}

    def certain(cell: SubmittedCell) -> int | None:
        place = by_id.get(cell.id) if cell.id else None
        return by_grade_id.get(cell.grade_id) if place is None and cell.grade_id else place

    released = _first_lines(frames)
    cells = [
        piece
        for cell in submitted
        for piece in ([cell] if _is_answer(frames, certain(cell)) else cut(cell, released))
    ]
    seen = Recognised(cells, [certain(cell) for cell in cells])
    for cell, place in zip(cells, seen.places, strict=True):
        if place is not None and _is_answer(frames, place) and cell.grade_id not in by_grade_id:
            seen.by_id.append(place)
    _free_copies(seen, frames, programs)
    _by_text(seen, frames, programs)
    _by_part(seen, frames)
    _by_stub(seen, frames)
    typed = _typed_over(seen, frames, programs)
    for number in typed:
        seen.places[number] = None
    for step in (_by_function, _by_check, _by_place):
        missing = [
            number
            for number, frame in enumerate(frames)
            if frame.role in ANSWERS and number not in seen.places and number not in seen.doubts
        ]
        step(seen, frames, missing, programs)
    for number, frame in enumerate(frames):
        if frame.role in ANSWERS and number not in {*seen.places, *seen.texts}:
            seen.doubts.setdefault(number, MISSING)
    _absent(seen, frames)
    for number, frame in enumerate(frames):
        if frame.role == "written" and number not in seen.absent:
            _where_empty(seen, frames, number, by_grade_id.get(f"statement_{frame.grade_id}"), programs)
    for number, place in typed.items():  # no answer is missing where it is
        seen.places[number] = place if seen.places[number] is None else seen.places[number]
    return seen


def _typed_over(seen: Recognised, frames: Frames, programs: Programs) -> dict[int, int]:
    """The check cells that hold something else than the check, and whose they are."""
    typed = {}
    for number, place in enumerate(seen.places):
        if place is not None and frames[place].role == "check":
            source, check = seen.cells[number].source, frames[place].source
            keys = common_keys("code", source, known_program(source, programs))
            if not set(keys) & set(common_keys("code", check, known_program(check, {}))):
                typed[number] = place
    return typed


def _absent(seen: Recognised, frames: Frames) -> None:
    """Tell exercises that the student never received from those that were lost with a part of the file."""
    there = {_exercise(frames[place]) for place in seen.places if place is not None}
    none = {
        number: _exercise(frame)
        for number, frame in enumerate(frames)
        if frame.role in ANSWERS and _exercise(frame) not in there and seen.doubts.get(number) == MISSING
    }
    last = max((place for place in seen.places if place is not None), default=-1)
    end = max((n for n, frame in enumerate(frames) if _exercise(frame) not in none.values()), default=-1)
    for number in none if there else ():
        if number < last or end < number:
            seen.absent.add(number)
            del seen.doubts[number]


def _exercise(frame: SkeletonCell) -> str | None:
    return frame.exercise.id if frame.exercise is not None else None


def _where_empty(
    seen: Recognised, frames: Frames, place: int, question: int | None, programs: Programs
) -> None:
    """What a person should know of a written answer that is empty, or whose cell is missing."""
    held: dict[int | None, list[str]] = defaultdict(list)
    for number, cell in enumerate(seen.cells):
        if number not in seen.parts:
            held[seen.places[number]].append(cell.source)
    nothing: tuple[list[str], ...] = ([], words_of(frames[place].source))
    if place in seen.texts or any(words_of(text) not in nothing for text in held.get(place, ())):
        return
    free = list(seen.free("markdown"))
    known = [number for number, where in enumerate(seen.places) if where is not None]
    at = seen.places.index(place) if place in held else len(seen.cells)
    start = max((number for number in known if number < at), default=-1)
    end = min((number for number in known if number > at), default=len(seen.cells))
    beside = [number for number in free if start < number < end]
    no_program = [n for n in seen.free("code") if known_program(seen.cells[n].source, programs)[0] is None]
    rest = sorted([*free, *no_program])
    if place in seen.doubts and rest:
        seen.texts[place], seen.doubts[place] = _joined(seen, rest), REST
    elif place in held and beside:
        seen.texts[place] = _joined(seen, beside)
        seen.doubts.setdefault(place, BESIDE)
    elif question in held and question is not None and changed(held[question][-1], frames[question]):
        seen.doubts.setdefault(place, CHANGED)


def _joined(seen: Recognised, numbers: Sequence[int]) -> str:
    return "\n\n".join(seen.cells[number].source for number in numbers)


def changed(text: str, frame: SkeletonCell) -> bool:
    """Whether a question or another text of ours is not as we ever released it: an answer may be in it."""
    return words_of(text) != words_of(frame.source) and text_digest(text) not in frame.former


def _free_copies(seen: Recognised, frames: Frames, programs: Programs) -> None:
    """A copy of an answer's cell, into which the student wrote the answer to another exercise, is a cell of
    their own.
    """
    names = {str(frame.grade_id): number for number, frame in enumerate(frames) if frame.role == "solution"}
    for name, place in names.items():
        copies = [number for number, where in enumerate(seen.places) if where == place]
        given = {number for number in copies if defines(seen.cells[number].source, name, programs)}
        for number in copies if given else ():
            text = seen.cells[number].source
            if number not in given and any(defines(text, other, programs) for other in names):
                seen.places[number] = None


def _is_answer(frames: Frames, place: int | None) -> bool:
    return place is not None and frames[place].role in ANSWERS


def _first_lines(frames: Frames) -> dict[str, list[list[str]]]:
    """The released texts as lines, the longest first, by their first line."""
    texts: dict[str, list[list[str]]] = defaultdict(list)
    for frame in frames:
        if frame.role in ("statement", "prose") and len(frame.source) >= MIN_CHARACTERS:
            lines = [line.rstrip() for line in frame.source.strip("\n").split("\n")]
            texts[lines[0]].append(lines)
    return {first: sorted(each, key=len, reverse=True) for first, each in texts.items()}


def _by_text(seen: Recognised, frames: Frames, programs: Programs) -> None:
    released: dict[str, list[int]] = defaultdict(list)
    for number, frame in enumerate(frames):
        if number not in seen.places and frame.source.strip() and frame.role != "written":
            for key in common_keys(
                frame.kind, frame.source, known_program(frame.source, {}) if frame.kind == "code" else None
            ):
                released[key].append(number)
    last, used = -1, set(seen.places)
    for number, cell in enumerate(seen.cells):
        place = seen.places[number]
        if place is None and cell.source.strip():
            keys = common_keys(cell.kind, cell.source, programs.get(cell.source))
            options = [each for key in keys for each in released.get(key, ()) if each not in used]
            place = min((each for each in options if each > last), default=min(options, default=None))
            if place is not None:
                seen.places[number] = place
                used.add(place)
        last = last if place is None else place


def _by_part(seen: Recognised, frames: Frames) -> None:
    texts = {
        number: f" {' '.join(words_of(frame.source))} "
        for number, frame in enumerate(frames)
        if frame.role in ("statement", "prose") and number not in seen.places
    }
    for number in list(seen.free("markdown")) if texts else ():
        words = f" {' '.join(words_of(seen.cells[number].source))} "
        place = next((place for place, text in texts.items() if words in text), None)
        if place is not None:
            seen.places[number] = place
            seen.parts.add(number)


def _by_stub(seen: Recognised, frames: Frames) -> None:
    """Empty written answers, which all look the same: each is the one after the text that it follows."""
    empty = {
        place: words_of(frame.source)
        for place, frame in enumerate(frames)
        if frame.role == "written" and place not in seen.places
    }
    last = -1
    for number, cell in enumerate(seen.cells):
        place = seen.places[number]
        if place is None and cell.kind == "markdown" and cell.source.strip():
            words = words_of(cell.source)
            options = [each for each, stub in empty.items() if stub == words]
            place = min((each for each in options if each > last), default=min(options, default=None))
            if place is not None:
                del empty[place]
                seen.places[number] = place
                if place != last + 1:
                    seen.doubts[place] = BY_PLACE
        last = last if place is None else place


def _by_function(seen: Recognised, frames: Frames, missing: Sequence[int], programs: Programs) -> None:
    for place in missing:
        name = str(frames[place].grade_id)
        if frames[place].role != "solution":
            continue
        given = [number for number in seen.free("code") if _gives(seen.cells[number], name, programs)]
        if given:
            seen.places[given[-1]] = place
            seen.doubts[place] = BY_FUNCTION if len(given) == 1 else f"{SEVERAL} ({len(given)} cells)"
        elif any(
            _is_answer(frames, other) and defines(cell.source, name, programs)
            for cell, other in zip(seen.cells, seen.places, strict=True)
        ):
            seen.doubts[place] = ELSEWHERE


def _gives(cell: SubmittedCell, name: str, programs: Programs) -> bool:
    """Whether a cell defines a name, or would if it had no syntax error."""
    if defines(cell.source, name, programs):
        return True
    broken = known_program(cell.source, programs)[0] is None
    begins = rf"^[ \t]*(?:async[ \t]+)?def[ \t]+{re.escape(name)}\b|^{re.escape(name)}[ \t]*="
    return broken and re.search(begins, cell.source, re.MULTILINE) is not None


def _by_check(seen: Recognised, frames: Frames, missing: Sequence[int], programs: Programs) -> None:
    checks = {frame.grade_id: number for number, frame in enumerate(frames) if frame.role == "check"}
    for place in missing:
        check = checks.get(f"check_{frames[place].grade_id}")
        if check not in seen.places or check is None:
            continue
        before = [number for number in range(seen.places.index(check)) if seen.cells[number].source.strip()]
        if before and before[-1] in seen.free("code"):
            seen.places[before[-1]] = place
            seen.doubts[place] = BY_CHECK


def _by_place(seen: Recognised, frames: Frames, missing: Sequence[int], programs: Programs) -> None:
    known = [(number, place) for number, place in enumerate(seen.places) if place is not None]
    first, last = ({place: number for number, place in order} for order in (known[::-1], known))
    gaps: dict[tuple[int, int, str], list[int]] = defaultdict(list)
    for place in missing:
        before = max((each for each in first if each < place), default=None)
        after = min((each for each in first if each > place), default=None)
        if before is None and after is None:
            continue
        start = -1 if before is None else last[before]
        end = len(seen.cells) if after is None else first[after]
        gaps[start, end, frames[place].kind].append(place)
    for (start, end, kind), places in gaps.items():
        there = [number for number in seen.free(kind) if start < number < end]
        if kind == "markdown" and not there:  # words in a cell that has become one of code
            own = (number for number in seen.free("code") if start < number < end)
            there = [number for number in own if not known_program(seen.cells[number].source, programs)[1]]
        if not there or (kind == "code" and len(there) + len(places) > 2):
            continue  # code is not joined: which of several cells is the answer nobody can say
        for number in there:
            seen.places[number] = places[0]
        for place in places:
            seen.texts[place] = _joined(seen, there)
            seen.doubts[place] = BY_PLACE if len(places) == 1 else SHARED
