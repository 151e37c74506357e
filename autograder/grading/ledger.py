"""The ledger in SQLite, course/judged/ledger.db: what was judged, who judges what, what was published.

- `verdicts`: one row a task. Its key is a hash of everything that decides the result (`row_key`), so a row
  found under its key replaces judging again. A row without a key is not found again: it holds what could not
  be judged, or was judged anew since.
- A task is leased before it is judged. The lease names its owner (host, process, start of that process). The
  lease of a dead process on this machine is free at once, one of another machine when its time is up. Closing
  the ledger gives up its leases.
- A row is `proved` when the canaries of the run that judged it held to the end. If a canary deviates, the
  run's rows are removed. Nothing is published on an unproved row.
- `published`: the verdict that counts, for each student and notebook. Reports and exports read it through
  `published.py`. The results of one notebook are replaced together.
- `recorded`: what was last written to which gradebook. Recording can be repeated, and of two coordinators
  that end at the same time only one does it.
"""

from __future__ import annotations

import json
import os
import platform
import sqlite3
import time
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped] # ships no types

from autograder.judge.results import Judged, SubmissionResult
from autograder.submissions.merge import GraftedCell
from autograder.submissions.store import Submission
from kqa_core.errors import UserError

LEASE_SECONDS = 3600.0  # of an owner on another machine, since it last took or finished something
WAIT_SECONDS = 60.0  # for another process's write
LAYOUT = 2  # of the tables, kept as SQLite's user_version
TABLES = (
    """CREATE TABLE verdicts (id INTEGER PRIMARY KEY, key TEXT UNIQUE, student TEXT, assignment TEXT,
    host TEXT, pid INTEGER, started REAL, until REAL, run TEXT, result TEXT, cells TEXT, proved INTEGER NOT
    NULL DEFAULT 0)""",
    """CREATE TABLE published (student TEXT, assignment TEXT, verdict INTEGER NOT NULL REFERENCES
    verdicts (id), received REAL, version INTEGER, late REAL, PRIMARY KEY (assignment, student))""",
    """CREATE TABLE recorded (student TEXT, assignment TEXT, gradebook TEXT, key TEXT, sha256 TEXT, at REAL,
    PRIMARY KEY (student, assignment, gradebook))""",
)
ANSWERS = (  # of `autograder.grading.answers`
    """CREATE TABLE IF NOT EXISTS answers (id INTEGER PRIMARY KEY, student TEXT, assignment TEXT,
    version INTEGER, mark TEXT, work TEXT, received REAL, at REAL, counts INTEGER, said TEXT)""",
    "CREATE INDEX IF NOT EXISTS answers_at ON answers (at)",
)
# A lease is prolonged whenever a result is kept: without this index, each time all verdicts would be read.
OPEN_LEASES = "CREATE INDEX IF NOT EXISTS open_leases ON verdicts (run) WHERE result IS NULL"
UNUSED = "DELETE FROM verdicts WHERE key IS NULL AND id NOT IN (SELECT verdict FROM published)"


def ledger_path(course: Path) -> Path:
    """Where the ledger of a course lies."""
    return course / "judged" / "ledger.db"


