"""Probes: experiments that measure what a model computes, independent of its config and class names.

- `influence(forward, x)`: which position's output depends on which position's input.
- `reads_the_future(forward, x)`: whether any output depends on a later input. It detects the leaks of
  Linformer and norm-reweight.

They take any function: attention (B, T, C) → (B, T, D), or a model's tokens → logits. They change
the input, run the function again, and compare the outputs bit for bit (or within a tolerance). The comparison
is exact because the influence of a position may be small in an untrained model, and a position without
influence does not change a bit. A function that gives two outputs for one input cannot be probed. The error
says so; usually dropout was left on (`model.eval()` turns it off).
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from kqa_core.errors import UserError

Forward = Callable[[Tensor], Tensor | tuple[Tensor, object]]  # a model's (logits, loss) will do

SEED = 0  # of the changed inputs; the global random numbers are not used
DRAWS = 3  # changes per position: one alone may have no effect (a ReLU that stays at 0)


@torch.no_grad()
def influence(forward: Forward, x: Tensor, tolerance: float = 0.0) -> Tensor:
    """BoolTensor (T, T): True at [t, s] if changing x at position s changes the output at position t.

    x is (B, T, C), or tokens (B, T) with at least two different ones. `tolerance` is the largest change that
    counts as none. Raises UserError for a function that gives two outputs for one input, or outputs that are
    not finite or not (B, T, …).

    >>> influence(lambda x: x.cumsum(dim=1), torch.ones(1, 3, 1)).int()
    tensor([[1, 0, 0],
            [1, 1, 0],
            [1, 1, 1]], dtype=torch.int32)
    """
    before = _checked_output(forward, x)
    generator = torch.Generator().manual_seed(SEED)
    T = x.shape[1]
    influenced = torch.zeros(T, T, dtype=torch.bool)
    for s in range(T):
        for _ in range(DRAWS):
            changed = x.clone()
            changed[:, s : s + 1] = _replacement(x, slice(s, s + 1), generator)
            influenced[:, s] |= _changed_positions(before, _run(forward, changed), tolerance)
    return influenced


@torch.no_grad()
def reads_the_future(forward: Forward, x: Tensor, tolerance: float = 0.0) -> bool:
    """Whether an output depends on a later input: change all from s on, compare the outputs before s.

    x, `tolerance` and errors as for `influence`; a row of one position has no future.

    >>> from kqa_core.model.attention import attention
    >>> x = torch.randn(1, 5, 8, generator=torch.Generator().manual_seed(0))
    >>> reads_the_future(lambda x: attention(x, x, x), x)
    True
    >>> reads_the_future(lambda x: attention(x, x, x, torch.ones(5, 5).tril().bool()), x)
    False
    """
    before = _checked_output(forward, x)
    generator = torch.Generator().manual_seed(SEED)
    for s in range(1, x.shape[1]):
        for _ in range(DRAWS):
            changed = x.clone()
            changed[:, s:] = _replacement(x, slice(s, None), generator)
            if _changed_positions(before, _run(forward, changed), tolerance)[:s].any():
                return True
    return False


def _run(forward: Forward, x: Tensor) -> Tensor:
    """The outputs (B, T, …); of a model's (logits, loss), the logits."""
    out = forward(x)
    tensor = out[0] if isinstance(out, tuple) else out
    if not isinstance(tensor, Tensor) or tensor.shape[:2] != x.shape[:2]:
        shape = tuple(tensor.shape) if isinstance(tensor, Tensor) else type(tensor).__name__
        raise UserError(
            f"outputs of shape ({x.shape[0]}, {x.shape[1]}, …) were expected, one per position, not {shape}"
        )
    if not torch.isfinite(tensor).all():
        raise UserError("some outputs are nan or infinite: give smaller inputs, or fix the model")
    return tensor


def _checked_output(forward: Forward, x: Tensor) -> Tensor:
    """The outputs. Raises UserError if a second run gives other outputs."""
    if not isinstance(x, Tensor) or x.ndim < 2 or 0 in x.shape:
        raise UserError(
            f"x must be a tensor (B, T, C), or tokens (B, T), not {getattr(x, 'shape', type(x).__name__)}"
        )
    before = _run(forward, x.clone()).clone()
    if not torch.equal(before, _run(forward, x.clone())):
        raise UserError(
            "the function gives two outputs for one input: turn dropout off (model.eval()), then try again"
        )
    return before


def _replacement(x: Tensor, where: slice, generator: torch.Generator) -> Tensor:
    """Other values for x[:, where]: other tokens of x, or x plus noise of three standard deviations."""
    part = x[:, where]
    if x.is_floating_point():
        size = float(x.float().std(correction=0)) or 1.0
        noise = torch.randn(part.shape, generator=generator, dtype=torch.float64)
        return part + (3.0 * size * noise).to(x)
    tokens = torch.tensor(sorted(set(x.flatten().tolist())), dtype=x.dtype, device=x.device)
    if len(tokens) < 2:
        raise UserError(
            "every token of x is the same, so none can be exchanged: give rows with at least two different"
            " ones"
        )
    step = torch.randint(1, len(tokens), part.shape, generator=generator).to(x.device)
    # none is itself
    others: Tensor = tokens[(torch.searchsorted(tokens, part.contiguous()) + step) % len(tokens)]
    return others


def _changed_positions(before: Tensor, after: Tensor, tolerance: float) -> Tensor:
    """BoolTensor (T,) on the CPU: the positions whose outputs differ."""
    change = (after - before).abs().transpose(0, 1).flatten(1).amax(dim=1)  # (T,)
    return (change > tolerance).cpu()
