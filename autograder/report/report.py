"""`kqa course report`: what was graded, for the instructor and for each student.

- `index.html`: for each notebook the marks, statuses, exercises and most common mistakes; then each student with their answers.
- `students/NAME.html`: a page for one student to read. The index is for instructors only, because it names all students.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from autograder.judge.results import Status
from autograder.paths import course_folder, read_course
from autograder.report.answers import EXTRA_CELLS, class_answers
from autograder.report.facts import NotebookFacts, gather
from autograder.report.html import page, page_name
from autograder.report.item_analysis import MIN_EACH, MIN_STUDENTS
from autograder.report.student_page import student_notebooks, student_page
from kqa_core.errors import UserError
from kqa_core.files import write_whole, writing

SHOWN_MISTAKES = 5  # for each exercise


def report(out: Path | None = None, course: Path | None = None, db: str | None = None) -> Path:
    """Write the report on everything graded so far. Returns the path of its index.

    Raises UserError if nothing is graded yet, or if `out` cannot be written.
    """
    course = course or course_folder()
    notebooks = gather(course, db)
    if not notebooks:
        raise UserError(f"{course}: nothing is graded yet; run `kqa course grade` first")
    answers = {each.name: class_answers(course, each.name) for each in notebooks}
    folder = out or read_course().out / "report"
    with writing(folder):
        for student in _students(notebooks):
            write_whole(folder / "students" / f"{page_name(student)}.html", student_page(student, notebooks))
        write_whole(folder / "index.html", index(notebooks, answers))
    return folder / "index.html"


def index(notebooks: list[NotebookFacts], answers: Mapping[str, Mapping[str, Mapping[str, str]]]) -> str:
    """The instructor's index, as HTML. `answers`: notebook → student → exercise → source."""
    return page(
        "index",
        title="Course report",
        course=read_course().title,
        notebooks=notebooks,
        students=[(student, student_notebooks(student, notebooks, answers)) for student in _students(notebooks)],
        statuses=[status for status in Status if status is not Status.PERSON],
        extra_cells=EXTRA_CELLS,
        min_students=MIN_STUDENTS,
        min_each=MIN_EACH,
        shown_mistakes=SHOWN_MISTAKES,
    )


def _students(notebooks: list[NotebookFacts]) -> list[str]:
    return sorted(set[str]().union(*(each.students for each in notebooks)))
