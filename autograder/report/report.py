"""`kqa course report`: what was graded, for the instructor and for each student.

- `index.html`: the notebooks, and the class with one row a student. It stays small, because it only leads to
  the other pages.
- `notebooks/NAME.html`: the marks, statuses, exercises and most common mistakes of one notebook.
- `answers/NAME.html`: one student's answers, and what the judge said.
- `students/NAME.html`: a page for one student to read. All other pages are for instructors only, because they
  name students.
- One page and one student's answers are in memory at a time.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from autograder.judge.results import Status
from autograder.paths import course_folder, read_course
from autograder.people.roster import Person, read_people
from autograder.report.answers import answers_by_student
from autograder.report.facts import NotebookFacts, gather
from autograder.report.html import page, page_name
from autograder.report.item_analysis import MIN_EACH, MIN_STUDENTS
from autograder.report.marking import GraderFacts, grader_facts
from autograder.report.student_page import answers_page, student_page
from kqa_core.errors import UserError
from kqa_core.files import write_whole, writing

SHOWN_MISTAKES = 5  # for each exercise
SHOWN_ROWS = 100  # of the class, until one asks for all
NO_GRADERS = GraderFacts()
NOBODY: Mapping[str, Person] = {}
STATUSES = [status for status in Status if status is not Status.PERSON]


def report(out: Path | None = None, course: Path | None = None, db: str | None = None) -> Path:
    """Write the report on everything graded so far. Returns the path of its index.

    Raises UserError if nothing is graded yet, or if `out` cannot be written.
    """
    course = course or course_folder()
    notebooks = gather(course, db)
    if not notebooks:
        raise UserError(f"{course}: nothing is graded yet; run `kqa course grade` first")
    folder = out or read_course().out / "report"
    students, people = _students(notebooks), read_people(course, db)
    sources = answers_by_student(course, students, [notebook.name for notebook in notebooks])
    with writing(folder):
        for student, answers in zip(students, sources, strict=True):
            name = f"{page_name(student)}.html"
            write_whole(folder / "students" / name, student_page(student, notebooks, people.get(student)))
            write_whole(
                folder / "answers" / name, answers_page(student, notebooks, answers, people.get(student))
            )
        for facts in notebooks:
            write_whole(
                folder / "notebooks" / f"{page_name(facts.name)}.html",
                notebook_page(facts, grader_facts(course, facts.name)),
            )
        write_whole(folder / "index.html", index(notebooks, people))
    return folder / "index.html"


def index(notebooks: list[NotebookFacts], people: Mapping[str, Person] = NOBODY) -> str:
    """The instructor's index, as HTML. `people`: the roster, by student."""
    return page(
        "index",
        script="class",
        title="Course report",
        course=read_course().title,
        notebooks=notebooks,
        students=[class_row(student, notebooks) for student in _students(notebooks)],
        people=people,
        statuses=STATUSES,
        shown_rows=SHOWN_ROWS,
    )


def notebook_page(facts: NotebookFacts, graders: GraderFacts = NO_GRADERS) -> str:
    """The instructor's page on one notebook, as HTML. `graders`: how far they are, and agree."""
    return page(
        "notebook",
        title=f"{facts.name}: report",
        facts=facts,
        graders=graders,
        statuses=STATUSES,
        min_students=MIN_STUDENTS,
        min_each=MIN_EACH,
        shown_mistakes=SHOWN_MISTAKES,
    )


def class_row(student: str, notebooks: list[NotebookFacts]) -> tuple[str, str, list[str]]:
    """A student's row in the index: name, sum of marks, and each notebook's mark with its sign."""
    cells = []
    for notebook in notebooks:
        mark, _, waits = notebook.marks.get(student, (None, 0.0, False))
        cells.append(
            "–"
            if mark is None
            else f"{mark:g}{'+' if waits else ''}{'!' if notebook.is_unverified(student) else ''}"
        )
    marks = [notebook.marks[student][0] for notebook in notebooks if student in notebook.marks]
    return student, f"{sum(marks):g}" if marks else "–", cells


def _students(notebooks: list[NotebookFacts]) -> list[str]:
    return sorted(set[str]().union(*(notebook.students for notebook in notebooks)))
