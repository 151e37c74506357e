"""Answers to key_query and value_matrix, most drawn at random, that are right or wrong by construction.

- f₁, f₂, f₃ with f_j·x_k = β² for j = k and 0 otherwise: f₁ = u_d, f₂ = u_a, f₃ = u_c, each plus anything at
  right angles to all tokens, such as a multiple of u_b − u_c − u_d. With M = Σᵢⱼ Lᵢⱼ f_j fᵢᵀ/β⁴ the logits
  x_jᵀ M xᵢ are the table L, whatever L is.
- Q and K are two factors of M = KᵀQ. The table decides: right exactly if L₁₃ − L₁₁, L₁₃ − L₁₂, L₂₁ − L₂₂ and
  L₂₁ − L₂₃ all grow without bound.
- V = (u_b f₁ᵀ + y f₂ᵀ + (u_b − u_c) f₃ᵀ)/β² is right for every y, and wrong once anything is added to its
  first or third part.
"""

from __future__ import annotations

import random

import sympy as sp
from judged_keys import with_the_argument

from kqa_core.symbolic.attention import BETA, orthonormal_frame

GROWING = [
    *(
        BETA,
        BETA**2,
        BETA**4,
        sp.sqrt(BETA),
        BETA ** sp.Rational(1, 5),
        sp.log(1 + BETA),
        sp.log(sp.log(BETA + 3)),
        sp.exp(BETA),
    ),
    *(
        sp.sinh(BETA),
        BETA + sp.sin(BETA),
        BETA**2 - BETA,
        BETA / 1000,
        BETA - 50,
        sp.sqrt(1 + BETA**2),
        BETA * sp.tanh(BETA),
    ),
]
NOT_GROWING = [
    *(
        sp.Integer(0),
        sp.Integer(5),
        sp.Integer(80),
        sp.Integer(-3),
        sp.tanh(BETA),
        7 - 1 / BETA,
        sp.exp(-BETA),
        1 / BETA,
    ),
    *(
        -BETA,
        -sp.log(1 + BETA),
        40 * sp.atan(BETA),
        5 - BETA**2,
        60 * BETA / (1 + BETA),
        sp.sqrt(BETA**2 + BETA) - BETA,
    ),
]
SHIFTS = [
    sp.Integer(0),
    sp.Integer(0),
    sp.Integer(3),
    BETA,
    -(BETA**2),
    sp.exp(BETA),
    sp.log(BETA + 1),
    sp.cosh(BETA),
]
SCALES = [sp.Integer(1), BETA, 1 / BETA**3, sp.exp(BETA), sp.Rational(2, 7), sp.sqrt(BETA), 1 / (1 + BETA)]


def as_it_is(matrix):
    return matrix


def expanded(matrix):
    return matrix.applyfunc(sp.expand)


def factored(matrix):
    return matrix.applyfunc(sp.factor)


def over_one_line(matrix):
    return matrix.applyfunc(sp.together)


def in_exponentials(matrix):
    return matrix.applyfunc(lambda entry: entry.rewrite([sp.sinh, sp.cosh, sp.tanh], sp.exp))


def in_decimals(matrix):
    return matrix.applyfunc(lambda entry: sp.N(entry, 15))


def with_a_factor_that_cancels(matrix):
    return matrix.applyfunc(
        lambda entry: sp.Mul(entry, BETA + 1, 1 / (BETA + 1), evaluate=False) if entry else entry
    )


def with_a_sum_that_cancels(matrix):
    return matrix.applyfunc(lambda entry: entry * (sp.cosh(BETA) ** 2 - sp.sinh(BETA) ** 2))


def immutable(matrix):
    return sp.ImmutableMatrix(matrix)


REWRITES = (
    *(as_it_is, expanded, factored, over_one_line, in_exponentials, in_decimals, with_a_factor_that_cancels),
    *(with_a_sum_that_cancels, immutable),
)


