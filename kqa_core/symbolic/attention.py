"""Attention in sympy: exact weights, their limits as β → ∞, and rates of convergence.

- `logits` and `attention_weights` are the equation for one query: the weight on value i is exp(kᵢ·q) / Σₙ
  exp(kₙ·q).
- `limit_weights` compares orders of growth. Only differences of logits count: if the difference of two logits
  grows without bound, the weight of the smaller one tends to 0. Sympy's `limit` is not used (see
  `kqa_core.symbolic.limits`).
- Differences are collected term by term (`kqa_core.symbolic.terms`), so that β − β is 0 in any form.
- `orthonormal_frame` draws rational orthonormal vectors, so that results are also exact outside the standard
  basis.
- Self-attention with matrices is the same once W_Q x and W_K x are collected term by term
  (`projected_scores`). A product with too many terms is not multiplied out; its values in high precision
  decide instead.
- `vanishes` decides whether an expression is 0 for all β, `outside_hull` whether a direction proves that a
  point is outside a convex hull.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import sympy
from mpmath import mp  # type: ignore[import-untyped] # mpmath ships no types

from kqa_core.symbolic.limits import MAX_NODES, for_large, limit_at_infinity, size, value_at
from kqa_core.symbolic.numeric_limits import Evaluator, NoValue, OutOfBudget
from kqa_core.symbolic.terms import (
    SNAP,
    Score,
    add,
    add_products,
    as_one,
    cancelled,
    difference,
    number,
    over_one_line,
    squares_reduced,
    terms_of,
)

BETA = sympy.Symbol("beta", positive=True)  # what the exercises pass as `beta`
MAX_PRODUCTS = 1_500  # of terms, for one logit of two projections
LIMIT_ERROR = 1e-8  # limits are accurate to 1e-9; smaller ones count as 0
# values of β to try
POINTS = (
    "0.00123",
    "0.6180339887",
    "1.3247179572",
    "2.5029078750",
    "7.3890560989",
    "41.421356237",
    "1618.0339887",
    "1234567.8",
)
IDENTITY_BITS = 600  # precision for a zero that the algebra does not find

Matrix = Any  # sympy's dense matrices, mutable or not; sympy ships no types for them


def logits(keys: Sequence[Matrix], query: Matrix) -> list[Any]:
    """kᵢ·q for each key, as sympy expressions: keys and query are columns (d, 1)."""
    return [key.dot(query) for key in keys]


def softmax_of(logits: Sequence[Any]) -> list[Any]:
    """exp(xᵢ) / Σₙ exp(xₙ), exact."""
    exponentials = [sympy.exp(logit) for logit in logits]
    total = sympy.Add(*exponentials)
    return [exponential / total for exponential in exponentials]


def attention_weights(keys: Sequence[Matrix], query: Matrix) -> Matrix:
    """The exact weights exp(kᵢ·q) / Σₙ exp(kₙ·q), as a column (n, 1).

    >>> list(attention_weights(standard_basis(2), BETA * standard_basis(2)[0]))
    [exp(beta)/(exp(beta) + 1), 1/(exp(beta) + 1)]
    """
    return sympy.Matrix(softmax_of(logits(keys, query)))  # (n, 1)


def self_attention_weights(inputs: Sequence[Matrix], query_matrix: Matrix, key_matrix: Matrix) -> Matrix:
    """The exact weights of self-attention, (T, T): row t for the query W_Q x_t on the keys W_K x₀ ….

    The inputs are columns (d, 1). W_Q and W_K come in this order and have shape (r, d), for any r.

    >>> self_attention_weights(standard_basis(2), sympy.zeros(2), sympy.eye(2)).tolist()
    [[1/2, 1/2], [1/2, 1/2]]
    """
    keys = [key_matrix * x for x in inputs]
    return sympy.Matrix([list(attention_weights(keys, query_matrix * x)) for x in inputs])


def self_attention(
    inputs: Sequence[Matrix], query_matrix: Matrix, key_matrix: Matrix, value_matrix: Matrix
) -> list[Matrix]:
    """The outputs c_t = Σᵢ α_ti W_V xᵢ, columns: one for each of the inputs (d, 1).

    >>> list(self_attention(standard_basis(2), sympy.zeros(2), sympy.eye(2), sympy.eye(2))[0])
    [1/2, 1/2]
    """
    weights = self_attention_weights(inputs, query_matrix, key_matrix)
    values = sympy.Matrix.hstack(*(value_matrix * x for x in inputs))  # (d, n)
    return [values * weights[i, :].T for i in range(len(inputs))]


def standard_basis(dimension: int) -> list[Matrix]:
    """The unit vectors e₁ … e_d as columns (d, 1).

    >>> list(standard_basis(2)[1])
    [0, 1]
    """
    return [sympy.eye(dimension)[:, i] for i in range(dimension)]


def orthonormal_frame(count: int, dimension: int, rng: random.Random) -> list[Matrix]:
    """`count` ≤ `dimension` random orthonormal rational columns (d, 1), no unit vector eᵢ for d ≥ 3.

    The product of two reflections I − 2vvᵀ/(v·v) in planes with small whole-number normals v.

    >>> first, second = orthonormal_frame(2, 3, random.Random(0))
    >>> first.dot(second), first.dot(first)
    (0, 1)
    """
    if not 0 < count <= dimension:
        raise ValueError(f"{count} orthonormal vectors do not fit into {dimension} dimensions")
    while True:
        rows = [[Fraction(int(i == j)) for j in range(dimension)] for i in range(dimension)]
        for _ in range(2):
            normal = [rng.choice((-2, -1, 1, 2)) for _ in range(dimension)]
            length = sum(x * x for x in normal)
            for row in rows:
                along = Fraction(2 * sum(a * b for a, b in zip(row, normal, strict=True)), length)
                row[:] = [a - along * b for a, b in zip(row, normal, strict=True)]
        if dimension < 3 or all(sum(x != 0 for x in row) > 1 for row in rows[:count]):
            return [
                sympy.Matrix([sympy.Rational(x.numerator, x.denominator) for x in row])
                for row in rows[:count]
            ]


def scores(keys: Sequence[Matrix], query: Matrix) -> list[Score]:
    """The logits kᵢ·q of a query (d, 1) for keys (d, 1) made of numbers, as their terms."""
    entries = [terms_of(entry) for entry in query.flat()]
    collected: list[Score] = []
    for key in keys:
        terms: Score = {}
        for factor, entry in zip(key.flat(), entries, strict=True):
            for term, (coefficient, scale) in entry.items():
                add(terms, term, factor * coefficient, abs(number(factor)) * scale)
        collected.append(terms)
    return collected


def image(matrix: Matrix, vector: Matrix) -> list[Score]:
    """matrix · vector, each entry as its terms: equal ones collected, those that cancel removed."""
    entries = [list(terms_of(entry).items()) for entry in vector.flat()]
    images: list[Score] = []
    for row in range(matrix.shape[0]):
        collected: Score = {}
        for column, factors in enumerate(entries):
            if factors and matrix[row, column] != 0:
                add_products(collected, terms_of(matrix[row, column]).items(), factors)
        images.append({term: part for term, part in collected.items() if not cancelled(*part)})
    return images


def product_of(matrix: Matrix, vector: Matrix) -> Matrix:
    """matrix · vector as a column, without rounding errors that should cancel: 1e-17·exp(β) is not small."""
    return sympy.Matrix([difference(entry, {}) for entry in image(matrix, vector)])


def projected_scores(
    inputs: Sequence[Matrix], query_matrix: Matrix, key_matrix: Matrix, row: int
) -> list[Score]:
    """The logits (W_Q x_row)·(W_K xⱼ) for each j, as terms; matrices (r, d), inputs (d, 1)."""
    query = image(query_matrix, inputs[row])
    logits: list[Score] = []
    for x in inputs:
        key, collected = image(key_matrix, x), Score()
        many = sum(len(left) * len(right) for left, right in zip(key, query, strict=True)) > MAX_PRODUCTS
        for left, right in zip(key, query, strict=True):
            first, second = (as_one(left), as_one(right)) if many else (left, right)
            add_products(collected, first.items(), list(second.items()))
        logits.append(collected)
    return logits


def limit_gaps(logits: Sequence[Score], beta: sympy.Symbol, first: int = 0) -> tuple[Any, ...] | None:
    """The limit of each logit minus a leading one as β → ∞: a finite mpf, or -inf.

    `logits` come from `scores` or `terms_of`. The leader (gap 0) is a logit such that no difference to it
    tends to +∞, and all have limits; `first` is tried first. The other logits may oscillate relative to each
    other. None if there is no such leader, or if it is not decided.
    """
    for leader in (first, *(i for i in range(len(logits)) if i != first)):
        gaps: list[Any] = []
        for logit in logits:
            gaps.append(_gap(logit, logits[leader], beta))
            if gaps[-1] is None or gaps[-1] == mp.inf:
                break
        else:
            return tuple(gaps)
    return None


def limit_weights(logits: Sequence[Score], beta: sympy.Symbol) -> tuple[float, ...] | None:
    """The limits of softmax(logits) as β → ∞, accurate to 1e-9; None where there are none, or undecided."""
    gaps = limit_gaps(logits, beta)
    if gaps is None:
        return None
    shares = [mp.exp(gap - max(gaps)) for gap in gaps]
    return tuple(float(share / mp.fsum(shares)) for share in shares)


def takes_all(logits: Sequence[Score], winner: int, beta: sympy.Symbol) -> bool | None:
    """Whether the weight of logit `winner` tends to 1: its margins tend to ∞. None: not decided.

    The other logits may oscillate relative to each other.
    """
    margins = [_gap(logits[winner], logit, beta) for i, logit in enumerate(logits) if i != winner]
    if any(margin is not None and margin < mp.inf for margin in margins):
        return False
    return None if None in margins else True


def _gap(left: Score, right: Score, beta: sympy.Symbol) -> Any:
    """The limit of left − right, or None."""
    try:
        rest = squares_reduced(for_large(difference(left, right), beta))
        limit = limit_at_infinity(rest, beta)
        return limit_at_infinity(over_one_line(rest), beta) if limit is None else limit
    except (ArithmeticError, ValueError, TypeError, AttributeError, RecursionError):
        return None


def dies_out(
    logits: Sequence[Score], winner: int, distances: Sequence[Matrix], beta: sympy.Symbol
) -> bool | None:
    """Whether Σⱼ αⱼ·distanceⱼ → 0, if no logit's margin over `winner` tends to ∞. None: not decided.

    The weight of the winner is bounded below, so α may be replaced by exp(logitⱼ − logit_winner).
    """
    powers = [sympy.exp(difference(logit, logits[winner])) for logit in logits]
    try:
        for entry in range(distances[0].shape[0]):
            parts = [power * distance[entry, 0] for power, distance in zip(powers, distances, strict=True)]
            if all(limit_at_infinity(part, beta) == 0 for part in parts):
                continue
            limit = limit_at_infinity(sympy.Add(*parts), beta)  # they may cancel
            if limit is None or abs(limit) > LIMIT_ERROR:
                return None if limit is None else False
    except (ArithmeticError, ValueError, TypeError, AttributeError, RecursionError):
        return None
    return True


def vanishes(expression: Any, beta: sympy.Symbol, scale: Any = sympy.S.One) -> bool | None:
    """Whether a real expression is 0 for every β > 0, in any form; None if that is not decided.

    First by algebra. The rest is evaluated at several points to 180 digits, where an identity gives 0 at all
    of them. In an expression with decimal numbers, values ten digits smaller than `scale`, an expression in
    β, count as 0.
    """
    try:
        terms = terms_of(expression)
        rest = difference(terms, {})
        if rest == 0 or not rest.free_symbols <= {beta} or size(rest) > MAX_NODES:
            return True if rest == 0 else None
        snap = SNAP if expression.has(sympy.Float) else 0
        decided = [_zero_at(rest, beta, mp.mpf(point), scale, snap) for point in POINTS]
    except (ArithmeticError, ValueError, TypeError, AttributeError, NotImplementedError, RecursionError):
        return None
    if False in decided:
        return False
    return True if decided.count(True) >= 3 else None


def _zero_at(expression: Any, beta: sympy.Symbol, point: Any, scale: Any, snap: float) -> bool | None:
    evaluator = Evaluator(beta)
    try:
        value, error = evaluator.at(expression, point, IDENTITY_BITS)
        parts = [
            evaluator.at(part, point, IDENTITY_BITS)[0] for part in (scale, *sympy.Add.make_args(expression))
        ]
    except (NoValue, OutOfBudget):
        return None
    size_of_parts = mp.fsum(abs(part) for part in parts)
    if abs(value) > max(mp.ldexp(1, error), snap * size_of_parts):
        return False
    return True if error <= mp.mag(size_of_parts) - IDENTITY_BITS // 3 else None


def outside_hull(
    direction: Matrix, points: Sequence[Matrix], target: Matrix, beta: sympy.Symbol
) -> int | None:
    """None if w·target > w·point for every point and β tried: the target is outside the hull.

    Else the index of a point with w·point ≥ w·target. Raises ValueError if w cannot be evaluated.
    """
    for index, point in enumerate(points):
        ahead = sum(
            (a * b for a, b in zip(direction.flat(), (target - point).flat(), strict=True)), sympy.S.Zero
        )
        if vanishes(ahead, beta):
            return index
        for at in POINTS:
            value = value_at(ahead, beta, float(at))
            if value is None:
                raise ValueError("the direction cannot be evaluated")
            if value <= 0:
                return index
    return None


def limit_ratio(expression: Any, expected: Any, beta: sympy.Symbol) -> float | None:
    """The limit of expression / expected as β → ∞ (1 where they have the same leading order), or None."""
    try:
        terms = [coefficient * term / expected for term, (coefficient, _) in terms_of(expression).items()]
        ratio = limit_at_infinity(sympy.Add(*terms), beta)
        return None if ratio is None else float(ratio)
    except (ArithmeticError, ValueError, TypeError, AttributeError, RecursionError):
        return None
