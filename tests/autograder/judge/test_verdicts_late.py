"""What a plugin of the course takes off for lateness, and the final mark."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from autograder.gradebook.gradebook import final_mark
from autograder.gradebook.lateness import Lateness


def late(seconds, score=2.0, due=True, says=None, penalty=9.0, config=None):
    """The penalty that a plugin's word becomes, and what it was asked."""
    asked = []

    def plugin(*about):
        asked.append(about)
        return says(*about) if callable(says) else says

    lateness = Lateness.__new__(Lateness)
    lateness.__dict__ |= {"_warned": False, "_plugin": SimpleNamespace(late_submission_penalty=plugin)}
    assignment = SimpleNamespace(duedate=1 if due else None)
    submission = SimpleNamespace(
        total_seconds_late=seconds, assignment=assignment, student=SimpleNamespace(id="ann")
    )
    notebook = SimpleNamespace(late_submission_penalty=penalty, score=score)
    lateness.penalise(submission, notebook)
    return notebook.late_submission_penalty, asked


@pytest.mark.parametrize(
    ("says", "penalty"),
    [(0.5, 0.5), (0, 0.0), (1, 1.0), (2.0, 2.0), (2.5, 2.0), (-1.0, 0.0), (None, None), (1e300, 2.0)],
)
def test_a_penalty_lies_between_nothing_and_all_that_was_earned(says, penalty):
    assert late(60.0, says=says) == (penalty, [("ann", 2.0, 60.0)])


@pytest.mark.parametrize(("seconds", "due"), [(0, True), (-5.0, True), (60.0, False)])
def test_what_came_in_time_or_has_no_due_date_loses_nothing(seconds, due):
    assert late(seconds, due=due, says=1.0) == (None, [])


def test_a_second_is_late():
    assert late(1, says=1.0)[0] == 1.0 and late(0.5, says=1.0)[0] == 1.0


@pytest.mark.parametrize("says", [float("nan"), float("inf"), -float("inf"), "much", lambda *about: 1 / 0])
def test_a_penalty_that_is_none_is_warned_of_and_not_given(says):
    with pytest.warns(UserWarning, match="no penalty is given"):
        assert late(60.0, says=says)[0] is None


@pytest.mark.parametrize(
    ("score", "penalty", "mark"),
    [(3.0, None, 3.0), (3.0, 1.0, 2.0), (3.0, 3.0, 0.0), (1.0, 2.0, 0.0), (0.5, 0.0, 0.5)],
)
def test_a_final_mark_is_what_was_earned_less_the_penalty_and_never_below_nothing(score, penalty, mark):
    assert final_mark(SimpleNamespace(score=score, late_submission_penalty=penalty)) == mark
