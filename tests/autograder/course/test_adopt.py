"""An assignment of nbgrader's as a course: what is carried over, what is listed, what it says to a student.

The answers are judged in this process by the judge's own functions. Through the sandbox, nightly.
"""

from __future__ import annotations

import json
import random
import re

import pytest
from another_course import working_on
from test_one_file import made, proven
from warm_python import python

from autograder.answer_key import AnswerKey, WrittenKey, find_key
from autograder.build.build import build
from autograder.build.source import read_source
from autograder.course.adopt import adopt
from autograder.course.new_course import KINDS, new_course
from kqa_core.check.exercise import Outcome
from kqa_core.check.helpers.asserted import asserted
from kqa_core.check.local import LocalAnswer
from kqa_core.check.registry import all_exercises, find
from kqa_core.check.run import run_check
from kqa_core.errors import UserError


def cell(kind, source, name="", points=None, **marks):
    """A cell as nbgrader keeps it."""
    metadata = {}
    if name:
        marks = {"grade": False, "solution": False, "locked": False, "task": False} | marks
        metadata["nbgrader"] = {"grade_id": name, "schema_version": 3, "cell_type": kind, **marks}
        if points is not None:
            metadata["nbgrader"]["points"] = points
    code = {"outputs": [], "execution_count": None} if kind == "code" else {}
    return {"cell_type": kind, "metadata": metadata, "source": source.splitlines(keepends=True), **code}


ASSIGNMENT = [
    cell("markdown", "# Temperatures\nThe picture: ![a scale](scale.png)"),
    cell("code", "%matplotlib inline\nimport math\nZERO = 273.15", "imports", locked=True),
    cell("markdown", "A function that gives degrees Celsius in kelvin."),
    cell(
        "code",
        "def kelvin(celsius, zero=ZERO):\n    '''Degrees in kelvin.'''\n    ### BEGIN SOLUTION\n"
        "    if celsius < -zero:\n        raise ValueError('too cold')\n    return celsius + zero\n"
        "    ### END SOLUTION",
        "kelvin", solution=True,
    ),
    cell("code", "kelvin(10)  # of days.csv"),
    cell(
        "code",
        "from nose.tools import assert_almost_equal, assert_raises\n'''some values'''\n"
        "assert_almost_equal(kelvin(10), 283.15)\nassert kelvin(0, zero=5) == 5\nprint('well done')\n"
        "### BEGIN HIDDEN TESTS\nassert math.isclose(kelvin(-20), ZERO - 20)\n### END HIDDEN TESTS",
        "test_kelvin", points=1.5, grade=True, locked=True,
    ),
    cell("code", "assert_raises(ValueError, kelvin, -300)", "test_cold", points=0.5, grade=True, locked=True),
    cell("markdown", "The mean in kelvin of a list:"),
    cell(
        "code",
        "def mean_kelvin(many):\n    ### BEGIN SOLUTION\n"
        "    return sum(kelvin(one) for one in many) / len(many)\n    ### END SOLUTION",
        "mean_kelvin", solution=True,
    ),
    cell("code", "assert mean_kelvin([0, 10]) == 278.15", "test_mean", points=1, grade=True, locked=True),
    cell(
        "code",
        "keep = kelvin\ndel kelvin\ntry:\n    mean_kelvin([1])\nexcept NameError:\n    pass\n"
        "finally:\n    kelvin = keep",
        "test_uses_kelvin", points=1, grade=True, locked=True,
    ),
    cell("code", "### BEGIN SOLUTION\nsecret = 42\n### END SOLUTION", "a_variable", solution=True),
    cell("code", "assert secret == 42", "test_variable", points=1, grade=True, locked=True),
    cell("markdown", "Why is there no negative temperature in kelvin?"),
    cell("markdown", "It measures motion.", "why-not", points=2, grade=True, solution=True),
    cell("code", "plot = 1", "a_plot", points=1, grade=True, solution=True),
    cell(
        "markdown",
        "Measure a week.\n=== BEGIN MARK SCHEME ===\nSeven rows.\n=== END MARK SCHEME ===",
        "week", points=3, task=True,
    ),
]  # fmt: skip


