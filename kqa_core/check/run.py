"""Run one check on one answer, and compare the results of two answers.

- `run_check` turns everything that can happen into a `Verdict` or a `JudgeError`. A check that crashes, or
  returns anything but a verdict, is our mistake: it never changes a mark.
- `same_behaviour` says whether two results count as the same: numbers within a tolerance scaled by their
  dtype, sympy expressions by their values at random points (nothing is simplified, printed as code or
  parsed).
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy
import torch

from kqa_core.check.answer import Answer, AnswerFailed, AnswerMissing, AnswerRaised, Handle
from kqa_core.check.exercise import Check, JudgeError, NotYet, Outcome, Verdict
from kqa_core.check.torch_state import torch_state_kept
from kqa_core.errors import readable, with_article

INCIDENTS = {
    "time": "your code did not finish in time: look for a loop that does not end, or for far too much work",
    "memory": "your code used more memory than an answer may",
    "output": "your code returned something too large to be read",
    "died": "the process that ran your code ended before your code returned",
    "cell": "the cell that holds your answer could not be run",
    "budget": (
        "your notebook as a whole used up its time before this exercise was judged:"
        " look for cells that run long or end the process, remove them, and submit again"
    ),
}
MISSING = (
    "no function of this name is defined: keep the name that the solution cell gives it, and run the cell"
)
UNATTEMPTED = "not attempted yet: the solution cell still holds its first line"
NEEDS = "your code needs {}, which is not done yet: do it first, or run its cell again"
POINTS = 3  # random points at which two expressions are compared
MAX_COMPARED = 3_000  # nodes of the largest expression that is evaluated


def run_check(check: Check, answer: Answer, seed: int, exercise: str | None = None) -> Verdict:
    """The verdict of `check` on `answer`, with random inputs drawn from `seed`. Raises JudgeError if the
    check is wrong.

    If `exercise` is given, only its own stub counts as unattempted: an answer that calls another exercise's
    stub is an error.
    """
    try:
        with torch_state_kept():
            verdict = check(answer, random.Random(seed))
    except NotYet as wrong:
        cause = wrong.__cause__
        return Verdict(
            Outcome.NOT_YET,
            readable(str(wrong)),
            raised=raised_text(cause) if isinstance(cause, AnswerRaised) else None,
        )
    except AnswerFailed as failed:
        return failed_verdict(failed, exercise)
    except (JudgeError, MemoryError):
        raise
    except Exception as error:
        raise JudgeError(f"the check {_name(check)} stopped with {type(error).__name__}: {error}") from error
    if type(verdict) is not Verdict or type(verdict.outcome) is not Outcome:
        raise JudgeError(f"the check {_name(check)} must return a Verdict, got {type(verdict).__name__}")
    return verdict


def failed_verdict(failed: AnswerFailed, exercise: str | None = None) -> Verdict:
    """The verdict on an answer to `exercise` that gave no value."""
    if isinstance(failed, AnswerRaised):
        if failed.stub is not None and exercise not in (None, failed.stub):
            return Verdict(Outcome.ERROR, NEEDS.format(failed.stub))
        if failed.stub is not None:
            return Verdict(Outcome.UNATTEMPTED, UNATTEMPTED)
        return Verdict(Outcome.ERROR, f"your code stopped with {raised_text(failed)}")
    if isinstance(failed, AnswerMissing):
        return Verdict(Outcome.ERROR, MISSING)
    incident = failed.incident if failed.incident in INCIDENTS else "died"
    return Verdict(Outcome.ERROR, INCIDENTS[incident], incident)


def behaviour(answer: Answer, calls: Sequence[tuple[object, ...]]) -> list[object]:
    """The result of `answer` for each call: its value, or the `AnswerFailed` it ended in. A timeout ends the
    list.
    """
    seen: list[object] = []
    with torch_state_kept():
        for args in calls:
            try:
                seen.append(answer(*args))
            except AnswerFailed as failed:
                seen.append(failed)
                if failed.incident is not None:
                    break
    return seen


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
    if isinstance(a, sympy.MatrixBase) and isinstance(b, sympy.MatrixBase):
        return bool(a.shape == b.shape) and all(
            _same_expression(x, y) for x, y in zip(a.flat(), b.flat(), strict=True)
        )
    if _is_sympy(a) or _is_sympy(b):
        return (_is_sympy(a) or _is_number(a)) and (_is_sympy(b) or _is_number(b)) and _same_expression(a, b)
    if _is_array(a) and _is_array(b):
        return _same_arrays(a, b)
    if type(a) is type(b) and isinstance(a, (str, bool, set, frozenset, type(None))):
        return bool(a == b)
    return False


def raised_text(failed: AnswerRaised) -> str:
    """An exception in words, such as "a KeyError: 'mlp.1' (line 3 of its cell: x = table['mlp.1'])"."""
    what = f": {failed.message.strip().splitlines()[0][:300]}" if failed.message.strip() else ""
    where = f" ({failed.line[:200]})" if failed.line else ""
    return readable(f"{with_article(failed.kind)}{what}{where}")


def _name(check: Check) -> str:
    return getattr(check, "__qualname__", repr(check))


def _is_sympy(value: object) -> bool:
    return isinstance(value, sympy.Basic) and not isinstance(value, sympy.MatrixBase)


def _is_number(value: object) -> bool:
    return type(value) in (int, float, complex) or (isinstance(value, np.number) and value.ndim == 0)


def _is_array(value: object) -> bool:
    return _is_number(value) or isinstance(value, (torch.Tensor, np.ndarray, np.generic))


def _is_single(value: object) -> bool:
    """Whether a Python float comes from float32: it has that type's few digits, and is not a count."""
    return (
        type(value) is float
        and abs(value) < 1e38
        and not value.is_integer()
        and float(np.float32(value)) == value
    )


