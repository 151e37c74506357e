"""Answer key of two_heads."""

from __future__ import annotations

import random

import sympy as sp
from course_exercises.two_heads import judge

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.symbolic.attention import BETA, orthonormal_frame


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Fresh frames of several sizes."""
    for count, dimension in ((3, 3), (4, 4), (5, 6)):
        means = orthonormal_frame(count, dimension, rng)
        a, b = rng.sample(range(count), 2)
        judge(answer, means, a, b, f"for {count} orthonormal means in {dimension} dimensions")
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Means that are no unit vectors, and two that are."""
    skew, wide = orthonormal_frame(4, 4, rng), orthonormal_frame(3, 5, rng)
    return [(skew[0], skew[2], BETA), (wide[2], wide[0], BETA), (sp.eye(4)[:, 0], sp.eye(4)[:, 1], BETA)]


def two_heads(mu_a, mu_b, beta):
    """The reference."""
    return beta * mu_a, beta * mu_b


def the_other_way_round(mu_a, mu_b, beta):
    """Which head takes which value does not matter; different scales do no harm."""
    return [beta**2 * mu_b, sp.log(1 + beta) * mu_a]


def away_from_the_other(mu_a, mu_b, beta):
    """Each head also turns away from the other's key."""
    return beta * (mu_a - mu_b), beta * (mu_b - mu_a)


def exponential_scale(mu_a, mu_b, beta):
    """A fast scale, with a constant part that no limit notices."""
    return sp.exp(beta) * mu_a + 5 * mu_b, sp.exp(beta / 2) * mu_b - 7 * mu_a


def columns_of_a_product(mu_a, mu_b, beta):
    """Both queries as the columns of one matrix."""
    queries = sp.Matrix.hstack(mu_a, mu_b) * sp.Matrix([[beta, -beta], [0, beta / 3]])
    return queries[:, 0], queries[:, 1]


def in_decimals(mu_a, mu_b, beta):
    """Decimal numbers; the constant part of head 2 along mu_a is not multiplied by beta."""
    return 0.3 * beta * mu_a, 2.5 * beta * mu_b + 0.1 * mu_a


def same_sum_twice(mu_a, mu_b, beta):
    """Both heads ask for the sum: each flips to one value as soon as key a is longer or shorter, and both the same way."""
    return beta * (mu_a + mu_b), beta * (mu_a + mu_b)


def both_copy_a(mu_a, mu_b, beta):
    """Both heads copy value a; one of them should copy value b."""
    return beta * mu_a, beta * mu_a


def both_copy_b(mu_a, mu_b, beta):
    """Both heads copy value b; one of them should copy value a."""
    return beta * mu_b, beta * mu_b


def sum_and_difference(mu_a, mu_b, beta):
    """The sum holds the balance for one length of key a only, and the difference copies value a."""
    return beta * (mu_a + mu_b), beta * (mu_a - mu_b)


def one_copies_one_averages(mu_a, mu_b, beta):
    """Head 2 still asks for the sum of both means, which holds the balance for one length of key a only."""
    return beta * mu_a, beta * (mu_a + mu_b)


def no_scale(mu_a, mu_b, beta):
    """Your queries do not depend on beta: the other keys keep a share for ever."""
    return mu_a, mu_b


def large_fixed_scale(mu_a, mu_b, beta):
    """A large fixed scale comes close for a key of length 1, but the shorter key a is, the less it leads: beta must grow."""
    return 1000 * mu_a, 1000 * mu_b


def half_of_each(mu_a, mu_b, beta):
    """You put the one half into the queries, and no beta: the averaging is done after the heads, the queries should be loud."""
    return mu_a / 2, mu_b / 2


def mostly_the_other(mu_a, mu_b, beta):
    """Your head for value b also asks a little for key a: a key a that is long enough takes it over."""
    return beta * mu_a, beta * (mu_b + mu_a / 10)


def signs_flipped(mu_a, mu_b, beta):
    """With a minus sign each head gives the key it should copy the smallest logit."""
    return -beta * mu_a, -beta * mu_b


def one_sign_flipped(mu_a, mu_b, beta):
    """Your second query has a minus sign: it gives key b the smallest logit of all."""
    return beta * mu_a, -beta * mu_b


def half_the_heads(mu_a, mu_b, beta):
    """You return one query; two heads need two, as a pair (q1, q2)."""
    return beta * (mu_a + mu_b)


KEY = AnswerKey(
    id="two_heads",
    hidden=hidden,
    reference=two_heads,
    accepted=(the_other_way_round, away_from_the_other, exponential_scale, columns_of_a_product, in_decimals),
    rejected=(
        *(same_sum_twice, both_copy_a, both_copy_b, sum_and_difference, one_copies_one_averages, no_scale, large_fixed_scale),
        *(half_of_each, mostly_the_other, signs_flipped, one_sign_flipped, half_the_heads),
    ),
    fingerprint=fingerprint,
)
