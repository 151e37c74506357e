"""Helpers for the checks of notebook 12: the state of a softmax in one pass, and heads in a memory.

- `state_after` is the oracle of both softmax exercises. It sees all logits at once, and the answers do not.
- A memory holds heads between the numbers of other heads. After the last head comes nan, so code that loads
  too far, and uses the value in a product, gives nan.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from kqa_core.check.answer import Answer, AnswerRaised, Build
from kqa_core.check.exercise import POSSIBLE, NotYet, expect
from kqa_core.check.helpers.read_values import kind_of, told
from kqa_core.exercise_helpers.sealed import sealed
from kqa_core.exercise_helpers.transformer_parts import draw

State = tuple[Tensor, Tensor, Tensor]  # m (…), ell (…), a (…, d)
# a mistake in words, and the parts that it gives
Slips = Mapping[str, tuple[Tensor | None, Tensor | None, Tensor | None]]
NAMES = ("m", "ell", "a")
CLOSE = 5e-7  # relative to the largest entry: a float32 number on the way to a float64 result is no mistake


def nothing_summed(*shape: int) -> State:
    """The state before the first key: −inf, 0 and zeros; `shape` ends with d."""
    m = torch.full(shape[:-1], -math.inf, dtype=torch.float64)
    return m, torch.zeros(shape[:-1], dtype=torch.float64), torch.zeros(shape, dtype=torch.float64)


def state_after(logits: Tensor, values: Tensor) -> State:
    """The state of rows that have seen `logits` (…, n) with `values` (…, n, d)."""
    m = logits.amax(dim=-1)
    finite = torch.where(m.isinf(), 0.0, m)
    exponentials = torch.exp(logits - finite[..., None])  # all 0 if every key is masked
    return m, exponentials.sum(dim=-1), torch.einsum("...n,...nd->...d", exponentials, values)


def state_of(result: object, shape: tuple[int, ...], dtype: torch.dtype = torch.float64) -> State:
    """`result` as a state whose a has this shape, all in this dtype or Python numbers.
    Raises NotYet unless it is one.
    """
    if not isinstance(result, (tuple, list)) or len(result) != 3:
        count = f" of {len(result)}" if isinstance(result, (tuple, list)) else ""
        raise NotYet(f"return three tensors, (m, ell, a); yours is {kind_of(result)}{count}")
    found = []
    for name, value, wanted in zip(NAMES, result, (shape[:-1], shape[:-1], shape), strict=True):
        single = isinstance(value, (int, float)) and not isinstance(value, bool) and not wanted
        plain = torch.tensor(value, dtype=torch.float64) if single else value
        if not isinstance(plain, Tensor) or not plain.is_floating_point():
            raise NotYet(
                f"{name} must be a torch tensor of floating-point numbers; yours is {kind_of(value)}"
            )
        expect(
            tuple(plain.shape) == wanted,
            f"{name} must have shape {wanted}; yours has shape {tuple(plain.shape)}",
        )
        expect(
            plain.dtype is dtype or single,
            f"{name} is {plain.dtype}, but the inputs are {dtype}: keep their dtype",
        )
        found.append(plain)
    return found[0], found[1], found[2]


def close(found: Tensor, wanted: Tensor) -> bool:
    """Whether two tensors of one shape are equal up to rounding, infinities included."""
    finite = wanted[wanted.isfinite()].abs()
    scale = float(finite.max()) if finite.numel() else 0.0
    return bool(torch.allclose(found, wanted, rtol=0.0, atol=CLOSE * scale))


NAN = f"{POSSIBLE}−inf − (−inf), inf − inf, inf / inf, 0 / 0 or 0 · inf, which are nan (e^710 is inf)"


def same_state(result: object, wanted: State, where: str, slips: Slips | None = None) -> None:
    """Raise NotYet unless `result` is the state `wanted`, up to rounding. `where` names the input."""
    found = state_of(result, tuple(wanted[2].shape))
    for number, (name, mine, theirs) in enumerate(zip(NAMES, wanted, found, strict=True)):
        nan = tuple(theirs.isnan().nonzero()[:1].flatten().tolist())
        expect(not bool(theirs.isnan().any()), f"{where}, {entry_of(name, mine, nan)} is nan. {NAN}")
        if close(theirs, mine):
            continue
        # a slip that gives all three parts must fit in all three
        parts = {
            said: state[number]
            for said, state in (slips or {}).items()
            if any(part is None for part in state)
            or all(part is not None and close(each, part) for each, part in zip(found, state, strict=True))
        }
        mistake = next(
            (
                f". {POSSIBLE}{said}"
                for said, part in parts.items()
                if part is not None and close(theirs, part)
            ),
            "",
        )
        # inf where one of them is infinite
        off = (theirs - mine).abs().nan_to_num(posinf=math.inf).where(theirs != mine, 0.0)
        place = tuple(int(i) for i in torch.unravel_index(off.argmax(), off.shape)) if mine.ndim else ()
        right, yours = told(mine[place].item(), theirs[place].item(), digits=6)
        raise NotYet(f"{where}, {entry_of(name, mine, place)} should be {right}; yours is {yours}{mistake}")


def entry_of(name: str, values: Tensor, place: tuple[int, ...]) -> str:
    """Such as "a[0, 1]", or "ell" if it is one number."""
    return f"{name}[{', '.join(map(str, place))}]" if values.numel() > 1 else name


def in_float32(answer: Answer, *args: State | Tensor) -> None:
    """Raise NotYet if float32 arguments give a state in another dtype.
    Code that stops passes: it may use 1e300.
    """

    def narrow(value: State | Tensor) -> object:
        return value.float() if isinstance(value, Tensor) else tuple(part.float() for part in value)

    try:
        result = answer(*map(narrow, args))
    except AnswerRaised as raised:
        if raised.stub:
            raise
        return
    state_of(result, tuple(args[0][2].shape), torch.float32)


def shared_state(rows: tuple[int, ...]) -> Build:
    """The state (1, 1, (1,)) of rows that have seen one key with the logit 1 and the value 1, sealed:
    its parts are views.
    """
    return sealed(torch.ones(*rows, 1, dtype=torch.float64), [rows, rows, (*rows, 1)])


def steady(answer: Answer, args: tuple[object, ...], wanted: State, where: str) -> None:
    """Raise NotYet unless sixty calls with the same arguments all give the state `wanted`."""
    for number, result in enumerate(answer.map([args] * 60)):
        same_state(result, wanted, f"{where}{' (the same call gave different results)' * (number > 0)}")


class Heads(NamedTuple):
    """One head's query, key and value in a memory: the start of each, and the layout of its rows."""

    memory: Tensor
    query: int
    key: int
    value: int
    stride: int  # from a row to the next
    length: int
    width: int


