"""Rows without their padding: the real positions of a batch as one matrix, through the layers of a plain GPT.

- The rows of a batch differ in length, so they are padded on the right. Embeddings, norms, linear layers and
  MLPs treat every position alone. They get only the real positions, packed as (N, C), and compute nothing for
  padding. Of the last block, only positions with a target go on.
- Attention needs rows. It gets (B, T, C) with zeros in place of the padding, which causal attention never
  reads.
- `packed_logits` calls the modules of the model that it is given, so it trains the same parameters. Losses
  and gradients are those of `model(x, y)`, up to rounding; tests compare the two for every variant.
- Linformer and norm-reweight read the padding, so their rows count as real to the end. A stack in place of
  blocks (the Perceiver), and an attention with a `forward` of its own, such as a student's, get whole rows.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from kqa_core.model.attention import MultiHead
from kqa_core.model.block import Block
from kqa_core.model.config import PAD_INDEX
from kqa_core.model.gpt import GPT


def row_lengths(y: Tensor) -> Tensor:
    """Targets y (B, T), 0 where there is none → how long each row is up to its last target, int64 (B,)."""
    return (y != PAD_INDEX).int().mul(torch.arange(1, y.shape[1] + 1, device=y.device)).amax(dim=1)


@dataclass(frozen=True)
class Packing:
    """The real positions of B rows of T characters."""

    rows: int  # B
    length: int  # T
    real: Tensor  # (N,) int64: their numbers, counted through all rows, ascending
    wanted: Tensor  # (K,) int64: which of these N have a target

    @classmethod
    def of_targets(cls, y: Tensor, causal: bool = True) -> Packing:
        """Of targets y (B, T), which are 0 where there is no loss: each row up to its last target.

        Whole rows if the model is not `causal`: its outputs depend on the padding.
        """
        rows, length = y.shape
        used = row_lengths(y)[:, None] if causal else torch.full((rows, 1), length, device=y.device)
        real = (torch.arange(length, device=y.device) < used).flatten().nonzero()[:, 0]  # of (B, T)
        return cls(rows, length, real, y.flatten()[real].nonzero()[:, 0])

    def pack(self, x: Tensor) -> Tensor:
        """x (B, T, C) → its real positions, (N, C)."""
        return x.flatten(0, 1).index_select(0, self.real)

    def unpack(self, x: Tensor) -> Tensor:
        """x (N, C) → (B, T, C), zeros where there is padding."""
        flat = x.new_zeros(self.rows * self.length, x.shape[1]).index_copy(0, self.real, x)  # (B · T, C)
        return flat.view(self.rows, self.length, -1)


def packed_logits(model: GPT, x: Tensor, y: Tensor) -> Tensor:
    """Tokens x and targets y (B, T) → the logits at the K positions that have a target, (K, vocab_size).

    >>> from kqa_core.model.config import GPTConfig
    >>> x = torch.tensor([[5, 6, 7, 8], [5, 6, 0, 0]])
    >>> y = torch.tensor([[0, 7, 8, 9], [6, 7, 0, 0]])
    >>> packed_logits(GPT(GPTConfig(10, d_model=16)), x, y).shape  # five targets
    torch.Size([5, 10])
    """
    packing = Packing.of_targets(y, model.causal)
    hidden = model.embed(x.flatten()[packing.real], packing.real % packing.length)  # (N, C)
    *blocks, last = model.blocks
    for block in blocks:
        hidden = _block(block, hidden, packing)
    hidden = _block(last, hidden, packing, packing.wanted)  # (K, C)
    logits: Tensor = model.head(model.norm(hidden))
    return logits


def _block(block: nn.Module, x: Tensor, packing: Packing, wanted: Tensor | slice = slice(None)) -> Tensor:
    """One block, or a stack of them: x (N, C) → the positions `wanted` of the N, (K, C)."""
    if not isinstance(block, Block):
        return packing.pack(block(packing.unpack(x)))[wanted]
    x = (x + _attention(block.attention, block.norm_1(x), packing))[wanted]
    x = x + block.mlp(block.norm_2(x))
    return x


def _attention(attention: nn.Module, x: Tensor, packing: Packing) -> Tensor:
    """The attention of a block: x (N, C) → (N, C). Only what happens between positions gets rows."""
    if not isinstance(attention, MultiHead) or type(attention).forward is not MultiHead.forward:
        return packing.pack(attention(packing.unpack(x)))
    rows = tuple(packing.unpack(part) for part in attention.project(x))  # (B, T, C) each
    return attention.output(packing.pack(attention.mix(rows)))
