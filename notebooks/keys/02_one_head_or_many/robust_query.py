"""Answer key of robust_query."""

from __future__ import annotations

import random

import sympy as sp
from course_exercises.robust_query import judge

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.repeated import every_time
from kqa_core.exercise_helpers.queries import Renamed
from kqa_core.symbolic.attention import BETA, orthonormal_frame, standard_basis


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Fresh frames of several sizes, and many axes, pairs in both orders; one call many times; another
    symbol.
    """
    axes = standard_basis(4)
    every_time(
        answer,
        (axes[2], axes[1], BETA),
        lambda again: judge(again, axes, 2, 1, "for means along the standard basis"),
    )
    for count, dimension in ((3, 3), (4, 4), (3, 6), (5, 5), (3, 3), (12, 13)):
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
    return [
        (skew[0], skew[2], BETA),
        (skew[3], skew[1], BETA),
        (wide[2], wide[0], BETA),
        (sp.eye(4)[:, 0], sp.eye(4)[:, 1], BETA),
    ]


def robust_query(mu_a, mu_b, beta):
    """The reference."""
    return beta * (mu_a + mu_b)


def one_matrix(mu_a, mu_b, beta):
    """Both means side by side, times a column."""
    return sp.Matrix.hstack(mu_a, mu_b) * sp.ones(2, 1) * beta**2


def exponential_scale(mu_a, mu_b, beta):
    """A faster scale: the noise has vanished before beta grows."""
    return sp.exp(beta) * mu_a + (sp.exp(beta) + 1 / beta) * mu_b


def middle_of_the_two(mu_a, mu_b, beta):
    """A slow scale, along the unit vector between the two."""
    middle = (mu_a + mu_b) / 2
    return sp.log(1 + beta) * middle / sp.sqrt(middle.dot(middle))


def entry_by_entry(mu_a, mu_b, beta):
    """Written out."""
    return sp.Matrix([0.8 * beta * (x + y) for x, y in zip(mu_a, mu_b, strict=True)])


def projector(mu_a, mu_b, beta):
    """The projector onto the plane of the two means, applied to their sum."""
    onto = mu_a * mu_a.T + mu_b * mu_b.T
    return beta * onto * (3 * mu_a + 3 * mu_b)


def no_scale(mu_a, mu_b, beta):
    """Your query does not depend on β: the two keys lead by a fixed amount,
    so the other keys always keep a share.
    """
    return mu_a + mu_b


def large_fixed_scale(mu_a, mu_b, beta):
    """The scale is large but fixed. It comes close, but it is a limit only if the lead over the other keys
    grows without bound.
    """
    return 1000 * (mu_a + mu_b)


def scale_that_levels_off(mu_a, mu_b, beta):
    """The scale levels off as beta grows, so the lead of the two keys stays bounded."""
    return 100 * beta / (1 + beta) * (mu_a + mu_b)


def only_a(mu_a, mu_b, beta):
    """This query copies value a. Value b must have half of the weight."""
    return beta * mu_a


def only_b(mu_a, mu_b, beta):
    """This query copies value b. Value a must have half of the weight."""
    return beta * mu_b


def the_difference(mu_a, mu_b, beta):
    """The mean of key b has a minus sign. Logit b is then the smallest of all, so the query copies
    value a.
    """
    return beta * (mu_a - mu_b)


def wrong_sign(mu_a, mu_b, beta):
    """The sign is wrong: a and b get the smallest logits, and all other values share the weight."""
    return -beta * (mu_a + mu_b)


def unequal(mu_a, mu_b, beta):
    """Your two logits grow at different speeds.
    Their difference grows as well, so one key takes all of the weight.
    """
    return beta * (mu_a + 2 * mu_b)


def a_fixed_lead(mu_a, mu_b, beta):
    """One of your two logits keeps a fixed lead over the other, so the weights stay unequal."""
    return beta * (mu_a + mu_b) + mu_a


def product_of_means(mu_a, mu_b, beta):
    """q is the product of the two means, entry by entry. Two equal logits come from their sum."""
    return beta * mu_a.multiply_elementwise(mu_b)


def zero(mu_a, mu_b, beta):
    """Your query is zero. It gives every key the same logit, so it averages all values, not only two."""
    return 0 * mu_a


def all_ones(mu_a, mu_b, beta):
    """q has the same entry everywhere. It must point along the sum of the two means."""
    return beta * sp.ones(*mu_a.shape)


def only_the_standard_basis(mu_a, mu_b, beta):
    """q has β in its first two entries. That is right for the first two unit vectors only; in general q is
    made of the given means.
    """
    query = sp.zeros(*mu_a.shape)
    query[0] = query[1] = beta
    return query


def inverse_scale(mu_a, mu_b, beta):
    """q is divided by β, so its norm shrinks. In the limit it averages all values."""
    return (mu_a + mu_b) / beta


KEY = AnswerKey(
    id="robust_query",
    hidden=hidden,
    reference=robust_query,
    accepted=(one_matrix, exponential_scale, middle_of_the_two, entry_by_entry, projector),
    rejected=(
        *(
            no_scale,
            large_fixed_scale,
            scale_that_levels_off,
            only_a,
            only_b,
            the_difference,
            wrong_sign,
            unequal,
        ),
        *(a_fixed_lead, product_of_means, zero, all_ones, only_the_standard_basis, inverse_scale),
    ),
    fingerprint=fingerprint,
    commentary=r"""
    The means are orthonormal, so $q = \beta(\mu_a + \mu_b)$ has the logit $\beta$ with $\mu_a$ and with
    $\mu_b$, and 0 with all other means. When the noise vanishes, every key is at its mean. So a and b are
    equal, and both lead by $\beta$, which grows without bound. Common mistakes are a query without $\beta$,
    which leaves a fixed share to the others, and two different factors for the two means: then the difference
    of the two logits grows too, and one value takes all.
    """,
)
