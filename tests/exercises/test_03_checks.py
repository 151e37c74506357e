"""The checks of notebook 03: the points of the course, what students are told."""

import pytest
import sympy as sp
from judged_keys import keys_of, verdict
from more_pairs_03 import MORE

from kqa_core.check.exercise import Outcome
from kqa_core.check.registry import of_notebook

NOTEBOOK = "03_keys_queries_values"
KEYS = keys_of(NOTEBOOK)


def test_points_and_order_are_those_of_the_course():
    points = {exercise.id: exercise.points for exercise in of_notebook(NOTEBOOK)}
    assert points == {"plain_limit": 1, "add_and_see": 2, "hull_proof": 1, "value_matrix": 2, "key_query": 4}
    assert list(points) == ["plain_limit", "add_and_see", "hull_proof", "value_matrix", "key_query"]


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("pair", MORE, ids=lambda pair: pair.__name__)
def test_kin_of_the_keys_answers_are_right_too(pair, seed):
    assert verdict(KEYS["key_query"], pair, seed).outcome is Outcome.RIGHT


def test_a_bounded_margin_is_told_from_a_limit():
    function = next(f for f in KEYS["key_query"].rejected if f.__name__ == "margins_that_stay")
    said = verdict(KEYS["key_query"], function, 1).sentence
    assert "comes near" in said and "stays bounded" in said


def test_a_pair_that_needs_its_own_v_is_judged_by_the_outputs():
    def key_query(u_a, u_b, u_c, u_d, beta):
        W_V = (u_b * u_b.T - u_c * u_c.T + sp.exp(beta) * u_a * u_a.T) / beta**2  # a value that outgrows slow weights
        return (u_d * u_d.T + u_c * u_c.T) / beta**2, (u_c * u_d.T + u_d * u_a.T) / beta ** sp.Rational(7, 2), W_V

    said = verdict(KEYS["key_query"], key_query, 1)  # margins √β, but W_V x₁ grows like exp(β)
    assert said.outcome is Outcome.NOT_YET and "with your W_V" in said.sentence
    # without its W_V the same pair is right
    assert verdict(KEYS["key_query"], lambda *given: key_query(*given)[:2], 1).outcome is Outcome.RIGHT