class Ledger:
    """The ledger of one course, opened by one process. Use as a context manager, from one thread."""

    def __init__(self, path: Path, writes: bool = True) -> None:
        self.path, self.run, self._writes = path, uuid.uuid4().hex, writes
        process = psutil.Process()
        self._owner = (platform.node(), os.getpid(), process.create_time())
        with self._readable():
            if writes:
                path.parent.mkdir(parents=True, exist_ok=True)
            where = f"{path.resolve().as_uri()}?mode={'rwc' if writes else 'ro'}"
            self._base = sqlite3.connect(where, timeout=WAIT_SECONDS, isolation_level=None, uri=True)
            if writes:
                self._prepare()
        self._check_layout()

    def _prepare(self) -> None:
        """Make the tables of a new ledger, and look for damage in an old one."""
        self._base.execute("PRAGMA journal_mode=WAL")
        self._base.execute("PRAGMA synchronous=FULL")
        with self.writing():
            if not self._base.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                for table in TABLES:
                    self._base.execute(table)
                self._base.execute(f"PRAGMA user_version = {LAYOUT}")
            for statement in (OPEN_LEASES, *ANSWERS):
                self._base.execute(statement)
        (state,) = self._base.execute("PRAGMA quick_check").fetchone()
        if state != "ok":
            raise sqlite3.DatabaseError(str(state).splitlines()[0])

    def _check_layout(self) -> None:
        ((layout,),) = self.rows("PRAGMA user_version")
        if layout != LAYOUT:
            self._base.close()
            raise self._unusable("was written by another version")

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *what: object) -> None:
        # a run that failed in a process which goes on is as one that was killed
        with suppress(UserError, sqlite3.Error):
            if self._writes:
                with self.writing():
                    self._base.execute("DELETE FROM verdicts WHERE run = ? AND result IS NULL", (self.run,))
                    self._base.execute(
                        "UPDATE verdicts SET pid = 0, until = 0 WHERE run = ? AND NOT proved", (self.run,)
                    )
        self._base.close()

    def take(self, key: str, entry: Submission) -> bool:
        """Lease a task, unless it is judged or another process holds its lease. Returns whether it did."""
        with self.writing():
            row = self._base.execute(
                "SELECT host, pid, started, until, result FROM verdicts WHERE key = ?", (key,)
            ).fetchone()
            if row is not None and (row[4] is not None or self._alive(*row[:4])):
                return False
            self._base.execute("DELETE FROM verdicts WHERE key = ?", (key,))
            columns = "key, student, assignment, host, pid, started, until, run"
            values = (
                key,
                entry.student,
                entry.assignment,
                *self._owner,
                time.time() + LEASE_SECONDS,
                self.run,
            )
            self._base.execute(f"INSERT INTO verdicts ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)
            return True

    def keep(self, key: str, judged: Judged) -> None:
        """Enter a result of this run."""
        with self.writing():
            values = (*_texts(judged), key, self.run)
            self._base.execute("UPDATE verdicts SET result = ?, cells = ? WHERE key = ? AND run = ?", values)
            until = time.time() + LEASE_SECONDS
            self._base.execute(
                "UPDATE verdicts SET until = ? WHERE run = ? AND result IS NULL", (until, self.run)
            )

    def release(self, key: str) -> None:
        """Give up a lease of this run, without a result."""
        with self.writing():
            self._base.execute(
                "DELETE FROM verdicts WHERE key = ? AND run = ? AND result IS NULL", (key, self.run)
            )

    def results(self, keys: Sequence[str]) -> dict[str, SubmissionResult]:
        """The results under these keys, proved or not."""
        query = "SELECT key, result FROM verdicts WHERE key = ? AND result IS NOT NULL"
        return {key: self.result(text) for each in keys for key, text in self.rows(query, (each,))}

    def cells_of(self, key: str) -> tuple[GraftedCell, ...] | None:
        """The cells of the submission whose result is under this key; None if there is no result."""
        rows = self.rows("SELECT cells FROM verdicts WHERE key = ? AND result IS NOT NULL", (key,))
        return self.cells(rows[0][0]) if rows else None

    def forget(self, keys: Sequence[str]) -> None:
        """Drop these results, so that they are judged anew. Published ones and held leases stay."""
        with self.writing():
            query = "UPDATE verdicts SET key = NULL WHERE key = ? AND result IS NOT NULL"
            self._base.executemany(query, [(key,) for key in keys])
            self._base.execute(UNUSED)

    def publish(
        self, assignment: str, results: Iterable[tuple[str | None, Judged]], whole: bool = True
    ) -> None:
        """Replace a notebook's published results, all at once. A result without a key is for readers only.

        If the results are not `whole`, those of other students stay.
        """
        add_verdict = (
            "INSERT INTO verdicts (student, assignment, result, cells, proved) VALUES (?, ?, ?, ?, 1)"
        )
        with self.writing():
            if whole:
                self._base.execute("DELETE FROM published WHERE assignment = ?", (assignment,))
            for key, judged in results:
                result = judged.result
                row = self._base.execute(
                    "SELECT id FROM verdicts WHERE key = ? AND result IS NOT NULL", (key,)
                ).fetchone()
                if row is None:
                    row = (
                        self._base.execute(
                            add_verdict, (result.student, assignment, *_texts(judged))
                        ).lastrowid,
                    )
                values = (result.student, assignment, *row, result.received, result.version, result.late)
                self._base.execute("INSERT OR REPLACE INTO published VALUES (?, ?, ?, ?, ?, ?)", values)
            self._base.execute(UNUSED)

    def proved(self) -> None:
        """The canaries held: prove this run's rows and those of interrupted runs, and begin a new run."""
        with self.writing():
            cut = self._cut()
            self._base.executemany("UPDATE verdicts SET proved = 1 WHERE id = ?", [(row,) for row in cut])
            self._base.execute(
                "UPDATE verdicts SET proved = 1 WHERE run = ? AND result IS NOT NULL", (self.run,)
            )
            new = uuid.uuid4().hex
            self._base.execute(
                "UPDATE verdicts SET run = ? WHERE run = ? AND result IS NULL", (new, self.run)
            )
        self.run = new

    def take_back(self) -> None:
        """A canary of this run deviated: remove its rows and those of interrupted runs. A new run begins."""
        with self.writing():
            cut = self._cut()
            self._base.executemany("DELETE FROM verdicts WHERE id = ?", [(row,) for row in cut])
            self._base.execute("DELETE FROM verdicts WHERE run = ?", (self.run,))
        self.run = uuid.uuid4().hex

    def to_do(self, keys: Sequence[str]) -> tuple[list[str], list[str], list[str]]:
        """The keys without a proved result: free, judged by an interrupted run, or leased by another run."""
        query = "SELECT key, host, pid, started, until, result IS NULL FROM verdicts WHERE NOT proved"
        open_rows = {key: (rest[:4], bool(rest[4])) for key, *rest in self.rows(query)}
        there = {key for (key,) in self.rows("SELECT key FROM verdicts WHERE proved")}
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
        """Key, digest and time of what was last recorded for a student and notebook; None for nothing."""
        query = "SELECT key, sha256, at FROM recorded WHERE student = ? AND assignment = ? AND gradebook = ?"
        rows = self.rows(query, (entry.student, entry.assignment, gradebook))
        return rows[0] if rows else None

    def recorded(self, entry: Submission, gradebook: str, key: str) -> None:
        """Enter that a result is recorded."""
        with self.writing():
            values = (entry.student, entry.assignment, gradebook, key, entry.sha256, time.time())
            self._base.execute("INSERT OR REPLACE INTO recorded VALUES (?, ?, ?, ?, ?, ?)", values)

    def busy(self) -> bool:
        """Whether a process that is alive holds a lease."""
        return any(
            self._alive(*owner)
            for owner in self.rows("SELECT host, pid, started, until FROM verdicts WHERE result IS NULL")
        )

    def copy(self, path: Path) -> None:
        """Write a copy of what is proved, without leases and unproved results, to the new file `path`."""
        with self._readable(), closing(sqlite3.connect(path, isolation_level=None)) as base:
            self._base.backup(base)
            base.execute("DELETE FROM verdicts WHERE NOT proved")

    def _cut(self) -> list[int]:
        """The results of runs that ended before their canaries did."""
        rows = self.rows(
            "SELECT id, host, pid, started, until FROM verdicts WHERE NOT proved AND result IS NOT NULL"
        )
        return [row for row, *owner in rows if not self._alive(*owner)]

    def rows(self, query: str, values: tuple[object, ...] = ()) -> list[Any]:
        """The rows that a query finds."""
        with self._readable():
            return self._base.execute(query, values).fetchall()

    def result(self, text: str) -> SubmissionResult:
        """A result from its row."""
        try:
            return SubmissionResult.from_json(json.loads(text))
        except (ValueError, KeyError, TypeError) as error:
            raise self._unusable(f"is damaged ({type(error).__name__})") from None

    def cells(self, text: str) -> tuple[GraftedCell, ...]:
        """The cells of a submission from their row."""
        try:
            return tuple(GraftedCell(**cell) for cell in json.loads(text))
        except (ValueError, TypeError) as error:
            raise self._unusable(f"is damaged ({type(error).__name__})") from None

    def _alive(self, host: str, pid: int, started: float, until: float) -> bool:
        """Whether a lease's owner still holds it."""
        if host != self._owner[0]:
            return until > time.time()
        try:
            return abs(float(psutil.Process(pid).create_time()) - started) < 1.0
        except psutil.Error:
            return False

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One write transaction. Raises UserError if the file cannot be written."""
        with self._readable():
            self._base.execute("BEGIN IMMEDIATE")
            try:
                yield self._base
            except BaseException:
                self._base.execute("ROLLBACK")
                raise
            self._base.execute("COMMIT")

    @contextmanager
    def _readable(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            raise UserError(
                f"{self.path}: cannot be used ({error}); look at the disk and the file's owner"
            ) from None
        except sqlite3.DatabaseError as error:
            raise self._unusable(f"is damaged ({error})") from None
        except OSError as error:
            raise UserError(
                f"{self.path}: cannot be used ({error.strerror}); look at the disk and the folder's owner"
            ) from None

    def _unusable(self, why: str) -> UserError:
        return UserError(f"{self.path}: {why}; delete it and grade again, the marks stay in the gradebook")


def _texts(judged: Judged) -> tuple[str, str]:
    return json.dumps(asdict(judged.result)), json.dumps([asdict(cell) for cell in judged.cells])


def as_received(result: SubmissionResult, entry: Submission) -> SubmissionResult:
    """A kept result with the receipt as it is now: a due date may have moved since it was judged, and other
    versions may have come.
    """
    notes = (*result.notes, *entry.about)
    return replace(result, received=entry.received, version=entry.version, late=entry.late, notes=notes)
