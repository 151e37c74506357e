"""`kqa course grade`: judge a class, record the marks, and account for every submission.

1. what lies in the class's folder is received, and the manifest made: each known student times each notebook;
2. every entry is judged, through the ledger: what an earlier run judged, or was killed over, is not judged again (`batch`);
3. only where the canaries held is anything published: the gradebook, the feedback pages, and the ledger's published results;
4. manifest and results are compared. What differs, or could not be judged, is listed, and the exit is not zero.

Publishing is done by one process at a time, and by one of two coordinators that end together: recording is idempotent.
"""

from __future__ import annotations

import fcntl
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.course.prove import chosen
from autograder.farm.batch import Batch, How
from autograder.farm.checker_process import PERFORM
from autograder.farm.crew import Watch
from autograder.farm.ledger import Ledger, ledger_path
from autograder.judge.results import Judged, Status, SubmissionResult
from autograder.judge.seeds import course_key
from autograder.paths import course_folder
from autograder.sandbox.limits import Limits
from autograder.sandbox.tiers import best_tier
from autograder.submissions.skeleton import load_skeleton
from autograder.submissions.store import Submission, manifest, receive
from kqa_core.errors import UserError


@dataclass
class Graded:
    """A graded class. `differences` should be empty."""

    results: list[SubmissionResult]
    gradebook: str
    feedback: Path
    differences: list[str] = field(default_factory=list)
    news: list[str] = field(default_factory=list)  # what was received


def grade(
    assignment: str | None = None,
    folder: Path | None = None,
    workers: int | None = None,
    course: Path | None = None,
    limits: Limits | None = None,
    began: Callable[[int], Any] = lambda entries: None,
    done: Callable[[SubmissionResult], Any] = lambda result: None,
    watch: Watch = lambda slot, what: None,
    scheduler: str | None = None,
    db: str | None = None,
    tier: str | None = None,
    again: bool = False,
    received_at: float | None = None,
    perform: str = PERFORM,
) -> Graded:
    """Grade one notebook, or all that anybody handed in. `folder` holds STUDENT/NOTEBOOK/NOTEBOOK.ipynb.

    `began` is told the number of entries, `done` each result, `watch` what each slot judges. `again` judges anew what the ledger
    holds. Raises UserError where there is nothing to grade, and CanaryDeviates where the judge cannot be trusted.
    """
    from autograder.gradebook.recorder import Recorder

    start, course = time.time(), course or course_folder()
    limits, tier = limits or Limits(), tier or best_tier()
    names = chosen([assignment] if assignment is not None else (), course)
    store, news = course / "received", []
    if folder is not None or (course / "submitted").is_dir() or not store.is_dir():
        news = receive(folder or course / "submitted", store, names, limits, received_at)
    with _publishing(course), Recorder(course, db) as recorder:  # the first to come makes the gradebook
        entries = wanted(store, {name: recorder.due(name) for name in names}, every=assignment is None)
    instructors = {name: _instructor(course, name) for name in sorted({entry.assignment for entry in entries})}
    how = How(course_key(course / ".course_key"), limits, tier, workers, scheduler, perform, watch)
    began(len(entries))
    with Ledger(ledger_path(course)) as ledger:
        batch = Batch(entries, store, instructors, ledger, how, done)
        if again:
            ledger.forget(list(batch.keys.values()))
        judged = batch.judge()
        with _publishing(course), Recorder(course, db) as recorder:
            _record(recorder, batch, judged, start)
            for name in instructors:
                ledger.publish(name, batch.verdicts(name, judged))
            where = recorder.where
    results = [each.result for each in judged]
    return Graded(results, where, course / "feedback", reconcile(entries, results), news)


def wanted(store: Path, dues: dict[str, float | None], every: bool) -> list[Submission]:
    """The manifest of these notebooks. With `every`, notebooks that nobody handed in are left out."""
    entries = {name: manifest(store, name, due) for name, due in dues.items()}
    if every:
        entries = {name: found for name, found in entries.items() if any(each.file or each.refused for each in found)}
        if not entries:
            raise UserError(f"{store}: holds no submission of any notebook of the course ({', '.join(dues)})")
    found = [each for name in sorted(entries) for each in entries[name]]
    if not found:
        raise UserError(f"{store}: knows no student; expected submissions as STUDENT/NOTEBOOK/NOTEBOOK.ipynb in --class FOLDER")
    return found


def reconcile(entries: Sequence[Submission], results: Sequence[SubmissionResult]) -> list[str]:
    """Where manifest and results differ, and what the judge could not decide."""
    judged = [(each.student, each.assignment) for each in results]
    asked = {(entry.student, entry.assignment) for entry in entries}
    found = [f"{student}, {name}: has no status" for student, name in sorted(asked - set(judged))]
    found += [f"{student}, {name}: was judged but is not in the manifest" for student, name in sorted(set(judged) - asked)]
    found += [
        f"{student}, {name}: was judged twice" for student, name in sorted(set(judged)) if judged.count((student, name)) > 1
    ]
    for each in results:
        if each.status is Status.BROKEN:
            broken = [f"{one.exercise}: {one.sentence}" for one in each.exercises if one.status is Status.BROKEN]
            found.append(f"{each.student}, {each.assignment}: {each.status}: {each.reason or '; '.join(broken)}")
    return found


def _record(recorder: Any, batch: Batch, judged: Sequence[Judged], start: float) -> None:
    """Record every result, except what another coordinator recorded since this one began."""
    for path in batch.instructors.values():
        recorder.prepare(load_skeleton(path))
    for entry, each in zip(batch.entries, judged, strict=True):
        key = batch.keys.get((entry.student, entry.assignment), entry.refused or "missing")
        last = batch.ledger.last_recorded(entry, recorder.where)
        if each.result.status is not Status.BROKEN and last is not None and last[0] == key and last[2] >= start:
            continue
        digest = last[1] if last is not None else recorder.published_digest(entry.student, entry.assignment)
        recorder.record(each, changed=digest != entry.sha256)
        if each.result.status is not Status.BROKEN:
            batch.ledger.recorded(entry, recorder.where, key)


@contextmanager
def _publishing(course: Path) -> Iterator[None]:
    """Hold the course's lock: one process publishes at a time. The lock goes with its process."""
    path = course / "judged" / ".publishing"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _instructor(course: Path, name: str) -> Path:
    return course / "source" / name / f"{name}.ipynb"
