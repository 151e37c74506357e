"""What students wrote, as the ledger has it, for reports: the sources of the submissions that the published results are about.

Under `OWN` are the code cells that a student added. Outputs and metadata are not in the ledger.
"""

from __future__ import annotations

from pathlib import Path

from autograder.farm.ledger import latest, latest_cells

OWN = "cells of their own"


def answers_of(course: Path, assignment: str, student: str) -> dict[str, str]:
    """The sources of one student's answers in a notebook, by exercise, in the notebook's order."""
    cells = latest_cells(course, assignment, student)
    found = {str(cell.grade_id): cell.source for cell in cells if cell.role in ("solution", "written")}
    own = [cell.source for cell in cells if cell.role == "extra" and cell.kind == "code" and cell.source.strip()]
    return {**found, OWN: "\n\n".join(own)} if own else found


def class_answers(course: Path, assignment: str) -> dict[str, dict[str, str]]:
    """The answers of everybody whose submission was judged, by student."""
    found = {student: answers_of(course, assignment, student) for student in latest(course, assignment)}
    return {student: answers for student, answers in found.items() if answers}
