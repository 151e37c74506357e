"""The store of submissions: every version that was received, and which of them counts.

- The store (`course/received`) holds `STUDENT/NOTEBOOK/0001-<sha256>.ipynb` for each version, and
  `manifest.jsonl`, which only grows. A version is complete before its line is written. If the process is
  killed, at worst a file without a line or half a line is left, and the next run writes it again. A lock lets
  one process receive at a time; reading needs none.
- The folder's name says whose submission it is, and nothing else does. Version, digest and time of receipt
  are our own. A name that could be mistaken for something else is refused, and listed under a safe spelling
  that no other folder can have.
- The same bytes again are no new version, unless another version came between. Receiving them with an earlier
  time (`at`) corrects the time, because a download is often a day late. Of two lines about one version the
  later one counts.
- A refused submission is an entry but no version: an earlier version still counts, and a note says so. So a
  link, or a file that could not be read for an hour, does not cost a student an earlier submission.
- At most MOST_VERSIONS of a student's notebook are kept, and MOST_BYTES. A further version is refused, which
  is entered once.
- The version that counts is the last one received before the due date, or before the end of the student's
  extension. If all are late, it is the last one, with its lateness.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.submissions.intake import Refused, file_names, read_file, shown
from autograder.submissions.student_names import BAD_NAME, MANIFEST, safe_name, usable_name
from kqa_core.errors import UserError
from kqa_core.files import locked, sync_folder, write_synced

MOST_VERSIONS, MOST_BYTES = 500, 256 * 2**20  # of one student and notebook
FULL = (
    f"{MOST_VERSIONS} versions of this notebook, or {MOST_BYTES // 2**20} MiB, were received before, and no"
    " more are kept; ask your instructor"
)
NO_EXTENSION: Mapping[tuple[str, str], float] = {}
NOT_THE_STUDENTS = {"timestamp.txt", "submission_secret.txt"}  # nbgrader puts them beside what it collects


@dataclass(frozen=True)
class Submission:
    """One entry of the manifest: one student and one notebook.
    `file` is None if nothing was submitted, or it was refused.
    """

    student: str
    assignment: str
    file: str | None = None  # the stored version, relative to the store
    sha256: str | None = None
    received: float | None = None  # when the intake first saw this version, seconds since 1970
    version: int = 0  # 1 for the first version received of this student and notebook
    late: float = 0.0  # seconds after the due date
    refused: str | None = None  # why it was not taken in
    notes: tuple[str, ...] = ()  # what the instructor should know

    @property
    def place(self) -> tuple[str, str]:
        """Student and notebook."""
        return self.student, self.assignment


# by student and notebook; a notebook "" says only that we know the student
History = dict[tuple[str, str], list[Submission]]


def receive(
    folder: Path,
    store: Path,
    names: Sequence[str],
    limits: Limits,
    at: float | None = None,
    among: Container[str] | None = None,
) -> list[str]:
    """Receive every folder/STUDENT/NOTEBOOK/NOTEBOOK.ipynb of the notebooks `names`.
    Returns a line for each new thing.

    `at` is the time of receipt, in seconds since 1970; default: now. `among`: names of the students' folders
    to look at; default: all. Raises UserError if folder or store cannot be used.
    """
    if not folder.is_dir():
        raise UserError(f"{folder}: no such folder; expected submissions as STUDENT/NOTEBOOK/NOTEBOOK.ipynb")
    lines: list[str | None] = []
    try:
        with _opened(store) as kept:
            for folder_name in (name for name in _students(folder, names) if among is None or name in among):
                student = safe_name(folder_name)
                if (student, "") not in kept.history:
                    kept.add(Submission(student, "", received=time.time() if at is None else at))
                for name in names:
                    lines.append(_enter(kept, student, name, _look(folder, folder_name, name, limits), at))
    except OSError as error:
        raise UserError(
            f"{error.filename or store}: {error.strerror}; nothing is lost, fix that and run this again"
        ) from None
    return [line for line in lines if line is not None]


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
    history = _history(store)
    students = sorted({student for student, _ in history})
    chosen: list[Submission] = []
    for name, due in sorted(dues.items()):
        entries = [
            _counting(
                student,
                name,
                history.get((student, name), []),
                _extended(due, extensions.get((student, name))),
            )
            for student in students
        ]
        if not only_submitted or any(entry.file or entry.refused for entry in entries):
            chosen += entries
    return chosen


def _students(folder: Path, names: Sequence[str]) -> list[str]:
    """The names of the students' folders, including links.
    A hidden folder counts only if it holds a notebook of the course.
    """
    with os.scandir(folder) as entries:
        folders = sorted(
            entry.name for entry in entries if entry.is_dir(follow_symlinks=False) or entry.is_symlink()
        )
    return [
        each
        for each in folders
        if not each.startswith(".") or any(os.path.lexists(folder / each / name) for name in names)
    ]


@dataclass(frozen=True)
class _Found:
    """The content of a folder now: a notebook's bytes, a reason for refusing it, or nothing."""

    data: bytes | None = None
    refused: str | None = None
    notes: tuple[str, ...] = ()


