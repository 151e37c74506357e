"""The checks of notebook 06: what its keys promise."""

import math
from fractions import Fraction

import pytest
from course_exercises import _span_law
from course_keys import corrupt_span as corrupt_key
from judged_keys import checked

from kqa_core.check.answer import AnswerRaised
from kqa_core.check.exercise import Outcome
from kqa_core.check.local import LocalAnswer
from kqa_core.check.registry import find
from kqa_core.check.run import run_check

NOTEBOOK = "06_span_corruption"
CHECKED = checked(NOTEBOOK)


@pytest.mark.parametrize("key", CHECKED, ids=lambda key: key.id)
def test_an_answer_that_raises_is_an_error_of_the_answer_s(key):
    def fails(*args):
        raise KeyError("my own")

    assert run_check(find(key.id).check, LocalAnswer(fails), 5).outcome is Outcome.ERROR
    with pytest.raises(AnswerRaised):
        key.hidden(LocalAnswer(fails), __import__("random").Random(1))


def test_the_false_alarm_rate_of_the_position_bins_is_the_one_that_the_key_states():
    """Adds up the exact binomial tails: 4,000 draws,
    a bin of probability 1/10, off by more than BIN_SLACK.
    """
    n, p, mean = corrupt_key.DRAWS, Fraction(1, 10), corrupt_key.DRAWS // 10
    near = range(mean - _span_law.BIN_SLACK, mean + _span_law.BIN_SLACK + 1)
    log = [
        math.lgamma(n + 1)
        - math.lgamma(k + 1)
        - math.lgamma(n - k + 1)
        + k * math.log(p)
        + (n - k) * math.log(1 - p)
        for k in range(n + 1)
    ]
    tail = sum(math.exp(value) for k, value in enumerate(log) if k not in near)
    assert tail < 3e-11
