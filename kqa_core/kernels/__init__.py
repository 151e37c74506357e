"""Kernels: one GPU launch instead of many torch operations. Models and batch sources use this file only.

- Each of the three functions below chooses, for the tensors it gets, between plain torch and a Triton kernel
  with the same result.
- Triton is optional. It is imported when a kernel is first launched, not by `import kqa_core`.
- Ours is the default where it is at least 1.5 times as fast as the best alternative on an H200
  (`kqa bench kernels`): for the Synthesizer it is 2.9 times as fast, for softmax attention 1.2 times, so that
  this stays torch's own fused kernel. `KQA_KERNELS=triton`, or `with using("triton")`, selects ours for both.
  Where ours can be used: on a GPU, in 16 bits, up to 128 positions and 32 channels, without dropout.
- Span corruption gives the same bits with both, so a GPU with Triton uses the kernel.
- On a CPU attention is torch's fused kernel, in float32 even if the rest of the model computes in bfloat16
  (see `_fused`).
- There is no fused MLP, because we have not measured that it would be faster.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.machinery import PathFinder

import torch
import torch.nn.functional as F
from torch import Tensor

from kqa_core.errors import UserError
from kqa_core.kernels import one_tile, span_rows
from kqa_core.kernels.dropout import dropout as drop
from kqa_core.kernels.flat_memory import load, store, watched
from kqa_core.text.span_corruption import DocumentTable
from kqa_core.text.span_corruption import corrupt_batch as corrupt_with_torch

__all__ = [
    "HAS_TRITON", "causal_attention", "corrupt_batch", "load", "one_tile", "store",
    "synthesized_attention", "using", "watched", "with_constant_keys",
]  # fmt: skip

# auto: see above; torch: never our kernels; triton: ours where they can be used
CHOICES = ("auto", "torch", "triton")
HAS_TRITON = PathFinder.find_spec("triton") is not None  # whether it is installed; this does not import it
_choice = os.environ.get("KQA_KERNELS", "auto")


@contextmanager
def using(choice: str) -> Iterator[None]:
    """Use one of `CHOICES` inside. Raises UserError for anything else.

    >>> with using("torch"):
    ...     heads = causal_attention(*torch.randn(3, 1, 1, 4, 8))
    >>> heads.shape
    torch.Size([1, 1, 4, 8])
    """
    global _choice
    before, _choice = _choice, checked(choice)
    try:
        yield
    finally:
        _choice = before


def checked(choice: str) -> str:
    """`choice`, if it is one of `CHOICES`; else raises UserError."""
    if choice not in CHOICES:
        raise UserError(
            f"kernels: {choice!r} is unknown (KQA_KERNELS or using()); expected one of {', '.join(CHOICES)}"
        )
    return choice


def _tile_serves(query: Tensor, value: Tensor, dropout: float, selecting: tuple[str, ...]) -> bool:
    """Whether our attention kernel fits these tensors, and the choice is one of those `selecting` it."""
    if checked(_choice) not in selecting or not query.is_cuda or dropout > 0 or not HAS_TRITON:
        return False
    narrow = (
        query.dtype in (torch.float16, torch.bfloat16)
        and max(query.shape[3], value.shape[3]) <= one_tile.SERVED
    )
    return narrow and one_tile.fits(query, value)


def causal_attention(query: Tensor, key: Tensor, value: Tensor, dropout: float = 0.0) -> Tensor:
    """softmax(Q Kᵀ / √hs) V, position t attending to positions ≤ t:
    query, key, value (B, nh, T, hs) → (B, nh, T, hs).

    `dropout` is the probability with which a weight is set to 0. Vaswani et al. 2017, eq. 1.

    >>> value = torch.tensor([1.0, 3.0]).view(1, 1, 2, 1)
    >>> causal_attention(torch.zeros(1, 1, 2, 1), torch.zeros(1, 1, 2, 1), value).flatten()  # means so far
    tensor([1., 2.])
    """
    if _tile_serves(query, value, dropout, ("triton",)):
        heads: Tensor = one_tile.attention(query, key, value, None, query.shape[-1] ** -0.5, True)
        return heads
    return _fused(query, key, value, dropout, query.shape[-1] ** -0.5)


def _fused(query: Tensor, key: Tensor, value: Tensor, dropout: float, scale: float) -> Tensor:
    """torch's kernel, on a CPU in float32: in bfloat16 its backward takes three times as long.

    torch's kernel for CPUs has no dropout. Its replacement goes over the weights more often than
    `_with_dropout` does.
    """
    if not query.is_cpu:
        return F.scaled_dot_product_attention(
            query, key, value, is_causal=True, dropout_p=dropout, scale=scale
        )
    with torch.autocast("cpu", enabled=False):  # autocast would convert to bfloat16 again
        wide = (
            (query.float(), key.float(), value.float())
            if query.dtype == torch.bfloat16
            else (query, key, value)
        )
        if dropout > 0:
            return _with_dropout(*wide, dropout, scale).to(query.dtype)
        return F.scaled_dot_product_attention(*wide, is_causal=True, scale=scale).to(query.dtype)


def _with_dropout(query: Tensor, key: Tensor, value: Tensor, dropout: float, scale: float) -> Tensor:
    """Causal attention with dropout on its weights: query, key, value (B, nh, T, hs) → (B, nh, T, hs)."""
    T = query.shape[2]
    later = query.new_full((T, T), -torch.inf).triu(1)  # added to the logits
    logits = torch.baddbmm(later, query.flatten(0, 1), key.flatten(0, 1).mT, alpha=scale)  # (B · nh, T, T)
    weights = drop(logits.softmax(dim=-1), dropout)
    return (weights @ value.flatten(0, 1)).view(*query.shape[:3], -1)


def synthesized_attention(
    query: Tensor, table: Tensor, offset: Tensor, value: Tensor, dropout: float = 0.0
) -> Tensor:
    """softmax(Q B + b₂) V, causal: query, value (B, nh, T, hs),
    `table` B (hs, ≥ T), `offset` b₂ (≥ T,) → (B, nh, T, hs).

    The dense Synthesizer (Tay et al. 2020, section 3.1.1); only the first T columns are used. `dropout` as
    above.

    >>> value = torch.tensor([1.0, 3.0]).view(1, 1, 2, 1)
    >>> synthesized_attention(torch.zeros(1, 1, 2, 1), torch.zeros(1, 2), torch.zeros(2), value).flatten()
    tensor([1., 2.])
    """
    T = value.shape[2]
    if _tile_serves(query, value, dropout, ("auto", "triton")):
        heads: Tensor = one_tile.attention(
            query, table[:, :T].t().to(query.dtype), value, offset[:T], 1.0, True
        )
        return heads
    query, key, value = with_constant_keys(query, table, offset, value)
    return _fused(query, key, value, dropout, scale=1.0)[..., :-1]


def with_constant_keys(
    query: Tensor, table: Tensor, offset: Tensor, value: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """The Synthesizer as attention of scale 1:
    query (B, nh, T, hs), value (B, nh, L, hs) → the three with hs + 1 channels.

    Keys are the columns of B, the same for every row and head; b₂ is one more channel, in which every query
    is 1.
    """
    B, nh, T, _ = query.shape
    L = value.shape[2]
    query = torch.cat((query, query.new_ones(B, nh, T, 1)), dim=-1)  # (B, nh, T, hs + 1)
    key = torch.cat((table, offset[None]), dim=0)[:, :L].t().to(query.dtype)  # (L, hs + 1)
    # contiguous, because some kernels are wrong for expanded keys
    key = key.expand(B, nh, L, key.shape[-1]).contiguous()
    return query, key, F.pad(value, (0, 1))  # (B, nh, L, hs + 1): fused kernels need equal widths


def corrupt_batch(
    table: DocumentTable, rows: Tensor, block_size: int, seed: int, step: int | Tensor
) -> tuple[Tensor, Tensor]:
    """`kqa_core.text.span_corruption.corrupt_batch`, in one launch if the table is on a GPU: x and y (B,
    block_size − 1) int64.

    Raises UserError for a block under 16 characters.
    """
    if checked(_choice) != "torch" and table.flat.is_cuda and HAS_TRITON:
        row = span_rows.corrupted(table, rows, block_size, seed, step)  # (B, block)
        return row[:, :-1], row[:, 1:]
    return corrupt_with_torch(table, rows, block_size, seed, step)
