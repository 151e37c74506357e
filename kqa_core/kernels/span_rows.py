"""Span corruption as one operator, `kqa::span_rows`, with the same bits as `kqa_core.text.span_corruption`.

- A row is a function of (seed, step, row index): on any device, in any batch, with either implementation.
- Two implementations: plain torch (`corrupt_batch`) for a CPU, and Triton
  (`kqa_core.kernels.span_rows_triton`) with one launch and no intermediate results in memory. With
  TRITON_INTERPRET=1, Triton's interpreter runs the second on a CPU.
- Seed and step are tensors, so that a CUDA graph can be replayed with new values.
"""

from __future__ import annotations

import functools
import os

import torch
from torch import Tensor

from kqa_core.text.span_corruption import LOW, Documents, checked_block, corrupt_rows


@functools.lru_cache(maxsize=64)
def seed_words(seed: int, device: torch.device) -> Tensor:
    """The two halves of a 64-bit seed, the lower first: int64 (2,)."""
    return torch.tensor([seed & LOW, (seed >> 32) & LOW], device=device)


def corrupted(table: Documents, rows: Tensor, block_size: int, seed: int, step: int | Tensor) -> Tensor:
    """The documents `rows` (B,) int64, corrupted for `step` (one for all, or each): int64 (B, block_size).

    Raises UserError for a block under 16 characters.
    """
    device = table.flat.device
    # filled on the device
    one = step if isinstance(step, Tensor) else torch.full((1,), step, dtype=torch.int64, device=device)
    steps = one.to(device).expand(len(rows))  # (B,)
    words = seed_words(seed, device)
    row: Tensor = span_rows(
        table.flat, table.offsets, table.lengths, rows.to(device), steps, words, checked_block(block_size)
    )
    return row


def _span_rows(
    flat: Tensor, offsets: Tensor, lengths: Tensor, rows: Tensor, steps: Tensor, seed: Tensor, block_size: int
) -> Tensor:
    if flat.is_cuda or os.environ.get("TRITON_INTERPRET") == "1":
        from kqa_core.kernels.span_rows_triton import launch

        return launch(flat, offsets, lengths, rows, steps, seed, block_size)
    low, high = seed.tolist()
    return corrupt_rows(Documents(flat, offsets, lengths), rows, block_size, low | high << 32, steps)


span_rows = torch.library.custom_op(
    "kqa::span_rows",
    _span_rows,
    mutates_args=(),
    schema=(
        "(Tensor flat, Tensor offsets, Tensor lengths, Tensor rows, Tensor steps, Tensor seed, int"
        " block_size) -> Tensor"
    ),
)


@span_rows.register_fake
def _fake(
    flat: Tensor, offsets: Tensor, lengths: Tensor, rows: Tensor, steps: Tensor, seed: Tensor, block_size: int
) -> Tensor:
    return flat.new_empty(rows.shape[0], block_size)
