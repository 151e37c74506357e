"""The limit of an expression as β → ∞, without computer algebra that might not terminate.

- First the algebra of limits (this file), which is exact: the limit of a sum, product, power, exponential or
  logarithm follows from the limits of its parts, unless that is ∞ − ∞, 0·∞, 1^∞ or similar. It works for
  log(log(β)) as well as for β².
- An expression with sin(x) or cos(x) of a growing x has a limit only if it has one and the same at every
  angle in place of x.
- If that is undetermined (β² − β, log(1 + e^β) − β), `kqa_core.symbolic.numeric_limits` decides from values.

Not decided (None): oscillating expressions; limits behind an ∞ − ∞ with convergence as slow as
1/log(log(log(β))); expressions with Piecewise or with functions that are not on the lists.
"""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy
from mpmath import mp  # type: ignore[import-untyped] # mpmath ships no types

from kqa_core.symbolic.numeric_limits import GUARD, Evaluator, NoValue, OutOfBudget, judged, rational

MAX_NODES = 1_500  # of one expression
DIGITS_OF_LIMITS = 200  # bits
ANGLES = tuple(sympy.pi * eighth / 4 for eighth in range(8))  # in place of an argument that grows
MOST_ANGLES = 64  # sets of angles, if several arguments grow
SAME = 1e-9  # limits, which are accurate to this


@dataclass(frozen=True)
class _Side:
    """A limit in the algebra: an mpf or ±inf, and for 0 the side of approach (0: unknown or exact)."""

    value: Any
    side: int = 0


def limit_at_infinity(expression: Any, beta: sympy.Symbol) -> Any:
    """A real expression's limit as β → +∞: an mpf, `mp.inf`, `-mp.inf`, or None for none or undecided.

    Finite limits are accurate to 1e-9. It terminates and raises nothing: more than MAX_NODES nodes are not
    decided.
    """
    if (
        not isinstance(expression, sympy.Expr)
        or not expression.free_symbols <= {beta}
        or size(expression) > MAX_NODES
    ):
        return None
    return _limit(expression, beta)


# logits of orthonormal keys differ by the same few expressions again and again
@functools.lru_cache(maxsize=512)
def _limit(expression: Any, beta: sympy.Symbol) -> Any:
    try:
        known = _algebra(expression, beta, {})
        if known is not None:
            return known.value
        growing = _growing_angles(expression, beta)
        return _limit_at_all_angles(expression, beta, growing) if growing else judged(expression, beta)
    except (ArithmeticError, ValueError, TypeError, NotImplementedError, RecursionError, AttributeError):
        return None  # not decided if it can neither be decomposed nor evaluated


def _growing_angles(expression: Any, beta: sympy.Symbol) -> list[Any]:
    """The arguments of sin and cos in the expression that tend to ±∞."""
    found = {part.args[0] for part in expression.atoms(sympy.sin, sympy.cos) if part.has(beta)}
    growing = [angle for angle in found if _limit(angle, beta) in (mp.inf, -mp.inf)]
    return sorted(growing, key=sympy.default_sort_key)


def _limit_at_all_angles(expression: Any, beta: sympy.Symbol, growing: list[Any]) -> Any:
    """The limit with fixed angles in place of the growing ones, if it is the same for all of them."""
    count = len(growing)
    few = count <= 2
    rng = random.Random(0)
    sets = (
        itertools.product(ANGLES, repeat=count)
        if few
        else (rng.choices(ANGLES, k=count) for _ in range(MOST_ANGLES))
    )
    first: Any = None
    for angles in sets:
        pairs = zip(growing, angles, strict=True)
        fixed = {function(x): function(angle) for x, angle in pairs for function in (sympy.sin, sympy.cos)}
        limit = _limit(expression.xreplace(fixed), beta)
        first = limit if first is None else first
        if limit is None or not (limit == first or abs(limit - first) <= SAME):
            return None
    return first


