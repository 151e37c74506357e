"""Rows without their padding: the real positions of a batch as one matrix.

- The rows of a batch differ in length, so they are padded on the right. Embeddings, norms, linear layers and MLPs treat every
  position alone. They get only the real positions, packed as (N, C), and compute nothing for padding.
- Attention needs rows. It gets (B, T, C) with zeros in place of the padding, which causal attention never reads.
- Entries are copied, each to one place. So the backward pass of packing is unpacking, and the other way round; torch would add up
  entries one by one, because it cannot know that no place occurs twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from kqa_core.model.config import PAD_INDEX


@dataclass(frozen=True)
class Packing:
    """The real positions of B rows of T characters."""

    rows: int  # B
    length: int  # T
    real: Tensor  # (N,) int64: their numbers, counted through all rows, ascending
    wanted: Tensor  # (K,) int64: which of these N need logits

    @classmethod
    def of_targets(cls, y: Tensor, causal: bool = True) -> Packing:
        """Of targets y (B, T), which are 0 where there is no loss: each row up to its last target, and logits at the targets.

        Whole rows if the model is not `causal`: its outputs depend on the padding.
        """
        rows, length = y.shape
        place = torch.arange(length, device=y.device)
        lengths = (y != PAD_INDEX).int().mul(place + 1).amax(dim=1, keepdim=True) if causal else length  # (B, 1)
        real = (place < lengths).expand(rows, length).flatten().nonzero()[:, 0]
        return cls(rows, length, real, y.flatten()[real].nonzero()[:, 0])

    @property
    def positions(self) -> Tensor:
        """The position of each within its row, (N,)."""
        return self.real % self.length

    def pack(self, x: Tensor) -> Tensor:
        """x (B, T, C) → its real positions, (N, C)."""
        packed: Tensor = _Pack.apply(x.flatten(0, 1), self.real)  # type: ignore[no-untyped-call]
        return packed

    def unpack(self, x: Tensor) -> Tensor:
        """x (N, C) → (B, T, C), zeros where there is padding."""
        flat: Tensor = _Unpack.apply(x, self.real, self.rows * self.length)  # type: ignore[no-untyped-call]
        return flat.view(self.rows, self.length, -1)


class _Pack(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, real: Tensor) -> Tensor:
        ctx.save_for_backward(real)
        ctx.places = len(x)
        return _pack(x, real)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        (real,) = ctx.saved_tensors
        return _unpack(gradients[0], real, ctx.places), None


class _Unpack(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, real: Tensor, places: int) -> Tensor:
        ctx.save_for_backward(real)
        return _unpack(x, real, places)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None, None]:
        (real,) = ctx.saved_tensors
        return _pack(gradients[0], real), None, None


def _pack(x: Tensor, real: Tensor) -> Tensor:
    return x.index_select(0, real)


def _unpack(x: Tensor, real: Tensor, places: int) -> Tensor:
    return x.new_zeros(places, x.shape[1]).index_copy_(0, real, x)
