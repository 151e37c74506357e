"""Every answer of notebook 06's keys gets the verdict and the sentence it deserves, for several students.

The judge proves the same through its worker; here each key is tried in this process, with more seeds.
"""

import importlib
import math
from fractions import Fraction

import pytest

from autograder.exercises import corrupt_span as corrupt_key
from autograder.judge.diagnose import diagnose
from autograder.key import AnswerKey, sentence
from kqa_core.check.answer import AnswerRaised
from kqa_core.check.facts import Outcome
from kqa_core.check.local import LocalAnswer
from kqa_core.check.registry import find, of_notebook
from kqa_core.check.run import run_check

NOTEBOOK = "06_span_corruption"
EXERCISES = of_notebook(NOTEBOOK)
KEYS = {exercise.id: importlib.import_module(f"autograder.exercises.{exercise.id}").KEY for exercise in EXERCISES}
CHECKED = [key for key in KEYS.values() if isinstance(key, AnswerKey)]
SEEDS = (1, 2, 3)


def verdict(key, function, seed):
    """What the judge would say: the visible check, then the hidden one."""
    answer = LocalAnswer(function, seed)
    visible = run_check(find(key.id).check, answer, seed)
    return run_check(key.hidden, answer, seed + 1000) if visible.outcome is Outcome.RIGHT else visible


def cases(attribute):
    return [pytest.param(key, f, id=f"{key.id}-{f.__name__}") for key in CHECKED for f in getattr(key, attribute)]


@pytest.mark.parametrize("key", CHECKED, ids=lambda key: key.id)
def test_the_reference_is_right(key):
    assert key.reference.__name__ == key.id
    for seed in SEEDS:
        assert verdict(key, key.reference, seed).outcome is Outcome.RIGHT, verdict(key, key.reference, seed).sentence


@pytest.mark.parametrize(("key", "function"), cases("accepted"))
def test_other_right_answers_are_right(key, function):
    for seed in SEEDS:
        found = verdict(key, function, seed)
        assert found.outcome is Outcome.RIGHT, found.sentence


@pytest.mark.parametrize(("key", "function"), cases("rejected"))
def test_wrong_answers_are_refused_with_their_own_sentence(key, function):
    for seed in SEEDS:
        found = verdict(key, function, seed)
        assert found.outcome is Outcome.NOT_YET, found.sentence
    said, mistake = diagnose(key, LocalAnswer(function, 20_210_801), found.sentence)
    assert (said, mistake) == (sentence(function), function.__name__)


@pytest.mark.parametrize("key", CHECKED, ids=lambda key: key.id)
def test_there_are_enough_answers_of_each_kind_and_no_two_mistakes_share_a_sentence(key):
    assert len(key.accepted) >= 4 and len(key.rejected) >= 8
    sentences = [sentence(function) for function in key.rejected]
    assert all(sentences) and len(set(sentences)) == len(sentences)


JUNK = [None, math.nan, math.inf, -1, "", "⁇⁇", "junk", [], (), {}, (None, None), [1, "a"], object(), b"x", 10**400, True]


@pytest.mark.parametrize("key", CHECKED, ids=lambda key: key.id)
def test_junk_is_refused_by_each_check_and_breaks_neither(key):
    import torch

    tensors = [torch.zeros(0), torch.zeros(3, 3), torch.full((127,), math.nan), torch.zeros(127, dtype=torch.int64)]
    for value in [*JUNK, *tensors, (tensors[3], tensors[3]), (tensors[2], tensors[2])]:
        for check in (find(key.id).check, key.hidden):
            found = run_check(check, LocalAnswer(lambda *args, value=value: value), 5)
            assert found.outcome is Outcome.NOT_YET, (value, found)
            assert found.sentence.strip()


@pytest.mark.parametrize("key", CHECKED, ids=lambda key: key.id)
def test_an_answer_that_raises_is_an_error_of_the_answer_s(key):
    def fails(*args):
        raise KeyError("my own")

    assert run_check(find(key.id).check, LocalAnswer(fails), 5).outcome is Outcome.ERROR
    with pytest.raises(AnswerRaised):
        key.hidden(LocalAnswer(fails), __import__("random").Random(1))


def test_every_exercise_has_its_two_halves_and_written_ones_a_rubric_worth_their_points():
    assert [exercise.order for exercise in EXERCISES] == list(range(1, len(EXERCISES) + 1))
    for exercise in EXERCISES:
        assert KEYS[exercise.id].id == exercise.id
        if exercise.written:
            assert sum(points for points, _ in KEYS[exercise.id].rubric) == exercise.points


def test_the_false_alarm_rate_of_the_position_bins_is_the_one_that_the_key_states():
    """Adds up the exact binomial tails: 4,000 draws, a bin of probability 1/10, off by more than BIN_SLACK."""
    n, p, mean = corrupt_key.DRAWS, Fraction(1, 10), corrupt_key.DRAWS // 10
    near = range(mean - corrupt_key.BIN_SLACK, mean + corrupt_key.BIN_SLACK + 1)
    log = [
        math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) + k * math.log(p) + (n - k) * math.log(1 - p)
        for k in range(n + 1)
    ]
    tail = sum(math.exp(value) for k, value in enumerate(log) if k not in near)
    assert tail < 3e-11
