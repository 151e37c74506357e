"""Attention in sympy: exact weights, their limits as β → ∞, and how fast they get there.

- `logits` and `attention_weights` are the equation for one query: the weight on value i is exp(kᵢ·q) / Σₙ exp(kₙ·q).
- `limit_weights` compares orders of growth: only differences of logits count, and where the difference of two grows without
  bound the smaller one's weight vanishes. Nothing here calls sympy's `limit` (see `kqa_core.asymptotics`).
- Differences are collected term by term with exact coefficients, so that β − β is 0 however it was written. Coefficients that
  are decimal numbers cancel where they agree to ten digits.
- `orthonormal_frame` draws rational orthonormal vectors, so everything stays exact away from the standard basis too.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import sympy
from mpmath import mp  # type: ignore[import-untyped] # mpmath ships no types

from kqa_core.asymptotics import MAX_NODES, limit_at_infinity, size

BETA = sympy.Symbol("beta", positive=True)  # what the exercises pass as `beta`
MAX_TERMS = 400  # of an expression that is multiplied out
SNAP = 1e-10  # relative: decimal coefficients that cancel to less are zero

Matrix = Any  # sympy's dense matrices, mutable or not; sympy ships no types for them
Score = dict[Any, tuple[Any, Any]]  # a logit: {term: (coefficient, size of what was added up)}


def logits(keys: Sequence[Matrix], query: Matrix) -> list[Any]:
    """kᵢ·q for each key, as sympy expressions: keys and query are columns (d, 1)."""
    return [key.dot(query) for key in keys]


def softmax_of(logits: Sequence[Any]) -> list[Any]:
    """exp(xᵢ) / Σₙ exp(xₙ), exact."""
    exponentials = [sympy.exp(logit) for logit in logits]
    total = sympy.Add(*exponentials)
    return [exponential / total for exponential in exponentials]


def attention_weights(keys: Sequence[Matrix], query: Matrix) -> Matrix:
    """The exact weights exp(kᵢ·q) / Σₙ exp(kₙ·q), as a column (n, 1)."""
    return sympy.Matrix(softmax_of(logits(keys, query)))  # (n, 1)


def attend(keys: Sequence[Matrix], values: Sequence[Matrix], query: Matrix) -> Matrix:
    """The output c = Σᵢ αᵢ vᵢ, a column of the values' length."""
    weights = attention_weights(keys, query)
    return sum((weights[i] * value for i, value in enumerate(values)), sympy.zeros(*values[0].shape))


def standard_basis(dimension: int) -> list[Matrix]:
    """The unit vectors e₁ … e_d as columns (d, 1)."""
    return [sympy.eye(dimension)[:, i] for i in range(dimension)]


def orthonormal_frame(count: int, dimension: int, rng: random.Random) -> list[Matrix]:
    """`count` ≤ `dimension` random orthonormal columns (d, 1) with rational entries, none of them a unit vector eᵢ for d ≥ 3.

    The product of two reflections I − 2vvᵀ/(v·v) in planes with small whole-number normals v.
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
            return [sympy.Matrix([sympy.Rational(x.numerator, x.denominator) for x in row]) for row in rows[:count]]


def terms_of(expression: Any) -> Score:
    """A logit as its terms, multiplied out where that is cheap: {term: (coefficient, size of what was added up)}."""
    if _terms(expression) <= MAX_TERMS and size(expression) <= MAX_NODES:
        expression = sympy.expand(expression)
    terms: Score = {}
    for part in sympy.Add.make_args(expression):
        coefficient, term = part.as_coeff_Mul()
        _add(terms, term, coefficient, abs(_number(coefficient)))
    return terms


def scores(keys: Sequence[Matrix], query: Matrix) -> list[Score]:
    """The logits kᵢ·q of a query (d, 1) for keys (d, 1) made of numbers, as their terms."""
    entries = [terms_of(entry) for entry in query.flat()]
    collected: list[Score] = []
    for key in keys:
        terms: Score = {}
        for number, entry in zip(key.flat(), entries, strict=True):
            for term, (coefficient, scale) in entry.items():
                _add(terms, term, number * coefficient, abs(_number(number)) * scale)
        collected.append(terms)
    return collected


def difference(left: Score, right: Score) -> Any:
    """left − right as an expression, in which equal terms have cancelled."""
    terms = dict(left)
    for term, (coefficient, scale) in right.items():
        _add(terms, term, -coefficient, scale)
    return sympy.Add(*(coefficient * term for term, (coefficient, scale) in terms.items() if not _cancelled(coefficient, scale)))


def _number(coefficient: Any) -> Any:
    """A number of sympy's as an mpf, which cannot overflow."""
    return mp.mpf(int(coefficient.p)) / int(coefficient.q) if coefficient.is_Rational else mp.mpf(sympy.Float(coefficient)._mpf_)


def _add(terms: Score, term: Any, coefficient: Any, scale: Any) -> None:
    before, scale_before = terms.get(term, (sympy.S.Zero, mp.zero))
    terms[term] = before + coefficient, scale_before + scale


def _cancelled(coefficient: Any, scale: Any) -> bool:
    return bool(coefficient == 0 or (coefficient.is_Float and abs(_number(coefficient)) <= SNAP * scale))


def limit_gaps(logits: Sequence[Score], beta: sympy.Symbol) -> tuple[Any, ...] | None:
    """Where each logit ends up as β → ∞, measured from a leading one: a finite mpf, or -inf where it falls behind for good.

    `logits` come from `scores` or `terms_of`. The leader (gap 0) is the first of those that none leaves behind. None where a
    difference has no limit, or it is not decided.
    """
    try:
        leader = 0
        for rival in range(1, len(logits)):
            gap = limit_at_infinity(difference(logits[rival], logits[leader]), beta)
            if gap is None:
                return None
            if gap == mp.inf:
                leader = rival
        gaps = tuple(limit_at_infinity(difference(logit, logits[leader]), beta) for logit in logits)
        return None if any(gap is None or gap == mp.inf for gap in gaps) else gaps
    except (ArithmeticError, ValueError, TypeError, AttributeError, RecursionError):
        return None


def limit_weights(logits: Sequence[Score], beta: sympy.Symbol) -> tuple[float, ...] | None:
    """The limits of softmax(logits) as β → ∞, good to 1e-9; None where they have none, or it is not decided."""
    gaps = limit_gaps(logits, beta)
    if gaps is None:
        return None
    shares = [mp.exp(gap - max(gaps)) for gap in gaps]
    return tuple(float(share / mp.fsum(shares)) for share in shares)


def limit_ratio(expression: Any, expected: Any, beta: sympy.Symbol) -> float | None:
    """The limit of expression / expected as β → ∞ (1 where they have the same leading order), or None."""
    try:
        terms = [coefficient * term / expected for term, (coefficient, _) in terms_of(expression).items()]
        ratio = limit_at_infinity(sympy.Add(*terms), beta)
        return None if ratio is None else float(ratio)
    except (ArithmeticError, ValueError, TypeError, AttributeError, RecursionError):
        return None


def _terms(expression: Any) -> float:
    """How many terms the expression has once multiplied out; an upper bound, and large for high powers of sums."""
    if expression.is_Add:
        return sum(_terms(part) for part in expression.args)
    if expression.is_Mul:
        product = 1.0
        for part in expression.args:
            product = min(product * _terms(part), 1e9)
        return product
    if expression.is_Pow and expression.exp.is_Integer and expression.base.is_Add:
        power = abs(int(expression.exp))
        return 1e9 if power > 12 else min(_terms(expression.base) ** power, 1e9)
    return max([1.0, *(_terms(part) for part in expression.args)])
