"""Answers to average_two, drawn at random, that are right or wrong by construction.

- A query Σᵢ Lᵢ·kᵢ, plus anything at right angles to all keys, has the logits Lᵢ. Right exactly if L_a − L_b →
  0 and L_a − Lᵢ grows without bound for every other key i.
- The logits are drawn as L_a = s, L_b = s + d and Lᵢ = s − mᵢ with any shift s. A right answer has a d that
  dies out and margins mᵢ that grow; a wrong one has one of them that does not, or keys that are not the ones
  given.
- The query itself is put together in one of several ways, and its entries are rewritten.
"""

from __future__ import annotations

import random

import sympy as sp
from equivalents_03 import GROWING, NOT_GROWING, REWRITES, SHIFTS
from judged_keys import with_the_argument

from kqa_core.symbolic.attention import BETA, orthonormal_frame

DYING_OUT = [
    *(
        sp.Integer(0),
        sp.Integer(0),
        1 / BETA,
        -1 / BETA**3,
        sp.exp(-BETA),
        sp.tanh(BETA) - 1,
        1 / sp.log(BETA + 2),
    ),
    *(
        sp.sqrt(BETA**2 + 1) - BETA,
        sp.log(1 + BETA) - sp.log(BETA),
        sp.sin(BETA) / BETA,
        7 / (3 + BETA),
        BETA * sp.exp(-BETA),
    ),
]
NOT_DYING_OUT = [
    *(
        sp.Integer(1),
        sp.Integer(-3),
        sp.Rational(1, 1000),
        sp.log(2),
        BETA,
        -BETA,
        -(BETA**2),
        sp.sqrt(BETA),
        sp.tanh(BETA),
    ),
    *(
        sp.log(1 + BETA),
        sp.exp(BETA),
        2 - 1 / BETA,
        sp.atan(BETA),
        sp.log(2 * BETA) - sp.log(BETA),
        sp.Rational(-1, 10**6),
    ),
]


def logits(rng, count, a, b, wrong=None):
    """The logits of `count` keys: right ones, or with a wrong "pair" (a and b apart) or a wrong "margin"."""
    shift = rng.choice(SHIFTS)
    wanted = [shift - rng.choice(GROWING) for _ in range(count)]
    if wrong == "margin":
        spoilt = rng.choice([i for i in range(count) if i not in (a, b)])
        wanted[spoilt] = shift - rng.choice(NOT_GROWING)
    wanted[a] = shift
    wanted[b] = shift + rng.choice(NOT_DYING_OUT if wrong == "pair" else DYING_OUT)
    return wanted


def summed(keys, wanted):
    query = sp.zeros(*keys[0].shape)
    for key, logit in zip(keys, wanted, strict=True):
        query += logit * key
    return query


def by_a_product(keys, wanted):
    return sp.Matrix.hstack(*keys) * sp.Matrix(wanted)


def by_least_squares(keys, wanted):
    """Kᵀ q = L, with the pseudo-inverse of Kᵀ."""
    K = sp.Matrix.hstack(*keys)
    return K * (K.T * K).inv() * sp.Matrix(wanted)


def from_the_centre(keys, wanted):
    """First the mean of all logits, then the difference of each from it."""
    common = sp.Add(*wanted) / len(wanted)
    return common * sum(keys, sp.zeros(*keys[0].shape)) + summed(keys, [logit - common for logit in wanted])


def entry_by_entry(keys, wanted):
    return sp.Matrix(
        [
            sp.Add(*(logit * key[row] for key, logit in zip(keys, wanted, strict=True)))
            for row in range(len(keys[0]))
        ]
    )


def in_another_frame(keys, wanted):
    """Written in coordinates of the answer's own, and turned back."""
    frame = sp.Matrix.hstack(*orthonormal_frame(len(keys[0]), len(keys[0]), random.Random(7)))
    return frame * sum(
        (logit * (frame.T * key) for key, logit in zip(keys, wanted, strict=True)), sp.zeros(*keys[0].shape)
    )


WAYS = (summed, by_a_product, by_least_squares, from_the_centre, entry_by_entry, in_another_frame)


def answer_of(seed, wrong=None):
    """An answer whose logits are drawn from the seed and from the number of keys."""
    way, rewrite = WAYS[seed % len(WAYS)], REWRITES[seed // len(WAYS) % len(REWRITES)]

    def average_two(keys, a, b, beta):
        rng = random.Random(seed)
        query = way(keys, logits(rng, len(keys), a, b, wrong))
        unseen = sp.Matrix.hstack(*keys).T.nullspace()
        for vector in unseen:
            query += rng.choice((0, BETA, sp.exp(BETA), sp.Integer(4))) * vector
        return with_the_argument(rewrite(query), beta)

    return average_two


def right_query(seed):
    """A right answer to average_two."""
    return answer_of(seed)


def wrong_query(seed):
    """A wrong answer to average_two."""
    kind = seed % 8
    if kind < 3:
        return answer_of(seed, "pair")
    if kind < 6:
        return answer_of(seed, "margin")
    right = answer_of(seed)
    if kind == 6:  # the keys next to a and b
        return lambda keys, a, b, beta: right(keys, (a + 1) % len(keys), (b + 1) % len(keys), beta)
    return lambda keys, a, b, beta: right(
        orthonormal_frame(len(keys), len(keys[0]), random.Random(seed)), a, b, beta
    )
