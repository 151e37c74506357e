"""What a submission's marks and points count, which no verdict shows."""

from __future__ import annotations

from autograder.judge.results import ExerciseResult, Status, SubmissionResult


def result(name, marks, points, **facts):
    return ExerciseResult(name, Status.GRADED, "right", marks, points, "said", **facts)


def test_points_are_those_that_the_judge_gives_without_extra_ones_and_marks_are_all_it_gave():
    each = (
        result("checked", 1.0, 2),
        result("extra", 4.0, 4, extra=True),
        result("written", None, 8, written=True),
        result("written on top", None, 16, written=True, extra=True),
    )
    submission = SubmissionResult("ann", "tiny", Status.GRADED, each)
    assert (submission.points, submission.marks) == (2, 5.0)
