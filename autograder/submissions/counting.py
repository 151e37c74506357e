"""Which version of a submission counts, and whether it is late.

- The last version received before the due date counts, or before the end of the student's extension. If all
  are late, it is the last one, with its lateness.
- *Last* is the order in which the versions were received, which is their number. No clock is asked for it. A
  time that a person gave (`--at`) puts a version among the others by that time.
- The clock of a machine can be wrong: set back, ahead, or at 1970 after a start without a battery. The times
  of the manifest, one after the other, must not fall. Where they do, the longest series of lines that never
  falls is believed. A line outside of it has the time of the believed line before it (the one after it, if
  there is none), unless its own is earlier and possible: nobody is late because a clock was wrong. A note
  tells the instructor, who can give the time.
"""

from __future__ import annotations

import bisect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from autograder.submissions.versions import CLOCK_SECONDS, History, Submission, read_history

NO_EXTENSION: Mapping[tuple[str, str], float] = {}
GIVE = "give the time: `kqa course receive FOLDER --at TIME`"
EARLIEST = datetime(2024, 1, 1, tzinfo=UTC).timestamp()  # a clock that says less is wrong


def manifest(store: Path, name: str, due: float | None = None) -> list[Submission]:
    """The version of notebook `name` that counts, for each student in the store, in order.

    Raises UserError if the store's manifest is damaged.
    """
    return manifests(store, {name: due})


def manifests(
    store: Path,
    dues: Mapping[str, float | None],
    extensions: Mapping[tuple[str, str], float] = NO_EXTENSION,
    only_submitted: bool = False,
) -> list[Submission]:
    """`manifest` of several notebooks, with their due dates; the file is read once.

    `extensions`: (student, notebook) → the seconds that the student has after the due date. `only_submitted`
    leaves out notebooks that nobody submitted.
    """
    history = read_history(store)
    clock = clock_of(history)
    students = sorted({student for student, _ in history if student})
    chosen: list[Submission] = []
    for name, due in sorted(dues.items()):
        entries = [
            _counting(
                Submission(student, name),
                history.get((student, name), []),
                _extended(due, extensions.get((student, name))),
                clock,
            )
            for student in students
        ]
        if not only_submitted or any(entry.file or entry.refused for entry in entries):
            chosen += entries
    return chosen


@dataclass(frozen=True)
class Clock:
    """What the manifest tells of this machine's clock, by the number of a version's first line."""

    corrected: Mapping[int, float]  # the times that replace those of a wrong clock
    said_later: Mapping[int, float]  # an earlier time that the clock said later: one of the two was wrong


def clock_of(history: History) -> Clock:
    """What a manifest tells of the clock: nothing, if no time falls by more than CLOCK_SECONDS."""
    first: dict[tuple[str, str, int], Submission] = {}  # a later line about a known version repeats its time
    for events in history.values():
        for event in events:
            if event.by_clock and (event.assignment or not event.student):
                first.setdefault((*event.place, event.version or -event.line), event)
    lines = sorted(first.values(), key=lambda event: event.line)
    times = [_at(event) for event in lines]
    believed = _believed(times)
    corrected, said_later = {}, {}
    lowest = float("inf")
    for place in reversed(range(len(lines))):
        when, line = times[place], lines[place].line
        if lowest < when - CLOCK_SECONDS:
            said_later[line] = lowest
        lowest = min(lowest, when) if when >= EARLIEST else lowest
        if place not in believed:
            near = max((other for other in believed if other < place), default=None)
            if near is None:
                near = min(believed, default=place)
            corrected[line] = times[near] if near < place and when < EARLIEST else min(when, times[near])
    return Clock(corrected, said_later)


