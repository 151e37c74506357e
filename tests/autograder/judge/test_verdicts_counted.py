"""What results count and add up to: which marks there can be,
which of them are a submission's, and what state it is in.

The mutants of `tests/mutants` are these turns taken the other way.
"""

from __future__ import annotations

import math

import pytest
from tiny_course import double_result as result

from autograder.judge.results import Status, SubmissionResult, overall
from kqa_core.check.exercise import JudgeError


@pytest.mark.parametrize("marks", [0.0, 0, 0.5, 1.0, 2, 2.0, None])
def test_a_mark_from_nothing_to_all_points_is_one(marks):
    assert result(marks).marks == marks


@pytest.mark.parametrize("marks", [-1.0, -1e-9, 2.0000001, 3, math.nan, math.inf, -math.inf])
def test_a_mark_beyond_its_bounds_is_an_error_of_the_judge(marks):
    with pytest.raises(JudgeError, match="no mark between 0 and 2"):
        result(marks)


def test_marks_add_up_and_what_has_none_adds_nothing():
    each = (
        result(2.0),
        result(1.0),
        result(None, status=Status.PERSON, written=True),
        result(None, status=Status.BROKEN),
    )
    assert SubmissionResult("ann", "tiny", Status.GRADED, each).marks == 3.0
    assert SubmissionResult("ann", "tiny", Status.MISSING).marks == 0


def test_points_count_written_answers_and_not_what_is_extra():
    each = (
        result(points=2),
        result(points=3),
        result(points=4, extra=True),
        result(None, 5, Status.PERSON, written=True),
    )
    assert SubmissionResult("ann", "tiny", Status.GRADED, each).points == 10


G, I, U, P, B = Status.GRADED, Status.INCIDENT, Status.UNATTEMPTED, Status.PERSON, Status.BROKEN  # noqa: E741


@pytest.mark.parametrize(
    ("states", "whole"),
    [
        ((), U),
        ((U, U), U),
        ((U, G), G),
        ((G, G), G),
        ((P,), G),
        ((U, P), G),
        ((G, I, U), I),
        ((I, U), I),
        ((I, B, G), B),
        ((B, U), B),
    ],
)
def test_the_state_of_a_submission_is_the_gravest_of_its_exercises(states, whole):
    assert overall(tuple(result(None, status=each) for each in states)) is whole


def test_points_are_those_without_extra_ones_and_marks_are_all_that_the_judge_gave():
    each = (
        result(1.0, 2),
        result(4.0, 4, extra=True),
        result(None, 8, written=True),
        result(None, 16, written=True, extra=True),
    )
    submission = SubmissionResult("ann", "tiny", Status.GRADED, each)
    assert (submission.points, submission.marks) == (10, 5.0)
