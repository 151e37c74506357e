"""Helpers for the symbolic exercises on queries: read a query, and describe its weights' limits.

- The sentences describe the student's query. They never name a query that would work.
- A weight is judged by the gap between its logit and the largest one, not by its value. A constant gap of
  1000 does not give weight 1 in the limit, although a float cannot tell the difference.
- `Renamed` calls an answer with other symbols than those of the check, which nobody can know.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy
import torch

from kqa_core.check.answer import Answer, Handle
from kqa_core.check.exercise import POSSIBLE, expect
from kqa_core.errors import with_article
from kqa_core.symbolic.attention import Matrix, limit_gaps, limit_weights, scores
from kqa_core.symbolic.limits import MAX_NODES, size
from kqa_core.symbolic.terms import Score, difference

EQUAL = 1e-9  # two logits whose difference tends to less tend to the same weight; limits are good to this
# two orthonormal keys: the signs of the first have a larger product with the second than with the first
STEEP = (
    sympy.Matrix([99, 10, 10, 10, 10]) / 101,
    sympy.Matrix([-40, 99, 99, 99, 99]) / 202,
)


class Renamed:
    """An answer that gets the symbols `beta_2` and so on in place of the check's `symbols`. Its result is put
    back into the check's symbols, so that it can be judged as usual.
    """

    def __init__(self, answer: Answer, *symbols: sympy.Symbol) -> None:
        self._answer = answer
        self._there = {symbol: sympy.Symbol(f"{symbol}_2", positive=True) for symbol in symbols}
        self._back = {other: symbol for symbol, other in self._there.items()}

    def __call__(self, *args: object) -> object:
        """The value of one call; NotYet if it holds one of the check's symbols, which the call did not."""
        return self._read(self._answer(*(_exchanged(arg, self._there) for arg in args)))

    def map(self, calls: Sequence[tuple[object, ...]]) -> list[object]:
        """The values of many calls, in order."""
        return [self(*args) for args in calls]

    def rewind(self, count: int) -> None:
        """As for the answer."""
        self._answer.rewind(count)

    def attribute(self, handle: Handle, name: str) -> object:
        """An attribute of a result that came back as a handle."""
        return self._read(self._answer.attribute(handle, name))

    def method(self, handle: Any, name: str, *args: object) -> object:
        """The result of a method of such a result."""
        return self._read(self._answer.method(handle, name, *args))

    def _read(self, result: object) -> object:
        for symbol, other in self._there.items():
            expect(
                symbol not in _symbols(result),
                f"called with the symbol {other} as {symbol}, your code returns an expression in {symbol}."
                f" {POSSIBLE}a symbol of its own, or a result of an earlier call, takes the argument's place",
            )
        return _exchanged(result, self._back)


def _symbols(value: object) -> set[Any]:
    if isinstance(value, (tuple, list)):
        return set().union(*map(_symbols, value))
    return set(value.free_symbols) if isinstance(value, (sympy.Basic, sympy.MatrixBase)) else set()


def _exchanged(value: Any, table: dict[Any, Any]) -> Any:
    if isinstance(value, (tuple, list)):
        return type(value)(_exchanged(each, table) for each in value)
    return value.xreplace(table) if isinstance(value, (sympy.Basic, sympy.MatrixBase)) else value


def kind_of(result: object) -> str:
    """The student's result, named for a sentence: "None, as without a return", "a list"."""
    if result is None:
        return "None, as without a return"
    for kind, name in (
        (sympy.MatrixBase, "a sympy matrix"),
        (sympy.Expr, "a single sympy expression"),
        (torch.Tensor, "a torch tensor"),
        (np.ndarray, "a numpy array"),
    ):
        if isinstance(result, kind):
            return name
    return with_article(result.type_name if isinstance(result, Handle) else type(result).__name__)


