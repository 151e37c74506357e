"""Receiving submissions: from a class's folder, and from nbgrader's exchange.

- The folder's name says whose submission it is, nothing in the notebook does, and `identity.py` says what can
  be checked of that. What is not taken is set aside: no version, no line of the student's, nobody's quota. A
  name that could be mistaken for something else is refused, and listed under a safe spelling that no other
  folder can have.
- Version, digest and time of receipt are our own. The same bytes again are no new version, unless another
  version came between, or they came through the exchange with a new secret: then they are a submission of
  their own, with a page of its own. Receiving them with an earlier time (`at`) corrects the time, because a
  download is often a day late. Of two lines about one version the later one counts.
- A refused submission is an entry but no version: an earlier version still counts, and a note says so. So a
  link, or a file that could not be read for an hour, does not cost a student an earlier submission.
- At most MOST_VERSIONS of a student's notebook are kept, and MOST_BYTES. A further version is refused, which
  is entered once.
- Where there is an exchange, `submitted/` holds the newest submission of each student, for formgrader and
  nbgrader's commands. What lies there with a secret that no submission of the student's in the exchange has
  (nbgrader's `collect` asks for no owner) is set aside.
"""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.submissions.counting import clock_of, manifest, manifests
from autograder.submissions.exchange_stamp import SECRET, TIMESTAMP, read_stamp
from autograder.submissions.identity import ANYBODY, Identity, SetAside
from autograder.submissions.intake import Facts, Refused, Unreadable, file_names, read_chosen
from autograder.submissions.student_names import BAD_NAME, safe_name, usable_name
from autograder.submissions.versions import HandedIn, Store, Submission, opened
from kqa_core.errors import UserError

__all__ = ["News", "Received", "Submission", "enter", "manifest", "manifests", "receive", "receive_folder"]

MOST_VERSIONS, MOST_BYTES = 500, 256 * 2**20  # of one student and notebook
FULL = (
    f"{MOST_VERSIONS} versions of this notebook, or {MOST_BYTES // 2**20} MiB, were received before, and no"
    " more are kept; ask your instructor"
)
ASKS = ", asks for a second look at a mark"
# the line of `cells.SECOND_LOOK` in the bytes of a notebook: what they say is read in the sandbox
ASKING = re.compile(
    rb"regrade[ \t]+`?\w{1,100}`?[ \t]+`?[a-z2-7]{4}-[a-z2-7]{4}-[a-z2-7]{4}\b", re.IGNORECASE
)
NOT_THE_STUDENTS = {TIMESTAMP, SECRET}  # nbgrader puts them beside what it collects
IF_YOU_KNOW = (
    "so nobody can say whose it is; if you know it, put it into a folder of your own, and type"
    " `kqa course receive FOLDER`"
)
NOT_IN_THE_EXCHANGE = f"has the secret of no submission of this student in the exchange, {IF_YOU_KNOW}"
WITHOUT_SECRET = (
    "lies in submitted/ without the exchange's secret, although this student has an account here,"
    f" {IF_YOU_KNOW}"
)


@dataclass(frozen=True)
class News:
    """One new thing about a student's notebook."""

    student: str
    assignment: str
    what: str  # such as "version 2", or "refused: " and the reason

    @property
    def line(self) -> str:
        """The line that is printed."""
        return f"{self.student}, {self.assignment}: {self.what}"


@dataclass(frozen=True)
class Received:
    """What was received, and what was not taken in."""

    news: list[News]
    set_aside: list[SetAside]

    @property
    def lines(self) -> list[str]:
        """A line for each new thing."""
        return [one.line for one in self.news]


def receive(
    folder: Path,
    store: Path,
    names: Sequence[str],
    limits: Limits,
    at: float | None = None,
    among: Container[str] | None = None,
) -> list[str]:
    """Receive every folder/STUDENT/NOTEBOOK/NOTEBOOK.ipynb of the notebooks `names`, from anybody.
    Returns a line for each new thing.

    `at` is the time of receipt, in seconds since 1970; default: now. `among`: names of the students' folders
    to look at; default: all. Raises UserError if folder or store cannot be used.
    """
    check_class_folder(folder)
    with as_user_error(store), opened(store) as writable:
        received = receive_folder(writable, folder, names, limits, at, among)
        writable.note_clock()
    return [*received.lines, *(submission.line for submission in received.set_aside)]


