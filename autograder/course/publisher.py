"""The publisher of a course: the one place that decides what is published, when, and from which version.

- From which version: `plan` finds the version that counts, by due dates, extensions and groups. One
  submission of a group is judged, and published for each member.
- When: what `publish` is given at once becomes visible at once. It is called when the canaries of a round
  held.
- What: people's marks for groups are shared, each result is recorded in the gradebook with its feedback page,
  and the ledger's published results are replaced.
- One process publishes at a time, and the gradebook is open only meanwhile, so a person can mark while the
  judge works. If two coordinators end together, one of them records: recording again changes nothing.
- Nothing that one submission holds stops the others: what cannot be recorded is listed, and the next run
  tries again.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.course.log import log, log_result
from autograder.course.private_files import make_private_folders
from autograder.grading.batch import JudgedEntry
from autograder.grading.config import GradingConfig
from autograder.grading.ledger import Ledger
from autograder.judge.results import Judged, Status, SubmissionResult
from autograder.submissions.merge import GraftedCell
from autograder.submissions.skeleton import load_skeleton, tested_sources
from autograder.submissions.store import Submission, manifests
from autograder.submissions.student_names import logged_name
from kqa_core.errors import UserError, readable
from kqa_core.files import locked

if TYPE_CHECKING:  # nbgrader is loaded when grading begins
    from autograder.gradebook.gradebook import Mark
    from autograder.gradebook.recorder import Recorder
    from autograder.people.groups import Shared

Place = tuple[str, str]  # student, notebook


@dataclass(frozen=True)
class Plan:
    """The entries to grade: one for each student, or for each group, and notebook."""

    entries: list[Submission]
    shared: list[Shared]  # the entries that count for a group
    dues: Mapping[str, float | None]  # notebook → its due date
    extensions: Mapping[Place, float]  # the seconds after it, those of a group included
    whole: bool = True  # whether these are all entries of their notebooks

    @property
    def notebooks(self) -> list[str]:
        """The notebooks of the entries, in order."""
        return sorted({entry.assignment for entry in self.entries})

    def part(self, entries: Sequence[Submission]) -> Plan:
        """The plan of some of its entries: the results of the others stay as they are."""
        places = {entry.place for entry in entries}
        shared = [each for each in self.shared if each.entry.place in places]
        return replace(self, entries=list(entries), shared=shared, whole=False)


@dataclass
class Graded:
    """A graded class. `differences` is empty if all went well."""

    results: list[SubmissionResult]
    gradebook: str
    feedback: Path
    marks: dict[Place, Mark] = field(default_factory=dict)  # the gradebook's, now
    differences: list[str] = field(default_factory=list)
    news: list[str] = field(default_factory=list)  # a line for each new file that was received
    set_aside: list[str] = field(default_factory=list)  # a line for what was not taken in
    failed: set[Place] = field(default_factory=set)  # not judged, or not recorded


class Publisher:
    """Publishes the results of one run."""

    def __init__(self, config: GradingConfig) -> None:
        self.config, self.course = config, config.course
        self.published = False  # whether any result was
        self._began = time.time()  # what another coordinator recorded since then is not recorded again

    def plan(self, notebooks: Sequence[str], only_submitted: bool = False) -> Plan:
        """What there is to grade of these notebooks, for each student whom the store knows. `only_submitted`
        leaves out notebooks that nobody submitted.
        """
        from autograder.people.groups import group_extensions, groups_of, share

        with self._gradebook() as recorder:  # makes the gradebook if there is none
            dues = {name: recorder.due(name) for name in notebooks}
            groups = {name: groups_of(self.course, name) for name in notebooks}
            extensions = group_extensions(recorder.extensions(), groups)
        entries = manifests(self.course / "received", dues, extensions, only_submitted)
        return Plan(*share(entries, groups), dues, extensions)

    def publish(self, plan: Plan, judged: Sequence[JudgedEntry], ledger: Ledger) -> Graded:
        """Publish what was judged of a plan, for each student whom it is about.

        There are marks if it is all of a whole plan; else the published results of others stay. Raises
        UserError if the gradebook fails.
        """
        make_private_folders(self.course)
        whole = plan.whole and len(judged) == len(plan.entries)
        for_students = list(_for_students(judged, plan.shared))
        results = [each.result for each in for_students]
        with self._gradebook() as recorder:
            recorder.of_groups = plan.extensions
            conflicts = self._share_marks(plan, recorder)
            unrecorded = {}
            for each in for_students:
                line = self._record(each, ledger, recorder)
                if line is not None:
                    unrecorded[each.entry.place] = line
            self._publish_results(plan, for_students, ledger, whole)
            where = recorder.where
            of_class = {name: recorder.marks(name, results) for name in (plan.notebooks if whole else ())}
        self.published = bool(judged)
        marks = {
            (student, name): mark
            for name, of_notebook in of_class.items()
            for student, mark in of_notebook.items()
        }
        differences = [*reconcile([each.entry for each in for_students], results), *unrecorded.values()]
        failed = {each.entry.place for each in for_students if each.result.status is Status.BROKEN}
        return Graded(
            *(results, where, self.course / "feedback", marks, [*differences, *conflicts]),
            failed=failed | set(unrecorded),
        )

    @contextmanager
    def _gradebook(self) -> Iterator[Recorder]:
        """The gradebook, opened by the one process that publishes."""
        from autograder.gradebook.recorder import Recorder

        with (
            locked(self.course / "judged" / ".publishing"),
            Recorder(self.course, self.config.db, self.config.solutions) as recorder,
        ):
            yield recorder

    def _share_marks(self, plan: Plan, recorder: Recorder) -> list[str]:
        """Copy people's marks within the groups, and add the notebooks to the gradebook.
        Returns a line for each conflict.
        """
        from autograder.people.group_marks import share_marks

        conflicts = []
        for name in plan.notebooks:
            groups = [each.group for each in plan.shared if each.entry.assignment == name]
            conflicts += share_marks(recorder.gradebook, self.course, name, groups)
            path = self.course / "source" / name / f"{name}.ipynb"
            recorder.prepare(load_skeleton(path), tested_sources(path))
        return conflicts

    def _record(self, judged: JudgedEntry, ledger: Ledger, recorder: Recorder) -> str | None:
        """Record one result, unless another coordinator did since this one began.
        Returns a line if it could not be recorded.
        """
        entry, result = judged.entry, judged.result
        key = judged.key or entry.refused or "missing"
        final = result.status is not Status.BROKEN
        last = ledger.last_recorded(entry, recorder.where)
        if final and last is not None and last[0] == key and self._began <= last[2] <= time.time():
            return None
        digest = last[1] if last is not None else recorder.published_digest(*entry.place)
        try:
            cells = _cells(judged, ledger)
            if cells is None:
                raise LookupError("another run judges it again; run this again")
            whole = Judged(result, cells)
            changed = digest != entry.sha256 and recorder.changed(whole)
            recorder.record(whole, changed=changed, stamp=entry.stamp)
        except UserError:
            raise
        except Exception as error:  # whatever a hostile submission can bring about
            failure = f"{logged_name(entry.student)} {entry.assignment}: could not be recorded"
            log(self.course, "recorded", failure, level=logging.ERROR)
            reason = readable(f"{type(error).__name__}: {error}")
            return f"{entry.student}, {entry.assignment}: was judged, but could not be recorded ({reason})"
        if final:
            ledger.recorded(entry, recorder.where, key)
            if (last is None or last[0] != key) and result.status is not Status.MISSING:
                log_result(self.course, "recorded", result)
        return None

    def _publish_results(
        self, plan: Plan, for_students: Sequence[JudgedEntry], ledger: Ledger, whole: bool
    ) -> None:
        """Replace the ledger's published results, notebook by notebook."""
        together = {(who, each.entry.assignment) for each in plan.shared for who in each.group.members}
        for name in plan.notebooks:
            of_notebook = [each for each in for_students if each.entry.assignment == name]
            ledger.publish(name, (_row(each, ledger, together) for each in of_notebook), whole)
            log(self.course, "published", f"{name}: {len(of_notebook)} results")