def _look(folder: Path, student: str, name: str, limits: Limits) -> _Found:
    place, expected = f"{student}/{name}", f"{name}.ipynb"
    try:
        beside = [
            other
            for other in file_names(folder, place)
            if other != expected and other not in NOT_THE_STUDENTS
        ]
        if not usable_name(student):
            return _Found(refused=BAD_NAME)
        notebooks = [other for other in beside if ".ipynb" in other.casefold()]
        try:
            data = read_file(folder, f"{place}/{expected}", limits)
        except FileNotFoundError:
            reason = (
                f"the folder holds {_listed(notebooks or beside)}; expected {expected}" if beside else None
            )
            return _Found(refused=reason) if notebooks else _Found(notes=(reason,) if reason else ())
    except FileNotFoundError:
        return _Found()
    except Refused as refused:
        return _Found(refused=str(refused))
    return _Found(
        data,
        notes=(f"beside {expected} lies {_listed(notebooks)}, which was not looked at",) if notebooks else (),
    )


def _listed(names: list[str]) -> str:
    return ", ".join(shown(name) for name in names[:3]) + (
        f" and {len(names) - 3} more" if len(names) > 3 else ""
    )


def _enter(kept: _Store, student: str, name: str, seen: _Found, at: float | None) -> str | None:
    """Enter what was found, if it is new. Returns the line to print."""
    when = time.time() if at is None else at
    events = kept.history.get((student, name), [])
    last = events[-1] if events else None
    digest = hashlib.sha256(seen.data or b"").hexdigest()
    newest = next((event for event in reversed(events) if event.file is not None), None)
    number = 1 + max((event.version for event in events), default=0)
    known = newest if newest is not None and newest.sha256 == digest else None
    if (
        seen.data is not None
        and known is None
        and (number > MOST_VERSIONS or kept.size(student, name) + len(seen.data) > MOST_BYTES)
    ):
        seen = _Found(refused=FULL)
    if seen.data is None:
        if seen.refused is None and last is not None and last.file is not None:
            return None  # deleted since: what was received still counts
        if (seen.refused, seen.notes) == ((last.refused, last.notes) if last is not None else (None, ())):
            return None
        kept.add(Submission(student, name, received=when, refused=seen.refused, notes=seen.notes))
        line = f"refused: {seen.refused}" if seen.refused else "; ".join(seen.notes)
        return f"{student}, {name}: {line or 'nothing any more'}"
    if known is not None:
        before = _at(known)
        again = replace(known, received=before if at is None else min(before, at), notes=seen.notes)
        if again == last:
            return None
        kept.add(again)
        return f"{student}, {name}: version {again.version} " + (
            "again" if again.received == before else "was received earlier"
        )
    file = kept.keep(student, name, number, digest, seen.data)
    kept.add(Submission(student, name, file, digest, when, number, notes=seen.notes))
    return f"{student}, {name}: version {number}"


