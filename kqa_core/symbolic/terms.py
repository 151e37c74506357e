"""An expression as a collection of terms with exact coefficients, so that equal terms cancel in any form.

- `terms_of` multiplies out and collects terms; `difference` is the difference of two collections as an
  expression.
- Decimal coefficients cancel if they agree to ten digits of what was added. A decimal number that differs
  from a simple fraction only by rounding counts as that fraction.
- An expression with too many terms is not multiplied out: it stays one term, and its values in high precision
  decide.
- `squares_reduced` and `over_one_line` apply transformations that a limit may need: identities of cos and
  cosh, and a common denominator.
"""

from __future__ import annotations

import functools
import itertools
from fractions import Fraction
from typing import Any

import sympy
from mpmath import mp  # type: ignore[import-untyped] # mpmath ships no types

from kqa_core.symbolic.limits import MAX_NODES, size

MAX_TERMS = 400  # of an expression that is multiplied out
MAX_POWER = 12  # of cos and cosh, rewritten by their squares
SNAP = 1e-10  # relative: decimal coefficients that cancel to less are zero
# decimals so near a fraction with such a denominator are that fraction
ROUNDING, DENOMINATOR, LARGE = 1e-13, 10_000, 1e15

Score = dict[Any, tuple[Any, Any]]  # {term: (coefficient, size of what was added up)}


def terms_of(expression: Any) -> Score:
    """A logit as terms, multiplied out if cheap: {term: (coefficient, size of what was added)}."""
    return dict(_terms_of(expression))


@functools.lru_cache(maxsize=1024)  # an entry of a matrix meets every token, as a key and as a query
def _terms_of(expression: Any) -> Score:
    if _terms(expression) <= MAX_TERMS and size(expression) <= MAX_NODES:
        expression = sympy.expand(expression)
    terms: Score = {}
    for part in sympy.Add.make_args(expression):
        coefficient, term = sympy.Mul(
            *(_plain_fraction(factor) for factor in sympy.Mul.make_args(part))
        ).as_coeff_Mul()
        add(terms, term, coefficient, abs(number(coefficient)))
    return terms


def _plain_fraction(factor: Any) -> Any:
    """1/(45β² + 45β) as 1/45 · 1/(β(β + 1)): so that every denominator has one form."""
    if factor.is_Pow and factor.base.is_Add and factor.exp.is_Integer and factor.exp < 0:
        return sympy.factor_terms(factor.base) ** factor.exp
    return factor


def difference(left: Score, right: Score) -> Any:
    """left − right as an expression, in which equal terms have cancelled."""
    terms = dict(left)
    for term, (coefficient, scale) in right.items():
        add(terms, term, -coefficient, scale)
    remaining = {term: part for term, part in terms.items() if not cancelled(*part)}
    return sympy.Add(*(_exact(*part) * term for term, part in remaining.items()))


def _exact(coefficient: Any, scale: Any) -> Any:
    """A decimal that differs from a simple fraction only by rounding, as that: 0.9999999999999998 is 1.

    Else 1·√(β² + 1) − 0.9999999999999998·β would grow.
    """
    if not coefficient.is_Float or scale > LARGE:
        return coefficient
    near = Fraction(float(coefficient)).limit_denominator(DENOMINATOR)
    fraction = sympy.Rational(near.numerator, near.denominator)
    return fraction if abs(number(coefficient) - number(fraction)) <= ROUNDING * scale else coefficient


def as_one(terms: Score) -> Score:
    """The same with its sum as the only term, for products that are too long to be multiplied out."""
    whole = difference(terms, {})
    return {} if whole == 0 else {whole: (sympy.S.One, mp.one)}


def add_products(collected: Score, left: Any, right: Any) -> None:
    """Add (sum of left) · (sum of right) to the terms."""
    for (term, (a, scale_a)), (other, (b, scale_b)) in itertools.product(left, right):
        product = term * other
        if product.is_Add and _terms(product) <= MAX_TERMS:  # such as √(1 + β) times itself
            for part, (c, scale_c) in terms_of(product).items():
                add(collected, part, a * b * c, scale_a * scale_b * scale_c)
        else:
            c, part = product.as_coeff_Mul()
            add(collected, part, a * b * c, scale_a * scale_b * abs(number(c)))


def number(coefficient: Any) -> Any:
    """A sympy number as an mpf, which cannot overflow."""
    return (
        mp.mpf(int(coefficient.p)) / int(coefficient.q)
        if coefficient.is_Rational
        else mp.mpf(sympy.Float(coefficient)._mpf_)
    )


def add(terms: Score, term: Any, coefficient: Any, scale: Any) -> None:
    """Add coefficient · term; `scale` is the size of the numbers that add up to the coefficient."""
    before, scale_before = terms.get(term, (sympy.S.Zero, mp.zero))
    terms[term] = before + coefficient, scale_before + scale


def cancelled(coefficient: Any, scale: Any) -> bool:
    """Whether a coefficient is 0, or a decimal number that is only a rounding error."""
    return bool(coefficient == 0 or (coefficient.is_Float and abs(number(coefficient)) <= SNAP * scale))


def squares_reduced(expression: Any) -> Any:
    """Apply cos² = 1 − sin² and cosh² = 1 + sinh², so that cosh² − sinh² is exactly 1."""

    def even_power(part: Any) -> bool:
        squared = part.is_Pow and type(part.base) in _SQUARES and part.exp.is_Integer
        return bool(squared and 2 <= part.exp <= MAX_POWER)

    if not any(even_power(part) for part in sympy.preorder_traversal(expression)):
        return expression
    reduced = expression.replace(
        even_power, lambda p: _SQUARES[type(p.base)](p.base) ** (p.exp // 2) * p.base ** (p.exp % 2)
    )
    return difference(terms_of(reduced), {})


def over_one_line(expression: Any) -> Any:
    """A sum of fractions over their common denominator; unchanged if that would be long, or without any.

    So β·e^β/(β + 3) + 3e^β/(β + 3) − e^β, which is 0, and which no value could tell from something that dies
    out slowly.
    """
    parts = sympy.Add.make_args(expression)
    below: dict[Any, int] = {}
    for factor in itertools.chain.from_iterable(sympy.Mul.make_args(part) for part in parts):
        if factor.is_Pow and factor.base.is_Add and factor.exp.is_Integer and factor.exp < 0:
            below[factor.base] = max(below.get(factor.base, 0), -int(factor.exp))
    line = sympy.Mul(*(base**power for base, power in below.items()))
    if not below or sum(_terms(part * line) for part in parts) > MAX_TERMS:
        return expression
    above: Score = {}
    for part in parts:
        for term, (coefficient, scale) in terms_of(part * line).items():
            add(above, term, coefficient, scale)
    return sympy.Add(*(part / line for part in sympy.Add.make_args(difference(above, {}))))


_SQUARES: dict[Any, Any] = {
    sympy.cos: lambda function: 1 - sympy.sin(function.args[0]) ** 2,
    sympy.cosh: lambda function: 1 + sympy.sinh(function.args[0]) ** 2,
}


def _terms(expression: Any) -> float:
    """How many terms the expression has once multiplied out: an upper bound, large for powers."""
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
