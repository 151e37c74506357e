"""Read an expression with Gaussian distributions from an answer, and evaluate it in high precision.

- A distribution can be written in many ways: with erf or erfc, as a density under an integral sign, by cases,
  in decimals. Sympy simplifies and integrates none of them here: two expressions are compared by their values
  at points, in 40 digits and in 90.
- Objects that cannot be sent as a value (`Integral`, `erf2`, `polar_lift`) stay handles. Their parts are read
  one by one and put together here, unevaluated. An integral is a number at each point, computed by mpmath's
  quadrature.
- Intermediate values may be complex (log of a negative number), but the result must be real.
- Work is counted, not timed: nothing is decided beyond the budget, and an expression gets the same verdict on
  any machine.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sympy
from mpmath import mp  # type: ignore[import-untyped] # mpmath ships no types

from kqa_core.check.answer import Answer, Handle
from kqa_core.check.exercise import NotYet, expect
from kqa_core.check.sympy_codec import FUNCTIONS, NoTree, flatten, rebuild
from kqa_core.exercise_helpers.queries import kind_of

BUDGET = 800_000.0  # work for one expression at all its points, in additions: one to two seconds
COST, COST_OF_ROOT = 20.0, 2_000.0  # of a function, and of one that is found by solving an equation
DIGITS = (40, 90, 300)  # tried in turn until two agree
QUADRATURE_DIGITS = 17  # for an expression with an integral, whose error mpmath estimates
# of two precisions: decimals in an answer are exact in both, so only cancellation can make them differ
AGREE = 1e-14
MAX_PARTS = 60  # of an expression that is read part by part
MAX_NODES = 400  # of an expression around an integral
GUARD = 40  # bits of |x| up to which a function of x is computed
GUARD_GAMMA = 13


class _NoValue(Exception):
    """The expression has no value here, or none that can be computed."""


class Values:
    """The values of one expression at several points, on one budget."""

    def __init__(self, expression: Any) -> None:
        self.expression = expression
        self._integral = bool(expression.has(sympy.Integral))
        self._spent = 0.0

    def at(self, point: Mapping[Any, Any]) -> Any:
        """The value (mpf or mpc) if each symbol has its rational value in `point`; None if there is none."""
        before: Any = None
        try:
            for digits in (QUADRATURE_DIGITS,) if self._integral else DIGITS:
                with mp.workdps(digits):
                    numbers = {symbol: mp.mpf(int(x.p)) / int(x.q) for symbol, x in point.items()}
                    value = self._value(self.expression, numbers)
                    if not mp.isfinite(value):
                        return None
                    if self._integral or (
                        before is not None and abs(value - before) <= AGREE * max(1, abs(value))
                    ):
                        return value
                    before = value
        except (
            _NoValue,
            ArithmeticError,
            ValueError,
            TypeError,
            AttributeError,
            RecursionError,
            NotImplementedError,
        ):
            return None
        return None

    def _value(self, node: Any, numbers: Mapping[Any, Any]) -> Any:
        kind = type(node)
        if kind in _CHEAP or not node.args:
            self._spent += 1.0
        else:
            self._spent += (COST_OF_ROOT if kind in (sympy.erfinv, sympy.erfcinv) else COST) * max(
                1.0, mp.dps / DIGITS[0]
            )
        if self._spent > BUDGET:
            raise _NoValue
        if node in numbers:
            return numbers[node]
        if node.is_Rational:
            return mp.mpf(int(node.p)) / int(node.q)
        if node.is_Float:
            return mp.mpf(node._mpf_)
        if node in _CONSTANTS:
            return +_CONSTANTS[node]
        if kind is sympy.Integral:
            return self._integrate(node, numbers)
        if kind is sympy.Piecewise:
            for branch, condition in node.args:
                if self._holds(condition, numbers):
                    return self._value(branch, numbers)
            raise _NoValue
        if kind not in _FUNCTIONS:
            raise _NoValue
        parts = [self._value(part, numbers) for part in node.args]
        if kind in _GROWING and any(part and mp.mag(part) > GUARD for part in parts):
            if kind is sympy.exp and mp.re(parts[0]) < 0 and mp.mag(mp.im(parts[0])) < GUARD:
                return mp.zero  # far out in the tail of a density
            raise _NoValue
        return _FUNCTIONS[kind](*parts)

    def _holds(self, condition: Any, numbers: Mapping[Any, Any]) -> bool:
        if condition in (sympy.true, sympy.false):
            return bool(condition)
        kind = type(condition)
        if kind in _LOGIC:
            return _LOGIC[kind]([self._holds(part, numbers) for part in condition.args])
        if kind in _RELATIONS:
            left, right = (_as_real(self._value(part, numbers)) for part in condition.args)
            return bool(_RELATIONS[kind](left, right))
        raise _NoValue

    def _integrate(self, node: Any, numbers: Mapping[Any, Any]) -> Any:
        if len(node.limits) != 1 or len(node.limits[0]) != 3:
            raise _NoValue
        variable, *ends = node.limits[0]
        if variable in numbers:
            raise _NoValue
        low, high = (self._end(end, numbers) for end in ends)
        found, error = mp.quad(
            lambda x: self._value(node.function, {**numbers, variable: x}), _pieces(low, high), error=True
        )
        if error > 1e-12 * max(1, abs(found)):
            raise _NoValue
        return found

    def _end(self, end: Any, numbers: Mapping[Any, Any]) -> Any:
        if end in (sympy.oo, -sympy.oo):
            return mp.inf if end == sympy.oo else -mp.inf
        return _as_real(self._value(end, numbers))


def read_expression(answer: Answer, result: object, symbols: Sequence[sympy.Symbol], name: str) -> Any:
    """`result` as an expression in `symbols`; NotYet says what is wrong."""
    listed = " and ".join(str(symbol) for symbol in symbols)
    expression = _Reader(answer, name).read(result)
    single = isinstance(expression, sympy.Expr) and not isinstance(expression, sympy.MatrixBase)
    wanted = f"an expression in {listed}" if symbols else "a number, as a sympy expression"
    expect(single, f"{name} must be {wanted}; yours is {kind_of(result)}")
    strange = sorted(str(symbol) for symbol in expression.free_symbols - set(symbols))
    if strange and strange[0] in {str(symbol) for symbol in symbols}:
        raise NotYet(f"{name} contains a symbol {strange[0]} that is not the argument {strange[0]}")
    if strange:
        raise NotYet(f"{name} contains the symbol {strange[0][:30]}: it must be {wanted}")
    return expression


class _Reader:
    """Puts an expression together from values and handles."""

    def __init__(self, answer: Answer, name: str) -> None:
        self._answer, self._name, self._left = answer, name, MAX_PARTS

    def read(self, result: object) -> Any:
        if isinstance(result, Handle):
            return self._rebuilt(result)
        if type(result) in (int, float):
            return sympy.sympify(result)
        return result

    def _rebuilt(self, handle: Handle) -> Any:
        kind = handle.type_name
        self._left -= 1
        if self._left < 0:
            raise NotYet(
                f"{self._name} is too long an expression to judge: call .doit() on it, or write it in a"
                " simpler form"
            )
        if kind == "Lambda":
            raise NotYet(
                f"{self._name} must be an expression; yours is a function: call it with the value it is"
                " wanted at"
            )
        if kind not in _BUILDERS:
            again = (
                ": call .doit() on it"
                if kind in ("Probability", "Expectation", "Subs", "Limit", "Sum")
                else ""
            )
            raise NotYet(f"{self._name} must be an expression; yours is or holds {kind_of(handle)}{again}")
        args = self._answer.attribute(handle, "args")
        parts = [self.read(arg) for arg in args] if isinstance(args, tuple) and len(args) <= MAX_PARTS else []
        try:
            return _built(kind, parts)
        except Exception:  # sympy raises errors of many kinds
            raise NotYet(
                f"{self._name} must be an expression; yours cannot be read: write it in a simpler form"
            ) from None


def _built(kind: str, parts: list[Any]) -> Any:
    """The node of these parts. Numbers are built under the codec's limits,
    so that all of them can be printed.
    """
    if kind == "polar_lift":  # of a positive number, because probabilities are asked for at positive points
        (part,) = parts
        return part
    if kind in FUNCTIONS and all(_crosses(part) for part in parts):
        return rebuild([kind, *(flatten(part) for part in parts)])
    if sum(1 for part in parts for _ in sympy.preorder_traversal(part)) > MAX_NODES:
        raise ValueError("too large")
    return _UNEVALUATED[kind](*parts)


def _crosses(part: Any) -> bool:
    try:
        flatten(part)
        return True
    except NoTree:
        return False


def _pieces(low: Any, high: Any) -> list[Any]:
    """The interval, cut where a density of moderate mean and spread is large,
    so that quadrature does not miss it.
    """
    inner = [mp.mpf(cut) for cut in (-20, -6, -2, 0, 1, 2, 4, 8, 22) if min(low, high) < cut < max(low, high)]
    return [low, *(inner if low < high else reversed(inner)), high]


def _real(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *xs: function(*(_as_real(x) for x in xs))


def _as_real(x: Any) -> Any:
    """The real part of a number, if its imaginary part is only rounding."""
    if isinstance(x, mp.mpf):
        return x
    if abs(x.imag) > max(1, abs(x)) * mp.ldexp(mp.eps, 40):
        raise _NoValue
    return x.real


def _small(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def guarded(x: Any) -> Any:
        if x and mp.mag(x) > GUARD_GAMMA:
            raise _NoValue
        return function(x)

    return guarded


def _power(base: Any, exponent: Any) -> Any:
    if (
        base
        and exponent
        and mp.mag(exponent) + max(mp.mag(mp.log(abs(base))) if abs(base) != 1 else 0, 0) > GUARD
    ):
        raise _NoValue
    return mp.power(base, exponent)


_CHEAP = {sympy.Add, sympy.Mul, sympy.Abs, sympy.Max, sympy.Min, sympy.sign, sympy.Heaviside}
_CONSTANTS: dict[Any, Any] = {
    sympy.pi: mp.pi,
    sympy.E: mp.e,
    sympy.I: mp.mpc(0, 1),
    sympy.EulerGamma: mp.euler,
}
_FUNCTIONS: dict[Any, Callable[..., Any]] = {
    sympy.Add: lambda *terms: mp.fsum(terms),
    sympy.Mul: lambda *factors: mp.fprod(factors),
    sympy.Pow: _power,
    sympy.Abs: abs,
    sympy.Max: _real(max),
    sympy.Min: _real(min),
    sympy.sign: _real(mp.sign),
    sympy.Heaviside: _real(lambda x, *middle: mp.mpf(x > 0) if x else (*middle, mp.mpf(0.5))[0]),
    sympy.floor: _real(mp.floor),
    sympy.ceiling: _real(mp.ceil),
    sympy.erf2: lambda x, y: mp.erf(y) - mp.erf(x),
    sympy.erfinv: _real(mp.erfinv),
    sympy.erfcinv: _real(lambda x: mp.erfinv(1 - x)),
    sympy.atan2: _real(mp.atan2),
    sympy.arg: mp.arg,
    sympy.conjugate: mp.conj,
    sympy.gamma: _small(mp.gamma),
    sympy.loggamma: _small(mp.loggamma),
    sympy.factorial: _small(mp.factorial),
    **{getattr(sympy, name): getattr(mp, name) for name in ("exp", "log", "erf", "erfc", "erfi", "re", "im")},
    **{
        getattr(sympy, name): getattr(mp, name)
        for name in ("sin", "cos", "tan", "cot", "sec", "csc", "asin", "acos", "atan")
    },
    **{getattr(sympy, name): getattr(mp, name) for name in ("sinh", "cosh", "tanh", "coth", "sech", "csch")},
    **{getattr(sympy, name): getattr(mp, name) for name in ("asinh", "acosh", "atanh", "acoth", "acot")},
}
_GROWING = {
    getattr(sympy, name) for name in ("exp", "erfi", "sinh", "cosh", "sin", "cos", "tan", "cot", "sec", "csc")
}
_LOGIC: dict[Any, Callable[[list[bool]], bool]] = {
    sympy.And: all,
    sympy.Or: any,
    sympy.Not: lambda parts: not parts[0],
}
_RELATIONS: dict[Any, Callable[[Any, Any], Any]] = {
    sympy.Eq: operator.eq,
    sympy.Ne: operator.ne,
    sympy.Lt: operator.lt,
    sympy.Le: operator.le,
    sympy.Gt: operator.gt,
    sympy.Ge: operator.ge,
}
# what sympy builds around an integral without trying to work it out
_UNEVALUATED: dict[str, Callable[..., Any]] = {
    **{name: FUNCTIONS[name] for name in ("Add", "Mul", "Pow", "exp", "log", "erf", "erfc", "Tuple")},
    "Integral": sympy.Integral,
    "erf2": sympy.erf2,
    "acoth": sympy.acoth,
}
_BUILDERS = {*FUNCTIONS, *_UNEVALUATED, "polar_lift"}
