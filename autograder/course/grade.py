"""`kqa course grade`: judge a class, record the marks, and account for every submission.

- The manifest is made first: each student's folder times each notebook. In the end every entry has exactly one status; what has
  not, or could not be judged, is listed and the exit is not zero.
- Results are recorded as they come, by this process alone, and kept as JSON in `notebooks/judged/` for `kqa course report`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.course.build import write_whole
from autograder.course.prove import chosen
from autograder.course.release import COURSE
from autograder.judge.launcher import InfrastructureError
from autograder.judge.limits import Limits
from autograder.judge.pool import run_tasks
from autograder.judge.results import Judged, Status, SubmissionResult
from autograder.judge.seeds import course_key
from autograder.judge.skeleton import load_skeleton
from autograder.judge.tasks import SubmissionTask
from kqa_core.errors import UserError


@dataclass
class Graded:
    """A graded class. `differences` should be empty."""

    results: list[SubmissionResult]
    gradebook: Path
    feedback: Path
    differences: list[str] = field(default_factory=list)


def grade(
    assignment: str | None = None,
    folder: Path | None = None,
    workers: int | None = None,
    course: Path = COURSE,
    limits: Limits | None = None,
    began: Callable[[int], Any] = lambda tasks: None,
    done: Callable[[SubmissionResult], Any] = lambda result: None,
) -> Graded:
    """Grade one notebook, or all that anybody handed in. `folder` holds STUDENT/NOTEBOOK/NOTEBOOK.ipynb.

    `began` is told the number of submissions, `done` each result. Raises UserError where there is nothing to grade.
    """
    from autograder.judge.recorder import Recorder

    folder = folder or course / "submitted"
    tasks = manifest(assignment, folder, course)
    key = course_key(course / ".course_key")
    before = {name: load_results(course, name) for name in {task.assignment for task in tasks}}
    results: dict[tuple[str, str], SubmissionResult] = {}
    differences: list[str] = []
    began(len(tasks))
    with Recorder(course) as recorder:
        for name in sorted(before):
            recorder.prepare(load_skeleton(_instructor(course, name)))
        for task, judged in run_tasks(tasks, key, limits, workers):
            if isinstance(judged, InfrastructureError):
                judged = Judged(SubmissionResult(task.student, task.assignment, Status.BROKEN, reason=str(judged)))
            result = judged.result
            if (result.student, result.assignment) in results:
                differences.append(f"{result.student}, {result.assignment}: judged twice")
            results[result.student, result.assignment] = result
            last = before[task.assignment].get(task.student)
            recorder.record(judged, changed=last is None or last.sha256 != result.sha256)
            done(result)
    ordered = [results[task.student, task.assignment] for task in tasks if (task.student, task.assignment) in results]
    for name in sorted(before):
        _keep(course, name, [each for each in ordered if each.assignment == name])
    differences += reconcile(tasks, ordered)
    return Graded(ordered, course / "gradebook.db", course / "feedback", differences)


def manifest(assignment: str | None, folder: Path, course: Path = COURSE) -> list[SubmissionTask]:
    """What there is to judge, in order. Links among the students' folders are entries too: the intake refuses them."""
    if not folder.is_dir():
        raise UserError(f"{folder}: no such folder; expected submissions as STUDENT/NOTEBOOK/NOTEBOOK.ipynb")
    students = sorted(
        each.name for each in folder.iterdir() if (each.is_dir() or each.is_symlink()) and not each.name.startswith(".")
    )
    if not students:
        raise UserError(f"{folder}: holds no student's folder; expected submissions as STUDENT/NOTEBOOK/NOTEBOOK.ipynb")
    if assignment is not None:
        names = chosen([assignment], course)
    else:
        names = [name for name in chosen((), course) if any((folder / student / name).exists() for student in students)]
        if not names:
            raise UserError(f"{folder}: holds no submission of any notebook of the course ({', '.join(chosen((), course))})")
    return [SubmissionTask(student, name, folder, _instructor(course, name)) for name in names for student in students]


def reconcile(tasks: list[SubmissionTask], results: list[SubmissionResult]) -> list[str]:
    """Where manifest and results differ, and what the judge could not decide."""
    judged = {(each.student, each.assignment) for each in results}
    asked = {(task.student, task.assignment) for task in tasks}
    found = [f"{student}, {name}: has no status" for student, name in sorted(asked - judged)]
    found += [f"{student}, {name}: was judged but is not in the manifest" for student, name in sorted(judged - asked)]
    for each in results:
        if each.status is Status.BROKEN:
            broken = [f"{one.exercise}: {one.sentence}" for one in each.exercises if one.status is Status.BROKEN]
            found.append(f"{each.student}, {each.assignment}: {each.status}: {each.reason or '; '.join(broken)}")
    return found


def load_results(course: Path, assignment: str) -> dict[str, SubmissionResult]:
    """The results kept from the last grading of a notebook, by student; none where there was none."""
    path = course / "judged" / f"{assignment}.json"
    try:
        tree = json.loads(path.read_text(encoding="utf-8"))
        return {each["student"]: SubmissionResult.from_json(each) for each in tree["results"]}
    except FileNotFoundError:
        return {}
    except (ValueError, KeyError, TypeError) as error:
        raise UserError(f"{path}: is damaged ({type(error).__name__}); delete it and grade again") from None


def _keep(course: Path, assignment: str, results: list[SubmissionResult]) -> None:
    tree = {"assignment": assignment, "results": [each.to_json() for each in results]}
    write_whole(course / "judged" / f"{assignment}.json", json.dumps(tree, indent=1, ensure_ascii=False) + "\n")


def _instructor(course: Path, name: str) -> Path:
    return course / "source" / name / f"{name}.ipynb"
