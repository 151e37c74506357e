"""Every answer of notebook 07's keys gets the verdict and the sentence it deserves, for several students.

The judge proves the same through its worker; here each key is tried in this process, with more seeds.
"""

import importlib
import math

import numpy as np
import pytest
import torch

from autograder.judge.diagnose import diagnose
from autograder.key import AnswerKey, sentence
from kqa_core.check.facts import Outcome
from kqa_core.check.local import LocalAnswer
from kqa_core.check.registry import find, of_notebook
from kqa_core.check.run import run_check

NOTEBOOK = "07_pretrain_finetune_evaluate"
EXERCISES = of_notebook(NOTEBOOK)
KEYS = {exercise.id: importlib.import_module(f"autograder.exercises.{exercise.id}").KEY for exercise in EXERCISES}
CHECKED = [key for key in KEYS.values() if isinstance(key, AnswerKey)]
SEEDS = (1, 2)


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
        said, _ = diagnose(key, LocalAnswer(function, 20_210_801), found.sentence)
        assert said == sentence(function)


@pytest.mark.parametrize("key", CHECKED, ids=lambda key: key.id)
def test_there_are_enough_answers_of_each_kind_and_every_mistake_has_a_sentence(key):
    assert len(key.accepted) >= 4 and len(key.rejected) >= 8
    assert all(sentence(function) for function in key.rejected)


@pytest.mark.parametrize("key", CHECKED, ids=lambda key: key.id)
def test_the_untouched_stub_reads_unattempted(key):
    def stub(*_):
        raise NotImplementedError(find(key.id).stub_message)

    assert verdict(key, stub, 1).outcome is Outcome.UNATTEMPTED


JUNK = [
    *(None, math.nan, math.inf, -1, 10**400, 1e300, "", "⁇⁇", b"x", [], (), {}, set(), (None, None), [1, "a"], [0.5] * 12),
    *(object(), np.zeros(3), np.datetime64("2021-01-01"), torch.zeros(0), torch.full((12,), math.nan), torch.tensor(1j)),
    *({"head.weight": None}, {"head.weight": torch.zeros(2)}, [math.nan] * 12, (1.0, 0.0), (math.nan, math.nan)),
]


@pytest.mark.parametrize("key", CHECKED, ids=lambda key: key.id)
def test_junk_is_refused_by_each_check_and_breaks_neither(key):
    for value in JUNK:
        for check in (find(key.id).check, key.hidden):
            found = run_check(check, LocalAnswer(lambda *args, value=value: value), 5)
            assert found.outcome is Outcome.NOT_YET, (value, found)


def test_written_answers_have_a_rubric_that_adds_up_to_their_points():
    for exercise in EXERCISES:
        if exercise.written:
            key = KEYS[exercise.id]
            assert math.isclose(sum(points for points, _ in key.rubric), exercise.points)
            assert key.misconceptions and key.model_answer


def test_the_exercises_stand_in_the_order_of_the_course_without_gaps():
    assert [exercise.order for exercise in EXERCISES] == list(range(1, 12))
