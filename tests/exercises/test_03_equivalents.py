"""Hundreds of right and wrong answers to key_query and value_matrix, drawn at random: none is misjudged.

One in twenty of them is judged here, and others after every change of the checks; all of them with
KQA_ALL=1.
"""

import random

import equivalents_03 as drawn
import pytest
import sympy as sp
from course_exercises import key_query, value_matrix
from course_exercises._tokens import random_tokens
from judged_keys import keys_of, verdict
from portions import portion

from kqa_core.check.exercise import NotYet, Outcome
from kqa_core.check.local import LocalAnswer
from kqa_core.symbolic.attention import BETA

pytestmark = pytest.mark.slow
EACH = 200  # answers of each kind
CHUNK = 10  # in one test, so that they can be shared among workers
KEYS = keys_of("03_keys_queries_values")
CHUNKS = portion(
    [range(start, start + CHUNK) for start in range(0, EACH, CHUNK)],
    20,
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
