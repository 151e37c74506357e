"""The checks of notebook 01: what its keys promise."""

import random
import re
from pathlib import Path

import pytest
import torch
from course_exercises._concrete_keys import Q_TWO, SELECTED, K, weights_of, with_key
from course_keys._more_concrete_keys import draw_keys_and_query
from judged_keys import keys_of, verdict

from kqa_core.check.exercise import Outcome
from kqa_core.check.registry import of_notebook

NOTEBOOK = "01_attention_as_a_lookup"
EXERCISES = of_notebook(NOTEBOOK)


def test_points_and_order_are_those_of_the_course():
    points = {exercise.id: exercise.points for exercise in EXERCISES}
    assert list(points.values()) == [2, 2, 1, 4, 2, 2, 2, 1, 1, 3, 1, 1, 1, 1, 2, 2]
    assert [exercise.id for exercise in EXERCISES if exercise.extra] == ["average_two_rate", "best_query"]


def test_the_notebook_shows_the_keys_that_the_checks_use():
    source = (Path(__file__).parents[2] / "notebooks" / "source" / NOTEBOOK / f"{NOTEBOOK}.py").read_text(encoding="utf-8")
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


def test_one_function_serves_all_three_exercises():
    """The worked steps of the hints: the wanted weights, none of them 0."""
    keys = keys_of(NOTEBOOK)
    exact = keys["exact_logits"].reference

    def identity_map(K):
        return torch.stack([exact(K, row) for row in 0.001 + 0.996 * torch.eye(4, dtype=K.dtype)])

    def average_first_two(K):
        return exact(K, torch.tensor([0.499, 0.499, 0.001, 0.001], dtype=K.dtype))

    def select_first(K):
        return exact(K, torch.tensor([0.997, 0.001, 0.001, 0.001], dtype=K.dtype))

    for answer in (identity_map, average_first_two, select_first):
        for seed in range(5):
            found = verdict(keys[answer.__name__], answer, seed)
            assert found.outcome is Outcome.RIGHT, found.sentence