def unseen(u_a, u_b, u_c, u_d, rng):
    """A vector at right angles to all three tokens, some multiple of β long."""
    outside = [
        v - sum((u * u.dot(v) / u.dot(u) for u in (u_a, u_b, u_c, u_d)), sp.zeros(*v.shape))
        for v in units(len(u_a))
    ]
    return rng.choice((0, 1, -2)) * (u_b - u_c - u_d) + rng.choice((0, 3)) * BETA * rng.choice(outside)


def units(d):
    return [sp.eye(d)[:, i] for i in range(d)]


def duals(u_a, u_b, u_c, u_d, rng):
    """f₁, f₂ and f₃."""
    return [u + unseen(u_a, u_b, u_c, u_d, rng) for u in (u_d, u_a, u_c)]


def table(rng, good):
    """Logits, a row for each query. All four margins grow if `good`; else one to four of them do not."""
    bad = set() if good else set(rng.sample(range(4), rng.choice((1, 1, 1, 2, 4))))
    margins = [rng.choice(NOT_GROWING if i in bad else GROWING) for i in range(4)]
    first, second, third = rng.choice(SHIFTS), rng.choice(SHIFTS), [rng.choice(SHIFTS) for _ in range(3)]
    return [
        [first - margins[0], first - margins[1], first],
        [second, second - margins[2], second - margins[3]],
        third,
    ]


def invertible(size, rng):
    """A matrix of whole numbers with determinant ±1."""
    matrix = sp.eye(size)
    for _ in range(4):
        i, j = rng.sample(range(size), 2)
        matrix[i, :] = matrix[i, :] + rng.choice((-1, 1, 2)) * matrix[j, :]
    return matrix


def pair_of_table(logits, seed):
    """An answer to key_query with this table of logits, in a random form."""
    form = seed % 4
    rewrite = REWRITES[seed % len(REWRITES)]

    def key_query(u_a, u_b, u_c, u_d, beta):
        rng = random.Random(seed)
        tokens = duals(u_a, u_b, u_c, u_d, rng)
        scale = rng.choice(SCALES)
        # (1, d)
        asked = [
            sum((logits[i][j] * tokens[i].T for i in range(3)), sp.zeros(1, len(u_a))) / beta**2
            for j in range(3)
        ]
        if form == 0:  # three rows, one for each key
            K, Q = sp.Matrix.vstack(*(f.T for f in tokens)) / beta**2, sp.Matrix.vstack(*asked)
        elif form == 1:  # the same behind a change of coordinates
            A = invertible(3, rng)
            K = A * sp.Matrix.vstack(*(f.T for f in tokens)) / beta**2
            Q = A.inv().T * sp.Matrix.vstack(*asked)
        elif form == 2:  # everything in the queries
            K = sp.eye(len(u_a))
            Q = sum((f * row for f, row in zip(tokens, asked, strict=True)), sp.zeros(len(u_a))) / beta**2
        else:  # keys and queries meet in a frame of their own
            K = invertible(len(u_a), rng)
            Q = (
                K.inv().T
                * sum((f * row for f, row in zip(tokens, asked, strict=True)), sp.zeros(len(u_a)))
                / beta**2
            )
        return tuple(with_the_argument(rewrite(W), beta) for W in (Q / scale, K * scale))

    return key_query


def right_pair(seed):
    """A right answer to key_query."""
    return pair_of_table(table(random.Random(seed), True), seed)


def wrong_pair(seed):
    """A wrong answer to key_query: a margin that does not grow,
    Q and K exchanged, or directions that are not the ones given.
    """
    rng = random.Random(seed)
    kind = seed % 8
    if kind < 5:
        return pair_of_table(table(rng, False), seed)
    good = table(rng, True)
    if kind == 5:  # with this third row, the table read the other way round is wrong
        good[2] = [good[0][0] - BETA, rng.choice(SHIFTS), rng.choice(SHIFTS)]
        right = pair_of_table(good, seed)
        return lambda *given: tuple(reversed(right(*given)))
    # roles of 1 and 2 exchanged
    right = pair_of_table([good[1], good[0], good[2]] if kind == 6 else good, seed)
    return right if kind == 6 else lambda *given: right(*other_directions(len(given[0]), seed), BETA)


