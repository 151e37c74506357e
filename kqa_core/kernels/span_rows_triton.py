"""Span corruption in Triton, launched by `kqa_core.kernels.span_rows`. Importing this imports Triton.

- A program makes ROWS rows. It draws three random numbers for each with Philox4x32-10 in 64-bit integers, as
  `kqa_core.text.span_corruption` does, so the bits agree. It computes the source of every character of a row,
  and copies it.
- The counter is (row, row's high half, step, STREAM); the key is the seed.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

from kqa_core.text import span_corruption

ROWS = 8  # rows per program
LOW = tl.constexpr(span_corruption.LOW)
SHORTEST = tl.constexpr(span_corruption.SHORTEST)
STREAM = tl.constexpr(span_corruption.STREAM)
ROUNDS = tl.constexpr(span_corruption.ROUNDS)
FIRST, SECOND = tl.constexpr(span_corruption.MULTIPLIERS[0]), tl.constexpr(span_corruption.MULTIPLIERS[1])
WEYL_FIRST, WEYL_SECOND = tl.constexpr(span_corruption.WEYL[0]), tl.constexpr(span_corruption.WEYL[1])


@triton.jit
def philox(c0, c1, c2, c3, k0, k1):
    """Four words of the counter and two of the key, 32 bits each in uint64 → four words."""
    for _ in tl.static_range(ROUNDS):
        first, second = c0 * FIRST, c2 * SECOND
        c0, c1, c2, c3 = (second >> 32) ^ c1 ^ k0, second & LOW, (first >> 32) ^ c3 ^ k1, first & LOW
        k0, k1 = (k0 + WEYL_FIRST) & LOW, (k1 + WEYL_SECOND) & LOW
    return c0, c1, c2, c3


@triton.jit
def _below(bits, bound):
    return ((bits * bound.to(tl.uint64)) >> 32).to(tl.int64)


@triton.jit
def rows_kernel(
    flat, offsets, lengths, rows, steps, seed, out, steps_stride, count, end_of_flat, block,
    ROWS: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    number = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)
    real = number < count
    row = tl.load(rows + number, mask=real, other=0)  # (ROWS,), as is all that is drawn
    step = tl.load(steps + number * steps_stride, mask=real, other=0)
    c0, c1, c2 = row.to(tl.uint64) & LOW, (row >> 32).to(tl.uint64) & LOW, step.to(tl.uint64) & LOW
    c3 = tl.full((ROWS,), STREAM, tl.uint64)
    bits0, bits1, bits2, _ = philox(
        c0, c1, c2, c3, tl.load(seed).to(tl.uint64) & LOW, tl.load(seed + 1).to(tl.uint64) & LOW
    )
    shortest = tl.full((ROWS,), SHORTEST, tl.int64)
    length = tl.minimum(_below(bits0, block * 7 // 8 - shortest + 1) + shortest, tl.load(lengths + row))
    masked = tl.minimum(_below(bits1, tl.maximum(length // 2 - 1, 1)) + 1, length)
    start = _below(bits2, length - masked + 1)
    offset = tl.load(offsets + row)[:, None]
    start, masked = start[:, None], masked[:, None]
    second, end = (length[:, None] - masked + 1), (length + 2)[:, None]
    place = tl.arange(0, BLOCK).to(tl.int64)[None, :]
    source = offset + place  # the prefix: (ROWS, BLOCK)
    # the suffix: past the span, and one place on for the ⁇
    source = tl.where(place > start, source + masked - 1, source)
    source = tl.where(place > second, offset + start + place - second - 1, source)  # the span
    source = tl.where((place == start) | (place == second), 0, source)  # flat[0] is ⁇
    source = tl.where(place >= end, end_of_flat, source)  # flat[-1] is □
    inside = real[:, None] & (place < block)
    tl.store(out + number[:, None] * block + place, tl.load(flat + source, mask=inside, other=0), mask=inside)


def launch(
    flat: Tensor, offsets: Tensor, lengths: Tensor, rows: Tensor, steps: Tensor, seed: Tensor, block_size: int
) -> Tensor:
    """The rows, int64 (B, block_size); inputs as in `span_rows`."""
    count = len(rows)
    out = flat.new_empty(count, block_size)
    if count:
        with torch.cuda.device_of(flat):
            rows_kernel[(triton.cdiv(count, ROWS),)](
                flat, offsets, lengths, rows.contiguous(), steps, seed, out,
                steps.stride(0), count, len(flat) - 1, block_size,
                ROWS=ROWS, BLOCK=triton.next_power_of_2(block_size), num_warps=4,
            )  # fmt: skip
    return out