def _as_tensor(value: Any) -> torch.Tensor:
    if isinstance(value, torch.Tensor):
        return value.detach()
    if type(value) is int and abs(value) >= 2**63:
        return torch.tensor(
            float(value) if abs(value) < 2**1000 else math.inf if value > 0 else -math.inf,
            dtype=torch.float64,
        )
    if type(value) is float:
        return torch.tensor(value, dtype=torch.float64)
    if type(value) is complex:
        return torch.tensor(value, dtype=torch.complex128)
    array = np.asarray(value)
    if array.dtype.kind == "u" and array.dtype.itemsize > 1:  # torch supports few operations on these
        array = array.astype(np.int64 if array.dtype.itemsize < 8 else np.float64)
    return torch.from_numpy(np.array(array))


def _kind(value: torch.Tensor) -> str:
    if value.dtype is torch.bool:
        return "bool"
    return "complex" if value.is_complex() else "float" if value.is_floating_point() else "int"


def _same_arrays(a: Any, b: Any) -> bool:
    if type(a) is int and type(b) is int:
        return a == b
    left, right = _as_tensor(a), _as_tensor(b)
    if _is_single(a) and _is_single(b):
        left, right = left.float(), right.float()
    if left.shape != right.shape:
        return False
    loose = left.ndim == 0  # a count may be 3 or 3.0
    if _kind(left) != _kind(right) and (not loose or "bool" in (_kind(left), _kind(right))):
        return False
    # The coarser dtype sets the tolerance. Algebra in another order differs by far less than the square root
    # of its precision.
    precision = max(
        (torch.finfo(t.dtype).eps for t in (left, right) if _kind(t) in ("float", "complex")), default=0.0
    )
    wide = torch.complex128 if "complex" in (_kind(left), _kind(right)) else torch.float64
    if precision == 0.0:
        return bool(torch.equal(left.to(torch.int64), right.to(torch.int64)))
    left, right = left.to(wide), right.to(wide)
    finite = left[torch.isfinite(left)].abs()  # (number of finite entries,)
    scale = float(finite.max()) if finite.numel() else 0.0
    tolerance = 0.4 * math.sqrt(precision)  # float64: 6e-9; float32: 1.4e-4; bfloat16: 0.035
    return bool(
        torch.allclose(left, right, rtol=tolerance, atol=tolerance * max(scale, 1e-12), equal_nan=True)
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
