"""Receiving the archive of a learning platform: `kqa course receive --from canvas FILE`, and others.

1. `platform_archives.py` reads the archive, `find_student.py` says whose each file is.
2. Of a student's files of one notebook the newest counts, by the platform's own order. Where the platform has
   none, it is the one of the notebook's name, or the only copy of it.
3. Each becomes a version of the student, received at the platform's time, and lies in `submitted/`. Where the
   platform has no times, it is `--at`, or now, except that its word on lateness holds.

What is not taken in has a line. With `dry_run`, there are only the lines.
"""

from __future__ import annotations

import hashlib
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from autograder.course.log import log_received
from autograder.course.private_files import keep_private
from autograder.course.receiving import identity_of, replacing
from autograder.gradebook.due_dates import all_extensions, due_dates, shown_time
from autograder.paths import read_course
from autograder.people.find_student import Directory, directory
from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.submissions.intake import NOT_LOOKED_AT, Refused, choose, is_copy_of, listed, shown
from autograder.submissions.platform_archives import Archive, Entry, opened_archive
from autograder.submissions.store import News, as_user_error, enter_found
from autograder.submissions.student_names import BAD_NAME, usable_name
from autograder.submissions.versions import HandedIn, Store, opened
from kqa_core.files import write_whole

IN_TIME = "the platform says that it came in time"
LATE = "the platform says that it came late"
NO_DUE = f"{LATE}; the course has no due date for it: `kqa course due`"
TOO_EARLY = f"{LATE}, and by the course's due date it did not: compare the due dates"


@dataclass(frozen=True)
class Taken:
    """A file of the archive that is a student's notebook."""

    student: str
    notebook: str
    entry: Entry
    when: float | None  # None for now
    notes: tuple[str, ...]

    @property
    def line(self) -> str:
        """What is taken, from where, and when it came."""
        when = "" if self.when is None else f", received {shown_time(self.when)}"
        notes = "".join(f"; {note}" for note in self.notes)
        return f"{self.student}, {self.notebook}{when}: {self.entry.shown}{notes}"


@dataclass
class FromArchive:
    """What came of an archive: the files taken, a line for each new thing and for each file that was not."""

    taken: list[Taken] = field(default_factory=list)
    news: list[News] = field(default_factory=list)
    not_taken: list[str] = field(default_factory=list)  # notebooks
    others: list[str] = field(default_factory=list)  # files that are no notebook
    absent: list[str] = field(default_factory=list)  # students of the roster without a file


def receive_archive(
    course: Path,
    path: Path,
    platform: str,
    names: Sequence[str],
    limits: Limits,
    *,
    roster: Path | None = None,
    at: float | None = None,
    dry_run: bool = False,
    db: str | None = None,
) -> FromArchive:
    """Receive an archive of a platform. `names`: the notebooks that may be in it; with one alone, a student's
    only notebook is that one, whatever its name. Raises UserError, with nothing received.
    """
    students = directory(course, roster, read_course(course).time_zone, db)
    identity = identity_of(course, db)
    result = FromArchive()
    with opened_archive(path, platform) as archive:
        result.others = archive.others
        by_student: dict[str, list[Entry]] = defaultdict(list)
        found_by: dict[str, str] = {}
        for entry in archive.entries:
            if ".ipynb" not in entry.file.casefold():
                result.others.append(f"{entry.shown}: is no notebook")
                continue
            student, why = students.find(entry.who)
            why = why if student is None else identity.unknown(student) or why
            if student is not None and ("/" in student or not usable_name(student)):
                student, why = None, BAD_NAME
            if student is None or identity.unknown(student):
                result.not_taken.append(f"{entry.shown}: {why}")
                continue
            by_student[student].append(entry)
            found_by[student] = why
        for student, entries in sorted(by_student.items()):
            for taken in _chosen(student, entries, names, result.not_taken):
                notes = (*taken.notes, found_by[student]) if found_by[student] else taken.notes
                result.taken.append(replace(taken, notes=notes))
        dues, extensions = due_dates(course, db), all_extensions(course, db)
        result.taken = [_timed(taken, students, at, dues, extensions) for taken in result.taken]
        result.absent = sorted((identity.roster or frozenset()) - {taken.student for taken in result.taken})
        if not dry_run:
            _receive(course, archive, result, limits, platform)
    if not dry_run:
        keep_private(course, db)
        log_received(course, result.news)
    return result


