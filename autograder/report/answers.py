"""Students' answers for reports: the sources in the ledger of the submissions that the published results are about.

`EXTRA_CELLS` stands for the code cells that a student added. The ledger holds no outputs and no metadata.
"""

from __future__ import annotations

from pathlib import Path

from autograder.farm.ledger import latest, latest_cells

EXTRA_CELLS = "extra cells"  # in place of an exercise's name


def answers_of(course: Path, assignment: str, student: str) -> dict[str, str]:
    """The sources of one student's answers in a notebook, by exercise, in the notebook's order."""
    cells = latest_cells(course, assignment, student)
    found = {str(cell.grade_id): cell.source for cell in cells if cell.role in ("solution", "written")}
    extra = [cell.source for cell in cells if cell.role == "extra" and cell.kind == "code" and cell.source.strip()]
    return {**found, EXTRA_CELLS: "\n\n".join(extra)} if extra else found


def class_answers(course: Path, assignment: str) -> dict[str, dict[str, str]]:
    """The answers of all students whose submission was judged, by student."""
    found = {student: answers_of(course, assignment, student) for student in latest(course, assignment)}
    return {student: answers for student, answers in found.items() if answers}