def _believed(times: Sequence[float]) -> set[int]:
    """The places of the longest series of times that never falls; of several the one that ends last.
    Times before EARLIEST belong to none, and falls of at most CLOCK_SECONDS are none.
    """
    ends: list[float] = []  # the smallest end of a series of each length
    places: list[int] = []
    before: dict[int, int | None] = {}
    for place, when in enumerate(times):
        if when < EARLIEST:
            continue
        length = bisect.bisect_right(ends, when + CLOCK_SECONDS)
        before[place] = places[length - 1] if length else None
        ends[length : length + 1] = [max(when, ends[length - 1]) if length else when]
        places[length : length + 1] = [place]
    believed, last = set(), places[-1] if places else None
    while last is not None:
        believed.add(last)
        last = before[last]
    return believed


def _counting(nothing: Submission, events: list[Submission], due: float | None, clock: Clock) -> Submission:
    """The entry that counts, of all for a student and a notebook."""
    last = events[-1] if events else nothing
    latest: dict[int, Submission] = {}
    for event in events:
        if event.file is not None:
            latest[event.version] = _with_time(event, latest.get(event.version), clock.corrected)
    if not latest:
        return last if last.refused else replace(nothing, notes=last.notes)
    ordered = _ordered(_with_same([latest[number] for number in sorted(latest)]))
    in_time = [version for version in ordered if due is None or _at(version) <= due]
    counts = (in_time or ordered)[-1]
    about = tuple(note for version in ordered for note in version.about)
    if counts is not ordered[-1]:
        about += (f"version {counts.version} counts; version {ordered[-1].version} came after the due date",)
    if last.refused:
        about += (f"version {counts.version} counts; a later submission was refused: {last.refused}",)
    late = 0.0 if due is None else max(0.0, _at(counts) - due)
    later = clock.said_later.get(counts.line) if counts.by_clock else None
    if due is not None and late and later is not None and later <= due:
        about += (
            f"version {counts.version}: the clock of this machine said {_shown(_at(counts))} when it came,"
            f" and {_shown(later)} later, which is before the due date; if it was not late, {GIVE}",
        )
    return replace(counts, late=late, notes=counts.notes + about, about=about)


def _with_time(event: Submission, before: Submission | None, corrected: Mapping[int, float]) -> Submission:
    """A version with the time that is believed. An entry about a known version repeats its time."""
    if before is not None:
        event = replace(event, line=before.line)
    if not event.by_clock:
        return event
    if before is not None and before.by_clock:
        return replace(event, received=before.received, about=before.about)
    believed = corrected.get(event.line)
    if believed is None:
        return event
    note = (
        f"version {event.version}: the clock of this machine said {_shown(_at(event))} when it came, which"
        f" does not fit what was received before and after; {_shown(believed)} is taken for it; if it came at"
        f" another time, {GIVE}"
    )
    return replace(event, received=believed, about=(note,))


def _with_same(versions: Sequence[Submission]) -> list[Submission]:
    """These versions of a student's notebook, in the order of their numbers, each with `same_since`."""
    marked: list[Submission] = []
    for version in versions:
        same = bool(marked) and marked[-1].sha256 == version.sha256
        marked.append(replace(version, same_since=marked[-1].same_since if same else version.version))
    return marked


def _ordered(versions: Sequence[Submission]) -> list[Submission]:
    """Versions in the order in which they came: by number, and by time where a person gave one."""
    ordered = [version for version in versions if version.by_clock]
    for version in versions:
        if not version.by_clock:
            later = (
                place
                for place, other in enumerate(ordered)
                if (_at(other), other.version) > (_at(version), version.version)
            )
            ordered.insert(next(later, len(ordered)), version)
    return ordered


def _extended(due: float | None, seconds: float | None) -> float | None:
    return due + (seconds or 0.0) if due is not None else None


def _at(version: Submission) -> float:
    """When a version was received; every one in the store has its time."""
    assert version.received is not None
    return version.received


def _shown(when: float) -> str:
    return f"{datetime.fromtimestamp(when, UTC):%Y-%m-%d %H:%M} UTC"
