"""`kqa course report`: what was graded, for the instructor and for each student.

- `index.html`: per notebook marks, statuses, exercises and their commonest mistakes; then each student, down to the answers.
- `students/NAME.html`: a page for one student to read. The index is the instructor's alone: it names everybody.
"""

from __future__ import annotations

import html
from pathlib import Path

from autograder.paths import course_folder, read_course
from autograder.report.answers import answers_of
from autograder.report.facts import gather
from autograder.report.html import file_name, page
from autograder.report.notebook_section import notebook, overview
from autograder.report.student_page import drill_down, student_page
from kqa_core.errors import UserError
from kqa_core.files import write_whole, writing


def report(out: Path | None = None, course: Path | None = None, db: str | None = None) -> Path:
    """Write the report on everything graded so far; the path of its index.

    Raises UserError where nothing is graded yet, and where `out` cannot be written.
    """
    course, title = course or course_folder(), html.escape(read_course().title)
    facts = gather(course, db)
    if not facts:
        raise UserError(f"{course / 'judged'}: nothing is graded yet; run `kqa course grade` first")
    students = sorted(set[str]().union(*(each.students for each in facts)))
    folder = out or read_course().out / "report"
    drills = [
        drill_down(student, facts, {each.name: answers_of(course, each.name, student) for each in facts}) for student in students
    ]
    body = [
        f"<h1>{title}: report</h1>",
        '<p class="quiet">For instructors: this page names students. Statuses and sentences are the judge\'s, marks the '
        "gradebook's. Each student's own page is in <code>students/</code>.</p>",
        overview(facts),
        *(notebook(each) for each in facts),
        f'<div class="screen"><h2>Students</h2><div class="drill">{"".join(drills)}</div></div>',
    ]
    path = folder / "index.html"
    with writing(folder):
        for student in students:
            write_whole(folder / "students" / f"{file_name(student)}.html", student_page(student, facts))
        write_whole(path, page("Course report", "".join(body)))
    return path
