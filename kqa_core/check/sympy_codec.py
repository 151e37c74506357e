"""Sympy expressions as plain trees, and back.

- A tree is nested lists of strings and ints, so that it can be sent as JSON. It holds only the node types
  listed here; an expression with any other node (a `Sum`, a matrix expression, the student's own function) is
  not a value.
- Rebuilding evaluates, as sympy does whenever you write down an expression. Before a number is raised to a
  power the size of the result is estimated, and a power tower is refused, so that decoding never computes a
  number too large to print.
- A symbol's name is a word (`beta`, `k_{a,1}`). Without brackets, dots or quotes in it, an expression that is
  printed as code and run (`lambdify` does that) cannot call anything.
- Sparse matrices become dense ones of the same mutability, and an `UnevaluatedExpr` becomes what is in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import sympy
from mpmath import libmp  # type: ignore[import-untyped] # mpmath ships no types

MAX_NODES = 20_000
MAX_DEPTH = 100
# of one integer, and of the mantissa of one Float: about 4,200 digits, which Python still prints
MAX_BITS = 14_000
DOUBLE = 53  # bits; a Float of fewer arrives with so many, or all that is added to it would lose its digits
MAX_NAME = 200  # characters of a symbol's name
NAME = re.compile(r"\\?[^\W\d][\w{},^\\]*")
MAX_FACTORIAL = 1_000
MAX_EXPONENT = 2**17  # of a Float's binary exponent: a number of 40,000 digits, when it is made an integer
MAX_COMPARED = 64  # arguments of Min and Max, which sympy compares pair by pair


class TreeError(ValueError):
    """The tree is not one that `flatten` writes, or it exceeds a limit."""


class NoTree(Exception):
    """The object has a node that is not on the list: it cannot be sent as a value."""


CONSTANTS: dict[str, Any] = {
    "pi": sympy.pi,
    "E": sympy.E,
    "I": sympy.I,
    "oo": sympy.oo,
    "-oo": -sympy.oo,
    "zoo": sympy.zoo,
    "nan": sympy.nan,
    "EulerGamma": sympy.EulerGamma,
    "true": sympy.true,
    "false": sympy.false,
}
FUNCTIONS: dict[str, Any] = {
    function.__name__: function
    for function in (
        *(sympy.Add, sympy.Mul, sympy.Pow, sympy.exp, sympy.log, sympy.Abs, sympy.sign, sympy.Min, sympy.Max),
        *(sympy.sin, sympy.cos, sympy.tan, sympy.cot, sympy.sec, sympy.csc),
        *(sympy.asin, sympy.acos, sympy.atan, sympy.acot, sympy.atan2),
        *(sympy.sinh, sympy.cosh, sympy.tanh, sympy.coth, sympy.sech, sympy.csch),
        *(sympy.asinh, sympy.acosh, sympy.atanh),
        *(sympy.erf, sympy.erfc, sympy.erfi, sympy.erfinv, sympy.erfcinv),
        *(sympy.gamma, sympy.loggamma, sympy.factorial, sympy.binomial, sympy.LambertW),
        *(sympy.re, sympy.im, sympy.arg, sympy.conjugate, sympy.floor, sympy.ceiling, sympy.Heaviside),
        *(sympy.Eq, sympy.Ne, sympy.Lt, sympy.Le, sympy.Gt, sympy.Ge, sympy.And, sympy.Or, sympy.Not),
        *(sympy.Piecewise, sympy.functions.elementary.piecewise.ExprCondPair, sympy.Tuple),
    )
}
_NAME_OF_CONSTANT = {type(value): name for name, value in CONSTANTS.items()}
_NAME_OF_FUNCTION = {function: name for name, function in FUNCTIONS.items()}
_ASSUMPTIONS = frozenset(sympy.Symbol("x", positive=True).assumptions0) | frozenset(
    {
        "integer",
        "rational",
        "even",
        "odd",
        "prime",
        "composite",
        "algebraic",
        "transcendental",
        "irrational",
        "noninteger",
    }
)
_DENSE = (sympy.MutableDenseMatrix, sympy.ImmutableDenseMatrix)
_SPARSE = (sympy.MutableSparseMatrix, sympy.ImmutableSparseMatrix)


def is_symbolic(value: object) -> bool:
    """Whether `flatten` accepts the type: an expression, a sympy truth value, or an explicit matrix."""
    return isinstance(value, sympy.Basic) or type(value) in _DENSE or type(value) in _SPARSE


def flatten(value: Any) -> list[Any]:
    """The tree of a sympy object. Raises NoTree for a node not on the list, TreeError beyond a limit."""
    budget = [MAX_NODES]
    kind = type(value)
    if kind in _DENSE or kind in _SPARSE:
        rows, columns = (int(size) for size in value.shape)
        if rows * columns > MAX_NODES:
            raise TreeError(f"a {rows} × {columns} matrix is too large")
        mutable = 1 if kind in (_DENSE[0], _SPARSE[0]) else 0
        return ["Matrix", mutable, rows, columns, *(_flatten(entry, 1, budget) for entry in value.flat())]
    return _flatten(value, 0, budget)


def _integer(value: int) -> str:
    if value.bit_length() > MAX_BITS:
        raise TreeError(f"an integer of {value.bit_length()} bits is too large")
    return hex(value)


def _flatten(value: Any, depth: int, budget: list[int]) -> list[Any]:
    budget[0] -= 1
    if depth > MAX_DEPTH or budget[0] < 0:
        raise TreeError("the expression is too deep or too large")
    kind = type(value)
    if kind is sympy.UnevaluatedExpr:
        return _flatten(value.args[0], depth + 1, budget)
    if kind in _NAME_OF_CONSTANT:
        return [_NAME_OF_CONSTANT[kind]]
    if issubclass(kind, sympy.Integer):
        return ["Integer", _integer(int(value))]
    if issubclass(kind, sympy.Rational):
        return ["Rational", _integer(int(value.p)), _integer(int(value.q))]
    if kind is sympy.Float:
        sign, mantissa, exponent, bits = value._mpf_
        if value._prec > MAX_BITS or abs(int(exponent)) > MAX_EXPONENT or (bits == 0 and exponent != 0):
            raise TreeError("a Float is too large or too exact")
        return ["Float", hex(-int(mantissa) if sign else int(mantissa)), int(exponent), int(value._prec)]
    if kind is sympy.Symbol or kind is sympy.Dummy:
        if len(value.name) > MAX_NAME:
            raise TreeError("a symbol's name is too long")
        if not NAME.fullmatch(value.name):
            raise NoTree("a symbol whose name is not a word")
        known = sorted([name, int(truth)] for name, truth in value.assumptions0.items() if truth is not None)
        number = [int(value.dummy_index)] if kind is sympy.Dummy else []
        return [kind.__name__, str(value.name), known, *number]
    if kind in _NAME_OF_FUNCTION:
        return [_NAME_OF_FUNCTION[kind], *(_flatten(arg, depth + 1, budget) for arg in value.args)]
    raise NoTree(kind.__name__)


def rebuild(tree: object) -> Any:
    """The sympy object of a tree. Raises TreeError for anything `flatten` would not write."""
    budget = [MAX_NODES]
    if not isinstance(tree, list) or not tree:
        raise TreeError("an expression must be a list")
    try:
        if tree[0] == "Matrix":
            mutable, rows, columns = (_whole(item) for item in tree[1:4])
            if min(rows, columns) < 0 or rows * columns != len(tree) - 4 or mutable not in (0, 1):
                raise TreeError("a matrix must have rows × columns entries")
            entries = [_rebuild(entry, 1, budget) for entry in tree[4:]]
            return (_DENSE[0] if mutable else _DENSE[1])(rows, columns, entries)
        return _rebuild(tree, 0, budget)
    except TreeError:
        raise
    except Exception as error:  # sympy raises errors of many kinds; the caller sees one
        raise TreeError(f"sympy cannot build this expression ({type(error).__name__})") from None


def _whole(item: object) -> int:
    if type(item) is not int:
        raise TreeError("a size must be an integer")
    return item


def _read_integer(item: object) -> int:
    if type(item) is not str or len(item) > MAX_BITS // 4 + 3:
        raise TreeError("an integer must be a hexadecimal string within the cap")
    return int(item, 16)


def _rebuild(tree: object, depth: int, budget: list[int]) -> Any:
    budget[0] -= 1
    if depth > MAX_DEPTH or budget[0] < 0:
        raise TreeError("the expression is too deep or too large")
    if not isinstance(tree, list) or not tree or type(tree[0]) is not str:
        raise TreeError("a node must be a list that starts with its name")
    name, rest = tree[0], tree[1:]
    if name in CONSTANTS:
        if rest:
            raise TreeError("a constant takes nothing")
        return CONSTANTS[name]
    if name in _LEAVES:
        return _LEAVES[name](rest)
    if name in FUNCTIONS:
        args = [_rebuild(arg, depth + 1, budget) for arg in rest]
        _guard(name, args)
        made = FUNCTIONS[name](*args)
        if isinstance(made, sympy.Float) and made.is_finite and abs(int(made._mpf_[2])) > MAX_EXPONENT:
            # the next function of it would take as many bits
            raise TreeError("a Float is too large or too exact")
        return made
    raise TreeError("a node's name is not on the list")


def _leaf_rational(rest: list[object]) -> Any:
    numerator, denominator = (_read_integer(item) for item in rest)
    if denominator == 0:
        raise TreeError("a fraction has a zero below")
    return sympy.Rational(numerator, denominator)


def _leaf_float(rest: list[object]) -> Any:
    text, exponent, precision = rest
    mantissa, exponent, precision = _read_integer(text), _whole(exponent), _whole(precision)
    if not 1 <= precision <= MAX_BITS or abs(exponent) > MAX_EXPONENT:
        raise TreeError("a Float is too large or too exact")
    number = libmp.from_man_exp(mantissa, exponent, precision, "n")
    return sympy.Float._new(number, max(precision, DOUBLE), zero=False)


def _leaf_symbol(rest: list[object]) -> Any:
    name, known, *number = rest
    if (
        type(name) is not str
        or len(name) > MAX_NAME
        or not NAME.fullmatch(name)
        or type(known) is not list
        or len(known) > len(_ASSUMPTIONS)
    ):
        raise TreeError("a symbol must have a name and assumptions")
    assumptions = {}
    for assumption, truth in known:
        if assumption not in _ASSUMPTIONS or type(truth) is not int:
            raise TreeError("an assumption is not on the list")
        assumptions[assumption] = bool(truth)
    if number:
        (index,) = number
        return sympy.Dummy(name, dummy_index=_whole(index), **assumptions)
    return sympy.Symbol(name, **assumptions)


_LEAVES: dict[str, Callable[[list[object]], Any]] = {
    "Integer": lambda rest: sympy.Integer(_read_integer(*rest)),
    "Rational": _leaf_rational,
    "Float": _leaf_float,
    "Symbol": _leaf_symbol,
    "Dummy": _leaf_symbol,
}


def _guard(name: str, args: list[Any]) -> None:
    """Refuse a computation that sympy would start and never finish."""
    if name == "Pow":
        if len(args) != 2:
            raise TreeError("a power takes two arguments")
        base, exponent = args
        if isinstance(base, sympy.Rational) and isinstance(exponent, sympy.Rational):
            bits = max(int(base.p).bit_length(), int(base.q).bit_length())
            if bits > 1 and bits * abs(int(exponent.p)) > MAX_BITS * int(exponent.q):
                raise TreeError("a power is too large a number")
        if isinstance(base, sympy.Float) and isinstance(exponent, sympy.Rational) and abs(exponent) > 10**9:
            raise TreeError("a power is too large a number")
    elif name in ("factorial", "gamma", "loggamma", "binomial"):
        if any(isinstance(arg, sympy.Number) and arg.is_finite and abs(arg) > MAX_FACTORIAL for arg in args):
            raise TreeError("a factorial is too large a number")
    elif name in ("floor", "ceiling"):
        for arg in args:  # sympy computes every digit before the point
            number = sympy.Add(*(term for term in sympy.Add.make_args(arg) if not term.free_symbols))
            if not abs(number.evalf(2)) < 2**MAX_BITS:
                raise TreeError("the whole part of a number is too large")
    elif name in ("Min", "Max") and len(args) > MAX_COMPARED:
        raise TreeError("too many arguments to compare")
