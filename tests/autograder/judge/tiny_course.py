"""A tiny course for the judge's tests: two exercises of one line and one written answer; and its files, the
instructor's notebook and what a student hands in.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from autograder.answer_key import AnswerKey
from autograder.judge.results import ExerciseResult, Status
from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.submissions.cells import SubmittedCell
from autograder.submissions.skeleton import WRITTEN_STUB, Skeleton, SkeletonCell
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Check, Exercise, NotYet, Verdict, expect, right

KEY = b"k" * 32
RIGHT = {
    "double": "def double(x):\n    return x + x",
    "total": "def total(numbers):\n    return sum(numbers)",
}
LIMITS = Limits(
    call_seconds=2.5,
    cell_seconds=3.0,
    extra_seconds=1.5,
    extras_seconds=4.0,
    exercise_seconds=8.0,
    memory=150 * 2**20,
)


def number(value: object, of: str) -> int:
    if type(value) is not int:
        raise NotYet(f"{of} must be an int")
    return value


def check_double(answer: Answer, rng: random.Random) -> Verdict:
    x = rng.randint(2, 9)
    expect(number(answer(x), "the double") == 2 * x, f"twice {x} is {2 * x}")
    return right("doubled")


def hidden_double(answer: Answer, rng: random.Random) -> Verdict:
    for value, x in zip(answer.map([(x,) for x in range(-20, 40)]), range(-20, 40), strict=True):
        expect(number(value, "the double") == 2 * x, "some other number is not doubled")
    return right()


def check_total(answer: Answer, rng: random.Random) -> Verdict:
    numbers = [rng.randint(1, 9) for _ in range(5)]
    expect(number(answer(numbers), "the total") == sum(numbers), "the total is wrong")
    return right("added up")


def double(x):
    return 2 * x


def squared(x):
    """You square the number; double it."""
    return x * x


def total(numbers):
    return sum(numbers)


def without_the_first(numbers):
    """You leave out the first number."""
    return sum(numbers[1:])


def facts(name: str, order: int, check: Check | None) -> Exercise:
    return Exercise(name, order, 2, 1, 1, 1, "here", ("a", "b", "c"), check, notebook="tiny")


EXERCISES = {
    "double": facts("double", 1, check_double),
    "total": facts("total", 2, check_total),
    "why": facts("why", 3, None),
}
KEYS = {
    "double": AnswerKey("double", hidden_double, double, (), (squared,), lambda rng: [(3,), (5,)]),
    "total": AnswerKey(
        "total", check_total, total, (), (without_the_first,), lambda rng: [([1, 2, 3],), ([5],)]
    ),
}


def double_result(
    marks: float | None = 2.0,
    points: int = 2,
    status: Status = Status.GRADED,
    outcome: str = "right",
    **more: Any,
) -> ExerciseResult:
    return ExerciseResult("double", status, outcome, marks, points, "a sentence", **more)


def stub(name: str) -> str:
    return (
        f'def {name}(x):\n    raise NotImplementedError("exercise {name}: replace this line with your'
        ' answer")'
    )


SKELETON = Skeleton(
    "tiny",
    (
        SkeletonCell("prose", "markdown", "# Tiny", id="intro"),
        SkeletonCell("setup", "code", "import math\nLIMIT = 100", "setup_1", id="setup_1"),
        SkeletonCell(
            "statement", "markdown", "double it", "statement_double", EXERCISES["double"], "statement_double"
        ),
        SkeletonCell("solution", "code", stub("double"), "double", EXERCISES["double"], "double"),
        SkeletonCell(
            "check", "code", 'check("double", double)', "check_double", EXERCISES["double"], "check_double"
        ),
        SkeletonCell(
            "demonstration", "code", "raise SystemError('a demonstration ran')", None, None, "demo-1"
        ),
        SkeletonCell("solution", "code", stub("total"), "total", EXERCISES["total"], "total"),
        SkeletonCell(
            "check", "code", 'check("total", total)', "check_total", EXERCISES["total"], "check_total"
        ),
        SkeletonCell("written", "markdown", WRITTEN_STUB, "why", EXERCISES["why"], "why"),
    ),
)


def submitted(extra: list[tuple[str, str]] = (), **answers: str) -> tuple[SubmittedCell, ...]:  # type: ignore[assignment]
    """The student copy with some answers filled in, and extra cells set in after the cell of a given id."""
    cells = []
    for cell in SKELETON.cells:
        source = answers.get(cell.grade_id or "", cell.source)
        cells.append(SubmittedCell(cell.kind, source, cell.grade_id, cell.id))
        cells += [SubmittedCell("code", source, None, None) for after, source in extra if after == cell.id]
    return tuple(cells)


NAME = SKELETON.name


def notebook(**answers: str) -> str:
    """The notebook with some answers filled in."""
    cells = []
    for cell in SKELETON.cells:
        marks = {"grade_id": cell.grade_id, "solution": cell.role in ("solution", "written")}
        metadata = {"nbgrader": marks} if cell.grade_id else {}
        source = answers.get(cell.grade_id or "", cell.source)
        cells.append({"cell_type": cell.kind, "id": cell.id, "metadata": metadata, "source": source})
        if cell.kind == "code":
            cells[-1] |= {
                "outputs": [{"output_type": "stream", "name": "stdout", "text": "seen"}],
                "execution_count": 7,
            }
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells})


def write_course(root: Path) -> Path:
    """A course directory with the instructor's notebook; its path."""
    path = root / "source" / NAME / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(notebook())
    return root


def hand_in(folder: Path, student: str, **answers: str) -> Path:
    """A student's notebook under a folder of submissions."""
    path = folder / student / NAME / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(notebook(**answers))
    return path
