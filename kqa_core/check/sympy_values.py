"""sympy's expressions and matrices as values: as trees and back (`sympy_codec`), compared at random points.

Nothing is simplified, printed as code or parsed.
"""

from __future__ import annotations

import importlib
import math
import random
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import mpmath  # type: ignore[import-untyped] # mpmath ships no types
import numpy as np
import sympy

from kqa_core.check import sympy_codec
from kqa_core.check.codec_errors import Malformed, TooLarge
from kqa_core.check.value_kinds import Reader, ValueKind, Writer

POINTS = 3  # random points at which two expressions are compared
MAX_COMPARED = 3_000  # nodes of the largest expression that is evaluated


def _read_sympy(reader: Reader, rest: list[Any]) -> Any:
    (tree,) = rest
    try:
        return sympy_codec.rebuild(tree)
    except sympy_codec.TreeError as error:
        raise Malformed(str(error)) from None


class SympyValues(ValueKind):
    """Expressions, truth values and explicit matrices. A Fraction arrives as a sympy Rational, sympy's Tuple
    as a tuple, and a product or sum of matrices that is not carried out, such as `MatMul(A, x)`, as a matrix.
    mpmath's numbers arrive as sympy's.
    """

    package = "sympy"
    readers = MappingProxyType({"sympy": _read_sympy})

    def before_fork(self) -> None:
        """Import what sympy imports when it first adds or differentiates."""
        for name in ("sympy.tensor.tensor", "sympy.sets.setexpr", "sympy.assumptions.wrapper"):
            importlib.import_module(name)

    def write(self, value: Any, writer: Writer, depth: int) -> object | None:
        """Its tree. An expression with a node that is not on the list is no value."""
        if type(value) is Fraction:
            return writer.node(sympy.Rational(value.numerator, value.denominator), depth)
        if type(value) is sympy.Tuple:
            return writer.node(value.args, depth + 1)
        if isinstance(value, mpmath.mpf):
            value = sympy.sympify(value)
        if isinstance(value, sympy.MatrixExpr) and not isinstance(value, sympy.MatrixBase):
            value = _explicit(value)
        if not sympy_codec.is_symbolic(value):
            return None
        try:
            return ["sympy", sympy_codec.flatten(value)]
        except sympy_codec.NoTree:
            return None
        except sympy_codec.TreeError as error:
            raise TooLarge(str(error)) from None

    def same(self, a: object, b: object) -> bool | None:
        """Matrices entry by entry; expressions with expressions and with numbers."""
        if isinstance(a, sympy.MatrixBase) and isinstance(b, sympy.MatrixBase):
            return bool(a.shape == b.shape) and all(
                _same_expression(x, y) for x, y in zip(a.flat(), b.flat(), strict=True)
            )
        if _is_sympy(a) or _is_sympy(b):
            comparable = all(_is_sympy(value) or _is_number(value) for value in (a, b))
            return comparable and _same_expression(a, b)
        return None

    def real(self, value: Any) -> float | None:
        """Of a real number that sympy can evaluate."""
        if not isinstance(value, sympy.Expr) or isinstance(value, sympy.MatrixBase):
            return None
        if not (value.is_number and value.is_real):
            return None
        try:
            return float(value)
        except (OverflowError, TypeError, ValueError):
            return math.inf


def _explicit(value: Any) -> object | None:
    """The matrix that a matrix expression stands for; None if its size is not known, or too large."""
    sides = [int(side) for side in value.shape if isinstance(side, (int, sympy.Integer))]
    if len(sides) < 2 or math.prod(sides) > sympy_codec.MAX_NODES:
        return None
    try:
        explicit: object = value.as_explicit()
    except Exception:  # sympy raises errors of many kinds
        return None
    return explicit


def _is_sympy(value: object) -> bool:
    return isinstance(value, sympy.Basic) and not isinstance(value, sympy.MatrixBase)


def _is_number(value: object) -> bool:
    return type(value) in (int, float, complex, Fraction) or (
        isinstance(value, np.number) and value.ndim == 0
    )


def _same_expression(a: Any, b: Any) -> bool:
    """Equal as trees, or equal at `POINTS` random points that suit the symbols' assumptions."""
    try:
        left, right = sympy.sympify(_plain(a), strict=True), sympy.sympify(_plain(b), strict=True)
        if left == right:
            return True
        if not isinstance(left, sympy.Expr) or not isinstance(right, sympy.Expr):
            return False
        nodes = sum(1 for tree in (left, right) for _ in sympy.preorder_traversal(tree))
        if nodes > MAX_COMPARED:
            return False
        names = sorted(left.free_symbols | right.free_symbols, key=sympy.default_sort_key)
        rng = random.Random(len(names))
        return all(_same_at(left, right, {name: _point(name, rng) for name in names}) for _ in range(POINTS))
    except (TypeError, ValueError, ArithmeticError, AttributeError, NotImplementedError, RecursionError):
        return False  # if sympy cannot evaluate them, nothing shows that they are the same


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _point(symbol: Any, rng: random.Random) -> Any:
    if symbol.is_integer:
        return sympy.Integer(rng.randint(3, 40))
    if symbol.is_nonnegative or symbol.is_real is None:
        return sympy.Rational(rng.randint(300, 2900), 1000)
    sign = -1 if symbol.is_nonpositive or rng.random() < 0.5 else 1
    return sympy.Rational(sign * rng.randint(300, 2900), 1000)


def _same_at(left: Any, right: Any, point: dict[Any, Any]) -> bool:
    x, y = (complex(tree.evalf(20, subs=point, maxn=60)) for tree in (left, right))
    if x == y or (math.isnan(abs(x)) and math.isnan(abs(y))):
        return True
    return math.isfinite(abs(x - y)) and abs(x - y) <= 1e-9 * max(abs(x), abs(y))


KIND = SympyValues()
