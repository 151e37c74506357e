"""Receiving what a class submitted, for `kqa course receive`, `grade` and `watch`: one set of rules for all.

1. Who is who: the roster, the accounts, the students from whom something was received before.
2. nbgrader's exchange, if it is a folder: every submission in it is looked at, those of the students named in
   them become versions, and the newest of each student is put into `submitted/`.
3. The class's folder: `submitted/`, or the one that was named.

What is set aside is returned, printed and logged; the log has each line once.
"""

from __future__ import annotations

import datetime
import json
import logging
import os
import shutil
import time
import warnings
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from autograder.course.log import log, log_received
from autograder.course.private_files import keep_private
from autograder.gradebook.exchange_settings import inbound_folder
from autograder.paths import read_course
from autograder.people.csv_file import numbered_rows
from autograder.people.roster import roster_names
from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.submissions.exchange_folder import Inbound, copy_beside, inbound_submissions, read_submission
from autograder.submissions.exchange_stamp import FORMAT, SECRET, TIMESTAMP, beside, time_of
from autograder.submissions.identity import Identity, SetAside
from autograder.submissions.store import (
    News,
    Received,
    as_user_error,
    check_class_folder,
    enter,
    full,
    receive_folder,
)
from autograder.submissions.versions import MOST_EVENTS, HandedIn, Store, Submission, opened
from kqa_core.errors import UserError
from kqa_core.files import write_whole

ACCOUNTS = Path("people", "accounts.csv")
TOLD = Path("judged", "set_aside.json")  # the lines that the log has
MOST_TOLD, MOST_SHOWN = 1_000, 100
STAGED = Path("judged", "placing")


def receive_class(
    course: Path,
    names: Sequence[str],
    limits: Limits,
    *,
    folder: Path | None = None,
    at: float | None = None,
    among: Container[str] | None = None,
    db: str | None = None,
) -> Received:
    """Receive the submissions of these notebooks, and log what came of it.

    `folder`: the class's folder; None for the exchange and the course's `submitted`. `at` and `among` are
    those of `store.receive`, `among` for the folder alone. `db` is the gradebook's URL. Raises UserError.
    """
    store, submitted = course / "received", course / "submitted"
    own = folder is None or folder.resolve() == submitted.resolve()
    inbound = inbound_folder(course) if own else None
    identity = identity_of(course, db)
    place = submitted if folder is None else folder
    if folder is not None or (inbound is None and not store.is_dir()):
        check_class_folder(place)
    received = more = Received([], [])
    with as_user_error(store), opened(store) as kept:
        identity = replace(identity, known=frozenset(student for student, _ in kept.history))
        if inbound is not None:
            received = _from_exchange(kept, inbound, submitted, names, limits, at, identity)
        if place.is_dir():
            more = receive_folder(
                kept, place, names, limits, at, among, identity, exchange=inbound is not None
            )
        kept.note_clock()
    received = Received([*received.news, *more.news], grouped([*received.set_aside, *more.set_aside]))
    for line in keep_private(course, db):
        warnings.warn(line, stacklevel=2)
    log_received(course, received.news)
    _log_set_aside(course, received.set_aside)
    return received


def identity_of(course: Path, db: str | None = None) -> Identity:
    """What is known of a course's people. Raises UserError for a file that cannot be used."""
    return Identity(roster_names(course, db), read_accounts(course), read_course(course).shared_account)


def read_accounts(course: Path) -> dict[str, str]:
    """The student of each account of the machine that the file names; empty if there is no file. Any other
    account belongs to the student of the same name, unless the file gives that student another account.
    Raises UserError for a file that cannot be used.
    """
    path = course / ACCOUNTS
    if not path.is_file():
        return {}
    (_, head), *rows = numbered_rows(path)
    titles = [title.strip().casefold() for title in head]
    if not {"account", "student"} <= set(titles):
        raise UserError(f"{path}: line 1: expected the headings account and student")
    students: dict[str, str] = {}
    for line, row in rows:
        account, student = (row[titles.index(title)].strip() for title in ("account", "student"))
        if not account or not student or students.get(account, student) != student:
            raise UserError(
                f"{path}: line {line}: expected an account and its student, each account once; correct it"
            )
        students[account] = student
    return students


def grouped(set_aside: Sequence[SetAside]) -> list[SetAside]:
    """These, with as many as are the same together, and not too many."""
    many = Counter(replace(one, many=1) for one in set_aside)
    return [replace(one, many=number) for one, number in many.items()][:MOST_SHOWN]