def _row(judged: JudgedEntry, ledger: Ledger, together: set[Place]) -> tuple[str | None, Judged]:
    """A result to publish, and its key in the ledger. None where the ledger keeps none for the next run, for
    students who share a submission, and where notes tell of other versions.
    """
    alone = judged.entry.place not in together and not judged.entry.about
    kept = judged.result.status is not Status.BROKEN and alone
    return judged.key if kept else None, Judged(judged.result, _cells(judged, ledger) or ())


def _cells(judged: JudgedEntry, ledger: Ledger) -> tuple[GraftedCell, ...] | None:
    """The cells that were judged; None if another run has withdrawn the result meanwhile."""
    if judged.key is None:
        return ()
    return ledger.cells_of(judged.key) if judged.cells is None else judged.cells


def _for_students(judged: Sequence[JudgedEntry], shared: Sequence[Shared]) -> Iterator[JudgedEntry]:
    """Every result for its student; that of a group's submission for each member, with a note."""
    of_groups = {each.entry.place: each for each in shared}
    for each in judged:
        group = of_groups.get(each.entry.place)
        if group is None:
            yield each
            continue
        for member, note in group.notes.items():
            result = replace(each.result, student=member, notes=(*each.result.notes, note))
            secret, timestamp = group.stamps[member]
            entry = replace(each.entry, student=member, secret=secret, timestamp=timestamp)
            yield replace(each, entry=entry, result=result)


def reconcile(entries: Sequence[Submission], results: Sequence[SubmissionResult]) -> list[str]:
    """A line for each difference between manifest and results, and each submission that was not judged."""
    times = Counter((result.student, result.assignment) for result in results)
    asked = {entry.place for entry in entries}
    lines = [f"{student}, {name}: has no status" for student, name in sorted(asked - set(times))]
    lines += [
        f"{student}, {name}: was judged but is not in the manifest"
        for student, name in sorted(set(times) - asked)
    ]
    lines += [
        f"{student}, {name}: was judged twice"
        for (student, name), count in sorted(times.items())
        if count > 1
    ]
    for result in results:
        if result.status is Status.BROKEN:
            stopped = [
                f"{exercise.exercise}: {exercise.sentence}"
                for exercise in result.exercises
                if exercise.status is Status.BROKEN
            ]
            reason = result.reason or "; ".join(stopped)
            lines.append(f"{result.student}, {result.assignment}: {result.status}: {reason}")
    return lines
