"""Attention of at most 128 positions as one operator, `kqa::one_tile`, with its gradient.

    out = softmax(scale · Q Kᵀ + offset) V

- With 128 positions or fewer, all logits of a head fit into one tile. Nothing is streamed, and the weights
  are not saved: the backward pass computes them again, as in FlashAttention.
- It computes softmax attention (a key for every row and head, no offset) and the dense Synthesizer (one
  matrix of keys (T, hs) for all, an offset for each key). No channel of ones is appended, so hs stays a power
  of two.
- Two implementations: plain torch (`reference`, `reference_backward`) for a CPU, and Triton
  (`kqa_core.kernels.one_tile_triton`) for a GPU, or for Triton's interpreter on a CPU with
  TRITON_INTERPRET=1. Both sum in float32 or better.
- Results have shape (B, nh, T, hs) and the memory layout (B, T, nh, hs), so merging the heads afterwards
  copies nothing.
- A query whose keys are all masked gets nan, as in `kqa_core.model.attention`.

Shapes: B batch, nh heads, T positions, hs channels of query and key, hv channels of value.
"""

from __future__ import annotations

import math
import os
from typing import Any

import torch
from torch import Tensor

from kqa_core.kernels.layout import empty_bthd

LONGEST = 128  # positions: one tile
WIDEST = 128  # channels of a head
# largest number of channels for which the compiled kernels do not spill registers (a test asserts it)
SERVED = 32


def fits(query: Tensor, value: Tensor) -> bool:
    """Whether these tensors fit into one tile."""
    return (
        query.shape[2] == value.shape[2] <= LONGEST and query.shape[3] <= WIDEST and value.shape[3] <= WIDEST
    )


def reference_weights(
    query: Tensor, key: Tensor, offset: Tensor | None, scale: float, causal: bool
) -> Tensor:
    """softmax(scale · Q Kᵀ + offset): (B, nh, T, T), float32 at least."""
    wide = torch.promote_types(query.dtype, torch.float32)
    logits = scale * (query.to(wide) @ key.to(wide).transpose(-2, -1))  # (B, nh, T, T)
    if offset is not None:
        logits = logits + offset.to(wide)
    if causal:
        T = query.shape[2]
        later = torch.ones(T, T, dtype=torch.bool, device=query.device).triu(1)
        logits = logits.masked_fill(later, -math.inf)
    return logits.softmax(dim=-1)


def reference(
    query: Tensor, key: Tensor, value: Tensor, offset: Tensor | None, scale: float, causal: bool
) -> Tensor:
    """The equation in plain torch: (B, nh, T, hv)."""
    weights = reference_weights(query, key, offset, scale, causal)
    return to_bthd(weights @ value.to(weights.dtype), value.dtype)


