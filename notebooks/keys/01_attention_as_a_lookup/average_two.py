"""Answer key of average_two."""

from __future__ import annotations

import random

import sympy as sp
from course_exercises.average_two import judge

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.repeated import every_time
from kqa_core.exercise_helpers.queries import Renamed
from kqa_core.symbolic.attention import BETA, orthonormal_frame, standard_basis


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Fresh frames of several sizes, pairs in both orders; the standard basis many times; many keys, and
    another symbol.
    """
    keys = standard_basis(3)
    every_time(answer, (keys, 0, 1, BETA), lambda again: judge(again, keys, 0, 1, "for the standard basis"))
    for count, dimension in ((3, 3), (4, 4), (3, 5), (5, 5), (3, 3), (12, 13)):
        some = count < 12
        frame = orthonormal_frame(count, dimension, rng) if some else rng.sample(standard_basis(13), 12)
        a, b = rng.sample(range(count), 2) if some else (rng.randint(0, 2), rng.randint(8, 11))
        for first, second in ((a, b), (b, a)):
            judge(answer, frame, first, second, f"for {count} orthonormal keys in {dimension} dimensions")
    judge(
        answer,
        [-key for key in standard_basis(4)],
        1,
        2,
        "for four keys along the axes, each with the entry −1",
    )
    judge(
        Renamed(answer, BETA), orthonormal_frame(4, 4, rng), 3, 0, "for 4 orthonormal keys and beta_2 as beta"
    )
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Where the standard basis would hide a mistake, and where it would not."""
    skew = orthonormal_frame(4, 5, rng)
    return [
        (standard_basis(3), 0, 1, BETA),
        (skew, 0, 2, BETA),
        (skew, 3, 1, BETA),
        (orthonormal_frame(4, 4, rng), 2, 0, BETA),
    ]


def average_two(keys, a, b, beta):
    """The reference."""
    return beta * (keys[a] + keys[b])


def minus_the_others(keys, a, b, beta):
    """Up for the two, down for the rest: the faster one."""
    query = sp.zeros(*keys[0].shape)
    for i, key in enumerate(keys):
        query += beta * key if i in (a, b) else -beta * key
    return query


def only_the_others(keys, a, b, beta):
    """Logit 0 for the two, -beta squared for the rest."""
    return -(beta**2) * sum((key for i, key in enumerate(keys) if i not in (a, b)), sp.zeros(*keys[0].shape))


def exponential_scale(keys, a, b, beta):
    """A mean of the two keys on a scale that grows fast, and one that dies out beside it."""
    return sp.exp(beta) * (keys[a] + keys[b]) / 2 + keys[a] / beta


def logarithmic_scale(keys, a, b, beta):
    """A slow scale, a column at a time."""
    return sp.Matrix.hstack(*keys) * sp.Matrix(
        [sp.log(1 + beta) if i in (a, b) else 0 for i in range(len(keys))]
    )


def differences_that_die_out(keys, a, b, beta):
    """The two logits differ, by less and less."""
    return sp.sqrt(beta**2 + 1) * keys[a] + beta * keys[b]


def with_a_part_no_key_sees(keys, a, b, beta):
    """A part that is orthogonal to all keys changes no logit."""
    unseen = sp.Matrix.hstack(*keys).T.nullspace()
    return beta * (keys[a] + keys[b]) + sum(
        (sp.exp(beta) * vector for vector in unseen), sp.zeros(*keys[0].shape)
    )


def in_decimals(keys, a, b, beta):
    """Decimal numbers."""
    return 0.7 * beta * keys[a] + 0.7 * beta * keys[b]


def twice_against_the_mean(keys, a, b, beta):
    """From the centre of all keys towards the middle of the two."""
    centre = sum(keys, sp.zeros(*keys[0].shape)) / len(keys)
    return beta * ((keys[a] - centre) + (keys[b] - centre))


def unequal_logits(keys, a, b, beta):
    """Your two logits grow at different speeds:
    their difference grows as well, and the larger one takes all the weight.
    """
    return beta * (2 * keys[a] + keys[b])


def a_fixed_lead(keys, a, b, beta):
    """One of your two logits keeps a fixed lead over the other:
    the weights stay unequal, for a lead of 1 in the ratio e to 1.
    """
    return beta * (keys[a] + keys[b]) + keys[a]


