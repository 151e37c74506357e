"""A class of made-up students, for `kqa course run` and the tests.

`python -m autograder.course.sample_class` writes the class of the course that KQA_COURSE names.

- Every answer is taken from the answer keys, so the class stays correct when an exercise changes: run the
  command again.
- If the folder already holds some of the students, only these are written again.
- `expected.tsv` lists the results that the judge must find. They follow from how each notebook is made, not
  from judging it.
- Notebooks hold only the cells with an nbgrader id, not the prose: a student may delete prose, and the files
  stay small.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.answer_key import AnswerKey, WrittenKey, answer_source, find_checked, find_key
from autograder.build.release import chosen
from autograder.gradebook.cell_metadata import METADATA, nbgrader_checksum, nbgrader_marks
from autograder.judge.results import Status
from autograder.paths import choose_course, course_folder, read_course
from autograder.submissions.skeleton import Skeleton, SkeletonCell, load_skeleton
from kqa_core.check.exercise import Exercise
from kqa_core.check.registry import COURSE_VARIABLE
from kqa_core.files import write_whole

COLUMNS = ("student", "notebook", "status", "marks", "of", "unattempted", "for a person", "incident")


@dataclass
class Sheet:
    """One student's submission for one notebook, and the result that the judge must find."""

    answers: dict[str, str] = field(default_factory=dict)  # exercise → cell source; the stub if there is none
    right: set[str] = field(default_factory=set)
    # exercise → a cell of the student's own, above the answer cell
    before: dict[str, str] = field(default_factory=dict)
    # exercise → sources of copies above and below the answer
    copies: dict[str, tuple[str, str]] = field(default_factory=dict)
    incident: str = ""
    status: Status | None = None  # if it does not follow from the rest
    raw: str | None = None  # the file's text, if it is not a notebook


Student = Callable[[Skeleton], Sheet]


def ada(skeleton: Skeleton) -> Sheet:
    """Has everything right."""
    return _right(skeleton.exercises)


def bo(skeleton: Skeleton) -> Sheet:
    """Is right in unusual ways: other algorithms, helpers in cells of their own, prints everywhere."""
    sheet = Sheet()
    for number, exercise in enumerate(skeleton.exercises):
        key = find_key(exercise.id)
        if isinstance(key, AnswerKey) and key.accepted:
            function = key.accepted[number % len(key.accepted)]
            helper = answer_source("", function).rpartition("\n = ")[0]
            sheet.before[exercise.id] = f"# a helper of my own\n{helper}\nprint('the helper is there')"
            sheet.answers[exercise.id] = (
                f"def {exercise.id}(*inputs):\n"
                f"    print('called with', len(inputs))\n"
                f"    return {function.__name__}(*inputs)\n"
            )
            sheet.right.add(exercise.id)
        elif isinstance(key, WrittenKey):
            sheet.answers[exercise.id] = key.model_answer.strip()
    return sheet


