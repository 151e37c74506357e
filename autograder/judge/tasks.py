"""What a checker is asked to do: judge a submission, or one answer alone."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from autograder.judge.checker import judge
from autograder.judge.graft import graft, with_answer
from autograder.judge.intake import Refused, read_notebook
from autograder.judge.launcher import Launcher
from autograder.judge.limits import Limits
from autograder.judge.results import ExerciseResult, Judged, ShownCell, Status, SubmissionResult, overall
from autograder.judge.skeleton import Skeleton, load_skeleton


@dataclass(frozen=True)
class SubmissionTask:
    """Judge what `student` handed in for `assignment`: FOLDER/STUDENT/ASSIGNMENT/ASSIGNMENT.ipynb."""

    student: str
    assignment: str
    folder: Path
    instructor: Path  # the instructor's notebook


@dataclass(frozen=True)
class AnswerTask:
    """Judge the text of one solution cell, with the setup cells of its notebook and nothing else."""

    exercise: str
    label: str
    source: str
    instructor: Path


Task = SubmissionTask | AnswerTask


def perform(
    task: Task,
    key: bytes,
    launcher: Launcher,
    limits: Limits,
    given_up: frozenset[str],
    begin: Callable[[str, float], None],
) -> Judged | ExerciseResult:
    """Do one task. Raises InfrastructureError."""
    skeleton = _skeleton(task.instructor)
    if isinstance(task, AnswerTask):
        single = with_answer(skeleton, task.exercise, task.source)
        (decided,) = judge(single, "prove", key, launcher, limits, given_up, begin)
        return decided
    relative = f"{task.student}/{task.assignment}/{task.assignment}.ipynb"
    try:
        taken = read_notebook(task.folder, relative, limits)
    except FileNotFoundError:
        return Judged(SubmissionResult(task.student, task.assignment, Status.MISSING, reason="no notebook was handed in"))
    except Refused as refused:
        return Judged(SubmissionResult(task.student, task.assignment, Status.REFUSED, reason=str(refused)))
    grafted = graft(skeleton, taken.cells)
    results = judge(grafted, task.student, key, launcher, limits, given_up, begin)
    status, notes = overall(results), grafted.notes
    cells = tuple(
        ShownCell(each.role, each.kind, each.source, each.cell.grade_id if each.cell is not None else None)
        for each in grafted.cells
    )
    result = SubmissionResult(task.student, task.assignment, status, results, None, notes, taken.sha256, taken.received)
    return Judged(result, cells)


@functools.cache
def _skeleton(path: Path) -> Skeleton:
    return load_skeleton(path)