def _from_exchange(
    kept: Store,
    inbound: Path,
    submitted: Path,
    names: Sequence[str],
    limits: Limits,
    at: float | None,
    identity: Identity,
) -> Received:
    """Receive what is new in the exchange."""
    news: list[News] = []
    set_aside: list[SetAside] = []
    new: dict[tuple[str, str], list[tuple[Inbound, HandedIn]]] = {}
    entered = {event.source for events in kept.history.values() for event in events}
    for one in inbound_submissions(inbound, names):
        if one.folder in entered or _too_many(kept.history.get((one.student, one.assignment), [])):
            continue
        handed = read_submission(inbound, one, identity, limits)
        if isinstance(handed, SetAside):
            set_aside.append(handed)
        elif handed is not None:  # without its bytes: a student may have submitted gigabytes
            new.setdefault((one.student, one.assignment), []).append((one, replace(handed, data=None)))
    for (student, name), submissions in new.items():
        submissions.sort(key=lambda pair: (pair[1].moment, pair[0].folder))
        kept.know(student, at)
        # what somebody put there by hand comes first: the newest of the exchange takes its place
        if submitted.is_dir() and beside(submitted, f"{student}/{name}", SECRET) is None:
            more = receive_folder(kept, submitted, [name], limits, at, {student}, identity, exchange=True)
            news, set_aside = news + more.news, set_aside + more.set_aside
        newest = next((one for one, handed in reversed(submissions) if handed.sha256 is not None), None)
        not_known = _not_known(kept, submissions)
        if newest is not None and not full(kept, student, name, 0):
            # first: if this run is killed, the next one finds the submission here and in the exchange
            _place(inbound, newest, submitted, identity, limits)
        for one, seen in not_known:
            handed = read_submission(inbound, one, identity, limits)
            if (
                isinstance(handed, HandedIn) and handed.sha256 == seen.sha256
            ):  # else it is read at the next look
                what = enter(kept, student, name, handed, at)
                news += [News(student, name, what)] if what is not None else []
    return Received(news, set_aside)


def _too_many(events: Sequence[Submission]) -> bool:
    """Whether so much was refused that no more folders of this student's are looked at."""
    return sum(event.file is None for event in events) >= MOST_EVENTS


def _not_known(kept: Store, submissions: list[tuple[Inbound, HandedIn]]) -> list[tuple[Inbound, HandedIn]]:
    """Those of one student's submissions that are new versions.

    What was received before by way of nbgrader's `collect` gets its folder's name and secret. What is older
    than that was replaced before it was received.
    """
    student, name = submissions[0][0].student, submissions[0][0].assignment
    found: dict[int, tuple[Submission, HandedIn]] = {}
    for place, (_, handed) in enumerate(submissions):
        for version in kept.versions(student, name):
            same = version.source is None and version.sha256 == handed.sha256
            if same and version.secret in (None, handed.secret):
                found[place] = (version, handed)
    since = max(found, default=-1)
    for place, (_, handed) in enumerate(submissions[: since + 1]):
        if place not in found:
            entry = Submission(student, name, received=time.time(), by_clock=True)
            kept.add_event(replace(entry, source=handed.source))
    by_version = {version.version: (version, handed) for version, handed in found.values()}
    for version, handed in by_version.values():
        came = replace(version, secret=handed.secret, timestamp=handed.timestamp)
        kept.add_event(replace(came, source=handed.source))
    return submissions[since + 1 :]


def _place(inbound: Path, one: Inbound, submitted: Path, identity: Identity, limits: Limits) -> None:
    """Put a submission into `submitted`, whole, in the place of an earlier one."""
    handed = read_submission(inbound, one, identity, limits)
    if not isinstance(handed, HandedIn) or handed.data is None:
        return  # it was changed meanwhile
    with replacing(submitted, one.student, one.assignment) as staged:
        copy_beside(inbound, one, staged, identity, limits)
        write_whole(staged / f"{one.assignment}.ipynb", handed.data, 0o600)
        # formgrader reads the time; what a student wrote may name a file for it to open
        when = time_of(handed.timestamp) or datetime.datetime.fromtimestamp(handed.moment, datetime.UTC)
        write_whole(staged / TIMESTAMP, when.strftime(FORMAT), 0o600)
        if handed.secret is not None:
            write_whole(staged / SECRET, handed.secret, 0o600)


@contextmanager
def replacing(submitted: Path, student: str, notebook: str) -> Iterator[Path]:
    """A new folder, which takes the place of a student's submission in `submitted` when it is filled."""
    staged = submitted.parent / STAGED / student / notebook
    shutil.rmtree(submitted.parent / STAGED, ignore_errors=True)
    staged.mkdir(mode=0o700, parents=True)
    yield staged
    target = submitted / student / notebook
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if os.path.lexists(target):
        target.rename(submitted.parent / STAGED / "replaced")
    staged.rename(target)
    shutil.rmtree(submitted.parent / STAGED, ignore_errors=True)


def _log_set_aside(course: Path, set_aside: Sequence[SetAside]) -> None:
    """Write what was set aside into the course's log, each line once."""
    lines = [one.line for one in set_aside]
    if not lines:
        return
    try:
        told = json.loads((course / TOLD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        told = []
    new = [line for line in lines if line not in told]
    if new:
        log(course, "received", *new, level=logging.WARNING)
        write_whole(course / TOLD, json.dumps([*told, *new][-MOST_TOLD:]), 0o600)
