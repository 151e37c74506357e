"""The published results of a course, for reports and exports: what the ledger's table `published` holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from autograder.grading.ledger import Ledger, ledger_path
from autograder.judge.results import SubmissionResult
from autograder.submissions.merge import GraftedCell

PUBLISHED = "FROM published p JOIN verdicts v ON v.id = p.verdict WHERE p.assignment = ? ORDER BY p.student"


def latest(course: Path, assignment: str) -> dict[str, SubmissionResult]:
    """A notebook's published results, by student. Raises UserError for a damaged ledger."""
    query = f"SELECT p.student, v.result, p.received, p.version, p.late {PUBLISHED}"
    with _reading(course) as ledger:
        if ledger is None:
            return {}
        return {
            student: replace(ledger.result(text), received=received, version=version, late=late)
            for student, text, received, version, late in ledger.rows(query, (assignment,))
        }


def latest_cells(course: Path, assignment: str) -> dict[str, tuple[GraftedCell, ...]]:
    """By student: the cells of the submission that a published result is about; none if not judged."""
    query = f"SELECT p.student, v.cells {PUBLISHED}"
    with _reading(course) as ledger:
        if ledger is None:
            return {}
        return {student: ledger.cells(cells) for student, cells in ledger.rows(query, (assignment,))}


def cells_by_student(
    course: Path, students: Sequence[str], assignments: Sequence[str]
) -> Iterator[dict[str, tuple[GraftedCell, ...]]]:
    """As `latest_cells`, for one student after another: by assignment. One student's are in memory."""
    query = (
        "SELECT v.cells FROM published p JOIN verdicts v ON v.id = p.verdict WHERE p.assignment = ? AND"
        " p.student = ?"
    )
    with _reading(course) as ledger:
        for student in students:
            yield (
                {}
                if ledger is None
                else {
                    name: ledger.cells(cells)
                    for name in assignments
                    for (cells,) in ledger.rows(query, (name, student))
                }
            )


def graded_notebooks(course: Path) -> list[str]:
    """The notebooks that have published results, by name."""
    with _reading(course) as ledger:
        if ledger is None:
            return []
        return [name for (name,) in ledger.rows("SELECT DISTINCT assignment FROM published ORDER BY 1")]


@contextmanager
def _reading(course: Path) -> Iterator[Ledger | None]:
    """The ledger of a course, for reading only; None where there is none."""
    path = ledger_path(course)
    if not path.is_file():
        yield None
        return
    with Ledger(path, writes=False) as ledger:
        yield ledger
