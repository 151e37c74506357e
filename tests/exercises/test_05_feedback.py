"""find_the_leak and is_it_a_difference name a mistake only if the answer has it.

One seed is tried, and another after each change of the keys.
"""

import math
import statistics

import pytest
import torch
from course_exercises._leaks import witness
from course_exercises.find_the_leak import ALARMS
from course_exercises.find_the_leak import EXERCISE as LEAK
from course_exercises.is_it_a_difference import EXERCISE as DIFFERENCE
from course_exercises.is_it_a_difference import NAMED
from course_keys import _leak_mistakes
from course_keys import find_the_leak as leak_key
from course_keys import is_it_a_difference as difference_key
from portions import portion

from kqa_core.check.exercise import Outcome
from kqa_core.check.local import LocalAnswer
from kqa_core.check.run import run_check
from kqa_core.stats import t_quantile

FILES = (leak_key.__file__, difference_key.__file__, _leak_mistakes.__file__)


def said(exercise, wrong, seed):
    found = run_check(exercise.check, LocalAnswer(wrong, seed), seed)
    assert found.outcome is Outcome.NOT_YET
    return found.sentence


def with_dropout(forward, x):
    return leak_key.find_the_leak(lambda x: torch.nn.functional.dropout(forward(x), 0.1), x)


def cut_exactly(forward, x):
    """A shorter input is another call, not a changed future."""
    whole = forward(x)
    return any(not torch.equal(forward(x[:, :s]), whole[:, :s]) for s in range(1, x.shape[1]))


def test_only_the_witness_of_lengths_accuses_a_probe_that_cuts_the_input_and_none_a_right_probe():
    x = torch.randn(2, 6, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    assert [what for what, _ in ALARMS if cut_exactly(witness(what), x)] == ["cut"]
    for probe in (leak_key.find_the_leak, *leak_key.KEY.accepted):
        assert not any(probe(witness(what), x) for what, _ in ALARMS)


@pytest.mark.parametrize("seed", portion(range(3), 3, *FILES))
@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        (_leak_mistakes.innocent, None),
        (with_dropout, "constant"),
        (_leak_mistakes.poison, "not a number"),
        (_leak_mistakes.in_place, "changed"),
        (_leak_mistakes.whole_output, "delayed"),
        (_leak_mistakes.with_the_changed_one, "twice"),
        (_leak_mistakes.rows_must_not_mix, None),
    ],
)
def test_a_false_alarm_is_explained_by_its_own_cause(wrong, named, seed):
    sentence = said(LEAK, wrong, seed)
    assert [what for what, advice in ALARMS if advice in sentence] == ([named] if named else [])
    assert ("inverted" in sentence) is (wrong is _leak_mistakes.innocent)


def with_limit(limit, error=lambda gaps: statistics.stdev(gaps) / math.sqrt(len(gaps)), first_by=list):
    """An answer with another limit, another standard error, or lists put in another order first."""

    def answer(first, second):
        gaps = [a - b for a, b in zip(first_by(first), first_by(second), strict=True)]
        return abs(statistics.fmean(gaps)) > limit(len(gaps)) * error(gaps)

    return answer


def right_limit(n):
    return t_quantile(0.975, n - 1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", portion(range(3), 3, *FILES))
@pytest.mark.parametrize("place", range(len(NAMED)))
def test_an_answer_with_a_wrong_limit_is_told_its_mistake(place, seed):
    name, limit = NAMED[place]
    assert name in said(DIFFERENCE, with_limit(lambda n: limit(n, right_limit(n))), seed)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        (
            with_limit(right_limit, lambda gaps: statistics.stdev(gaps) / len(gaps)),
            "is divided by n in all, not by √n",
        ),
        (difference_key.no_root, "is not divided by √n"),
        (difference_key.variances, "the variance is divided by √n"),
        (difference_key.divided_by_n, "ddof=1"),
        (difference_key.first_is_larger, "In the other order these rows were right"),
    ],
)
def test_a_wrong_standard_error_is_named(wrong, named):
    assert named in said(DIFFERENCE, wrong, 1)


def all_of_one_sign(first, second):
    return len({a > b for a, b in zip(first, second, strict=True)}) == 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", portion(range(5), 5, *FILES))
@pytest.mark.parametrize(
    "wrong",
    [
        all_of_one_sign,
        with_limit(right_limit, first_by=sorted),
        difference_key.one_percent,
        difference_key.never,
    ],
)
def test_another_mistake_is_told_the_figures_and_no_false_cause(wrong, seed):
    sentence = said(DIFFERENCE, wrong, seed)
    assert " t is " in sentence and not any(name in sentence for name, _ in NAMED)