def check_class_folder(folder: Path) -> None:
    """Raise UserError if there is no such folder of submissions."""
    if not folder.is_dir():
        raise UserError(f"{folder}: no such folder; expected submissions as STUDENT/NOTEBOOK/NOTEBOOK.ipynb")


def receive_folder(
    store: Store,
    folder: Path,
    names: Sequence[str],
    limits: Limits,
    at: float | None = None,
    among: Container[str] | None = None,
    identity: Identity = ANYBODY,
    exchange: bool = False,
) -> Received:
    """As `receive`, into an opened store. `exchange`: whether the folder holds what came through an exchange
    that was looked at first: then a secret must be that of a version of the student's. Raises OSError.
    """
    news: list[News] = []
    set_aside: list[SetAside] = []
    facts = folder.stat()
    for folder_name in (name for name in _students(folder, names) if among is None or name in among):
        student = safe_name(folder_name)
        why = identity.unknown(student)
        for name in names:
            found = _look(folder, folder_name, name, limits)
            if found.empty and why is not None:
                continue
            reason = why or identity.contradicted(student, found.facts, facts)
            if reason is None and exchange and not found.empty:
                entered = _entered(store, student, name, found)
                if entered and (at is None or found.data is None):
                    continue
                reason = None if entered else _not_from_exchange(store, student, name, found, identity)
            if reason is not None:
                set_aside.append(SetAside(student, name, reason))
                continue
            store.know(student, at)
            what = enter_found(store, student, name, found, at)
            news += [News(student, name, what)] if what is not None else []
    return Received(news, set_aside)


def _entered(store: Store, student: str, name: str, found: HandedIn) -> bool:
    """Whether this is in the manifest, entered from the exchange."""
    if found.data is not None:
        return found.secret is not None and _known(store.versions(student, name), found) is not None
    return found.secret in {event.secret for event in store.history.get((student, name), ()) if event.secret}


def _not_from_exchange(
    store: Store, student: str, name: str, found: HandedIn, identity: Identity
) -> str | None:
    """Why nobody can say that this is the student's, beside an exchange in which accounts say it; else None.

    nbgrader's `collect` brings what bears a name, also without a secret. A student without an account cannot
    have submitted there: then somebody put it here.
    """
    if identity.shared_account:
        return None
    if found.secret is not None:
        secrets = {event.secret for event in store.history.get((student, name), ())}
        return None if found.secret in secrets else NOT_IN_THE_EXCHANGE
    known = found.data is not None and _known(store.versions(student, name), found) is not None
    return None if known or not identity.has_account(student) else WITHOUT_SECRET


def _students(folder: Path, names: Sequence[str]) -> list[str]:
    """The names of the students' folders, including links.
    A hidden folder counts only if it holds a notebook of the course.
    """
    with os.scandir(folder) as entries:
        folders = sorted(
            entry.name for entry in entries if entry.is_dir(follow_symlinks=False) or entry.is_symlink()
        )
    return [
        student
        for student in folders
        if not student.startswith(".") or any(os.path.lexists(folder / student / name) for name in names)
    ]


def _look(folder: Path, student: str, name: str, limits: Limits) -> HandedIn:
    facts: Facts = []
    found = _content(folder, student, name, limits, facts)
    if not found.empty:
        try:
            secret, timestamp = read_stamp(folder, f"{student}/{name}", facts)
        except Unreadable as refused:
            return HandedIn(refused=str(refused), facts=tuple(facts))
        found = replace(found, secret=secret, timestamp=timestamp)
    digest = hashlib.sha256(found.data).hexdigest() if found.data is not None else None
    return replace(found, sha256=digest, facts=tuple(facts))


