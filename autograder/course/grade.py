"""`kqa course grade`: judge a class, record the marks, and account for every submission.

1. Receive the files in the class's folder, and make the manifest: each known student times each notebook.
2. Judge every entry through the ledger (`batch`). Results of earlier runs, even of killed ones, are used
   again.
3. If the canaries held, publish: the gradebook, the feedback pages, and the ledger's published results. That
   is done before slow submissions are judged, and again at the end. One submission of a group is judged, and
   recorded for each member (`autograder.people.groups`).
4. Compare manifest and results. Differences and submissions that could not be judged are listed, and the exit
   status is not 0.

One process publishes at a time. If two coordinators end together, one of them records: recording again
changes nothing.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.build.release import chosen
from autograder.course.log import log, log_received, log_result
from autograder.grading.batch import Batch, Found
from autograder.grading.config import SILENT, Events, GradingConfig
from autograder.grading.ledger import Ledger, ledger_path
from autograder.judge.canaries import CanaryDeviates
from autograder.judge.results import Judged, Status, SubmissionResult
from autograder.judge.seeds import course_key
from autograder.sandbox.tiers import best_tier
from autograder.submissions.skeleton import load_skeleton, tested_sources
from autograder.submissions.store import NO_EXTENSION, Submission, manifests, receive
from kqa_core.errors import UserError, readable
from kqa_core.files import locked

if TYPE_CHECKING:  # nbgrader is loaded when grading begins
    from autograder.gradebook.gradebook import Mark
    from autograder.people.groups import Shared


Dues = dict[str, float | None]  # notebook → its due date
# (student, notebook) → the seconds after it, those of a group included
Extended = Mapping[tuple[str, str], float]


@dataclass
class Graded:
    """A graded class. `differences` is empty if all went well."""

    results: list[SubmissionResult]
    gradebook: str
    feedback: Path
    # (student, notebook) → the gradebook's, now
    marks: dict[tuple[str, str], Mark] = field(default_factory=dict)
    differences: list[str] = field(default_factory=list)
    news: list[str] = field(default_factory=list)  # a line for each new file that was received
    # (student, notebook): not judged, or not recorded
    failed: set[tuple[str, str]] = field(default_factory=set)


@dataclass(frozen=True)
class Plan:
    """The entries to grade: one for each student, or for each group, and notebook."""

    entries: list[Submission]
    shared: list[Shared]  # the entries that count for a group
    dues: Dues
    extensions: Extended


def grade(config: GradingConfig, events: Events = SILENT) -> Graded:
    """Grade one notebook, or all that anybody submitted.

    Raises UserError if there is nothing to grade, and CanaryDeviates if the judge cannot be trusted.
    """
    start, course = time.time(), config.course
    config = replace(config, tier=config.tier or best_tier())
    names = chosen([config.assignment] if config.assignment is not None else (), course)
    store, news = course / "received", []
    if config.submissions is not None or (course / "submitted").is_dir() or not store.is_dir():
        news = receive(
            config.submissions or course / "submitted", store, names, config.limits, config.received_at
        )
        log_received(course, news, names)
    plan = planned(
        config, names, lambda dues, extensions: wanted(store, dues, config.assignment is None, extensions)
    )
    *_, made = carry_out(plan, config, events, start)
    return replace(made, news=news)


def planned(
    config: GradingConfig, names: Sequence[str], find: Callable[[Dues, Extended], list[Submission]]
) -> Plan:
    """The entries of these notebooks to grade. `find`: due dates and extensions → the versions that count."""
    from autograder.gradebook.recorder import Recorder
    from autograder.people.groups import group_extensions, groups_of, share

    course = config.course
    with _publishing(course), Recorder(course, config.db) as recorder:  # makes the gradebook if there is none
        dues = {name: recorder.due(name) for name in names}
        groups = {name: groups_of(course, name) for name in names}
        extensions = group_extensions(recorder.extensions(), groups)
    return Plan(*share(find(dues, extensions), groups), dues, extensions)


def carry_out(
    plan: Plan, config: GradingConfig, events: Events, start: float, whole: bool = True
) -> Generator[Graded, None, None]:
    """Have the entries of a plan judged, and publish the results. `start`: what was recorded since then is
    not recorded again.

    Yields what is published, each time that something is: first what need not wait for slow submissions, at
    last all. `config.tier` is set. The plan holds all entries of its notebooks, unless `whole` is false: then
    the other entries' results stay, and no marks are returned. Raises UserError, CanaryDeviates.
    """
    course, published = config.course, False
    names = sorted({entry.assignment for entry in plan.entries})
    instructors = {name: course / "source" / name / f"{name}.ipynb" for name in names}
    config = replace(config, key=course_key(course / ".course_key"))
    events.began(len(plan.entries))
    with Ledger(ledger_path(course)) as ledger:
        batch = Batch(plan.entries, course / "received", instructors, ledger, config, events)
        if config.again:
            ledger.forget(list(batch.keys.values()))
        batch.events = replace(events, done=_logged(course, batch, events))
        try:
            with closing(batch.judge()) as parts:
                for found in parts:
                    made = _published(
                        plan, config, batch, found, start, whole and len(found) == len(plan.entries)
                    )
                    published = bool(found)
                    yield made
        except CanaryDeviates as deviation:
            deviation.published = published
            raise


def _published(
    plan: Plan, config: GradingConfig, batch: Batch, found: list[Found], start: float, whole: bool
) -> Graded:
    """Record and publish these results. If they are not `whole`, those of others stay, and there are no
    marks.
    """
    from autograder.gradebook.recorder import Recorder
    from autograder.people.group_marks import share_marks

    course, conflicts = config.course, list[str]()
    with _publishing(course), Recorder(course, config.db, config.solutions) as recorder:
        recorder.of_groups, recorder.submitted = plan.extensions, config.beside or recorder.submitted
        for name in batch.instructors:
            teams = [each.group for each in plan.shared if each.entry.assignment == name]
            conflicts += share_marks(recorder.gradebook, course, name, teams)
        spread = _spread(batch, found, plan.shared)
        unrecorded = _record(recorder, batch, spread, start)
        results = [each for _, each in spread]
        together = {(who, each.entry.assignment) for each in plan.shared for who in each.group.members}
        for name in batch.instructors:
            batch.ledger.publish(name, batch.verdicts(name, results, together), whole)
            log(course, "published", f"{name}: {sum(each.assignment == name for each in results)} results")
        where = recorder.where
        of_class = {name: recorder.marks(name, results) for name in (batch.instructors if whole else ())}
    marks = {
        (student, name): mark for name, by_student in of_class.items() for student, mark in by_student.items()
    }
    differences = [*reconcile([entry for entry, _ in spread], results), *unrecorded.values(), *conflicts]
    broken = {(each.student, each.assignment) for each in results if each.status is Status.BROKEN}
    return Graded(results, where, course / "feedback", marks, differences, failed=broken | set(unrecorded))


def wanted(
    store: Path,
    dues: dict[str, float | None],
    every: bool,
    extensions: Mapping[tuple[str, str], float] = NO_EXTENSION,
) -> list[Submission]:
    """The manifest of these notebooks. With `every`, notebooks that nobody submitted are left out."""
    entries = manifests(store, dues, extensions)
    if every:
        entries = {
            name: found for name, found in entries.items() if any(each.file or each.refused for each in found)
        }
        if not entries:
            raise UserError(f"{store}: holds no submission of any notebook of the course ({', '.join(dues)})")
    found = [each for name in sorted(entries) for each in entries[name]]
    if not found:
        raise UserError(
            f"{store}: knows no student; expected submissions as STUDENT/NOTEBOOK/NOTEBOOK.ipynb in --class"
            " FOLDER"
        )
    return found


def reconcile(entries: Sequence[Submission], results: Sequence[SubmissionResult]) -> list[str]:
    """A line for each difference between manifest and results, and for each submission that could not be
    judged.
    """
    judged = Counter((each.student, each.assignment) for each in results)
    asked = {(entry.student, entry.assignment) for entry in entries}
    found = [f"{student}, {name}: has no status" for student, name in sorted(asked - set(judged))]
    found += [
        f"{student}, {name}: was judged but is not in the manifest"
        for student, name in sorted(set(judged) - asked)
    ]
    found += [
        f"{student}, {name}: was judged twice"
        for (student, name), times in sorted(judged.items())
        if times > 1
    ]
    for each in results:
        if each.status is Status.BROKEN:
            broken = [
                f"{one.exercise}: {one.sentence}" for one in each.exercises if one.status is Status.BROKEN
            ]
            found.append(
                f"{each.student}, {each.assignment}: {each.status}: {each.reason or '; '.join(broken)}"
            )
    return found


def _spread(batch: Batch, found: Sequence[Found], shared: Sequence[Shared]) -> list[Found]:
    """Every entry with its result; the result of a group's submission for each member, with a note. The
    members share its key.
    """
    of_groups = {(each.entry.student, each.entry.assignment): each for each in shared}
    spread = []
    for entry, result in found:
        group = of_groups.get((entry.student, entry.assignment))
        if group is None:
            spread.append((entry, result))
            continue
        for member, note in group.notes.items():
            key = batch.keys.get((entry.student, entry.assignment))
            if key is not None:
                batch.keys[member, entry.assignment] = key
            spread.append(
                (replace(entry, student=member), replace(result, student=member, notes=(*result.notes, note)))
            )
    return spread


def _logged(course: Path, batch: Batch, events: Events) -> Callable[[SubmissionResult], None]:
    """`events.done`, which also logs what is judged now; results that the ledger holds were logged before."""
    free, cut, others = batch.ledger.to_do(list(batch.keys.values()))
    new = {*free, *cut, *others}

    def done(result: SubmissionResult) -> None:
        events.done(result)
        if batch.keys.get((result.student, result.assignment)) in new:
            log_result(course, "judged", result)

    return done


def _record(recorder: Any, batch: Batch, found: Sequence[Found], start: float) -> dict[tuple[str, str], str]:
    """Record every result, except what another coordinator recorded since this one began.

    Nothing that one submission holds stops the others: returns a line for each (student, notebook) that could
    not be recorded. The next run tries again. Raises UserError if the gradebook fails.
    """
    unrecorded = {}
    for path in batch.instructors.values():
        recorder.prepare(load_skeleton(path), tested_sources(path))
    for entry, result in found:
        key = batch.keys.get((entry.student, entry.assignment), entry.refused or "missing")
        last = batch.ledger.last_recorded(entry, recorder.where)
        if result.status is not Status.BROKEN and last is not None and last[0] == key and last[2] >= start:
            continue
        digest = last[1] if last is not None else recorder.published_digest(entry.student, entry.assignment)
        try:
            cells = batch.cells((entry.student, entry.assignment))
            if cells is None:
                raise LookupError("another run judges it again; run this again")
            recorder.record(Judged(result, cells), changed=digest != entry.sha256)
        except UserError:
            raise
        except Exception as error:  # whatever a hostile submission can bring about
            log(
                recorder.course,
                "recorded",
                f"{entry.student} {entry.assignment}: could not be recorded",
                level=logging.ERROR,
            )
            said = readable(f"{type(error).__name__}: {error}")
            line = f"{entry.student}, {entry.assignment}: was judged, but could not be recorded ({said})"
            unrecorded[entry.student, entry.assignment] = line
            continue
        if result.status is not Status.BROKEN:
            batch.ledger.recorded(entry, recorder.where, key)
            if (last is None or last[0] != key) and result.status is not Status.MISSING:
                log_result(recorder.course, "recorded", result)
    return unrecorded


def _publishing(course: Path) -> AbstractContextManager[None]:
    return locked(course / "judged" / ".publishing")
