"""The answers that `kqa course watch` gave: a table in the course's ledger, a row for each answer.

- A row is written when an answer has been released. So after a kill, a submission without a row is taken from
  the ledger of verdicts and released again: the same page under the same name.
- `mark` says what the answer is about: a digest of the version, its notes, its lateness and the exchange's
  files. `work` says what was judged for it. An answer with the same `work` as the one before cost nothing,
  and does not count for the limit.
- If the ledger is deleted, the watcher answers everything once more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.grading.ledger import Ledger, ledger_path

COLUMNS = "student, assignment, version, mark, work, received, at, counts, said"


@dataclass(frozen=True)
class Answer:
    """One answer to one student."""

    student: str
    assignment: str
    version: int  # of the submission; 0 for one that was refused
    mark: str
    work: str
    received: float | None  # when the submission came, seconds since 1970
    at: float  # when the answer was released
    counts: bool = True  # for the limit of the day
    said: str = ""  # in a few words, for the log and the instructor's page


class Answers:
    """The answers of a course, as they are now."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def last(self) -> dict[tuple[str, str], Answer]:
        """The latest answer for each student and notebook."""
        query = (
            f"SELECT {COLUMNS} FROM answers WHERE id IN (SELECT max(id) FROM answers GROUP BY student,"
            " assignment)"
        )
        return {
            (answer.student, answer.assignment): answer for answer in map(_answer, self._ledger.rows(query))
        }

    def since(self, when: float) -> Counter[str]:
        """How many answers that count each student got since then."""
        query = "SELECT student, sum(counts) FROM answers WHERE at >= ? GROUP BY student"
        return Counter({student: int(number) for student, number in self._ledger.rows(query, (when,))})

    def latest(self, most: int) -> list[Answer]:
        """The latest answers, the newest first."""
        return [
            _answer(row)
            for row in self._ledger.rows(f"SELECT {COLUMNS} FROM answers ORDER BY id DESC LIMIT ?", (most,))
        ]

    def total(self) -> int:
        """How many answers were given."""
        return int(self._ledger.rows("SELECT count(*) FROM answers")[0][0])

    def add(self, answers: Iterable[Answer]) -> None:
        """Enter answers that were released, all at once."""
        rows = [tuple(getattr(answer, name) for name in COLUMNS.split(", ")) for answer in answers]
        with self._ledger.writing() as base:
            base.executemany(f"INSERT INTO answers ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)


@contextmanager
def answers_of(course: Path, writes: bool = False) -> Iterator[Answers]:
    """The answers of a course. Raises UserError for a ledger that cannot be used."""
    with Ledger(ledger_path(course), writes) as ledger:
        yield Answers(ledger)


def _answer(row: tuple[Any, ...]) -> Answer:
    student, assignment, version, mark, work, received, at, counts, said = row
    return Answer(student, assignment, version, mark, work, received, at, bool(counts), said)
