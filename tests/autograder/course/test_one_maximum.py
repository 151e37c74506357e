"""One maximum and no silent zero in every place that shows a mark:
pages, tables, files, Canvas, and the student's cockpit.
"""

from __future__ import annotations

import csv
import io
import re

import pytest
from canvas_server import TOKEN, Canvas, serving, user
from reported_course import Reader, everything, give, graded_course, said, submission
from small_course import EXERCISES, NAME

from autograder.course.tables import class_table, show
from autograder.export.canvas_course import CanvasCourse
from autograder.export.export import export
from autograder.export.marks import Target, collect
from autograder.export.push_canvas import plan, send
from autograder.grading.published import latest
from autograder.judge.results import Status, SubmissionResult
from autograder.report.report import report
from kqa_core.check.cockpit_view import Cockpit
from kqa_core.check.registry import find

pytestmark = [
    # nbgrader's own way of adding a submission
    pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"),
    pytest.mark.xdist_group("maximum"),  # from one gradebook
]
MOST = 3  # points: two exercises with a check, one for a person
NONE = ("ref", "mis")  # a refused submission, and none at all


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Ann has everything, marked by a person; of Bo's answers one waits; two students have no mark."""
    waits = [
        said("average_all", "not yet", "no"),
        said("select_first"),
        said("why_select", "written", "a person reads it"),
    ]
    results = [submission("ann", everything()), submission("bo", waits)]
    results += [
        SubmissionResult("ref", NAME, Status.REFUSED, reason="damaged"),
        SubmissionResult("mis", NAME, Status.MISSING),
    ]
    course = graded_course(tmp_path_factory.mktemp("maximum"), results)
    give(course, "ann", "why_select", 1.0, "yes")
    return course


@pytest.fixture
def found(course):
    return collect([NAME], course, None)


@pytest.mark.slow
def test_the_points_of_the_regular_exercises_are_the_maximum(found):
    assert sum(find(each).points for each in EXERCISES if not find(each).extra) == MOST == found.maximum(NAME)


def test_the_feedback_page_says_it(course):
    text = (course / "feedback" / "bo" / NAME / f"{NAME}.html").read_text()
    assert re.search(r'class="total">1 of 3 points', text)
    assert not (course / "feedback" / "mis").exists()


def test_the_report_and_the_students_page_say_it(course, tmp_path):
    made = report(out=tmp_path / "report", course=course)
    students = {
        each: Reader((made.parent / "students" / f"{each}.html").read_text()).text
        for each in ("ann", "bo", *NONE)
    }
    assert (
        "3 of 3 points" in students["ann"]
        and "1 of 3 points, an answer still waits for a person" in students["bo"]
    )
    assert (
        "2 marks: median 2, mean 2, of 3 points"
        in Reader((made.parent / "notebooks" / f"{NAME}.html").read_text()).text
    )
    for each in NONE:
        assert not re.search(r"\b0 of 3", students[each])


def test_the_table_of_the_grader_says_it(course, found, capsys):
    show(class_table([*latest(course, NAME).values()], found.marks))
    lines = {line.split()[1]: line for line in capsys.readouterr().out.splitlines() if NAME in line}
    assert "3 of 3" in lines["ann"] and "1 of 3" in lines["bo"]
    assert not any("of 3" in lines[each] for each in NONE)


@pytest.mark.parametrize(("to", "blank"), [(Target.CSV, ""), (Target.CANVAS, ""), (Target.MOODLE, "-")])
def test_the_files_say_it(course, to, blank):
    head, *rows = csv.reader(io.StringIO(export([NAME], to, course=course).text))
    column = head.index("score" if to is Target.CSV else NAME)
    student = head.index(
        {Target.CSV: "student", Target.CANVAS: "SIS Login ID", Target.MOODLE: "username"}[to]
    )
    marks = {row[student]: row[column] for row in rows}
    points = {row[head.index("maximum")] for row in rows} if to is Target.CSV else {marks.pop("", "3")}
    assert points == {"3"} and marks == {"ann": "3", "bo": "1", "ref": blank, "mis": blank}


def test_canvas_gets_it(found, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    canvas = Canvas([user(place, name) for place, name in enumerate(("ann", "bo", *NONE), start=1)])
    with serving(canvas) as address:
        there = CanvasCourse(address, TOKEN)
        assert send(there, plan(there, found, create=True)) == []
    (made,) = canvas.assignments.values()
    assert (made["name"], made["points_possible"]) == (NAME, MOST)
    # Bo's is not whole until a person has marked it
    assert canvas.scores(made["id"]) == {1: 3.0, 2: None, 3: None, 4: None}


def test_the_students_cockpit_adds_up_to_it():
    made = Cockpit([find(each) for each in EXERCISES], {}, set())
    (part,) = made.parts
    assert made.points(part) == "0 of 2 + 1 written" and part.points + part.written == MOST
