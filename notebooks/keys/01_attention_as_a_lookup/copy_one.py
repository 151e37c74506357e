"""Answer key of copy_one."""

from __future__ import annotations

import random

import sympy as sp
from course_exercises.copy_one import OPPOSITE, judge

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.repeated import every_time
from kqa_core.exercise_helpers.queries import STEEP, Renamed
from kqa_core.symbolic.attention import BETA, orthonormal_frame, standard_basis

# all entries of one size
HALVES = [sp.Matrix(signs) / 2 for signs in ([1, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1])]


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Fresh frames of several sizes, every index met somewhere, first and last among them; the standard basis
    many times. Then two keys of opposite sums, others with entries of one size or very unlike ones, many
    keys, and another symbol.
    """
    keys = standard_basis(3)
    every_time(answer, (keys, 1, BETA), lambda again: judge(again, keys, 1, "for the standard basis"))
    for count, dimension in ((2, 2), (4, 4), (3, 5), (5, 5), (4, 4)):
        frame = orthonormal_frame(count, dimension, rng)
        for j in sorted({0, count - 1, rng.randrange(count)}):
            judge(answer, frame, j, f"for {count} orthonormal keys in {dimension} dimensions")
    for j in (0, 1):
        judge(answer, OPPOSITE, j, "for 2 orthonormal keys in 8 dimensions")
        judge(answer, [*STEEP], j, "for 2 orthonormal keys in 5 dimensions")
    many = rng.sample(standard_basis(13), 12)
    for j in (0, rng.randint(6, 10), 11):
        judge(answer, many, j, "for 12 orthonormal keys in 13 dimensions")
    for j in range(4):
        judge(answer, HALVES, j, "for 4 orthonormal keys of entries ±½")
    judge(Renamed(answer, BETA), orthonormal_frame(4, 4, rng), 3, "for 4 orthonormal keys and beta_2 as beta")
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Where the standard basis would hide a mistake, and where it would not."""
    skew = orthonormal_frame(4, 5, rng)
    frames = [(standard_basis(3), 1), (skew, 0), (skew, 2), (orthonormal_frame(3, 3, rng), 2), (OPPOSITE, 0)]
    return [(frame, j, BETA) for frame, j in frames]


def copy_one(keys, j, beta):
    """The reference."""
    return beta * keys[j]


def pushes_the_others_down(keys, j, beta):
    """Logit 0 for key j, -beta for all others."""
    others = [key for i, key in enumerate(keys) if i != j]
    return -beta * sum(others, sp.zeros(*keys[0].shape))


def against_the_mean(keys, j, beta):
    """Away from the centre of the keys."""
    centre = sum(keys, sp.zeros(*keys[0].shape)) / len(keys)
    return beta**2 * (keys[j] - centre)


def exponential_scale(keys, j, beta):
    """Any scale that grows will do; a fixed start for the others does not matter."""
    return sp.exp(beta) * keys[j] + 7 * sum(keys, sp.zeros(*keys[0].shape))


def very_slow(keys, j, beta):
    """log log beta grows too."""
    return sp.log(sp.log(beta + 3)) * keys[j]


def all_grow_one_faster(keys, j, beta):
    """All logits grow: beta squared for j, beta for the rest."""
    logits = sp.Matrix([beta**2 if i == j else beta for i in range(len(keys))])
    return sp.Matrix.hstack(*keys) * logits


def with_a_part_no_key_sees(keys, j, beta):
    """A part that is orthogonal to all keys changes no logit."""
    unseen = sp.Matrix.hstack(*keys).T.nullspace()
    return beta * keys[j] + sum((beta**3 * vector for vector in unseen), sp.zeros(*keys[0].shape))


def in_decimals(keys, j, beta):
    """Decimal numbers, an entry at a time."""
    return sp.Matrix([0.5 * beta * entry + sp.Float(0.1) * entry for entry in keys[j]])


def no_scale(keys, j, beta):
    """Your query does not depend on beta: key j leads by a fixed amount,
    so its weight is the same for every beta.
    """
    return keys[j]


