"""Four concrete keys in three dimensions for the numeric exercises of notebook 01.

- `K` is the matrix that the notebook shows. Row 0 is short and close in direction to row 1, so a query along
  row 0 does not select it. The four rows do not lie in a common plane, so every set of weights can be
  reached.
- `Q_TWO` is a query for which rows 0 and 1 share the weight.
- "Nearly" is 0.99, or within 0.01: a softmax never reaches 0 or 1, so the exercises ask for a close value,
  and say how close.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from kqa_core.check.answer import Handle
from kqa_core.check.exercise import expect
from kqa_core.exercise_helpers.queries import kind_of

# (4, 3)
K = torch.tensor(
    [[-0.1, 0.6, 0.2], [1.1, 1.1, 0.2], [0.4, -1.3, -1.2], [1.1, -0.3, 0.8]], dtype=torch.float64
)
Q_TWO = torch.tensor([-5.0, 12.0, -13.0], dtype=torch.float64)  # (3,); K @ Q_TWO is (5.1, 5.1, -2.0, -19.5)
SELECTED = 0.99  # a weight above this counts as 1
SHARE = 0.01  # a weight this close to its share counts as equal
EXACT = 1e-10  # for prescribed weights; float64 reaches 1e-13 on these keys
UNIT = 1e-6  # of a unit vector's length; float32 is accurate to 1e-7


def tensor_like(result: object, shape: tuple[int, ...], name: str, case: str = "") -> Tensor:
    """`result` as a float64 tensor of this shape with finite entries; NotYet says what is wrong, and in which
    case an entry is not finite.
    """
    if isinstance(result, Handle) or not isinstance(result, Tensor):
        expect(False, f"{name} must be a torch tensor of shape {shape}; yours is {kind_of(result)}")
    assert isinstance(result, Tensor)
    given = tuple(result.shape)
    expect(given == shape, f"{name} must have shape {shape}; yours has shape {given}")
    expect(
        not result.is_complex() and result.dtype is not torch.bool,
        f"{name} must hold real numbers; yours is {result.dtype}",
    )
    finite = bool(torch.isfinite(result).all())
    there = f"{case}, {name}" if case else name
    expect(finite, f"{there} holds nan or an infinite number")
    expect(float(result.abs().max()) < 1e100, f"{there} holds numbers above 1e100: the logits would overflow")
    return result.to(torch.float64)


def weights_of(keys: Tensor, query: Tensor) -> Tensor:
    """softmax(K q): keys (n, d), query (d,) or (m, d) → weights (n,) or (m, n)."""
    return torch.softmax(query @ keys.T, dim=-1)


def listed(weights: Tensor, digits: str = ".3f") -> str:
    """The weights as text for a sentence."""
    return "(" + ", ".join(f"{float(weight):{digits}}" for weight in weights) + ")"


def shown(weights: Tensor, fails: Callable[[Tensor], bool]) -> str:
    """The weights as text, with as many digits as it takes for the shown ones to fail, too."""
    digits = (d for d in range(3, 12) if fails(torch.round(weights, decimals=d)))
    return listed(weights, f".{next(digits, 12)}f")


def selects(weights: Tensor, row: int, case: str, what: str = "your weights are") -> None:
    """Raise NotYet unless the weight on `row` counts as 1."""

    def fails(some: Tensor) -> bool:
        return bool(some[row] < SELECTED - 1e-13)

    enough = bool(weights[row] > SELECTED)
    said = f"{case}, {what} {shown(weights, fails)}; weight {row} should be above {SELECTED}"
    expect(enough, said)


def shares(weights: Tensor, rows: int, case: str) -> None:
    """Raise NotYet unless the first `rows` weights are nearly equal shares."""

    def fails(some: Tensor) -> bool:
        return not bool(((some[:rows] - 1 / rows).abs() <= SHARE + 1e-13).all())

    equal = bool(((weights[:rows] - 1 / rows).abs() <= SHARE).all())
    wanted = "all" if rows == len(weights) else f"the first {rows}"
    said = f"{case}, your weights are {shown(weights, fails)}; {wanted} should be 1/{rows}, to within {SHARE}"
    expect(equal, said)


def with_key(keys: Tensor, row: int, key: Tensor) -> Tensor:
    """A copy of `keys` with `key` in place of `row`."""
    changed = keys.clone()
    changed[row] = key
    return changed
