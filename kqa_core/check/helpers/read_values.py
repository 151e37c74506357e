"""Read an answer's result as a plain number or text, or raise NotYet with the kind of value that was
expected.

- Every helper takes the value and the student's name for it, and raises `NotYet` if the value is of another
  kind.
- A number may be Python's, numpy's or torch's (with one element), because averaging with numpy is not a
  mistake.
"""

from __future__ import annotations

import math

import numpy as np
import sympy
import torch

from kqa_core.check.answer import Handle
from kqa_core.check.exercise import NotYet
from kqa_core.errors import with_article


def kind_of(value: object) -> str:
    """The name of a value in a sentence: "a list", "nothing (None)", "an object of type Path"."""
    if value is None:
        return "nothing (None): is there a return?"
    if isinstance(value, Handle):
        return f"an object of type {value.type_name}"
    if isinstance(value, (torch.Tensor, np.ndarray)):
        return (
            f"{'a tensor' if isinstance(value, torch.Tensor) else 'an array'} of shape {tuple(value.shape)}"
        )
    return with_article(type(value).__name__)


def number(value: object, what: str) -> float:
    """`value` as a finite float. Raises NotYet unless it is a finite real number."""
    found: float
    if type(value) in (int, float):
        found = _as_float(value)
    elif isinstance(value, (torch.Tensor, np.ndarray, np.generic)) and _single_real(value):
        found = float(value.item())
    elif (
        isinstance(value, sympy.Expr)
        and not isinstance(value, sympy.MatrixBase)
        and value.is_number
        and value.is_real
    ):
        found = _as_float(value)
    else:
        raise NotYet(f"{what} must be a number; yours is {kind_of(value)}")
    if not math.isfinite(found):
        raise NotYet(f"{what} must be a finite number; yours is {found}")
    return found


def _as_float(value: object) -> float:
    try:
        return float(value)  # type: ignore[arg-type]  # the caller has checked the type
    except (OverflowError, TypeError, ValueError):
        return math.inf


def _single_real(value: torch.Tensor | np.ndarray | np.generic) -> bool:
    if isinstance(value, torch.Tensor):
        return value.numel() == 1 and not value.is_complex() and value.dtype is not torch.bool
    return bool(np.size(value) == 1 and value.dtype.kind in "iuf")


def fraction(value: object, what: str) -> float:
    """`value` as a float in [0, 1]. Raises NotYet unless it is such a number."""
    found = number(value, what)
    if not 0.0 <= found <= 1.0:
        raise NotYet(f"{what} must lie between 0 and 1; yours is {found:g}")
    return found


def text(value: object, what: str) -> str:
    """`value` as a str. Raises NotYet unless it is one."""
    if type(value) is not str:
        raise NotYet(f"{what} must be a str; yours is {kind_of(value)}")
    return value


def truth(value: object, what: str) -> bool:
    """`value` as a bool (numpy's and torch's count too). Raises NotYet unless it is one."""
    if isinstance(value, torch.Tensor) and value.dtype is torch.bool and value.numel() == 1:
        return bool(value.item())
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    raise NotYet(f"{what} must be True or False; yours is {kind_of(value)}")


def told(wanted: float, found: float, digits: int = 4) -> tuple[str, str]:
    """Both numbers as text, for a sentence about a wrong result: with `digits` significant digits, or with as
    many as it takes (up to 12) until they differ. "0.4167; yours is 0.4167" would tell nobody what is wrong.
    """
    pairs = [(f"{wanted:.{count}g}", f"{found:.{count}g}") for count in range(digits, 13)]
    return next((pair for pair in pairs if pair[0] != pair[1]), pairs[0])