def large_fixed_scale(keys, j, beta):
    """The scale is large but fixed. It comes close, but the weight tends to 1 only if the lead over the other
    keys grows without bound.
    """
    return 1000 * keys[j]


def scale_that_levels_off(keys, j, beta):
    """The scale levels off as beta grows, so the lead of key j stays bounded."""
    return 100 * sp.tanh(beta) * keys[j]


def one_too_far(keys, j, beta):
    """q points at the key after key j: counting starts at 0, so key j is keys[j]."""
    return beta * keys[(j + 1) % len(keys)]


def one_too_early(keys, j, beta):
    """q points at the key before key j: counting starts at 0, so key j is keys[j]."""
    return beta * keys[j - 1]


def always_the_first(keys, j, beta):
    """q always points at the first key, whatever j is."""
    return beta * keys[0]


def wrong_sign(keys, j, beta):
    """The sign is wrong: key j gets the smallest logit, so its weight goes to 0."""
    return -beta * keys[j]


def all_the_keys(keys, j, beta):
    """All keys get the same logit, as with the sum of all keys, so the query averages all values."""
    return beta * sum(keys, sp.zeros(*keys[0].shape))


def shrinking_scale(keys, j, beta):
    """q is divided by beta: as beta grows it shrinks to zero, and a zero query averages all values."""
    return keys[j] / beta


def only_the_standard_basis(keys, j, beta):
    """q has beta in entry j: that is right for the standard basis only. In general q is made of the key
    itself.
    """
    query = sp.zeros(*keys[0].shape)
    query[j] = beta
    return query


def the_weights(keys, j, beta):
    """You return the weights, one for each key. Return the query that leads to them."""
    exponentials = [sp.exp(beta * key.dot(keys[j])) for key in keys]
    return sp.Matrix(exponentials) / sum(exponentials)


def adds_beta(keys, j, beta):
    """beta is added to every entry of the key; a longer key is the key times a number."""
    return keys[j] + beta * sp.ones(*keys[0].shape)


def two_keys_tie(keys, j, beta):
    """Another key gets the same logit as key j, so the two share the weight."""
    return beta * (keys[j] + keys[(j + 1) % len(keys)])


def as_a_row(keys, j, beta):
    """You return a row; a query is a column like the keys."""
    return (beta * keys[j]).T


def the_logit(keys, j, beta):
    """You return the logit of key j, which is one number; the query is a column like the keys."""
    return (beta * keys[j]).dot(keys[j])


def sum_begins_with_ones(keys, j, beta):
    """The sum of the keys begins with ones and not with zeros. The ones have products with the keys of their
    own, which may outweigh the lead of key j.
    """
    centre = sum(keys, sp.ones(*keys[0].shape)) / len(keys)
    return beta * (keys[j] - centre)


KEY = AnswerKey(
    id="copy_one",
    hidden=hidden,
    reference=copy_one,
    accepted=(
        *(pushes_the_others_down, against_the_mean, exponential_scale, very_slow, all_grow_one_faster),
        *(with_a_part_no_key_sees, in_decimals),
    ),
    rejected=(
        *(
            no_scale,
            large_fixed_scale,
            scale_that_levels_off,
            one_too_far,
            one_too_early,
            always_the_first,
            wrong_sign,
        ),
        *(
            all_the_keys,
            shrinking_scale,
            only_the_standard_basis,
            the_weights,
            adds_beta,
            two_keys_tie,
            as_a_row,
            the_logit,
        ),
        sum_begins_with_ones,
    ),
    fingerprint=fingerprint,
    commentary=r"""
    For orthonormal keys, the query $\beta k_j$ has the logit $\beta$ with key $j$ and 0 with every other key.
    So the weight of key $j$ is $e^\beta / (e^\beta + n - 1)$, which tends to 1. Two mistakes are common. A
    large but fixed factor, such as $1000\,k_j$, gives a weight that is close to 1 and does not tend to 1. And
    a query with $\beta$ at entry $j$ is right only for the standard basis: the logits are dot products with
    the keys, so the answer must use the keys themselves.
    """,
)