def cleo(skeleton: Skeleton) -> Sheet:
    """Did the first half and left the rest."""
    return _right(skeleton.exercises[: (len(skeleton.exercises) + 1) // 2])


def dan(skeleton: Skeleton) -> Sheet:
    """Submitted the notebook unchanged."""
    return Sheet()


def eve(skeleton: Skeleton) -> Sheet:
    """Made a known mistake in every exercise."""
    sheet = Sheet()
    for number, exercise in enumerate(skeleton.exercises):
        key = find_key(exercise.id)
        if isinstance(key, AnswerKey):
            # the first one has no part right
            mistake = key.rejected[0 if exercise.parts else number % len(key.rejected)]
            sheet.answers[exercise.id] = answer_source(exercise.id, mistake)
        else:
            sheet.answers[exercise.id] = "Because the weights say so."
    return sheet


def finn(skeleton: Skeleton) -> Sheet:
    """Has everything right, but his code warns and writes to stderr."""
    sheet = ada(skeleton)
    noise = (
        "import sys\n"
        "import warnings\n"
        "\n"
        "warnings.warn('this is deprecated')\n"
        "print('a note', file=sys.stderr)\n"
        "\n"
        "\n"
    )
    for exercise in sheet.right:
        sheet.answers[exercise] = noise + sheet.answers[exercise]
    return sheet


def gil(skeleton: Skeleton) -> Sheet:
    """Copied two answer cells: a wrong one above the right answer, and an empty one below it."""
    sheet = ada(skeleton)
    for exercise in [exercise.id for exercise in skeleton.exercises if not exercise.written][:2]:
        key = find_checked(exercise)
        sheet.copies[exercise] = (answer_source(exercise, key.rejected[0]), "\n")
    return sheet


def hana(skeleton: Skeleton) -> Sheet:
    """Has an endless loop in the first exercise; the others are right."""
    sheet = ada(skeleton)
    first = next(exercise.id for exercise in skeleton.exercises if not exercise.written)
    sheet.answers[first] = (
        f"def {first}(*inputs):\n    n = 0\n    while n >= 0:\n        n += 1\n    return n\n"
    )
    sheet.right.discard(first)
    sheet.incident = f"{first}: time"
    return sheet


def ivy(skeleton: Skeleton) -> Sheet:
    """Renamed the first function and left a syntax error in the second; the others are right."""
    sheet = ada(skeleton)
    first, second, *_ = [exercise.id for exercise in skeleton.exercises if not exercise.written]
    sheet.answers[first] = sheet.answers[first].replace(first, "my_answer")
    sheet.answers[second] = sheet.answers[second].replace("):", ")", 1)
    sheet.right -= {first, second}
    return sheet


def jan(skeleton: Skeleton) -> Sheet:
    """Submitted half a file."""
    return Sheet(
        status=Status.REFUSED, raw='{"nbformat": 4, "nbformat_minor": 5, "cells": [{"cell_type": "code", "sou'
    )


def kim(skeleton: Skeleton) -> Sheet:
    """Submitted a folder without the notebook."""
    return Sheet(status=Status.MISSING)


ALL_NOTEBOOKS = (ada, bo, cleo, eve)
FIRST_NOTEBOOK = (dan, finn, gil, hana, ivy, jan, kim)  # they submit only that one
STUDENTS: dict[str, Student] = {student.__name__: student for student in (*ALL_NOTEBOOKS, *FIRST_NOTEBOOK)}


def write_class(folder: Path | None = None) -> list[Path]:
    """Write the class into `folder`, by default the course's own; returns the files written."""
    course, folder = read_course(), folder or read_course().sample_class
    names = [
        name
        for name in chosen(())
        if name.partition("_")[0] in (course.sample_notebooks or (name.partition("_")[0],))
    ]
    there = {path.name for path in (folder / "submitted").glob("*")} & set(STUDENTS)
    rows, written = [], []
    for student, make in sorted(STUDENTS.items()):
        if there and student not in there:
            continue
        for name in names if make in ALL_NOTEBOOKS else names[:1]:
            skeleton = load_skeleton(course_folder() / "source" / name / f"{name}.ipynb")
            sheet = make(skeleton)
            place = folder / "submitted" / student / name
            if sheet.status is Status.MISSING:  # git keeps no empty folder
                written.append(_write(place / "notes.txt", "I will add the notebook later.\n"))
            else:
                written.append(_write(place / f"{name}.ipynb", sheet.raw or _notebook(skeleton, sheet)))
            rows.append(_expected(student, skeleton, sheet))
    table = "".join("\t".join(row) + "\n" for row in [COLUMNS, *rows])
    return [*written, _write(folder / "expected.tsv", table)]


def _right(exercises: Sequence[Exercise]) -> Sheet:
    """The reference answers and model answers of these exercises."""
    sheet = Sheet()
    for exercise in exercises:
        key = find_key(exercise.id)
        if isinstance(key, WrittenKey):
            sheet.answers[exercise.id] = key.model_answer.strip()
        else:
            sheet.answers[exercise.id] = answer_source(exercise.id, key.reference)
            sheet.right.add(exercise.id)
    return sheet


def _notebook(skeleton: Skeleton, sheet: Sheet) -> str:
    cells: list[dict[str, Any]] = []
    for cell in skeleton.cells:
        if cell.grade_id is None or cell.role == "statement":
            continue
        name = cell.grade_id
        above, below = sheet.copies.get(name, (None, None))
        if name in sheet.before:
            cells.append(_cell("code", sheet.before[name], f"mine-{name}"))
        marks = _marks(cell)
        if above is not None:
            cells.append(_cell("code", above, f"above-{name}", marks))
        cells.append(_cell(cell.kind, sheet.answers.get(name, cell.source), name, marks))
        if below is not None:
            cells.append(_cell("code", below, f"below-{name}", marks))
    notebook = {"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def _marks(cell: SkeletonCell) -> dict[str, Any]:
    """nbgrader's metadata of a cell as it was released."""
    marks = nbgrader_marks(cell.kind, cell.role, str(cell.grade_id))
    if marks["grade"] and cell.exercise is not None:
        marks["points"] = cell.exercise.points
    return marks | {"checksum": nbgrader_checksum(cell.kind, cell.source, marks)}


def _cell(kind: str, source: str, identity: str, marks: dict[str, Any] | None = None) -> dict[str, Any]:
    metadata = {"nbgrader": marks} if marks else {}
    code: dict[str, Any] = {"execution_count": None, "outputs": []} if kind == "code" else {}
    lines = source.rstrip("\n").splitlines(keepends=True)
    return {"cell_type": kind, **code, "id": identity[:64], "metadata": metadata, "source": lines}


def _expected(student: str, skeleton: Skeleton, sheet: Sheet) -> tuple[str, ...]:
    """One row of the table of expected results."""
    if sheet.status is not None:
        return (student, skeleton.name, str(sheet.status), "0", "0", "0", "0", "")
    marks = sum(exercise.points for exercise in skeleton.exercises if exercise.id in sheet.right)
    points = sum(exercise.points for exercise in skeleton.exercises if not exercise.extra)
    blank = sum(exercise.id not in sheet.answers for exercise in skeleton.exercises)
    waiting = sum(exercise.written and exercise.id in sheet.answers for exercise in skeleton.exercises)
    status = Status.INCIDENT if sheet.incident else Status.UNATTEMPTED if not sheet.answers else Status.GRADED
    return (
        student,
        skeleton.name,
        str(status),
        str(marks),
        str(points),
        str(blank),
        str(waiting),
        sheet.incident,
    )


def _write(path: Path, text: str) -> Path:
    write_whole(path, text)
    return path


if __name__ == "__main__":
    choose_course(Path(named) if (named := os.environ.get(COURSE_VARIABLE)) else None)
    print(f"course {course_folder()}", file=sys.stderr)
    for path in write_class(*(Path(argument) for argument in sys.argv[1:])):
        print(path)