@pytest.fixture
def adopted(tmp_path):
    """The assignment, adopted."""
    path = tmp_path / "their course" / "temperatures.ipynb"
    path.parent.mkdir()
    notebook = {"cells": ASSIGNMENT, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    path.write_text(json.dumps(notebook))
    (path.parent / "scale.png").write_bytes(b"png")
    (path.parent / "grades.csv").write_text("not named in the notebook")
    (path.parent / "days.csv").write_text("day,celsius")
    return adopt(path, tmp_path / "ours")


def test_an_assignment_of_nbgraders_becomes_a_course_and_what_is_not_as_it_was_is_listed(adopted):
    assert adopted.exercises == ["kelvin", "mean_kelvin", "why_not", "a_plot", "week"]
    changes = "\n".join(adopted.changes)
    for said in (
        "test_uses_kelvin (1 points) were left out: it replaces kelvin, which is the student's",
        "test_variable (1 points) were left out: it calls no function that a solution cell defines",
        "the answer a_variable was left out: it defines no function; students get an empty cell",
        "kelvin: the points of test_kelvin, test_cold are given together, for all tests or none",
        "magic commands were left out of the cell '%matplotlib inline'",
        "a_plot: code for a person became a written answer",
        "week: a task became a written answer",
        "why_not: nbgrader has no rubric",
    ):
        assert said in changes, changes
    assert [path.name for path in adopted.folder.rglob("*.csv")] == ["days.csv"]
    with made(adopted.folder) as notebook:
        assert [(each.id, each.points) for each in all_exercises()] == [
            ("kelvin", 2), ("mean_kelvin", 1), ("why_not", 2), ("a_plot", 1), ("week", 3),
        ]  # fmt: skip
        assert proven(notebook) == 2
        key = find_key("week")
        assert isinstance(key, WrittenKey) and key.model_answer == "Seven rows."
        assert isinstance(find_key("kelvin"), AnswerKey)
        stubs = "\n".join(each.text for each in read_source(next(adopted.folder.glob("source/*/*.py"))))
        students = stubs + "\n".join(
            path.read_text() for path in adopted.folder.glob("source/*/exercises/*.py")
        )
    assert "The picture: ![a scale](data:image/png;base64,cG5n)" in students
    for theirs in ("too cold", "len(many)", "42", "motion", "Seven rows", "isclose", "plot = 1"):
        assert theirs not in students, theirs


@pytest.mark.parametrize(
    ("answer", "outcome", "said"),
    [
        (lambda celsius, zero=273.15: celsius + zero, Outcome.NOT_YET, "ValueError not raised"),
        (lambda celsius, zero=273.15: 283.15, Outcome.NOT_YET, "this should hold: kelvin(0, zero=5) == 5"),
        (lambda celsius: 1 / 0, Outcome.ERROR, "your code stopped with a ZeroDivisionError"),
    ],
)
def test_the_tests_of_an_adopted_assignment_say_what_is_wrong(adopted, answer, outcome, said):
    with made(adopted.folder):
        verdict = run_check(find("kelvin").check, LocalAnswer(answer), 0, "kelvin")
    assert verdict.outcome is outcome and said in verdict.sentence


@pytest.mark.parametrize("text", ["no json", "{}", '{"cells": 3}', '{"cells": []}'])
def test_what_is_no_assignment_is_one_line_and_nothing_is_made(tmp_path, text):
    (tmp_path / "a.ipynb").write_text(text)
    with pytest.raises(UserError, match=r"a\.ipynb: (is not a notebook|nothing of it could be carried over)"):
        adopt(tmp_path / "a.ipynb", tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_draw_of_a_test_is_the_same_for_the_same_student():
    drawn = []
    for _ in range(2):
        with asserted(random.Random(3)):
            drawn.append(random.random())
    assert drawn[0] == drawn[1]


@pytest.mark.nightly
def test_all_of_them_are_built_and_proved_in_the_sandbox(tmp_path, adopted):
    courses = [adopted.folder]
    for kind in KINDS:
        courses.append(tmp_path / kind)
        new_course(tmp_path / kind, kind)
    for course in courses:
        with working_on(course):
            assert build(quiet=True).leaks == []
        done = python(
            *("-m", "kqa_core.cli", "course", "prove", "--course", course, "--workers", 1), cwd=tmp_path
        )
        assert done.returncode == 0 and re.search(r"0 deviations; leak\s+scan: empty", done.stdout), (
            done.stdout
        )
