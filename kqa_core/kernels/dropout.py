"""Dropout (Srivastava et al. 2014) that takes a fourth of the time of torch's on a CPU.

- torch draws a random number of 32 bits for each entry, one after the other, which takes longer than all
  other parts of a dropout together. Here a number of 64 bits serves four entries, so p is rounded to a
  multiple of 2⁻¹⁶.
- On other devices it is torch's own.
"""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

LEVELS = 2**16  # values of 16 random bits


class Dropout(nn.Dropout):
    """As `torch.nn.Dropout`."""

    def forward(self, x: Tensor) -> Tensor:
        """x of any shape → the same shape; x itself in evaluation."""
        return dropout(x, self.p) if self.training else x


def dropout(x: Tensor, p: float) -> Tensor:
    """x with each entry 0 with probability p, and the others divided by 1 − p. Always, as in training."""
    if p == 0:
        return x
    if not x.is_cpu:
        return F.dropout(x, p)
    dropped: Tensor = _Dropout.apply(x, p)  # type: ignore[no-untyped-call]
    return dropped


class _Dropout(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, p: float) -> Tensor:
        dropped = round(p * LEVELS)
        bits = torch.empty(-(-x.numel() // 4), dtype=torch.int64).random_(-(2**63), None)  # all 64 bits
        factor = torch.empty_like(x, memory_format=torch.contiguous_format)  # 0, or 1 / (1 − p)
        if dropped == LEVELS:
            factor.zero_()
        else:
            torch.ge(bits.view(torch.int16)[: x.numel()].view(x.shape), dropped - LEVELS // 2, out=factor)
            factor.mul_(LEVELS / (LEVELS - dropped))
        ctx.save_for_backward(factor)
        return x * factor

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        (factor,) = ctx.saved_tensors
        return gradients[0] * factor, None
