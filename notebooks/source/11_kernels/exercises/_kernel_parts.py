"""Helpers for the checks of notebook 11: the state of an online softmax, heads in a memory, and tests of random numbers.

- `state_after` is the oracle of both softmax exercises: it sees all logits at once, and the answers do not.
- A memory holds heads between the numbers of other heads. After a head comes nan, so code that reads too far, and uses the value
  in a product, gives nan.
- `p_value` is Pearson's chi-square. A right generator falls below `UNLIKELY` with that probability in each use.
"""

from __future__ import annotations

import math
import random
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from kqa_core.check.exercise import NotYet, expect
from kqa_core.check.helpers.read_values import kind_of
from kqa_core.check.helpers.transformer_parts import agree, draw

State = tuple[Tensor, Tensor, Tensor]  # largest (…), total (…), read (…, d)
NAMES = ("largest", "total", "read")
UNLIKELY = 1e-9  # of one chi-square; the exercise makes under 100


def nothing_read(*shape: int) -> State:
    """The state before the first logit: −inf, 0 and zeros; `shape` ends with d."""
    largest = torch.full(shape[:-1], -math.inf, dtype=torch.float64)
    return largest, torch.zeros(shape[:-1], dtype=torch.float64), torch.zeros(shape, dtype=torch.float64)


def state_after(logits: Tensor, values: Tensor) -> State:
    """The state of rows that have seen `logits` (…, n) with `values` (…, n, d)."""
    largest = logits.amax(dim=-1)
    finite = torch.where(largest.isinf(), 0.0, largest)
    powers = torch.exp(logits - finite[..., None])  # all 0 if no key may be attended to
    return largest, powers.sum(dim=-1), torch.einsum("...n,...nd->...d", powers, values)


def state_of(result: object, shape: tuple[int, ...]) -> State:
    """`result` as a state whose read has `shape`. Raises NotYet unless it is one."""
    if not isinstance(result, (tuple, list)) or len(result) != 3:
        raise NotYet(f"return three tensors, (largest, total, read); yours is {kind_of(result)}")
    found = []
    for name, value, wanted in zip(NAMES, result, (shape[:-1], shape[:-1], shape), strict=True):
        plain = torch.tensor(value, dtype=torch.float64) if type(value) in (int, float) and not wanted else value
        if not isinstance(plain, Tensor) or not plain.is_floating_point():
            raise NotYet(f"{name} must be a torch tensor of floating-point numbers; yours is {kind_of(value)}")
        if wanted == () and plain.numel() == 1:
            plain = plain.reshape(())
        expect(tuple(plain.shape) == wanted, f"{name} must have shape {wanted}; yours has shape {tuple(plain.shape)}")
        found.append(plain.double())
    return found[0], found[1], found[2]


def same_state(result: object, wanted: State, where: str) -> None:
    """Raise NotYet unless `result` is the state `wanted`, up to rounding. `where` names the input."""
    found = state_of(result, tuple(wanted[2].shape))
    for name, mine, theirs in zip(NAMES, wanted, found, strict=True):
        expect(not bool(theirs.isnan().any()), f"{where}, {name} holds nan: mind what −inf − (−inf) is")
        infinite = bool(torch.equal(mine.isinf(), theirs.isinf()) and torch.equal(mine[mine.isinf()], theirs[mine.isinf()]))
        expect(infinite, f"{where}, {name} is infinite where it should not be, or finite where it should be −inf")
        agree(theirs[mine.isfinite()], mine[mine.isfinite()], f"{where}, {name} is not what it should be")


class Heads(NamedTuple):
    """One head's query, key and value in a memory: the start of each, and the layout of its rows."""

    memory: Tensor
    query: int
    key: int
    value: int
    stride: int  # from a row to the next
    length: int
    width: int


def heads(rng: random.Random, length: int, width: int, others: int = 2, loud: float = 1.0) -> Heads:
    """A memory that holds them in the layout of a projection: rows of several heads side by side, and nan after the last."""
    stride, size = others * width, length * others * width
    rows = draw(rng, 3, size, scale=loud)
    gap = torch.full((size + 7 * width + 5,), math.nan, dtype=torch.float64)  # more than a tile after each
    head = rng.randrange(others) * width
    query, key, value = (i * (size + len(gap)) + head for i in range(3))
    return Heads(torch.cat([part for row in rows for part in (row, gap)]), query, key, value, stride, length, width)


def attention_of(case: Heads, causal: bool) -> Tensor:
    """The output (length, width), by torch's own attention."""
    spots = case.stride * torch.arange(case.length)[:, None] + torch.arange(case.width)
    query, key, value = (case.memory.take(spots + start)[None, None] for start in (case.query, case.key, case.value))
    return F.scaled_dot_product_attention(query, key, value, is_causal=causal)[0, 0]


def p_value(counts: Tensor, expected: float) -> float:
    """Pearson's chi-square of counts (n,) that should all be `expected`: the probability of a deviation at least as large."""
    statistic = ((counts.double() - expected) ** 2 / expected).sum()
    return float(torch.special.gammaincc(torch.tensor((len(counts) - 1) / 2, dtype=torch.float64), statistic / 2))