def for_large(expression: Any, beta: sympy.Symbol) -> Any:
    """The expression with the case that holds for all large β in place of each Piecewise.

    >>> beta = sympy.Symbol("beta", positive=True)
    >>> for_large(sympy.Piecewise((0, beta < 3), (beta, True)), beta)
    beta
    """
    return expression.replace(
        lambda part: isinstance(part, sympy.Piecewise), lambda part: _last_case(part, beta)
    )


def _last_case(cases: Any, beta: sympy.Symbol) -> Any:
    for case, condition in cases.args:
        holds = _holds_at_last(condition, beta)
        if holds is None:
            return cases
        if holds:
            return case
    return cases


def _holds_at_last(condition: Any, beta: sympy.Symbol) -> bool | None:
    """Whether a comparison holds for all large β; None if that is not decided."""
    if condition in (sympy.true, sympy.false):
        return bool(condition)
    if not isinstance(condition, (sympy.Gt, sympy.Ge, sympy.Lt, sympy.Le)):
        return None
    lead = limit_at_infinity(condition.gts - condition.lts, beta)
    return None if lead is None or lead == 0 else bool(lead > 0)


def size(expression: Any) -> int:
    """The number of nodes of an expression, counted up to MAX_NODES + 1."""
    count = 0
    for _ in sympy.preorder_traversal(expression):
        count += 1
        if count > MAX_NODES:
            break
    return count


def _algebra(expression: Any, beta: sympy.Symbol, known: dict[Any, _Side | None]) -> _Side | None:
    """The limit from the limits of the parts; None if they do not determine it."""
    if expression not in known:
        with mp.workprec(DIGITS_OF_LIMITS):
            known[expression] = _from_parts(expression, beta, known)
    return known[expression]


def _from_parts(expression: Any, beta: sympy.Symbol, known: dict[Any, _Side | None]) -> _Side | None:
    if expression == beta:
        return _Side(mp.inf)
    if not expression.free_symbols:
        return _constant(expression, beta)
    kind = type(expression)
    if kind not in _RULES:
        return None
    parts = [_algebra(part, beta, known) for part in expression.args]
    limits = [part for part in parts if part is not None]
    if len(limits) < len(parts):
        return None
    if kind is sympy.Pow:
        return _power(expression, *limits)
    rule: Callable[..., _Side | None] = _RULES[kind]
    return rule(*limits)


def _constant(expression: Any, beta: sympy.Symbol) -> _Side | None:
    try:
        if expression.is_Rational:
            return _number(rational(expression))
        value, error = Evaluator(beta).at(expression, mp.one, 2 * DIGITS_OF_LIMITS)
    except (NoValue, OutOfBudget):
        return None
    if abs(value) <= mp.ldexp(1, error):  # zero, or too close to tell: its side is unknown
        return _Side(mp.zero)
    return _number(value)


def _number(value: Any) -> _Side:
    return _Side(mp.mpf(value), int(mp.sign(value)))


def _sum(*terms: _Side) -> _Side | None:
    infinite = {term.value for term in terms if mp.isinf(term.value)}
    if infinite:
        return _Side(infinite.pop()) if len(infinite) == 1 else None
    total, scale = mp.fsum(term.value for term in terms), max(abs(term.value) for term in terms)
    if abs(total) > scale * mp.mpf(2) ** -150:
        return _number(total)
    sides = {term.side for term in terms} if scale == 0 else {0}
    return _Side(mp.zero, sides.pop() if len(sides) == 1 else 0)


def _product(*factors: _Side) -> _Side | None:
    zero = any(factor.value == 0 for factor in factors)
    if zero and any(mp.isinf(factor.value) for factor in factors):
        return None
    sign = 1
    for factor in factors:
        sign *= int(mp.sign(factor.value)) or factor.side
    return _Side(mp.zero, sign) if zero else _Side(mp.fprod(factor.value for factor in factors), sign)