def all_the_keys(keys, a, b, beta):
    """All keys get the same logit, as with the sum of all keys, so the query averages all values."""
    return beta * sum(keys, sp.zeros(*keys[0].shape))


def no_scale(keys, a, b, beta):
    """Your query does not depend on beta: the two keys lead by a fixed amount,
    and the others always keep a share.
    """
    return keys[a] + keys[b]


def large_fixed_scale(keys, a, b, beta):
    """The scale is large but fixed. It comes close, but it is a limit only if the lead over the other keys
    grows without bound.
    """
    return 100 * (keys[a] + keys[b])


def scale_that_levels_off(keys, a, b, beta):
    """The scale levels off as beta grows, so the lead of the two keys stays bounded."""
    return 50 * sp.atan(beta) * (keys[a] + keys[b])


def the_difference(keys, a, b, beta):
    """Key b has a minus sign. Logit b is then the lowest of all, and the query copies value a."""
    return beta * (keys[a] - keys[b])


def the_difference_the_other_way(keys, a, b, beta):
    """Key a has a minus sign. Logit a is then the lowest of all, and the query copies value b."""
    return beta * (keys[b] - keys[a])


def only_the_first(keys, a, b, beta):
    """This query copies value a; value b must have half of the weight."""
    return beta * keys[a]


def only_the_second(keys, a, b, beta):
    """This query copies value b; value a must have half of the weight."""
    return beta * keys[b]


def wrong_sign(keys, a, b, beta):
    """The sign is wrong: keys a and b get the smallest logits, so all other values share the weight."""
    return -beta * (keys[a] + keys[b])


def weights_as_logits(keys, a, b, beta):
    """The two logits are one half each: one half is the weight after the softmax, not the logit before it."""
    return (keys[a] + keys[b]) / 2


def neighbours(keys, a, b, beta):
    """q points at the keys after a and b: counting starts at 0, so keys a and b are keys[a] and keys[b]."""
    return beta * (keys[(a + 1) % len(keys)] + keys[(b + 1) % len(keys)])


def only_the_standard_basis(keys, a, b, beta):
    """q has beta in entries a and b: that is right for the standard basis only. In general q is made of the
    keys themselves.
    """
    query = sp.zeros(*keys[0].shape)
    query[a] = query[b] = beta
    return query


def zero(keys, a, b, beta):
    """Your query is zero. It gives every key the same logit: it averages all values, not two."""
    return sp.zeros(*keys[0].shape)


def product_of_keys(keys, a, b, beta):
    """q is the product of the two keys, entry by entry; logits add up if keys are added."""
    return beta * keys[a].multiply_elementwise(keys[b])


KEY = AnswerKey(
    id="average_two",
    hidden=hidden,
    reference=average_two,
    accepted=(
        *(minus_the_others, only_the_others, exponential_scale, logarithmic_scale, differences_that_die_out),
        *(with_a_part_no_key_sees, in_decimals, twice_against_the_mean),
    ),
    rejected=(
        *(
            unequal_logits,
            a_fixed_lead,
            all_the_keys,
            no_scale,
            large_fixed_scale,
            scale_that_levels_off,
            the_difference,
        ),
        *(
            the_difference_the_other_way,
            only_the_first,
            only_the_second,
            wrong_sign,
            weights_as_logits,
            neighbours,
        ),
        *(only_the_standard_basis, zero, product_of_keys),
    ),
    fingerprint=fingerprint,
    commentary=r"""
    The dot product is linear, so the logits of $k_a + k_b$ are the sums of the logits of $k_a$ and $k_b$: 1
    for $a$, 1 for $b$ and 0 for the rest. With the factor $\beta$, each of the two weights is
    $e^\beta / (2 e^\beta + n - 2)$, which tends to ½. You may also lower the other logits, or add anything
    that is orthogonal to all keys. The common mistake is to let the two logits differ, even by a constant: a
    lead of 1 keeps the ratio of the two weights at $e$ for ever. $\tfrac12 (k_a + k_b)$ is another mistake: ½
    is the weight that you want after the softmax, not the logit.
    """,
)
