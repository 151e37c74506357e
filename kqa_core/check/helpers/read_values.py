"""Read an answer's result as a plain number or text,
or raise NotYet with the kind of value that was expected.

- Every helper takes the value and the student's name for it, and raises `NotYet` if the value is of another
  kind.
- A number may be Python's, numpy's or torch's (with one element), because averaging with numpy is not a
  mistake.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from kqa_core.check.answer import Handle
from kqa_core.check.exercise import NotYet
from kqa_core.check.value_kinds import known
from kqa_core.errors import with_article


def kind_of(value: object) -> str:
    """The name of a value in a sentence: "a list", "nothing (None)", "an object of type Path"."""
    if value is None:
        return "nothing (None): is there a return?"
    if isinstance(value, Handle):
        return f"an object of type {value.type_name}"
    if isinstance(value, np.ndarray):
        return f"an array of shape {tuple(value.shape)}"
    words = (kind.described(value) for kind in known())
    return next(filter(None, words), None) or with_article(type(value).__name__)


def number(value: object, what: str) -> float:
    """`value` as a finite float. Raises NotYet unless it is a finite real number."""
    real = _real(value)
    if real is None:
        raise NotYet(f"{what} must be a number; yours is {kind_of(value)}")
    if not math.isfinite(real):
        raise NotYet(f"{what} must be a finite number; yours is {real}")
    return real


def _real(value: object) -> float | None:
    """A real number, or the one element of an array, as a float; None for anything else."""
    if type(value) is float:
        return value
    if isinstance(value, int | Fraction) and type(value) is not bool:
        try:
            return float(value)
        except OverflowError:
            return math.inf
    if isinstance(value, np.ndarray | np.generic):
        return float(value.item()) if np.size(value) == 1 and value.dtype.kind in "iuf" else None
    return next((real for kind in known() if (real := kind.real(value)) is not None), None)


def fraction(value: object, what: str) -> float:
    """`value` as a float in [0, 1]. Raises NotYet unless it is such a number."""
    real = number(value, what)
    if not 0.0 <= real <= 1.0:
        raise NotYet(f"{what} must lie between 0 and 1; yours is {real:g}")
    return real


def text(value: object, what: str) -> str:
    """`value` as a str. Raises NotYet unless it is one."""
    if type(value) is not str:
        raise NotYet(f"{what} must be a str; yours is {kind_of(value)}")
    return value


def truth(value: object, what: str) -> bool:
    """`value` as a bool (numpy's and torch's count too). Raises NotYet unless it is one."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    for kind in known():
        if (one := kind.truth(value)) is not None:
            return one
    raise NotYet(f"{what} must be True or False; yours is {kind_of(value)}")


def told(wanted: float, found: float, digits: int = 4) -> tuple[str, str]:
    """Both numbers as text, for a sentence about a wrong result: with `digits` significant digits, or with as
    many as it takes (up to 12) until they differ. "0.4167; yours is 0.4167" would tell nobody what is wrong.
    More digits are kept if they are zeros: 0.13880, beside 0.13883, must not be read as a rounded 0.1388. The
    distance follows then, "0.13883 (off by 3e-05)", so that nobody looks for another way of printing.
    """
    first = f"{wanted:.{digits}g}", f"{found:.{digits}g}"
    longer = [
        (f"{wanted:#.{count}g}".rstrip("."), f"{found:#.{count}g}".rstrip("."))
        for count in range(digits + 1, 13)
    ]
    if first[0] != first[1]:
        return first
    one, other = next((pair for pair in longer if pair[0] != pair[1]), first)
    return (one, other) if one == other else (one, f"{other} (off by {abs(found - wanted):.0e})")
