"""The ledger: what was judged, what is being judged and by whom, and what was recorded. SQLite, course/judged/ledger.db.

- A row's key is a hash of all that decides its result (`row_key`). A row found under its key is as good as judging again.
- A task is leased before it is judged. The lease names its owner (host, process, start of that process); one of a dead process
  of this machine is free at once, one of another machine when its time is up.
- Rows count from the moment they are in. They are `proved` when the canaries of the run that judged them held to the end; a run
  whose canaries deviate takes its rows back. Nothing is published on an unproved row.
- What was recorded last of a student and notebook, in which gradebook: recording is the same however often it is repeated, and
  of two coordinators that end at once only one does it.
- The tables carry the version of their layout: those of another version are not looked at.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sqlite3
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped] # ships no types

from autograder.judge import seeds
from autograder.judge.results import Judged, ShownCell, SubmissionResult
from autograder.sandbox.limits import Limits
from autograder.submissions.store import Submission
from kqa_core.errors import UserError

LEASE_SECONDS = 3600.0  # of an owner on another machine, since it last took or finished something
WAIT_SECONDS = 60.0  # for another process's write
TABLES = """
CREATE TABLE IF NOT EXISTS judged_1 (key TEXT PRIMARY KEY, student TEXT, assignment TEXT, host TEXT, pid INTEGER, started REAL,
    until REAL, run TEXT, result TEXT, proved INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS recorded_1 (student TEXT, assignment TEXT, gradebook TEXT, key TEXT, sha256 TEXT, at REAL,
    PRIMARY KEY (student, assignment, gradebook));
"""


def row_key(entry: Submission, skeleton: str, course: str, limits: Limits, tier: str, key: bytes) -> str:
    """Under what a result of this entry is kept: a hash of all that decides it.

    `skeleton` is the instructor's notebook, `course` the fingerprint of the sources, `key` the course's key.
    """
    decides = [entry.student, entry.assignment, entry.sha256, entry.notes, skeleton, seeds.VERSION, course, asdict(limits), tier]
    digest = hashlib.sha256(json.dumps(decides, sort_keys=True, default=list).encode())
    digest.update(hashlib.sha256(key).digest())
    return digest.hexdigest()


class Ledger:
    """The ledger of one course, opened by one process. Use as a context manager, from one thread."""

    def __init__(self, path: Path) -> None:
        self.path, self.run = path, uuid.uuid4().hex
        process = psutil.Process()
        self._owner = (platform.node(), os.getpid(), process.create_time())
        with self._legible():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._base = sqlite3.connect(path, timeout=WAIT_SECONDS, isolation_level=None)
            self._base.execute("PRAGMA journal_mode=WAL")
            self._base.execute("PRAGMA synchronous=FULL")
            self._base.executescript(TABLES)
            (state,) = self._base.execute("PRAGMA quick_check").fetchone()
            if state != "ok":
                raise sqlite3.DatabaseError(str(state).splitlines()[0])

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *what: object) -> None:
        self._base.close()

    def take(self, key: str, entry: Submission) -> bool:
        """Lease a task that nobody has judged and nobody is judging."""
        with self._writing():
            row = self._base.execute("SELECT host, pid, started, until, result FROM judged_1 WHERE key = ?", (key,)).fetchone()
            if row is not None and (row[4] is not None or self._alive(*row[:4])):
                return False
            self._base.execute("DELETE FROM judged_1 WHERE key = ?", (key,))
            columns = "key, student, assignment, host, pid, started, until, run"
            values = (key, entry.student, entry.assignment, *self._owner, time.time() + LEASE_SECONDS, self.run)
            self._base.execute(f"INSERT INTO judged_1 ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)
            return True

    def keep(self, key: str, judged: Judged) -> None:
        """Enter a result of this run."""
        text = json.dumps({"result": judged.result.to_json(), "cells": [asdict(cell) for cell in judged.cells]})
        with self._writing():
            self._base.execute("UPDATE judged_1 SET result = ? WHERE key = ? AND run = ?", (text, key, self.run))
            until = time.time() + LEASE_SECONDS
            self._base.execute("UPDATE judged_1 SET until = ? WHERE run = ? AND result IS NULL", (until, self.run))

    def release(self, key: str) -> None:
        """Give a lease of this run back: there is no result."""
        with self._writing():
            self._base.execute("DELETE FROM judged_1 WHERE key = ? AND run = ? AND result IS NULL", (key, self.run))

    def results(self, keys: Sequence[str]) -> dict[str, Judged]:
        """What was judged, proved or not."""
        wanted = set(keys)
        rows = self._rows("SELECT key, result FROM judged_1 WHERE result IS NOT NULL")
        return {key: self._read(text) for key, text in rows if key in wanted}

    def forget(self, keys: Sequence[str]) -> None:
        """Drop results, so that they are judged anew; leases that are held stay."""
        with self._writing():
            self._base.executemany("DELETE FROM judged_1 WHERE key = ? AND result IS NOT NULL", [(key,) for key in keys])

    def proved(self) -> None:
        """The canaries of this run held: its rows count, and so do those of runs that were cut short. A new run begins."""
        with self._writing():
            cut = self._cut()
            self._base.executemany("UPDATE judged_1 SET proved = 1 WHERE key = ?", [(key,) for key in cut])
            self._base.execute("UPDATE judged_1 SET proved = 1 WHERE run = ? AND result IS NOT NULL", (self.run,))
        self.run = uuid.uuid4().hex

    def take_back(self) -> None:
        """The canaries of this run deviated: its rows go, and so do those of runs that were cut short. A new run begins."""
        with self._writing():
            cut = self._cut()
            self._base.executemany("DELETE FROM judged_1 WHERE key = ?", [(key,) for key in cut])
            self._base.execute("DELETE FROM judged_1 WHERE run = ?", (self.run,))
        self.run = uuid.uuid4().hex

    def to_do(self, keys: Sequence[str]) -> tuple[list[str], list[str], list[str]]:
        """Of these keys: what can be taken; what a run that was cut short judged; what another coordinator is about."""
        query = "SELECT key, host, pid, started, until, result IS NULL FROM judged_1 WHERE NOT proved"
        open_rows = {key: (rest[:4], bool(rest[4])) for key, *rest in self._rows(query)}
        there = {key for (key,) in self._rows("SELECT key FROM judged_1 WHERE proved")}
        free: list[str] = []
        cut: list[str] = []
        others: list[str] = []
        for key in keys:
            if key in there:
                continue
            owner, empty = open_rows.get(key, (None, True))
            if owner is not None and self._alive(*owner):
                others.append(key)
            else:
                (free if empty else cut).append(key)
        return free, cut, others

    def last_recorded(self, entry: Submission, gradebook: str) -> tuple[str, str | None, float] | None:
        """Key, digest and time of what was last recorded of this student and notebook."""
        query = "SELECT key, sha256, at FROM recorded_1 WHERE student = ? AND assignment = ? AND gradebook = ?"
        rows = list(self._rows(query, (entry.student, entry.assignment, gradebook)))
        return rows[0] if rows else None

    def recorded(self, entry: Submission, gradebook: str, key: str) -> None:
        """Enter that a result is recorded."""
        with self._writing():
            values = (entry.student, entry.assignment, gradebook, key, entry.sha256, time.time())
            self._base.execute("INSERT OR REPLACE INTO recorded_1 VALUES (?, ?, ?, ?, ?, ?)", values)

    def _cut(self) -> list[str]:
        """The results that no run has proved or is about to prove."""
        rows = self._rows("SELECT key, host, pid, started, until FROM judged_1 WHERE NOT proved AND result IS NOT NULL")
        return [key for key, *owner in rows if not self._alive(*owner)]

    def _rows(self, query: str, values: tuple[object, ...] = ()) -> Iterator[Any]:
        with self._legible():
            yield from self._base.execute(query, values).fetchall()

    def _alive(self, host: str, pid: int, started: float, until: float) -> bool:
        """Whether a lease's owner still holds it."""
        if host != self._owner[0]:
            return until > time.time()
        try:
            return abs(float(psutil.Process(pid).create_time()) - started) < 1.0
        except psutil.Error:
            return False

    def _read(self, text: str) -> Judged:
        try:
            tree = json.loads(text)
            return Judged(SubmissionResult.from_json(tree["result"]), tuple(ShownCell(**cell) for cell in tree["cells"]))
        except (ValueError, KeyError, TypeError) as error:
            raise self._damaged(type(error).__name__) from None

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """One transaction, the only writer's."""
        with self._legible():
            self._base.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._base.execute("ROLLBACK")
                raise
            self._base.execute("COMMIT")

    @contextmanager
    def _legible(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            raise UserError(f"{self.path}: cannot be used ({error}); look at the disk and the file's owner") from None
        except sqlite3.DatabaseError as error:
            raise self._damaged(str(error)) from None
        except OSError as error:
            raise UserError(f"{self.path}: cannot be used ({error.strerror}); look at the disk and the folder's owner") from None

    def _damaged(self, why: str) -> UserError:
        return UserError(f"{self.path}: is damaged ({why}); delete it and grade again, the marks stay in the gradebook")


def as_received(judged: Judged, entry: Submission) -> Judged:
    """A kept result, with the facts of the hand-in as they are now: a due date may have moved since it was judged."""
    facts = {"received": entry.received, "version": entry.version, "late": entry.late}
    return Judged(replace(judged.result, **facts), judged.cells)  # type: ignore[arg-type]