def reference_backward(
    grad: Tensor, query: Tensor, key: Tensor, value: Tensor, offset: Tensor | None, scale: float, causal: bool
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Gradients of query, key, value and offset (empty without offset), computed as in the kernel."""
    weights = reference_weights(query, key, offset, scale, causal)  # P (B, nh, T, T)
    wide = weights.dtype
    d_weights = grad.to(wide) @ value.to(wide).transpose(-2, -1)  # dP (B, nh, T, T)
    mean = (weights * d_weights).sum(dim=-1, keepdim=True)  # (B, nh, T, 1)
    d_logits = weights * (d_weights - mean)  # dS (B, nh, T, T)
    d_query = scale * (d_logits @ key.to(wide))
    d_key = scale * (d_logits.transpose(-2, -1) @ query.to(wide))
    d_value = weights.transpose(-2, -1) @ grad.to(wide)
    d_offset = query.new_empty(0) if offset is None else d_logits.sum(dim=(0, 1, 2)).to(offset.dtype)
    d_key = d_key.sum(dim=(0, 1)).to(key.dtype) if key.dim() == 2 else to_bthd(d_key, key.dtype)
    return to_bthd(d_query, query.dtype), d_key, to_bthd(d_value, value.dtype), d_offset


def to_bthd(x: Tensor, dtype: torch.dtype) -> Tensor:
    """x (B, nh, T, hs) in the memory layout (B, T, nh, hs)."""
    return empty_bthd(x, dtype).copy_(x)


def check(query: Tensor, key: Tensor, value: Tensor, offset: Tensor | None) -> None:
    """Raise ValueError for shapes that do not match or do not fit into one tile."""
    if query.dim() != 4 or value.dim() != 4 or query.shape[:3] != value.shape[:3]:
        raise ValueError(
            f"query {tuple(query.shape)} and value {tuple(value.shape)}: (B, nh, T, channels) of one B, nh, T"
            " expected"
        )
    B, nh, T, hs = query.shape
    if tuple(key.shape) not in ((B, nh, T, hs), (T, hs)):
        raise ValueError(
            f"key {tuple(key.shape)}: {(B, nh, T, hs)} or, shared by all heads, {(T, hs)} expected"
        )
    if offset is not None and tuple(offset.shape) != (T,):
        raise ValueError(f"offset {tuple(offset.shape)}: one number a key, ({T},), expected")
    if not query.dtype == key.dtype == value.dtype:
        raise ValueError(
            f"query, key and value of one type expected, not {query.dtype}, {key.dtype}, {value.dtype}"
        )
    if not fits(query, value) or 0 in query.shape or 0 in value.shape:
        raise ValueError(
            f"1 to {LONGEST} positions and 1 to {WIDEST} channels expected, not {T} and {hs},"
            f" {value.shape[3]}"
        )


def _on_triton(query: Tensor) -> bool:
    """Whether to use Triton: for tensors on a GPU, or on a CPU if Triton is the interpreter."""
    return query.is_cuda or os.environ.get("TRITON_INTERPRET") == "1"


_INPUTS = "Tensor query, Tensor key, Tensor value, Tensor? offset, float scale, bool causal"


def _forward(
    query: Tensor, key: Tensor, value: Tensor, offset: Tensor | None, scale: float, causal: bool
) -> Tensor:
    check(query, key, value, offset)
    if _on_triton(query):
        from kqa_core.kernels.one_tile_triton import forward

        return forward(query, key, value, offset, scale, causal)
    return reference(query, key, value, offset, scale, causal)


def _backward(
    grad: Tensor, query: Tensor, key: Tensor, value: Tensor, offset: Tensor | None, scale: float, causal: bool
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    if _on_triton(query):
        from kqa_core.kernels.one_tile_triton import backward

        return backward(grad, query, key, value, offset, scale, causal)
    return reference_backward(grad, query, key, value, offset, scale, causal)


attention = torch.library.custom_op(
    "kqa::one_tile", _forward, mutates_args=(), schema=f"({_INPUTS}) -> Tensor"
)
attention_backward = torch.library.custom_op(
    "kqa::one_tile_backward",
    _backward,
    mutates_args=(),
    schema=f"(Tensor grad, {_INPUTS}) -> (Tensor, Tensor, Tensor, Tensor)",
)


@attention.register_fake
def _fake(
    query: Tensor, key: Tensor, value: Tensor, offset: Tensor | None, scale: float, causal: bool
) -> Tensor:
    check(query, key, value, offset)
    return empty_bthd(value)


@attention_backward.register_fake
def _fake_backward(
    grad: Tensor, query: Tensor, key: Tensor, value: Tensor, offset: Tensor | None, scale: float, causal: bool
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    d_key = key.new_empty(key.shape) if key.dim() == 2 else empty_bthd(key)
    d_offset = query.new_empty(0) if offset is None else offset.new_empty(offset.shape)
    return empty_bthd(query), d_key, empty_bthd(value), d_offset


def _keep(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
    *tensors, ctx.scale, ctx.causal = inputs
    ctx.save_for_backward(*tensors)


def _differentiate(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
    query, key, value, offset = ctx.saved_tensors
    d_query, d_key, d_value, d_offset = attention_backward(
        grad, query, key, value, offset, ctx.scale, ctx.causal
    )
    return d_query, d_key, d_value, None if offset is None else d_offset, None, None


attention.register_autograd(_differentiate, setup_context=_keep)
