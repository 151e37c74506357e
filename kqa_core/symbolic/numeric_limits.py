"""The limit of an expression as β → ∞ from its values, if the algebra of limits does not determine it.

- The expression is evaluated at β = φ·2^x on three scales, x growing like 2^(2^m), like 2^m and like m. The
  fastest scale with accurate values decides: steps that shrink by a fifth or more each time have a limit;
  other steps have none.
- Every value has a bound on its error. If terms cancel, the precision is increased; if that is not enough,
  the value is missing but never wrong.
- The budget counts operations and not time, so an expression has the same result on any machine. Over the
  budget, nothing is decided.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import sympy
from mpmath import mp  # type: ignore[import-untyped] # mpmath ships no types

BUDGET = 30_000.0  # work for one limit, in additions at 1,000 bits: under half a second
# cost of an exponential or a logarithm, in additions; measured; it grows with the digits
TRANSCENDENTAL = 20.0
SLOW = 500.0  # the same for the error function and for gamma
MAX_SLOW = 1_000  # bits up to which these are computed: beyond, a single value can take ten seconds
# bits of |x| up to which exp(x) is computed: beyond, its exponent alone would be too long a number
GUARD = 4_500
GUARD_PERIODIC = 2_000  # the same for sin(x), whose argument is reduced by as many digits of π
PRECISION, MAX_PRECISION = 1_000, 12_000  # bits to begin with, and at most
SCALES: tuple[tuple[int, ...], ...] = (
    tuple(2 ** (2**m) for m in range(1, 12)),  # x: from step to step log(log(β)) doubles
    tuple(2**m for m in range(2, 12)),  # log(β) doubles; β up to 2^2048
    tuple(range(2, 13)),  # β doubles, up to 6628
)
ENOUGH = 6  # values on a scale to decide by
SHRINKS = 0.8
CLOSE = 2.0**-40  # to 1e-12: values so close to each other are one limit


class NoValue(Exception):
    """The expression cannot be evaluated here: too large an exponential, not real, an unknown function."""


class OutOfBudget(Exception):
    """The work exceeds the budget."""


class Evaluator:
    """Evaluates expressions at values of β with a bound on the error, and counts the work.

    A result is (value, e): the true value lies within 2^e of it. The bounds are first order, with a few bits
    to spare.
    """

    def __init__(self, beta: sympy.Symbol) -> None:
        self.beta = beta
        self.spent = 0.0

    def at(self, expression: Any, point: Any, precision: int) -> tuple[Any, int]:
        """Value and error at β = `point`. Raises NoValue, or OutOfBudget over the budget."""
        with mp.workprec(precision):
            return self._value(expression, point, precision, {})

    def _value(
        self, expression: Any, point: Any, precision: int, seen: dict[Any, tuple[Any, int]]
    ) -> tuple[Any, int]:
        if expression in seen:
            return seen[expression]
        kind = type(expression)
        if kind in _SLOW and precision > MAX_SLOW:
            raise NoValue
        if kind in _CHEAP or not expression.args:
            self.spent += 1.0
        else:
            self.spent += (SLOW if kind in _SLOW else TRANSCENDENTAL) * (precision / PRECISION) ** 1.8
        if self.spent > BUDGET:
            raise OutOfBudget
        error = _EXACT
        if expression == self.beta:
            value = point
        elif expression.is_Rational:
            value = rational(expression)
        elif expression.is_Float:
            value = mp.mpf(expression._mpf_)
        elif expression in _CONSTANTS:
            value = +_CONSTANTS[expression]
        elif kind in _FUNCTIONS:
            parts = [self._value(part, point, precision, seen) for part in expression.args]
            if kind is sympy.Pow:
                value, error = _power_value(expression.exp, *parts)
            else:
                function, propagate = _FUNCTIONS[kind]
                try:
                    value = function(*(part[0] for part in parts))
                except (ArithmeticError, ValueError):  # a pole
                    raise NoValue from None
                error = propagate(value, parts)
        else:
            raise NoValue
        if not isinstance(value, mp.mpf) or not mp.isfinite(value):
            raise NoValue
        error = max(error, _mag(value) - precision) + 2
        seen[expression] = value, error
        return value, error


# the error of a number that is exact, as an exponent of 2: below that of any value here
_EXACT = -(2**10_000)
_CHEAP = {sympy.Add, sympy.Mul, sympy.Abs, sympy.Max, sympy.Min, sympy.sign}
_SLOW = {sympy.erf, sympy.gamma, sympy.factorial, sympy.loggamma}


def _mag(value: Any) -> int:
    """An e with |value| ≤ 2^e; for 0 a very small one."""
    return int(mp.mag(value)) if value else _EXACT


def rational(expression: Any) -> Any:
    """A rational number of sympy's as one of mpmath's."""
    return mp.mpf(int(expression.p)) / int(expression.q)


def _relative(value: Any, error: int) -> int:
    """The error relative to the value, as an exponent of 2. Raises NoValue for a value that may be zero."""
    if not value or error >= _mag(value) - 1:
        raise NoValue
    return error - _mag(value) + 1


def _small(function: Callable[[Any], Any], bits: int = GUARD) -> Callable[[Any], Any]:
    """`function` for arguments below 2^bits with a known fraction: else mpmath might not terminate."""

    def guarded(x: Any) -> Any:
        if _mag(x) > min(bits, int(mp.prec)):
            raise NoValue
        return function(x)

    return guarded


def _power_value(exponent: Any, base: tuple[Any, int], power: tuple[Any, int]) -> tuple[Any, int]:
    """base^power; `exponent` is the expression, which must be an integer if the base is not positive."""
    value, error = base
    if exponent.is_Integer and abs(int(exponent)) <= 2**20:
        if not value:
            raise NoValue  # at the points used, an exact zero is an accident of rounding
        result = value ** int(exponent)
        return result, _mag(result) + _relative(value, error) + int(exponent).bit_length()
    if value <= 0:
        raise NoValue
    if exponent.is_Rational and max(abs(int(exponent.p)), int(exponent.q)) <= 64:
        result = mp.root(value, int(exponent.q)) ** int(exponent.p)
        return result, _mag(result) + _relative(value, error) + 6
    logarithm = mp.log(value)
    product = power[0] * logarithm
    parts = [power, (logarithm, max(_relative(value, error), _mag(logarithm) - int(mp.prec)))]
    spread = max(_of_product(product, parts), _mag(product) - int(mp.prec)) + 2
    result = _exp_value(product)
    return result, _like_exp(result, [(product, spread)])


def _widest(value: Any, parts: list[tuple[Any, int]]) -> int:
    """The error of sums, and of functions with slopes of at most 1: at most n times the largest error."""
    return max(error for _, error in parts) + len(parts).bit_length()


def _of_extreme(value: Any, parts: list[tuple[Any, int]]) -> int:
    """The error of a maximum or minimum: only parts that may be the extreme one count."""
    return max(error for part, error in parts if abs(part - value) <= mp.ldexp(2, error)) + 1


def _of_product(value: Any, parts: list[tuple[Any, int]]) -> int:
    errors = []
    for number, (_, error) in enumerate(parts):  # one factor's error times the size of the others
        errors.append(
            error + sum(max(_mag(part), spread) for k, (part, spread) in enumerate(parts) if k != number)
        )
    return max(errors) + len(parts).bit_length()


def _like_exp(value: Any, parts: list[tuple[Any, int]]) -> int:
    """The error of exponentials: a small absolute error of x is a relative error of exp(x)."""
    if parts[0][1] > -2:
        raise NoValue
    return _mag(value) + parts[0][1] + 2


_exp_value = _small(mp.exp)
_CONSTANTS: dict[Any, Any] = {sympy.pi: mp.pi, sympy.E: mp.e, sympy.EulerGamma: mp.euler}
_FUNCTIONS: dict[Any, Any] = {
    sympy.Add: (lambda *terms: mp.fsum(terms), _widest),
    sympy.Mul: (lambda *factors: mp.fprod(factors), _of_product),
    sympy.Pow: (None, None),  # see _power_value
    sympy.exp: (_exp_value, _like_exp),
    # of a negative number: not real, refused by the caller
    sympy.log: (mp.log, lambda value, parts: _relative(*parts[0]) + 1),
    sympy.sinh: (
        _small(mp.sinh),
        lambda value, parts: _like_exp(mp.cosh(value) if abs(value) < 1 else value, parts),
    ),
    sympy.cosh: (_small(mp.cosh), _like_exp),
    sympy.gamma: (_small(mp.gamma, 13), lambda value, parts: _like_exp(value, parts) + 4),
    sympy.factorial: (_small(mp.factorial, 13), lambda value, parts: _like_exp(value, parts) + 4),
    sympy.loggamma: (_small(mp.loggamma, 13), lambda value, parts: parts[0][1] + 4),
    sympy.sin: (_small(mp.sin, GUARD_PERIODIC), _widest),
    sympy.cos: (_small(mp.cos, GUARD_PERIODIC), _widest),
    sympy.tanh: (_small(mp.tanh), _widest),
    sympy.erf: (_small(mp.erf), lambda value, parts: _widest(value, parts) + 1),
    sympy.asinh: (mp.asinh, _widest),
    sympy.atan: (mp.atan, _widest),
    sympy.Abs: (abs, _widest),
    sympy.Max: (max, _of_extreme),
    sympy.Min: (min, _of_extreme),
}


def judged(expression: Any, beta: sympy.Symbol) -> Any:
    """The limit from the values on the fastest scale that decides it, or None."""
    evaluator = Evaluator(beta)
    try:
        for exponents in SCALES:
            values = _values(expression, evaluator, exponents)
            limit = _trend(values) if len(values) >= ENOUGH else None
            if limit is not None:
                return limit
    except OutOfBudget:
        pass
    return None


def _values(expression: Any, evaluator: Evaluator, exponents: tuple[int, ...]) -> list[Any]:
    """The values at φ·2^x for x in `exponents`, from the first to the last accurate one."""
    with mp.workprec(GUARD):
        factor = +mp.phi  # no whole number and no fraction of π, so that sin(π·β) shows what it does
    values: list[Any] = []
    for exponent in exponents:
        value = _exact_enough(expression, evaluator, factor, exponent)
        if value is not None:
            values.append(value)
        elif values:
            break
    return values


def _exact_enough(expression: Any, evaluator: Evaluator, factor: Any, exponent: int) -> Any:
    with mp.workprec(GUARD):
        point = mp.ldexp(factor, exponent)
    precision = PRECISION
    while precision <= MAX_PRECISION:
        try:
            value, error = evaluator.at(expression, point, precision)
            missing = error + 120 - max(_mag(value), -40)
        except NoValue:
            missing = precision  # what looks like a pole or a zero may be cancellation
        if missing <= 0:
            return value
        precision = max(precision + missing, 3 * precision)
    return None


def _trend(values: list[Any]) -> Any:
    """The values' limit: finite if steps tend to 0, infinite if they do not shrink, None if unclear."""
    with mp.workprec(PRECISION):
        tail = values[-ENOUGH:]
        last = tail[-1]
        if all(abs(value - last) <= CLOSE * max(abs(last), 1) for value in tail[-3:]):
            return mp.zero if abs(last) <= 2 * CLOSE else last
        steps = [after - before for before, after in itertools.pairwise(tail)]
        signs = {int(mp.sign(step)) for step in steps}
        if len(signs) != 1 or 0 in signs:
            return None
        ratios = [after / before for before, after in itertools.pairwise(steps)]
        if all(ratio >= SHRINKS for ratio in ratios):
            return signs.pop() * mp.inf
        if all(ratio < SHRINKS for ratio in ratios) and abs(steps[-1]) * 4 <= 1e-9 * max(abs(last), 1):
            return last
        return None