def _chosen(student: str, entries: Sequence[Entry], names: Sequence[str], lines: list[str]) -> list[Taken]:
    """Which of a student's notebooks is which of the course's. A line for each that is none, or not alone."""
    taken: list[Taken] = []
    left = list(entries)
    for name in names:
        copies = [entry for entry in left if is_copy_of(entry.file, name)]
        if not copies and len(names) == 1 and len(left) == 1:
            copies = left  # it was submitted for this notebook, under a name of the student's
        if not copies:
            continue
        left = [entry for entry in left if entry not in copies]
        best = _newest(name, copies)
        if best is None:
            several = listed([entry.file for entry in copies])
            lines.append(
                f"{student}, {name}: {several}; nobody can say which one counts: submit that one alone"
            )
            continue
        notes: tuple[str, ...] = ()
        if best.file != f"{name}.ipynb":
            notes = (f"submitted as {shown(best.file)}",)
        if len(copies) > 1:
            rest = listed([entry.file for entry in copies if entry is not best])
            notes += (f"the newest of {len(copies)}; beside it lies {rest}, {NOT_LOOKED_AT}",)
        taken.append(Taken(student, name, best, best.when, notes))
    lines += [f"{entry.shown}: is none of {', '.join(names)}, by its name" for entry in left]
    return taken


def _newest(name: str, copies: Sequence[Entry]) -> Entry | None:
    """The newest of these by the platform's own order; where it has none, the one of the name."""
    last = max(copies, key=lambda entry: (entry.when or 0.0, entry.order))
    same = [entry for entry in copies if (entry.when, entry.order) == (last.when, last.order)]
    if len(same) == 1:
        return last
    chosen = choose(name, [entry.file for entry in same]).file
    named = [entry for entry in same if entry.file == chosen]
    return named[0] if len(named) == 1 else None


def _timed(
    taken: Taken,
    students: Directory,
    at: float | None,
    dues: dict[str, float],
    extensions: dict[tuple[str, str], float],
) -> Taken:
    """The same with the time at which it came: the platform's, else `at`, as far as that fits what the
    platform says of lateness.
    """
    when = students.times.get(taken.student) if taken.entry.when is None else taken.entry.when
    due = dues.get(taken.notebook)
    if due is not None:
        due += extensions.get((taken.student, taken.notebook), 0.0)
    if when is not None or taken.entry.late is None:
        return replace(taken, when=at if when is None else when)
    now = time.time() if at is None else at
    if not taken.entry.late:
        in_time = due is not None and now > due
        return replace(taken, when=due, notes=(*taken.notes, IN_TIME)) if in_time else replace(taken, when=at)
    note = NO_DUE if due is None else LATE if now > due else TOO_EARLY
    return replace(taken, when=at, notes=(*taken.notes, note))


def _receive(course: Path, archive: Archive, result: FromArchive, limits: Limits, platform: str) -> None:
    store, submitted = course / "received", course / "submitted"
    with as_user_error(store), opened(store) as kept:
        for taken in sorted(result.taken, key=lambda one: one.when or float("inf")):
            try:
                data = archive.read(taken.entry, limits)
            except Refused as refused:
                result.not_taken.append(f"{taken.entry.shown}: {refused}")
                continue
            kept.know(taken.student, taken.when)
            what = _enter(kept, submitted, taken, data, platform)
            if what is not None:
                result.news.append(News(taken.student, taken.notebook, what))
        kept.note_clock()


def _enter(kept: Store, submitted: Path, taken: Taken, data: bytes, platform: str) -> str | None:
    """Enter a file, if it is new. An earlier archive again, or a part of it, is not."""
    student, notebook, entry = taken.student, taken.notebook, taken.entry
    found = HandedIn(data, notes=taken.notes, sha256=hashlib.sha256(data).hexdigest())
    if entry.order or entry.when is not None:
        found = replace(found, source=f"{platform} {entry.order or entry.when}")
    versions = kept.versions(student, notebook)
    same = [version for version in versions if version.sha256 == found.sha256]
    if same and same[-1] is not versions[-1]:
        before = {event.source for event in kept.history[student, notebook]}
        later = taken.when is not None and taken.when > (versions[-1].received or 0.0)
        if found.source in before if found.source is not None else not later:
            return None
    if not same or same[-1] is not versions[-1]:  # first: if this is killed, the next one finds it there
        with replacing(submitted, student, notebook) as folder:
            write_whole(folder / f"{notebook}.ipynb", data, 0o600)
    return enter_found(kept, student, notebook, found, taken.when)
