"""Every answer of notebook 01's keys gets the verdict and the sentence it deserves, for several students.

The judge proves the same through its worker; here each key is tried in this process, with more seeds.
"""

import importlib
import random
import re
from pathlib import Path

import numpy as np
import pytest
import sympy as sp
import torch

from autograder.concrete_keys import draw_keys_and_query
from autograder.judge.diagnose import diagnose
from autograder.key import AnswerKey, WrittenKey, sentence
from kqa_core.check.concrete import Q_TWO, SELECTED, K, weights_of, with_key
from kqa_core.check.facts import Outcome
from kqa_core.check.local import LocalAnswer
from kqa_core.check.registry import find, of_notebook
from kqa_core.check.run import run_check

NOTEBOOK = "01_attention_as_a_lookup"
EXERCISES = of_notebook(NOTEBOOK)
KEYS = {exercise.id: importlib.import_module(f"autograder.exercises.{exercise.id}").KEY for exercise in EXERCISES}
CHECKED = [key for key in KEYS.values() if isinstance(key, AnswerKey)]
SEEDS = (1, 2)
BETA = sp.Symbol("beta", positive=True)


def verdict(key, function, seed):
    """What the judge would say: the visible check, then the hidden one."""
    answer = LocalAnswer(function, seed)
    visible = run_check(find(key.id).check, answer, seed)
    return run_check(key.hidden, answer, seed + 1000) if visible.outcome is Outcome.RIGHT else visible


def cases(attribute):
    return [pytest.param(key, f, id=f"{key.id}-{f.__name__}") for key in CHECKED for f in getattr(key, attribute)]


@pytest.mark.parametrize("key", CHECKED, ids=lambda key: key.id)
def test_the_reference_is_right(key):
    for seed in range(6):
        assert verdict(key, key.reference, seed).outcome is Outcome.RIGHT


@pytest.mark.parametrize(("key", "function"), cases("accepted"))
def test_another_way_to_the_right_answer_is_right(key, function):
    for seed in SEEDS:
        said = verdict(key, function, seed)
        assert said.outcome is Outcome.RIGHT, said.sentence


@pytest.mark.parametrize(("key", "function"), cases("rejected"))
def test_a_mistake_is_told_its_own_sentence(key, function):
    for seed in SEEDS:
        said = verdict(key, function, seed)
        assert said.outcome is Outcome.NOT_YET, said.sentence
        assert diagnose(key, LocalAnswer(function, seed), said.sentence)[0] == sentence(function)


HUGE = torch.full((3,), 1e200, dtype=torch.float64)
JUNK = [
    *(None, float("nan"), "q", [], (), {}, 3, object(), (None, None), (True, None, None), (sp.nan, sp.oo), (sp.true, sp.false)),
    *(sp.nan, sp.true, sp.Symbol("beta"), BETA, sp.zeros(0, 0), sp.Matrix([sp.nan] * 3), sp.Matrix([sp.I] * 3)),
    *(sp.Matrix([sp.Symbol("beta")] * 3), sp.Matrix([sp.oo] * 3), sp.MatrixSymbol("k", 3, 1), (True, sp.zeros(3, 1), sp.nan)),
    *(torch.zeros(0), HUGE, HUGE * HUGE, torch.full((4, 3), torch.nan), torch.ones(3, dtype=torch.bool), np.zeros(3)),
]


@pytest.mark.parametrize("key", CHECKED, ids=lambda key: key.id)
@pytest.mark.parametrize("junk", JUNK, ids=lambda junk: type(junk).__name__)
def test_junk_is_refused_in_words(key, junk):
    said = verdict(key, lambda *arguments: junk, 1)
    assert said.outcome is Outcome.NOT_YET
    assert len(said.sentence) < 400


@pytest.mark.parametrize("key", CHECKED, ids=lambda key: key.id)
def test_a_key_holds_enough_answers(key):
    assert len(key.accepted) >= 4
    assert len(key.rejected) >= 8
    assert len({sentence(f) for f in key.rejected}) == len(key.rejected)


def test_points_and_order_are_those_of_the_course():
    points = {exercise.id: exercise.points for exercise in EXERCISES}
    assert list(points.values()) == [2, 2, 4, 2, 2, 1, 2, 2, 1, 2, 1, 2, 1, 1, 1]
    assert [exercise.id for exercise in EXERCISES if exercise.extra] == ["best_query"]
    for exercise in EXERCISES:
        key = KEYS[exercise.id]
        assert exercise.written == isinstance(key, WrittenKey)
        if isinstance(key, WrittenKey):
            assert sum(share for share, _ in key.rubric) == exercise.points


def test_the_notebook_shows_the_keys_that_the_checks_use():
    source = (Path(__file__).parents[3] / "notebooks" / "source" / NOTEBOOK / f"{NOTEBOOK}.py").read_text(encoding="utf-8")
    shown = re.search(r"K = torch\.tensor\(\n(.*?),\n    dtype", source, re.DOTALL).group(1)
    assert [float(number) for number in re.findall(r"-?\d\.\d", shown)] == K.flatten().tolist()
    query = re.search(r"q_two = torch\.tensor\(\[(.*?)\]", source).group(1)
    assert [float(number) for number in query.split(",")] == Q_TWO.tolist()


def test_a_unit_key_can_take_all_the_weight_but_the_obvious_ones_cannot():
    pairs = [(K, Q_TWO), *(draw_keys_and_query(random.Random(seed)) for seed in range(50))]
    for keys, query in pairs:

        def weight(direction, keys=keys, query=query):
            return float(weights_of(with_key(keys, 2, direction / direction.norm()), query)[2])

        assert weight(query) > 0.999  # along q: feasible, with room for "near it"
        assert max(weight(keys[0]), weight(keys[1]), weight(keys[0] + keys[1])) < SELECTED - 0.01
        assert weights_of(keys, query)[:2].tolist() == pytest.approx([0.5, 0.5], abs=0.001)


def test_drawn_keys_make_the_known_mistakes_show():
    for seed in range(50):
        keys, _ = draw_keys_and_query(random.Random(seed))
        assert weights_of(keys, 100 * keys[0])[0] < 0.01  # along key 0: selects key 1
        for scale in (15.0, 60.0, 1000.0):
            fitted = torch.linalg.pinv(keys) @ torch.tensor([scale, 0, 0, 0], dtype=torch.float64)
            assert weights_of(keys, fitted)[0] < 0.95