def _counting(student: str, name: str, events: list[Submission], due: float | None) -> Submission:
    """The entry that counts, of all for a student and a notebook."""
    last = events[-1] if events else Submission(student, name)
    versions = {event.version: event for event in events if event.file is not None}
    if not versions:
        return last if last.refused else Submission(student, name, notes=last.notes)
    ordered = sorted(versions.values(), key=lambda each: (_at(each), each.version))
    in_time = [each for each in ordered if due is None or _at(each) <= due]
    counts = (in_time or ordered)[-1]
    notes = counts.notes
    if counts is not ordered[-1]:
        notes += (f"version {counts.version} counts; version {ordered[-1].version} came after the due date",)
    if last.refused:
        notes += (f"version {counts.version} counts; a later submission was refused: {last.refused}",)
    late = 0.0 if due is None else max(0.0, _at(counts) - due)
    return replace(counts, late=late, notes=notes)


def _extended(due: float | None, seconds: float | None) -> float | None:
    return due + (seconds or 0.0) if due is not None else None


def _at(version: Submission) -> float:
    """When a version was received; every one in the store has its time."""
    assert version.received is not None
    return version.received


class _Store:
    """The store, opened for receiving by the one process that holds its lock."""

    def __init__(self, path: Path, log: BinaryIO) -> None:
        self.path, self._log = path, log
        self.history = _history(path)

    def keep(self, student: str, name: str, number: int, digest: str, data: bytes) -> str:
        """Keep a version. Returns its path, relative to the store."""
        relative = f"{student}/{name}/{number:04}-{digest[:12]}.ipynb"
        target = self.path / relative
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = self.path / ".part"
        write_synced(partial, data)
        partial.replace(target)
        sync_folder(target.parent)
        return relative

    def size(self, student: str, name: str) -> int:
        """The bytes of all versions that are kept."""
        return sum(path.stat().st_size for path in (self.path / student / name).glob("*.ipynb"))

    def add(self, entry: Submission) -> None:
        """Add a line to the manifest."""
        tree = {
            key: value for key, value in asdict(entry).items() if key != "late" and value not in (None, ())
        }
        self._log.write(json.dumps(tree).encode() + b"\n")
        self._log.flush()
        os.fsync(self._log.fileno())
        self.history.setdefault((entry.student, entry.assignment), []).append(entry)


@contextmanager
def _opened(path: Path) -> Iterator[_Store]:
    with locked(path / ".lock"), (path / MANIFEST).open("ab") as log:
        log.truncate(len(_whole_lines(path)))
        sync_folder(path)
        yield _Store(path, log)


def _whole_lines(store: Path) -> bytes:
    """The manifest without the half line that a killed process leaves, or one that is writing just now."""
    try:
        data = (store / MANIFEST).read_bytes()
    except FileNotFoundError:
        return b""
    return data[: data.rfind(b"\n") + 1]


def _history(store: Path) -> History:
    history: History = {}
    for number, line in enumerate(_whole_lines(store).splitlines(), 1):
        try:
            entry = _entry(json.loads(line))
        except (ValueError, TypeError, KeyError):
            raise UserError(
                f"{store / MANIFEST}: line {number} is damaged; put back a copy of the file from a backup"
            ) from None
        history.setdefault((entry.student, entry.assignment), []).append(entry)
    return history


def _entry(tree: dict[str, Any]) -> Submission:
    if (
        type(tree["student"]) is not str
        or type(tree["assignment"]) is not str
        or type(tree["received"]) not in (int, float)
    ):
        raise TypeError("no entry")
    return Submission(**{**tree, "notes": tuple(tree.get("notes", ()))})