def _content(folder: Path, student: str, name: str, limits: Limits, facts: Facts) -> HandedIn:
    place = f"{student}/{name}"
    try:
        names = [other for other in file_names(folder, place, facts) if other not in NOT_THE_STUDENTS]
        if not usable_name(student):
            return HandedIn(refused=BAD_NAME)
        data, chosen = read_chosen(folder, place, name, names, limits, facts)
        return HandedIn(data, refused=chosen.refused, notes=chosen.notes)
    except FileNotFoundError:
        return HandedIn()
    except Refused as refused:
        return HandedIn(refused=str(refused))


def enter_found(store: Store, student: str, name: str, found: HandedIn, at: float | None) -> str | None:
    """Enter what was found in a class's folder or archive, if it is new. Returns what to say about it."""
    versions = store.versions(student, name)
    known = _known(versions, found)
    if known is not None and known is not versions[-1]:
        return None  # an older one of the exchange
    if found.data is not None and known is None and full(store, student, name, len(found.data)):
        found = HandedIn(refused=FULL)
    last = store.history.get((student, name), [None])[-1]
    if found.data is None:
        if found.refused is None and last is not None and last.file is not None:
            return None  # deleted since: what was received still counts
        if (found.refused, found.notes) == ((last.refused, last.notes) if last is not None else (None, ())):
            return None
    if known is None:
        return enter(store, student, name, found, at)
    assert known.received is not None
    again = replace(known, notes=found.notes, secret=found.secret or known.secret)
    again = replace(again, timestamp=found.timestamp or known.timestamp)
    if at is not None:
        first = next(event for event in store.history[student, name] if event.version == known.version)
        wrong = known.by_clock and first.line in clock_of(store.history).corrected
        if at < known.received or wrong:
            again = replace(again, received=at, by_clock=False)
    if again == last or not store.add_event(again):
        return None
    assert again.received is not None
    when = "later" if again.received > known.received else "earlier"
    what = "again" if again.received == known.received else f"was received {when}"
    return f"version {again.version} {what}"


def _known(versions: Sequence[Submission], found: HandedIn) -> Submission | None:
    """The version that was found; None if it is a new one, or none."""
    same = [version for version in versions if version.sha256 == found.sha256]
    if not same:
        return None
    for version in same:
        if found.secret is not None and version.secret == found.secret:
            return version
    newest = versions[-1]
    no_stamp = (None, None)
    again = found.secret is None and found.timestamp in (None, newest.timestamp)
    return newest if newest in same and (again or newest.stamp == no_stamp) else None


def enter(store: Store, student: str, name: str, handed: HandedIn, at: float | None) -> str | None:
    """Enter a submission that is new: a version, or why it is none.
    Returns what to say about it; None if too much of that kind was entered before.
    """
    entry = Submission(student, name, received=time.time() if at is None else at, by_clock=at is None)
    entry = replace(entry, notes=handed.notes, source=handed.source)
    entry = replace(entry, secret=handed.secret, timestamp=handed.timestamp)
    if handed.data is not None and full(store, student, name, len(handed.data)):
        handed = replace(handed, data=None, refused=FULL)
    if handed.data is None:
        line = f"refused: {handed.refused}" if handed.refused else "; ".join(handed.notes)
        added = store.add_event(replace(entry, refused=handed.refused))
        return (line or "nothing any more") if added else None
    number = _next_number(store, student, name)
    assert handed.sha256 is not None, "it is that of the bytes"
    file = store.keep(student, name, number, handed.sha256, handed.data)
    entry = replace(entry, file=file, sha256=handed.sha256)
    store.add(replace(entry, version=number))
    return f"version {number}{ASKS if ASKING.search(handed.data) else ''}"


def _next_number(store: Store, student: str, name: str) -> int:
    return 1 + max((event.version for event in store.history.get((student, name), ())), default=0)


def full(store: Store, student: str, name: str, more: int) -> bool:
    """Whether another version of so many bytes is too much."""
    return _next_number(store, student, name) > MOST_VERSIONS or store.size(student, name) + more > MOST_BYTES


@contextmanager
def as_user_error(store: Path) -> Iterator[None]:
    """Turns an OSError inside into a UserError that says what to do."""
    try:
        yield
    except OSError as error:
        raise UserError(
            f"{error.filename or store}: {error.strerror}; nothing is lost, fix that and run this again"
        ) from None
