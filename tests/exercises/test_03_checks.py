"""The checks of notebook 03: the points of the course, what students are told."""

import numpy as np
import pytest
import sympy as sp
import torch
from judged_keys import keys_of, verdict
from more_pairs_03 import MORE

from kqa_core.check.api import visible_seed
from kqa_core.check.exercise import Outcome
from kqa_core.check.local import LocalAnswer
from kqa_core.check.registry import find, of_notebook
from kqa_core.check.run import run_check

NOTEBOOK = "03_keys_queries_values"
KEYS = keys_of(NOTEBOOK)


def test_points_and_order_are_those_of_the_course():
    points = {exercise.id: exercise.points for exercise in of_notebook(NOTEBOOK)}
    symbolic = {
        "plain_limit": 1,
        "add_and_see": 2,
        "why_add_and_see": 1,
        "hull_proof": 1,
        "value_matrix": 2,
        "key_query": 4,
    }
    assert points == {**symbolic, "attention_loss": 3} and list(points) == [*symbolic, "attention_loss"]


@pytest.mark.slow
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
        # a value that outgrows slow weights
        W_V = (u_b * u_b.T - u_c * u_c.T + sp.exp(beta) * u_a * u_a.T) / beta**2
        return (
            (u_c * u_d.T + u_d * u_a.T) / beta ** sp.Rational(7, 2),
            (u_d * u_d.T + u_c * u_c.T) / beta**2,
            W_V,
        )

    said = verdict(KEYS["key_query"], key_query, 1)  # margins √β, but W_V x₁ grows like exp(β)
    assert said.outcome is Outcome.NOT_YET and "with your W_V" in said.sentence
    # without its W_V the same pair is right
    assert verdict(KEYS["key_query"], lambda *given: key_query(*given)[:2], 1).outcome is Outcome.RIGHT


def test_two_right_limits_in_the_wrong_order_are_told_so():
    order = "is the one with u_c added: first comes"
    assert (
        order in verdict(KEYS["add_and_see"], lambda u_a, u_b, u_c, u_d: (u_a + u_c, u_a + u_d), 1).sentence
    )
    told = {
        f.__name__
        for f in KEYS["add_and_see"].rejected
        if order in verdict(KEYS["add_and_see"], f, 1).sentence
    }
    assert told == {"exchanged", "the_same_twice"}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "mean_over_the_coordinates",
            "is 0.25; it should be 0.5. A squared distance is the sum over the coordinates",
        ),
        ("sum_over_everything", "You add the squared distances"),
        ("divided_by_the_root", "You divide the logits"),
        ("softmax_over_the_queries", "Your softmax runs over the queries"),
        ("queries_and_keys_exchanged", "Your queries and keys are exchanged"),
        ("always_two_targets", "only the first m tokens have targets"),
        ("all_the_outputs", "only the first m tokens have targets"),
        ("matrices_transposed", "You multiply by the transposed matrices"),
        ("divided_by_the_sentences_only", "You divide by the number of sentences N; divide by m"),
    ],
)
def test_the_visible_check_of_the_loss_names_the_mistake(name, said):
    function = next(f for f in KEYS["attention_loss"].rejected if f.__name__ == name)
    found = run_check(find("attention_loss").check, LocalAnswer(function), visible_seed("attention_loss"))
    assert found.outcome is Outcome.NOT_YET and said in found.sentence


@pytest.mark.parametrize("m", [1, 2, 3, 4, -1])
def test_the_visible_check_of_the_loss_refuses_a_number_of_targets_that_is_written_down(m):
    def attention_loss(X, Y, W_Q, W_K, W_V):
        weights = torch.softmax(X @ W_Q @ (X @ W_K).mT, dim=-1)
        return ((weights @ (X @ W_V))[:, :m] - Y).pow(2).sum(-1).mean()

    found = run_check(
        find("attention_loss").check, LocalAnswer(attention_loss), visible_seed("attention_loss")
    )
    assert found.outcome is Outcome.NOT_YET


def test_the_direction_is_optional_in_the_proof_but_a_wrong_one_is_refused():
    key = KEYS["hull_proof"]
    assert verdict(key, lambda *given: [0, 0, 0], 1).outcome is Outcome.RIGHT
    assert verdict(key, lambda u_a, u_b, u_c, u_d, p, r: ((0, 0, 0), u_b), 1).outcome is Outcome.NOT_YET


def test_a_key_may_prefer_another_key_and_least_squares_may_select_the_wrong_one():
    """What notebook 03 says about the keys of notebook 01."""
    keys = np.array([[-0.1, 0.6, 0.2], [1.1, 1.1, 0.2], [0.4, -1.3, -1.2], [1.1, -0.3, 0.8]])
    np.testing.assert_allclose(keys[:2] @ keys[0], [0.41, 0.59])
    logits = keys @ np.linalg.pinv(keys) @ [100.0, 0, 0, 0]
    np.testing.assert_allclose(logits[:2], [12.1, 16.6], atol=0.05)


def test_a_symmetric_table_can_do_the_job():
    keys = np.array([[2, 0], [1, 0.5], [3, -4]])
    assert list((keys @ keys.T).argmax(axis=1)[:2]) == [2, 0]
