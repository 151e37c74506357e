"""A judge that does not judge known answers as they are known publishes nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import pytest
from another_course import working_on
from exchange_course import NAME
from small_course import LIMITS
from sorting_students import config_of, write_students

from autograder.course.grade import grade
from autograder.grading.ledger import Ledger
from autograder.grading.published import graded_notebooks
from autograder.judge.canaries import CanaryDeviates, endless_answer, known_answers
from kqa_core.errors import UserError


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    course, folder = write_students(tmp_path_factory.mktemp("class"), 2)
    with working_on(course):
        yield course, folder


def published(course):
    """What a run has written where people read it."""
    return [
        *graded_notebooks(course),
        *(path for path in (course / "feedback", course / "autograded") if path.exists()),
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("worker", "words"),
    [
        ("generous", r"wrong answer \w+: is right"),
        ("harsh", "right answer: is not yet"),
        ("tardy", "endless answer: is not yet"),
        ("failing", "could not be judged"),
    ],
)
def test_a_broken_worker_publishes_nothing_and_keeps_no_result(made, worker, words):
    course, _ = made
    with pytest.raises(CanaryDeviates, match=words) as stopped:
        # a hanging worker is seen by the wall clock, after so many times its grace
        limits = replace(LIMITS, busy=3.0)
        grade(replace(config_of(*made), perform=f"canary_tasks:{worker}", limits=limits))
    assert "\n" not in str(stopped.value) and published(course) == []
    with Ledger(course / "judged" / "ledger.db") as ledger:
        assert ledger._base.execute("SELECT count(*) FROM verdicts").fetchone() == (0,)


@pytest.mark.slow
def test_a_sandbox_of_no_known_tier_stops_the_run_and_gives_nobody_a_zero(made):
    course, _ = made
    with pytest.raises(UserError, match="no such tier"):
        grade(replace(config_of(*made), tier="paper"))
    assert published(course) == []


def test_the_canaries_are_the_keys_own_answers_and_one_that_never_ends(made):
    course, _ = made
    instructor = course / "source" / NAME / f"{NAME}.ipynb"
    right, wrong = known_answers([instructor])
    endless = endless_answer([instructor])
    assert (right.outcome, right.full, wrong.outcome, wrong.full) == ("right", True, "not yet", False)
    assert endless.incident == "time" and "while True" in endless.task.source


@pytest.mark.slow
def test_a_deviation_is_one_line_and_status_1(made):
    course, folder = made
    code = f"""
import sys
sys.path[:0] = {sys.path!r}
from dataclasses import replace
import autograder.course.grade as module
from kqa_core.cli import main

grade = module.grade
module.grade = lambda config, events: grade(
    replace(config, perform="canary_tasks:generous"), events
)
sys.argv = ["kqa", "course", "grade", "01", "--class", {str(folder)!r}, "--workers", "1"]
main()
"""
    settings = {**os.environ, "KQA_COURSE": str(course)}
    command = [sys.executable, "-c", code]
    ended = subprocess.run(command, env=settings, capture_output=True, text=True, check=False)
    assert ended.returncode == 1, ended.stderr
    assert [
        line for line in ended.stderr.splitlines() if line.startswith("NOTHING IS PUBLISHED")
    ] and "Traceback" not in ended.stderr
    assert ended.stdout == "" and published(course) == []
