"""The folder `inbound` of nbgrader's exchange: which submissions lie there, and whose each of them is.

- Every student may write into it. A folder is called STUDENT+NOTEBOOK+TIME+RANDOM, which is all a claim.
  `Identity.impostor` compares it with the owner of the folder and of each file that is read, as they were
  opened (`intake.read_file`), so that nothing can be put in between.
- All folders are looked at, each by itself. nbgrader's own `collect` takes the newest for each name first and
  looks at the owner later, so that somebody else's folder hides the student's own.
- A folder is taken once: the manifest has its name. What is changed in it later is not seen.
- `nbgrader submit` writes the secret last. A folder without one is waited for until it is old enough.
- A student's several new folders come in the order of the times in them. That order is the student's own
  affair; when they came is our clock's.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path

from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.submissions.exchange_stamp import SECRET, TIMESTAMP, read_stamp, time_of
from autograder.submissions.identity import Identity, SetAside
from autograder.submissions.intake import (
    Facts,
    Refused,
    Unreadable,
    file_names,
    read_chosen,
    read_file,
    shown,
)
from autograder.submissions.student_names import BAD_NAME, usable_name
from autograder.submissions.versions import HandedIn
from kqa_core.errors import UserError

SETTLED_SECONDS = 60.0  # after which a folder that is not whole will not become so
MOST_FILES, MOST_COPIED, DEEPEST = 200, 100 * 2**20, 4  # of what lies beside a notebook
NOT_COPIED = ("feedback", "__pycache__", ".ipynb_checkpoints")  # as nbgrader leaves them out


@dataclass(frozen=True)
class Inbound:
    """One submission in the exchange: what its folder is called."""

    folder: str
    student: str
    assignment: str
    time: str  # as the student's side wrote it


def inbound_submissions(path: Path, names: Sequence[str]) -> list[Inbound]:
    """The submissions of these notebooks in `inbound`, by name. Raises UserError if it cannot be listed."""
    try:
        with os.scandir(path) as entries:
            folders = sorted(entry.name for entry in entries)
    except OSError as error:
        raise UserError(
            f"{path}: cannot be listed ({error.strerror}), and the owners of the files in it say whose a"
            " submission is; give the command as the user who owns the exchange"
        ) from None
    submissions = []
    for folder in folders:
        for many in (3, 2):  # with nbgrader's random end, or without
            student, *rest = folder.rsplit("+", many)
            if len(rest) == many and rest[0] in names:
                submissions.append(Inbound(folder, student, rest[0], rest[1]))
                break
    return submissions


def read_submission(
    path: Path, inbound: Inbound, identity: Identity, limits: Limits
) -> HandedIn | SetAside | None:
    """One submission in `inbound`, if it is its student's; None if it is not whole yet, or gone."""
    student, name = inbound.student, inbound.assignment
    try:
        facts = os.lstat(path / inbound.folder)
    except OSError:
        return None
    why = identity.impostor(student, [facts]) or identity.unknown(student)
    if why is not None or not usable_name(student):
        return SetAside(student, name, why or BAD_NAME)
    seen: Facts = []
    young = abs(time.time() - facts.st_ctime) < SETTLED_SECONDS
    try:
        owner = None if identity.tells_nothing(facts) else facts.st_uid
        secret, timestamp = read_stamp(path, inbound.folder, seen, owner)
        data, refused, notes = _notebook(path, inbound, limits, seen, owner)
    except FileNotFoundError:
        return None
    except Unreadable as reason:  # a disk of the network, or rights: the next look tries again
        why = identity.impostor(student, seen) or str(reason)
        return None if young else SetAside(student, name, why)
    if (why := identity.impostor(student, seen)) is not None:
        return SetAside(student, name, f"{shown(name)}.ipynb or a file beside it {why}")
    if young and secret is None:
        return None
    if (why := identity.changeable(seen)) is not None:
        data, refused = None, why
    when = time_of(timestamp) or time_of(inbound.time)
    moment = facts.st_ctime if when is None else when.replace(tzinfo=UTC).timestamp()
    digest = hashlib.sha256(data).hexdigest() if data is not None else None
    return HandedIn(data, refused, notes, secret, timestamp, inbound.folder, digest, moment)


def _notebook(
    path: Path, inbound: Inbound, limits: Limits, seen: Facts, owner: int | None
) -> tuple[bytes | None, str | None, tuple[str, ...]]:
    """The notebook's bytes, why it is refused, and notes. Raises FileNotFoundError if the folder is gone."""
    try:
        names = file_names(path, inbound.folder, seen)
    except Unreadable:
        raise
    except Refused as refused:
        return None, str(refused), ()
    notebook, names = inbound.assignment, [name for name in names if name not in (TIMESTAMP, SECRET)]
    try:
        data, chosen = read_chosen(path, inbound.folder, notebook, names, limits, seen, owner)
    except (Unreadable, FileNotFoundError):
        raise
    except Refused as refused:
        return None, str(refused), ()
    if data is None:
        nothing = f"the folder holds no notebook; expected {notebook}.ipynb"
        return None, chosen.refused or next(iter(chosen.notes), nothing), ()
    return data, None, chosen.notes


def copy_beside(path: Path, inbound: Inbound, target: Path, identity: Identity, limits: Limits) -> None:
    """Copy what lies beside the notebook into the new folder `target`: regular files of the student's own,
    and few enough. What is anything else is left out.
    """
    left = [MOST_FILES, MOST_COPIED]
    ours = {f"{inbound.assignment}.ipynb", TIMESTAMP, SECRET}

    def copy(relative: str, into: Path, depth: int) -> None:
        for name in file_names(path, relative):
            if name in NOT_COPIED or (depth == 0 and name in ours) or left[0] <= 0 or left[1] <= 0:
                continue
            left[0] -= 1
            seen: Facts = []
            try:
                data = read_file(path, f"{relative}/{name}", limits, seen)
            except (OSError, Refused):
                if depth < DEEPEST:
                    _copied_folder(f"{relative}/{name}", into / name, depth + 1)
                continue
            left[1] -= len(data)
            if identity.impostor(inbound.student, seen) is None:
                into.mkdir(mode=0o700, parents=True, exist_ok=True)
                (into / name).write_bytes(data)

    def _copied_folder(relative: str, into: Path, depth: int) -> None:
        try:
            copy(relative, into, depth)
        except (OSError, Refused):
            return  # no folder either

    _copied_folder(inbound.folder, target, 0)