def _power(expression: Any, base: _Side, exponent: _Side) -> _Side | None:
    if expression.exp.is_Integer and (base.value < 0 or (base.value == 0 and base.side < 0)):
        flipped = _power(expression, _Side(-base.value, -base.side), exponent)
        odd = int(expression.exp) % 2 == 1
        return flipped if flipped is None or not odd else _Side(-flipped.value, -flipped.side)
    if base.value < 0 or (base.value == 0 and base.side <= 0):
        return None
    if base.value == 0:
        logarithm: Any = -mp.inf
    else:
        logarithm = mp.log(base.value)  # log(inf) is inf
    product = _product(exponent, _number(logarithm) if mp.isfinite(logarithm) else _Side(logarithm))
    return None if product is None else _exponential(product)


def _exponential(x: _Side) -> _Side | None:
    if x.value == -mp.inf:
        return _Side(mp.zero, 1)
    if x.value == mp.inf:
        return x
    return _Side(mp.exp(x.value), 1) if mp.mag(x.value) < GUARD else None


def _logarithm(x: _Side) -> _Side | None:
    if x.value == 0 and x.side > 0:
        return _Side(-mp.inf)
    if x.value > 0:
        return _Side(x.value) if mp.isinf(x.value) else _Side(mp.log(x.value))
    return None


def _bounded(function: Callable[[Any], Any], top: Callable[[], Any]) -> Callable[[_Side], _Side | None]:
    """An odd continuous function that tends to ±top."""

    def rule(x: _Side) -> _Side | None:
        if mp.isinf(x.value):
            return _Side(mp.sign(x.value) * top())
        return _Side(function(x.value), x.side)

    return rule


def _odd(function: Callable[[Any], Any]) -> Callable[[_Side], _Side | None]:
    """An odd continuous function that grows without bound."""
    return lambda x: (
        x if mp.isinf(x.value) else (_Side(function(x.value), x.side) if mp.mag(x.value) < GUARD else None)
    )


def _cosh(x: _Side) -> _Side | None:
    if mp.isinf(x.value):
        return _Side(mp.inf)
    return _number(mp.cosh(x.value)) if mp.mag(x.value) < GUARD else None


def _periodic(function: Callable[[Any], Any]) -> Callable[[_Side], _Side | None]:
    return lambda x: None if mp.isinf(x.value) or mp.mag(x.value) > GUARD else _Side(function(x.value))


_RULES: dict[Any, Any] = {
    sympy.Add: _sum,
    sympy.Mul: _product,
    sympy.Pow: None,  # needs the expression: an integer exponent allows a negative base
    sympy.exp: _exponential,
    sympy.log: _logarithm,
    sympy.sinh: _odd(mp.sinh),
    sympy.asinh: _odd(mp.asinh),
    sympy.cosh: _cosh,
    sympy.tanh: _bounded(mp.tanh, lambda: mp.one),
    sympy.erf: _bounded(mp.erf, lambda: mp.one),
    sympy.atan: _bounded(mp.atan, lambda: mp.pi / 2),
    sympy.sin: _periodic(mp.sin),
    sympy.cos: _periodic(mp.cos),
    sympy.Abs: lambda x: _Side(abs(x.value), abs(x.side)),
    sympy.Max: lambda *xs: _Side(max(x.value for x in xs)),
    sympy.Min: lambda *xs: _Side(min(x.value for x in xs)),
    **dict.fromkeys(  # only the limit at +∞ is implemented
        (
            sympy.gamma,
            sympy.factorial,
            sympy.loggamma,
            sympy.floor,
            sympy.ceiling,
            sympy.acosh,
            sympy.LambertW,
        ),
        lambda x: x if x.value == mp.inf else None,
    ),
}


def value_at(expression: Any, symbol: sympy.Symbol, value: float) -> float | None:
    """A real expression's value at `symbol` = `value`; None for none, or none accurate to ten digits."""
    if (
        not isinstance(expression, sympy.Expr)
        or not expression.free_symbols <= {symbol}
        or size(expression) > MAX_NODES
    ):
        return None
    try:
        number, error = Evaluator(symbol).at(expression, mp.mpf(value), 2 * DIGITS_OF_LIMITS)
        return float(number) if error <= mp.mag(number) - 34 or error < -100 else None
    except (NoValue, OutOfBudget, ArithmeticError, ValueError, TypeError, RecursionError, AttributeError):
        return None
