"""Whether two results of an answer count as the same: numbers within a tolerance scaled by their dtype."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from kqa_core.check.answer import AnswerFailed, Handle
from kqa_core.check.value_kinds import Numbers, known

SINGLE = float(np.finfo(np.float32).eps)


def same_behaviour(a: object, b: object) -> bool:
    """Whether two results are the same.

    A list equals a tuple of the same items; numbers are equal across Python, numpy, 0-d tensors and sympy;
    nan equals nan. Python floats that come from float32 are compared as such: another machine may differ in
    the seventh digit. Tensors and arrays need the same shape and kind of dtype (float, integer, bool,
    complex); two failures need the same kind.
    """
    if isinstance(a, AnswerFailed) or isinstance(b, AnswerFailed):
        return type(a) is type(b) and getattr(a, "kind", None) == getattr(b, "kind", None)
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(same_behaviour(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same_behaviour(a[key], b[key]) for key in a)
    if isinstance(a, Handle) and isinstance(b, Handle):
        return a.type_name == b.type_name
    for kind in known():
        verdict = kind.same(a, b)
        if verdict is not None:
            return verdict
    if type(a) in (int, Fraction) and type(b) in (int, Fraction):
        return a == b
    left, right = _numbers(a), _numbers(b)
    if left is not None and right is not None:
        return _same_numbers(left, right, single=_is_single(a) and _is_single(b))
    if type(a) is type(b) and isinstance(a, (str, bool, set, frozenset, type(None))):
        return bool(a == b)
    return False


def _is_single(value: object) -> bool:
    """Whether a Python float comes from float32: it has that type's few digits, and is not a count."""
    return (
        type(value) is float
        and abs(value) < 1e38
        and not value.is_integer()
        and float(np.float32(value)) == value
    )


def _numbers(value: Any) -> Numbers | None:
    """A number, an array or a tensor in numpy's widest dtype of the same kind; None for anything else."""
    for kind in known():
        numbers = kind.numbers(value)
        if numbers is not None:
            return numbers
    if type(value) is int:
        if abs(value) < 2**63:
            return Numbers(np.asarray(value, np.int64), "int", 0.0)
        value = float(value) if abs(value) < 2**1000 else math.inf if value > 0 else -math.inf
    if type(value) is Fraction:
        value = value.numerator / value.denominator
    if type(value) not in (float, complex) and not isinstance(value, (np.ndarray, np.generic)):
        return None
    array = np.asarray(value)
    letter, size = array.dtype.kind, array.dtype.itemsize
    if letter == "b":
        return Numbers(array.astype(np.int64), "bool", 0.0)
    if letter == "i" or (letter == "u" and size < 8):
        return Numbers(array.astype(np.int64), "int", 0.0)
    if letter == "u":  # numpy has no wider whole numbers
        return Numbers(array.astype(np.float64), "float", float(np.finfo(np.float64).eps))
    if letter == "f":
        return Numbers(array.astype(np.float64), "float", float(np.finfo(array.dtype).eps))
    if letter == "c":
        return Numbers(array.astype(np.complex128), "complex", float(np.finfo(array.dtype).eps))
    return None


def _same_numbers(left: Numbers, right: Numbers, single: bool) -> bool:
    """Equal whole numbers and bools; others within the tolerance. `single`: both come from float32."""
    if left.array.shape != right.array.shape:
        return False
    kinds = (left.kind, right.kind)
    loose = left.array.ndim == 0  # a count may be 3 or 3.0
    if left.kind != right.kind and (not loose or "bool" in kinds):
        return False
    # The coarser dtype sets the tolerance, down to float32: a dtype that is coarser still may not make an
    # answer equal to a finer one. Algebra in another order differs by far less than the square root of its
    # precision.
    coarse, fine = max(left.precision, right.precision), min(left.precision, right.precision)
    precision = SINGLE if single else min(coarse, max(fine, SINGLE))
    if precision == 0.0:
        return bool(np.array_equal(left.array, right.array))
    wide = np.complex128 if "complex" in kinds else np.float64
    x, y = left.array.astype(wide), right.array.astype(wide)
    with np.errstate(all="ignore"):
        finite = np.abs(x[np.isfinite(x)])  # (number of finite entries,)
        scale = float(finite.max()) if finite.size else 0.0
        tolerance = 0.4 * math.sqrt(precision)  # float64: 6e-9; float32: 1.4e-4; bfloat16: 0.035
        return bool(np.allclose(x, y, rtol=tolerance, atol=tolerance * max(scale, 1e-12), equal_nan=True))
