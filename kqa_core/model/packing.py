"""Rows without their padding: the real positions of a batch as one matrix.

- The rows of a batch differ in length, so they are padded on the right. Embeddings, norms, linear layers and
  MLPs treat every position alone. They get only the real positions, packed as (N, C), and compute nothing for
  padding.
- Attention needs rows. It gets (B, T, C) with zeros in place of the padding, which causal attention never
  reads.
- Linformer and norm-reweight read the padding, so their rows count as real to the end. The Perceiver unpacks
  before its first layer. An attention without the parameter `packing` gets whole rows, its projections too.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from kqa_core.model.config import PAD_INDEX


def row_lengths(y: Tensor) -> Tensor:
    """Targets y (B, T), 0 where there is none → how long each row is up to its last target, int64 (B,)."""
    return (y != PAD_INDEX).int().mul(torch.arange(1, y.shape[1] + 1, device=y.device)).amax(dim=1)


@dataclass(frozen=True)
class Packing:
    """The real positions of B rows of T characters."""

    rows: int  # B
    length: int  # T
    real: Tensor  # (N,) int64: their numbers, counted through all rows, ascending
    wanted: Tensor  # (K,) int64: which of these N need logits

    @classmethod
    def of_targets(cls, y: Tensor, causal: bool = True) -> Packing:
        """Of targets y (B, T), which are 0 where there is no loss: each row up to its last target, and logits
        at the targets.

        Whole rows if the model is not `causal`: its outputs depend on the padding.
        """
        rows, length = y.shape
        kept = row_lengths(y)[:, None] if causal else torch.full((rows, 1), length, device=y.device)
        real = (torch.arange(length, device=y.device) < kept).flatten().nonzero()[:, 0]  # of (B, T)
        return cls(rows, length, real, y.flatten()[real].nonzero()[:, 0])

    @property
    def positions(self) -> Tensor:
        """The position of each within its row, (N,)."""
        return self.real % self.length

    def pack(self, x: Tensor) -> Tensor:
        """x (B, T, C) → its real positions, (N, C)."""
        return x.flatten(0, 1).index_select(0, self.real)

    def unpack(self, x: Tensor) -> Tensor:
        """x (N, C) → (B, T, C), zeros where there is padding."""
        flat = x.new_zeros(self.rows * self.length, x.shape[1]).index_copy(0, self.real, x)  # (B · T, C)
        return flat.view(self.rows, self.length, -1)
