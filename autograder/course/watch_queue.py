"""The queue of `kqa course watch`: what waits for an answer, in which order, and until when.

- A submission waits if what counts for a student now is not what the student was answered last. So of several
  versions that come between two looks, only the one that counts is judged.
- Order: students with fewer answers today come first, then those who submitted first.
- Over the limit of the day a submission waits until midnight, or until its due date if that is sooner: the
  submission that counts when it is due is always answered then. An answer that needs no judging (the same
  file again) is not held back.
- The exchange's two files of the version belong to what a student is answered: the same bytes that were
  submitted again are answered again, without being judged. A later version that does not count changes
  nothing.
- Nothing here reads a clock or a file.
"""

from __future__ import annotations

import datetime
import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from autograder.course.publisher import Plan
from autograder.grading.answers import Answer
from autograder.judge.results import SubmissionResult
from autograder.submissions.store import Submission

LIMIT, AGAIN = "limit", "again"  # why a submission has to wait


@dataclass(frozen=True)
class Waiting:
    """One submission that waits for its answer."""

    entry: Submission
    members: tuple[str, ...]  # who gets the answer: the student, or the members of the group
    marks: Mapping[str, str]  # member → what the answer will be about
    work: str  # what is judged for it
    # member → what the exchange put beside the member's version (`Submission.stamp`)
    stamps: Mapping[str, tuple[str | None, str | None]] = field(compare=False)
    rank: int = 0  # answers that its students got today
    counts: bool = True  # for the limit
    until: float | None = None  # not judged before then; None: as soon as there is a place
    why: str = ""  # it has to wait: LIMIT or AGAIN

    @property
    def place(self) -> tuple[str, str]:
        """Student and notebook."""
        return self.entry.student, self.entry.assignment


@dataclass(frozen=True)
class Day:
    """A moment, and the day it belongs to, in the course's time zone."""

    now: float
    begins: float
    ends: float

    @staticmethod
    def of(now: float, zone: datetime.tzinfo | None = None) -> Day:
        """The day of a moment; `zone`: the course's, None for this machine's."""
        here = datetime.datetime.fromtimestamp(now, zone)
        day = here.date()
        ends = [
            datetime.datetime.combine(date, datetime.time(), here.tzinfo)
            for date in (day, day + datetime.timedelta(days=1))
        ]
        return Day(now, *(end.timestamp() for end in ends))


def waiting(
    plan: Plan,
    answered: Mapping[tuple[str, str], Answer],
    today: Counter[str],
    day: Day,
    daily: int | None = None,
    later: Mapping[tuple[str, str], tuple[str, float]] | None = None,
) -> list[Waiting]:
    """The submissions that wait, in order. Those that may not be judged yet come last.

    `today`: student → answers that count since the day began. `daily`: the limit. `later`: (student,
    notebook) → a work that could not be judged, and when to try it again.
    """
    groups = {group.entry.place: group for group in plan.shared}
    queue = []
    for entry in plan.entries:
        if not (entry.file or entry.refused or entry.notes):
            continue
        group = groups.get(entry.place)
        notes = group.notes if group is not None else {}
        submission = _seen(entry, notes, group.stamps if group is not None else {entry.student: entry.stamp})
        before = [answered.get((who, entry.assignment)) for who in submission.members]
        if all(
            last is not None and last.mark == submission.marks[who]
            for who, last in zip(submission.members, before, strict=True)
        ):
            continue
        queue.append(_held(submission, before, plan, today, day, daily, later or {}))
    return sorted(
        queue,
        key=lambda submission: (
            submission.until or 0.0,
            submission.rank,
            submission.entry.received or 0.0,
            submission.place,
        ),
    )


def _seen(
    entry: Submission, notes: Mapping[str, str], stamps: Mapping[str, tuple[str | None, str | None]]
) -> Waiting:
    """What waits, with digests that change when a student must be answered. `stamps`: by member."""
    alone = entry.alone
    version = alone.same_since or alone.version
    work = _digest(alone.student, alone.assignment, version, alone.sha256, alone.refused, alone.notes)
    marks = {
        who: _digest(
            work, entry.late, notes.get(who), *((text or "").encode().hex() for text in (timestamp, secret))
        )
        for who, (secret, timestamp) in stamps.items()
    }
    return Waiting(entry, tuple(stamps), marks, work, stamps)


def _held(
    submission: Waiting,
    before: Sequence[Answer | None],
    plan: Plan,
    today: Counter[str],
    day: Day,
    daily: int | None,
    later: Mapping[tuple[str, str], tuple[str, float]],
) -> Waiting:
    """The same with its rank, and until when it has to wait."""
    entry, rank = submission.entry, max(today[who] for who in submission.members)
    judged = any(last is not None and last.work == submission.work for last in before)
    known = any(last is not None and last.version == entry.version for last in before)
    due = plan.dues.get(entry.assignment)
    due = None if due is None else due + plan.extensions.get(submission.place, 0.0)
    # what counts, for good: it waits no longer
    final = due is not None and due < day.now and not entry.late and not known
    until, why = None, ""
    if daily is not None and rank >= daily and not judged and not final:
        until, why = day.ends if due is None or due < day.now else min(day.ends, due), LIMIT
    work, when = later.get(submission.place, ("", 0.0))
    if work == submission.work and when > day.now:
        until, why = max(when, until or 0.0), AGAIN if until is None else why
    return replace(submission, rank=rank, counts=not judged, until=until, why=why)


def answers_to(submission: Waiting, results: Sequence[SubmissionResult], at: float) -> list[Answer]:
    """The answers to one submission: one for each student who gets its result."""
    answers = []
    for result in results:
        points = f", {result.marks:g} of {result.points} points" if result.exercises else ""
        answers.append(
            Answer(
                student=result.student,
                assignment=result.assignment,
                version=submission.entry.version,
                mark=submission.marks[result.student],
                work=submission.work,
                received=submission.entry.received,
                at=at,
                counts=submission.counts,
                said=f"{result.status}{points}",
            )
        )
    return answers


def _digest(*facts: object) -> str:
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:32]
