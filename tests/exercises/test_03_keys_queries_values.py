"""The checks of notebook 03, and right and wrong answers to each that are drawn at random."""

import random

import equivalents_03 as drawn
import numpy as np
import pytest
import sympy as sp
import torch
from course_exercises import key_query, value_matrix
from course_exercises._tokens import random_tokens
from judged_keys import keys_of, verdict
from portions import portion

from kqa_core.check.api import visible_seed
from kqa_core.check.exercise import NotYet, Outcome
from kqa_core.check.local import LocalAnswer
from kqa_core.check.registry import find, of_notebook
from kqa_core.check.run import run_check
from kqa_core.symbolic.attention import BETA

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
    later = {"recover_a_value": 2, "why_categorical": 1}
    assert points == {**symbolic, "attention_loss": 3, **later}
    assert list(points) == [*symbolic, "attention_loss", "why_categorical", "recover_a_value"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("pair", drawn.MORE, ids=lambda pair: pair.__name__)
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
    order = "your first limit is the one with u_c added; it should be the one with u_d"
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
            "is 0.25; it should be 0.5. Possible cause: the loss is divided by d_v, where",
        ),
        ("sum_over_everything", "the squared distances of all tokens are added"),
        ("divided_by_the_root", "the logits are divided by √d_k"),
        ("softmax_over_the_queries", "the softmax runs over the queries"),
        ("queries_and_keys_exchanged", "queries and keys are exchanged"),
        ("always_two_targets", "only the first m tokens have targets"),
        ("all_the_outputs", "only the first m tokens have targets"),
        ("matrices_transposed", "the matrices are transposed"),
        ("divided_by_the_sentences_only", "the sum is divided by the number of sentences N, but not by m"),
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


pytestmark = pytest.mark.slow
EACH = 200  # answers of each kind
CHUNK = 5  # in one test, so that they can be shared among workers
CHUNKS = portion(
    [range(start, start + CHUNK) for start in range(0, EACH, CHUNK)],
    40,
    key_query.__file__,
    value_matrix.__file__,
    drawn.__file__,
)


def tokens_of(seed):
    return random_tokens(4 + seed % 3, random.Random(seed))


def refused(judge):
    """The sentence an answer is refused with, or None where it is accepted."""
    try:
        judge()
    except NotYet as wrong:
        return str(wrong)
    return None


def said_of_pair(function, seed):
    return refused(lambda: key_query.judge(LocalAnswer(function), tokens_of(seed)))


def said_of_pair_anywhere(function, seed):
    """In six frames, as the checks do: a pair for other directions works one time in nine by luck, for it is
    a matter of two logits each being the largest of three.
    """
    return next(filter(None, (said_of_pair(function, seed + number) for number in range(6))), None)


def said_of_value(function, seed):
    tokens = tokens_of(seed)
    return refused(lambda: value_matrix.is_exact(LocalAnswer(function)(*tokens, BETA), tokens))


@pytest.mark.parametrize("seeds", CHUNKS, ids=lambda seeds: f"from-{seeds[0]}")
def test_every_pair_that_works_is_accepted(seeds):
    refusals = {seed: said_of_pair(drawn.right_pair(seed), seed) for seed in seeds}
    assert refusals == dict.fromkeys(seeds)


@pytest.mark.parametrize("seeds", CHUNKS, ids=lambda seeds: f"from-{seeds[0]}")
def test_no_pair_that_fails_is_accepted(seeds):
    assert [seed for seed in seeds if said_of_pair_anywhere(drawn.wrong_pair(seed), seed) is None] == []


@pytest.mark.parametrize("seeds", CHUNKS, ids=lambda seeds: f"from-{seeds[0]}")
def test_every_exact_value_matrix_is_accepted(seeds):
    refusals = {seed: said_of_value(drawn.right_value(seed), seed) for seed in seeds}
    assert refusals == dict.fromkeys(seeds)


@pytest.mark.parametrize("seeds", CHUNKS, ids=lambda seeds: f"from-{seeds[0]}")
def test_no_other_value_matrix_is_accepted(seeds):
    assert [seed for seed in seeds if said_of_value(drawn.wrong_value(seed), seed) is None] == []


@pytest.mark.parametrize("seed", [seeds[0] for seeds in CHUNKS])
def test_both_checks_in_full_agree(seed):
    for name, right, wrong in (
        ("key_query", drawn.right_pair, drawn.wrong_pair),
        ("value_matrix", drawn.right_value, drawn.wrong_value),
    ):
        found = verdict(KEYS[name], right(seed), seed)
        assert found.outcome is Outcome.RIGHT, found.sentence
        assert verdict(KEYS[name], wrong(seed), seed).outcome is Outcome.NOT_YET


@pytest.mark.parametrize("seed", range(12))
def test_the_logits_of_a_drawn_pair_are_its_table(seed):
    """What makes the drawn answers right or wrong by construction."""
    tokens = tokens_of(seed)
    logits = drawn.table(random.Random(seed), good=seed % 2 == 0)
    query_matrix, key_matrix = drawn.pair_of_table(logits, seed)(*tokens, BETA)
    at = {BETA: sp.Rational(7, 3)}
    queries, keys = (
        [(matrix * x).subs(at).evalf(40) for x in tokens.inputs] for matrix in (query_matrix, key_matrix)
    )
    for i, query in enumerate(queries):
        for j, key in enumerate(keys):
            assert abs(key.dot(query) - logits[i][j].subs(at).evalf(40)) < 1e-9 * (
                1 + abs(logits[i][j].subs(at))
            )