def query_column(
    result: object, dimension: int, symbols: Sequence[sympy.Symbol], name: str = "q", case: str = ""
) -> Matrix:
    """`result` as a column (dimension, 1) of real expressions in `symbols`; NotYet says what is wrong, and in
    which case an entry is not finite.
    """
    if not isinstance(result, sympy.MatrixBase):
        again = (
            ": call .doit() on it"
            if isinstance(result, Handle) and result.type_name.startswith("Mat")
            else ""
        )
        expect(
            False,
            f"{name} must be a sympy column, such as a key times a number; yours is {kind_of(result)}{again}",
        )
    assert isinstance(result, sympy.MatrixBase)
    shape = tuple(int(side) for side in result.shape)
    expect(
        shape == (dimension, 1),
        f"{name} must be a column of shape ({dimension}, 1), as long as each key; yours has shape {shape}",
    )
    for entry in result.flat():
        readable_expression(entry, symbols, name, case)
    total = sum(size(entry) for entry in result.flat())
    expect(
        total <= MAX_NODES,
        f"{name} is too long an expression to judge ({total} parts): write it in a simpler form",
    )
    return result


def readable_expression(entry: Any, symbols: Sequence[sympy.Symbol], name: str, case: str = "") -> None:
    """Raise NotYet unless `entry` is a real, finite expression in `symbols`."""
    # a sentence is put together where it is said: printing an expression takes longer than looking at it
    if not isinstance(entry, sympy.Expr):
        expect(False, f"{name} must be made of numbers and {_listed(symbols)}; yours holds a truth value")
    strange = sorted(str(symbol) for symbol in entry.free_symbols - set(symbols))
    if strange:
        own = strange[0] in {str(symbol) for symbol in symbols}
        expect(
            False,
            f"{name} contains a symbol {strange[0]} that is not the argument {strange[0]}"
            if own
            else f"{name} contains the symbol {strange[0]}: only {_listed(symbols)} may occur in it",
        )
    if entry.has(sympy.oo, -sympy.oo, sympy.zoo, sympy.nan):
        shown = entry if size(entry) < 20 else "nan or oo"
        there = f"{case}, {name}" if case else name
        expect(False, f"{there} has an entry that is not a finite expression: {shown}")
    expect(not entry.has(sympy.I), f"{name} must be real; yours has an imaginary part")


def tends_to_average(
    query: Matrix, keys: Sequence[Matrix], chosen: Sequence[int], beta: sympy.Symbol, case: str
) -> None:
    """NotYet unless, as beta → ∞, the weights tend to equal shares on the `chosen` keys, 0 elsewhere."""
    logits = scores(keys, query)
    gaps = limit_gaps(logits, beta, first=chosen[0])
    if gaps is None:
        expect(
            False,
            f"{case}: the check cannot tell where your weights go as beta grows{no_limit(query)}",
        )
    assert gaps is not None
    first = gaps[chosen[0]]
    level = all(abs(gaps[i] - first) <= EQUAL and _no_lead(logits[i], logits[chosen[0]]) for i in chosen)
    behind = [i for i, gap in enumerate(gaps) if i not in chosen and gap > -float("inf")]
    if level and not behind:
        return
    weights = limit_weights(logits, beta)
    assert weights is not None
    reads = (
        f"{case}: as beta grows, your weights tend to ({', '.join(f'{weight:.3g}' for weight in weights)})"
    )
    share = "1" if len(chosen) == 1 else f"1/{len(chosen)} each"
    wanted = f"key{'s' if len(chosen) > 1 else ''} {' and '.join(str(i) for i in chosen)} should have {share}"
    apart = max((abs(gaps[i] - first) for i in chosen), default=0.0)
    if not level and not behind and apart < 0.1:
        wanted += f", but their logits still differ by {float(apart):.2g} in the limit"
    if level and behind and sum(weights[i] for i in behind) < 1e-3:
        expect(
            False,
            f"{case}: as beta grows, the weight of key {behind[0]} is tiny, but it does not tend to 0:"
            f" its logit stays about {float(first - gaps[behind[0]]):.3g} below that of key {chosen[0]}",
        )
    expect(False, f"{reads}; {wanted}")


def no_limit(*matrices: Matrix, name: str = "q") -> str:
    """How a sentence about weights without a known limit ends."""
    if any(matrix.has(sympy.sin, sympy.cos, sympy.tan) for matrix in matrices):
        return f". {POSSIBLE}{name} has a sin, cos or tan, which oscillates"
    return f"; write {name} in a simpler form"


def _no_lead(left: Score, right: Score) -> bool:
    """Whether the difference of two logits is not a fixed number, or 0: a limit that is no number is only
    good to `EQUAL`.
    """
    lead = difference(left, right)
    return bool(lead.free_symbols) or lead == 0


def _listed(symbols: Sequence[sympy.Symbol]) -> str:
    return " and ".join(str(symbol) for symbol in symbols)