def heads(
    rng: random.Random, length: int, width: int, others: int = 2, scale: float = 1.0, below: float = 0.0
) -> Heads:
    """A memory that holds them in the layout of a projection:
    rows of several heads side by side, and nan after the last.

    In heads of 3 rows or more, key 1 is zero, so its logits are 0 as well. With `below`, every logit is near
    −`below` instead.
    """
    stride, size = others * width, length * others * width
    rows = draw(rng, 3, size, scale=scale)
    gap = torch.full((size + 7 * width + 5,), math.nan, dtype=torch.float64)  # more than a tile after each
    head = rng.randrange(others) * width
    if below:
        shift = (below / width**0.5) ** 0.5  # shift² · width / √width is `below`
        rows[0] += shift
        rows[1] -= shift
    elif length > 2:
        rows[1, stride + head : stride + head + width] = 0.0
    query, key, value = (i * (size + len(gap)) + head for i in range(3))
    return Heads(
        torch.cat([part for row in rows for part in (row, gap)]), query, key, value, stride, length, width
    )


def at_the_end(case: Heads) -> Heads:
    """The same head in a memory that ends with its last value."""
    return case._replace(
        memory=case.memory[: case.value + (case.length - 1) * case.stride + case.width].clone()
    )


def parts_of(case: Heads, stride: int | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """Query, key and value of a head, (length, width) each;
    `stride` is the memory's own unless it is given.
    """
    places = (stride or case.stride) * torch.arange(case.length)[:, None] + torch.arange(case.width)
    return case.memory[case.query + places], case.memory[case.key + places], case.memory[case.value + places]


def attention_of(case: Heads, causal: bool) -> Tensor:
    """The output (length, width), by torch's own attention."""
    query, key, value = (part[None, None] for part in parts_of(case))
    return F.scaled_dot_product_attention(query, key, value, is_causal=causal)[0, 0]
