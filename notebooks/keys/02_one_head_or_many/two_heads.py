"""Answer key of two_heads."""

from __future__ import annotations

import random

import sympy as sp
from course_exercises.two_heads import judge

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.repeated import every_time
from kqa_core.exercise_helpers.queries import Renamed
from kqa_core.symbolic.attention import BETA, orthonormal_frame, standard_basis


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Fresh frames of several sizes, and many axes; one call many times; another symbol."""
    axes = standard_basis(4)
    every_time(
        answer,
        (axes[2], axes[1], BETA),
        lambda again: judge(again, axes, 2, 1, "for means along the standard basis"),
    )
    for count, dimension in ((3, 3), (4, 4), (5, 6), (3, 3), (12, 13)):
        some = count < 12
        means = orthonormal_frame(count, dimension, rng) if some else rng.sample(standard_basis(13), 12)
        a, b = rng.sample(range(count), 2)
        for first, second in ((a, b), (b, a)):
            judge(answer, means, first, second, f"for {count} orthonormal means in {dimension} dimensions")
    judge(answer, [-axis for axis in axes], 1, 2, "for four means along the axes, each with the entry −1")
    judge(
        Renamed(answer, BETA),
        orthonormal_frame(4, 4, rng),
        3,
        0,
        "for 4 orthonormal means and beta_2 as beta",
    )
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Means that are no unit vectors, and two that are."""
    skew, wide = orthonormal_frame(4, 4, rng), orthonormal_frame(3, 5, rng)
    return [(skew[0], skew[2], BETA), (wide[2], wide[0], BETA), (sp.eye(4)[:, 0], sp.eye(4)[:, 1], BETA)]


def two_heads(mu_a, mu_b, beta):
    """The reference."""
    return beta * mu_a, beta * mu_b


def the_other_way_round(mu_a, mu_b, beta):
    """The heads may take the values in either order, and with different scales."""
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
    """Decimal numbers; the constant part of head 1 along mu_a is not multiplied by beta."""
    return 0.3 * beta * mu_a, 2.5 * beta * mu_b + 0.1 * mu_a


def roles_exchanged_by_a_negative_key(mu_a, mu_b, beta):
    """Right for negative lengths, too: there head 0 copies value b and head 1 copies value a."""
    return beta**2 * mu_a + beta * mu_b, beta * mu_b - beta**2 * mu_a


def same_sum_twice(mu_a, mu_b, beta):
    """Both heads use the sum of the means: both flip to the same value if key a is longer or shorter."""
    return beta * (mu_a + mu_b), beta * (mu_a + mu_b)


def both_copy_a(mu_a, mu_b, beta):
    """Both heads copy value a; one of them should copy value b."""
    return beta * mu_a, beta * mu_a


def both_copy_b(mu_a, mu_b, beta):
    """Both heads copy value b; one of them should copy value a."""
    return beta * mu_b, beta * mu_b


def sum_and_difference(mu_a, mu_b, beta):
    """The queries are the sum and the difference of the means: the first keeps the balance for one
    length of key a only, the second copies value a.
    """
    return beta * (mu_a + mu_b), beta * (mu_a - mu_b)


def one_copies_one_averages(mu_a, mu_b, beta):
    """The second head still uses the sum of both means, which keeps the balance for one length of key
    a only.
    """
    return beta * mu_a, beta * (mu_a + mu_b)


def no_scale(mu_a, mu_b, beta):
    """The queries do not depend on β, so the other keys always keep a share."""
    return mu_a, mu_b


def large_fixed_scale(mu_a, mu_b, beta):
    """The scale is large but fixed: the shorter key a is, the less it leads, so the scale must grow with
    β.
    """
    return 1000 * mu_a, 1000 * mu_b


def half_of_each(mu_a, mu_b, beta):
    """The queries have the factor ½ and no β: the average comes after the heads, and the scale must grow."""
    return mu_a / 2, mu_b / 2


def mostly_the_other(mu_a, mu_b, beta):
    """The head for value b also has a small part along mu_a. If key a is long enough, its logit exceeds the
    logit of b.
    """
    return beta * mu_a, beta * (mu_b + mu_a / 10)


def signs_flipped(mu_a, mu_b, beta):
    """The queries have a minus sign, so each head gives the smallest logit to the key it should copy."""
    return -beta * mu_a, -beta * mu_b


def one_sign_flipped(mu_a, mu_b, beta):
    """The second query has a minus sign, so key b gets the smallest logit of all."""
    return beta * mu_a, -beta * mu_b


def half_the_heads(mu_a, mu_b, beta):
    """You return one query. Two heads need two queries, as a pair (q0, q1)."""
    return beta * (mu_a + mu_b)


KEY = AnswerKey(
    id="two_heads",
    hidden=hidden,
    reference=two_heads,
    accepted=(
        the_other_way_round,
        away_from_the_other,
        exponential_scale,
        columns_of_a_product,
        in_decimals,
        roles_exchanged_by_a_negative_key,
    ),
    rejected=(
        *(
            same_sum_twice,
            both_copy_a,
            both_copy_b,
            sum_and_difference,
            one_copies_one_averages,
            no_scale,
            large_fixed_scale,
        ),
        *(half_of_each, mostly_the_other, signs_flipped, one_sign_flipped, half_the_heads),
    ),
    fingerprint=fingerprint,
    commentary=r"""
    Head 0 has the logits $\beta\varepsilon$ for key a and 0 for all others. For every $\varepsilon > 0$ the
    lead grows without bound, so its output tends to $v_a$. Head 1 has the logit $\beta$ for key b and 0 for
    all others, whatever $\varepsilon$ is, so its output tends to $v_b$. The mean of the two is the average.
    No head has to keep two logits equal. Many other pairs are right: any scale that grows will do, and each
    head may push the other key away. A head with even a small positive part of the other mean is a mistake: a
    key a that is long enough takes it over.
    """,
)
