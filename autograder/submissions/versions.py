"""The store of submissions as files: every version that was received, and the manifest that lists them.

- The store (`course/received`) holds `STUDENT/NOTEBOOK/0001-<sha256>.ipynb` for each version, and
  `manifest.jsonl`, which only grows. A version is complete before its line is written. If the process is
  killed, at worst a file without a line or half a line is left, and the next run writes it again. A lock lets
  one process receive at a time; reading needs none.
- A version is kept with what came beside it: the exchange's secret and time, by which its feedback finds its
  student. So feedback about version N never goes where a later version says.
- What others may not see (the secrets, the class's work) is readable by its owner alone: 0700 and 0600.
- A student and notebook have at most MOST_EVENTS lines that are no new version (a refused file, a corrected
  time), so that no student can make the manifest grow without end.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO

from autograder.submissions.student_names import MANIFEST
from kqa_core.errors import UserError
from kqa_core.files import locked, sync_folder, write_synced

MOST_EVENTS = 500  # lines of one student and notebook that are no new version
CLOCK_SECONDS = 60.0  # by which times may fall: a clock that is kept right is moved by less
NOT_KEPT = ("late", "about", "same_since", "line")  # worked out when the manifest is read


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
    notes: tuple[str, ...] = ()  # what the instructor should know about this version
    about: tuple[
        str, ...
    ] = ()  # what the instructor should know about the other versions, and about the clock
    by_clock: bool = False  # whether `received` is this machine's clock, and no person's word
    secret: str | None = None  # the exchange's two files that came with it: their texts
    timestamp: str | None = None
    source: str | None = None  # the folder of the exchange, or the upload to a platform, that it came from
    # the first of the versions before it, one after the other, that hold the same bytes
    same_since: int = field(default=0, compare=False)
    line: int = field(default=0, compare=False)  # of the manifest

    @property
    def place(self) -> tuple[str, str]:
        """Student and notebook."""
        return self.student, self.assignment

    @property
    def alone(self) -> Submission:
        """The same without what other versions change: what its verdict is about."""
        return replace(self, notes=self.notes[: len(self.notes) - len(self.about)], about=())

    @property
    def stamp(self) -> tuple[str | None, str | None]:
        """What the exchange put beside it: secret and time. Each is None if there was none."""
        return self.secret, self.timestamp


@dataclass(frozen=True)
class HandedIn:
    """What a folder holds for one student and notebook: the notebook's bytes, or why there are none."""

    data: bytes | None = None
    refused: str | None = None
    notes: tuple[str, ...] = ()
    secret: str | None = None
    timestamp: str | None = None
    source: str | None = None  # the folder of the exchange, or the upload to a platform
    sha256: str | None = None  # of the bytes
    moment: float = 0.0  # by which several of a student's come in order, as the student's side wrote it
    facts: tuple[os.stat_result, ...] = ()  # of the folders and files that were looked at

    @property
    def empty(self) -> bool:
        """Whether nothing was submitted."""
        return self.data is None and self.refused is None and not self.notes


# by student and notebook; a notebook "" says only that we know the student
History = dict[tuple[str, str], list[Submission]]


class Store:
    """The store, opened for receiving by the one process that holds its lock."""

    def __init__(self, path: Path, log: BinaryIO) -> None:
        self.path, self._log = path, log
        self.history = read_history(path)
        self._lines = sum(map(len, self.history.values()))

    def versions(self, student: str, name: str) -> list[Submission]:
        """The versions of a student's notebook, oldest first, each as it was last entered."""
        latest = {event.version: event for event in self.history.get((student, name), ()) if event.file}
        return [latest[number] for number in sorted(latest)]

    def know(self, student: str, at: float | None) -> None:
        """Enter that there is this student."""
        if (student, "") not in self.history:
            when = time.time() if at is None else at
            self.add(Submission(student, "", received=when, by_clock=at is None))

    def note_clock(self) -> None:
        """If the clock is behind the last time that was entered, enter the time now: see `counting.py`."""
        last = max(
            (event for events in self.history.values() for event in events if event.by_clock),
            key=lambda event: event.line,
            default=None,
        )
        if last is not None and (last.received or 0.0) > time.time() + CLOCK_SECONDS:
            self.add(Submission("", "", received=time.time(), by_clock=True))

    def keep(self, student: str, name: str, number: int, digest: str, data: bytes) -> str:
        """Keep a version. Returns its path, relative to the store."""
        relative = f"{student}/{name}/{number:04}-{digest[:12]}.ipynb"
        write_version(self.path, relative, data)
        return relative

    def size(self, student: str, name: str) -> int:
        """The bytes of all versions that are kept."""
        return sum(path.stat().st_size for path in (self.path / student / name).glob("*.ipynb"))

    def add_event(self, entry: Submission) -> bool:
        """Add a line that is no new version, unless there are too many. Returns whether it was added."""
        events = self.history.get(entry.place, [])
        if len(events) - len({event.version for event in events if event.file}) >= MOST_EVENTS:
            return False
        self.add(entry)
        return True

    def add(self, entry: Submission) -> None:
        """Add a line to the manifest."""
        tree = {
            key: value
            for key, value in asdict(entry).items()
            if key not in NOT_KEPT and not (value is None or value is False or value == ())
        }
        self._log.write(json.dumps(tree).encode() + b"\n")
        self._log.flush()
        os.fsync(self._log.fileno())
        self._lines += 1
        self.history.setdefault(entry.place, []).append(replace(entry, line=self._lines))


def write_version(store: Path, relative: str, data: bytes) -> None:
    """Write a stored version whole. Raises OSError. Its caller holds the store's lock."""
    target = store / relative
    for folder in (target.parent.parent, target.parent):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    partial = store / ".part"
    partial.unlink(missing_ok=True)  # by a process that was killed
    write_synced(partial, data, 0o600)
    partial.replace(target)
    sync_folder(target.parent)


@contextmanager
def opened(path: Path) -> Iterator[Store]:
    """The store, for receiving. Raises OSError, and UserError for a damaged manifest."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    with locked(path / ".lock"):
        log = os.fdopen(os.open(path / MANIFEST, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab")
        with log:
            log.truncate(len(_whole_lines(path)))
            sync_folder(path)
            yield Store(path, log)


def read_history(store: Path) -> History:
    """Every line of the manifest, in order. Raises UserError if one is damaged."""
    history: History = {}
    for number, line in enumerate(_whole_lines(store).splitlines(), 1):
        try:
            entry = _entry(json.loads(line))
        except (ValueError, TypeError, KeyError):
            raise UserError(
                f"{store / MANIFEST}: line {number} is damaged; put back a copy of the file from a backup"
            ) from None
        history.setdefault(entry.place, []).append(replace(entry, line=number))
    return history


def _whole_lines(store: Path) -> bytes:
    """The manifest without the half line that a killed process leaves, or one that is writing just now."""
    try:
        data = (store / MANIFEST).read_bytes()
    except FileNotFoundError:
        return b""
    return data[: data.rfind(b"\n") + 1]


def _entry(tree: dict[str, Any]) -> Submission:
    if (
        type(tree["student"]) is not str
        or type(tree["assignment"]) is not str
        or type(tree["received"]) not in (int, float)
    ):
        raise TypeError("no entry")
    return Submission(**{**tree, "notes": tuple(tree.get("notes", ()))})
