"""Hundreds of right and wrong answers to average_two, drawn at random and judged in full: none is misjudged.

One in twenty of them is judged here, and others after every change of the checks; all of them with
KQA_ALL=1.
"""

import random

import equivalents_01 as drawn
import pytest
import sympy as sp
from course_exercises import average_two
from course_keys import average_two as average_two_key
from judged_keys import keys_of, verdict
from portions import portion

from kqa_core.check.exercise import Outcome
from kqa_core.symbolic.attention import BETA, orthonormal_frame

EACH = 220  # answers of each kind; more than the course asks for
CHUNK = 10  # in one test, so that they can be shared among workers
KEY = keys_of("01_attention_as_a_lookup")["average_two"]
CHUNKS = portion(
    [range(start, start + CHUNK) for start in range(0, EACH, CHUNK)],
    22,
    average_two.__file__,
    average_two_key.__file__,
)


def misjudged(seeds, draw, wanted):
    found = {seed: verdict(KEY, draw(seed), seed) for seed in seeds}
    return {seed: said.sentence for seed, said in found.items() if said.outcome is not wanted}


@pytest.mark.slow
@pytest.mark.parametrize("seeds", CHUNKS, ids=lambda seeds: f"from-{seeds[0]}")
def test_every_query_that_averages_is_accepted(seeds):
    assert misjudged(seeds, drawn.right_query, Outcome.RIGHT) == {}


@pytest.mark.slow
@pytest.mark.parametrize("seeds", CHUNKS, ids=lambda seeds: f"from-{seeds[0]}")
def test_no_query_that_fails_is_accepted(seeds):
    assert misjudged(seeds, drawn.wrong_query, Outcome.NOT_YET) == {}


@pytest.mark.parametrize("seed", range(12))
def test_the_logits_of_a_drawn_query_are_those_it_was_drawn_for(seed):
    """This is why the drawn answers are right or wrong by construction."""
    keys = orthonormal_frame(3, 4, random.Random(seed))
    query = drawn.right_query(seed)(keys, 2, 0, BETA)
    wanted = drawn.logits(random.Random(seed), 3, 2, 0)
    at = {BETA: sp.Rational(7, 3)}
    for key, logit in zip(keys, wanted, strict=True):
        assert abs(key.dot(query.subs(at).evalf(40)) - logit.subs(at).evalf(40)) < 1e-9 * (
            1 + abs(logit.subs(at))
        )


@pytest.mark.nightly
def test_the_drawn_answers_are_many_and_different():
    keys = orthonormal_frame(4, 5, random.Random(1))
    right, wrong = (
        {sp.ImmutableMatrix(draw(seed)(keys, 1, 3, BETA)) for seed in range(EACH)}
        for draw in (drawn.right_query, drawn.wrong_query)
    )
    assert len(right) >= 200 and len(wrong) >= 200 and not right & wrong