def other_directions(dimension, seed):
    """Four directions that are not those of the student."""
    return [BETA * e for e in orthonormal_frame(4, dimension, random.Random(seed + 100_000))]


def right_value(seed):
    """A right answer to value_matrix."""
    return value_of(seed, None)


def wrong_value(seed):
    """A wrong answer to value_matrix: a part too much, transposed, scaled, or for other directions."""
    kind = seed % 8
    if kind < 5:
        return value_of(seed, random.Random(seed))
    right = value_of(seed, None)
    if kind == 5:
        factor = random.Random(seed).choice(
            (2, -1, BETA, 1 / BETA, BETA**2, 1 + sp.exp(-BETA), sp.tanh(BETA))
        )
        return lambda *given: factor * right(*given)
    if kind == 6:
        return lambda u_a, u_b, u_c, u_d, beta: right(u_a, u_b, u_d, u_c, beta)  # x₁ and x₃ exchanged
    return lambda *given: right(*other_directions(len(given[0]), seed), BETA)


def value_of(seed, spoilt):
    rewrite = REWRITES[seed % len(REWRITES)]

    def value_matrix(u_a, u_b, u_c, u_d, beta):
        rng = random.Random(seed)
        f1, f2, f3 = duals(u_a, u_b, u_c, u_d, rng)
        second = rng.choice(SHIFTS) * rng.choice((u_a, u_b, u_c - u_d))
        V = (u_b * f1.T + second * f2.T + (u_b - u_c) * f3.T) / beta**2
        V += rng.choice(SCALES) * rng.choice((u_a, u_d)) * unseen(u_a, u_b, u_c, u_d, rng).T
        if spoilt is not None:
            spoilt.seed(seed)
            defect = spoilt.choice(
                (1, -1, 2, sp.Rational(1, 1000), sp.exp(-beta), 1 / beta, beta, 1 - sp.tanh(beta))
            )
            V += defect * spoilt.choice((u_a, u_b, u_c, u_d)) * spoilt.choice((f1, f3)).T / beta**2
        return with_the_argument(rewrite(V), beta)

    return value_matrix


# Further right answers to key_query, kin to those of its key: each a pair Q, K of shape (r, d).


def keys_are_the_tokens(u_a, u_b, u_c, u_d, beta):
    """K is the identity, and the queries do everything."""
    return u_d * u_a.T + u_c * u_d.T, sp.eye(len(u_a))


def a_slow_scale(u_a, u_b, u_c, u_d, beta):
    """The margins grow like log β; half of u_c and u_d pushes the wrong key down."""
    Q = sp.log(1 + beta) * ((2 * u_c - u_d) * u_d.T + (2 * u_d - u_c) * u_a.T) / beta**3
    K = (u_d * u_d.T + u_c * u_c.T) / beta**3
    return Q, K


def in_decimals(u_a, u_b, u_c, u_d, beta):
    """Decimal numbers."""
    return 0.7 * u_c * u_d.T + 0.7 * u_d * u_a.T, 0.1 * u_d * u_d.T + 0.1 * u_c * u_c.T + 0.3 * u_a * u_a.T


def a_symmetric_table(u_a, u_b, u_c, u_d, beta):
    """Tokens 1 and 3 like each other best, 1 and 2 next: exchanging Q and K changes nothing."""
    return 2 * (u_d * u_c.T + u_c * u_d.T) + u_d * u_a.T + u_a * u_d.T, sp.eye(len(u_a))


def one_matrix_for_both(u_a, u_b, u_c, u_d, beta):
    """K = Q, with keys (2, 0), (1, ½) and (3, −4):
    a longer key is found by those who would find themselves.
    """
    K = sp.Matrix.vstack((2 * u_d + u_a + 3 * u_c).T, (u_a / 2 - 4 * u_c).T) / beta
    return K, K


MORE = (keys_are_the_tokens, a_slow_scale, in_decimals, a_symmetric_table, one_matrix_for_both)
