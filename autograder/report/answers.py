"""Students' answers for reports: the sources of the submissions that the published results are about.

`EXTRA_CELLS` stands for the code cells that a student added. The ledger holds no outputs and no metadata.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from autograder.grading.published import cells_by_student, latest_cells
from autograder.people.groups import groups_of
from autograder.submissions.merge import GraftedCell

EXTRA_CELLS = "extra cells"  # in place of an exercise's name


def answers_of(cells: tuple[GraftedCell, ...]) -> dict[str, str]:
    """The sources of the answers in a submission, by exercise, in the notebook's order."""
    sources = {str(cell.grade_id): cell.source for cell in cells if cell.role in ("solution", "written")}
    extra = [
        cell.source for cell in cells if cell.role == "extra" and cell.kind == "code" and cell.source.strip()
    ]
    return {**sources, EXTRA_CELLS: "\n\n".join(extra)} if extra else sources


def class_answers(course: Path, assignment: str) -> dict[str, dict[str, str]]:
    """The answers of all students whose submission was judged; of a group, those of one member."""
    groups = groups_of(course, assignment)
    answers_by = {
        student: answers_of(cells)
        for student, cells in latest_cells(course, assignment).items()
        if student not in groups or student == groups[student].members[0]
    }
    return {student: answers for student, answers in answers_by.items() if answers}


def answers_by_student(
    course: Path, students: Sequence[str], assignments: Sequence[str]
) -> Iterator[dict[str, dict[str, str]]]:
    """For each of these students in turn: notebook → exercise → source."""
    for cells in cells_by_student(course, students, assignments):
        yield {name: answers_of(of_notebook) for name, of_notebook in cells.items()}
