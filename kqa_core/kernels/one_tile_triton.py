"""One tile of attention in Triton, launched by `kqa_core.kernels.one_tile`. Importing this imports Triton.

- One program computes one head of one row: it loads Q, K and V once, holds the whole (T, T) tile of weights
  in registers, and writes once. Products of 16-bit numbers run on tensor cores and sum in float32; float32
  ones are exact, and slow.
- Forward: exponentials are normalised after the product with V, because that has fewer numbers to divide, (T,
  hv).
- Backward: it computes the weights again, then the gradients, in the same program. A program handles one
  head. The gradient of shared keys is written for every head and summed by torch, because a loop over heads
  in the kernel spills registers. There are no atomics, so the result has the same bits every time.
- Exponentials are powers of 2, which the hardware computes directly; log₂ e is part of the scale.
- Written for Triton 3.6 to 3.9: pointers and masks, no block pointers. Strides come from the tensors, so
  views of a projection's output are read without a copy; only the innermost stride must be 1.
"""

from __future__ import annotations

import math
from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor

from kqa_core.kernels.layout import empty_bthd

LOG2E = tl.constexpr(math.log2(math.e))
# fusion is the default up to Triton 3.9, which warns unless it is given
COMPILED = {"num_stages": 1, "enable_fp_fusion": True}


@triton.jit
def _load(base, row, column, stride, length, width):
    """A tile (rows, columns), zeros outside length × width."""
    inside = (row[:, None] < length) & (column[None, :] < width)
    return tl.load(base + row[:, None] * stride + column[None, :], mask=inside, other=0.0)


@triton.jit
def _store(base, tile, row, column, stride, length, width):
    """The inverse of `_load`, rounding to what `base` points to."""
    inside = (row[:, None] < length) & (column[None, :] < width)
    tl.store(base + row[:, None] * stride + column[None, :], tile.to(base.dtype.element_ty), mask=inside)


@triton.jit
def _exponentials(query, key, offset, at, length, scale, CAUSAL: tl.constexpr):
    """2^(logit − its row's largest), 0 where masked: (T, T) float32. `offset` is times log₂ e already."""
    logits = tl.dot(query, tl.trans(key), input_precision="ieee") * (scale * LOG2E) + offset[None, :]
    allowed = at[None, :] < length
    if CAUSAL:
        allowed = allowed & (at[None, :] <= at[:, None])
    logits = tl.where(allowed, logits, float("-inf"))
    return tl.exp2(logits - tl.max(logits, axis=1)[:, None])


@triton.jit
def forward_kernel(
    query, key, value, offset, out,
    query_b, query_h, query_t, key_b, key_h, key_t, value_b, value_h, value_t, out_b, out_h, out_t,
    heads, length, width, value_width, scale,
    CAUSAL: tl.constexpr, OFFSET: tl.constexpr, LENGTH: tl.constexpr, WIDTH: tl.constexpr,
    VALUE_WIDTH: tl.constexpr,
):  # fmt: skip
    number = tl.program_id(0)
    b, h = (number // heads).to(tl.int64), (number % heads).to(tl.int64)
    at, channel, value_channel = tl.arange(0, LENGTH), tl.arange(0, WIDTH), tl.arange(0, VALUE_WIDTH)
    q = _load(query + b * query_b + h * query_h, at, channel, query_t, length, width)
    k = _load(key + b * key_b + h * key_h, at, channel, key_t, length, width)
    v = _load(value + b * value_b + h * value_h, at, value_channel, value_t, length, value_width)
    shift = tl.zeros((LENGTH,), tl.float32)
    if OFFSET:
        shift = tl.load(offset + at, mask=at < length, other=0.0).to(tl.float32) * LOG2E
    e = _exponentials(q, k, shift, at, length, scale, CAUSAL)
    read = tl.dot(e.to(v.dtype), v, input_precision="ieee") / tl.sum(e, axis=1)[:, None]
    _store(out + b * out_b + h * out_h, read, at, value_channel, out_t, length, value_width)


@triton.jit
def backward_kernel(
    grad, query, key, value, offset, d_query, d_key, d_value, d_offset,
    grad_b, grad_h, grad_t, query_b, query_h, query_t, key_b, key_h, key_t, value_b, value_h, value_t,
    d_query_b, d_query_h, d_query_t, d_key_b, d_key_h, d_key_t, d_value_b, d_value_h, d_value_t,
    heads, length, width, value_width, scale,
    CAUSAL: tl.constexpr, OFFSET: tl.constexpr, LENGTH: tl.constexpr, WIDTH: tl.constexpr,
    VALUE_WIDTH: tl.constexpr,
):  # fmt: skip
    number = tl.program_id(0)
    b, h = (number // heads).to(tl.int64), (number % heads).to(tl.int64)
    at, channel, value_channel = tl.arange(0, LENGTH), tl.arange(0, WIDTH), tl.arange(0, VALUE_WIDTH)
    q = _load(query + b * query_b + h * query_h, at, channel, query_t, length, width)
    k = _load(key + b * key_b + h * key_h, at, channel, key_t, length, width)
    v = _load(value + b * value_b + h * value_h, at, value_channel, value_t, length, value_width)
    g = _load(grad + b * grad_b + h * grad_h, at, value_channel, grad_t, length, value_width)
    shift = tl.zeros((LENGTH,), tl.float32)
    if OFFSET:
        shift = tl.load(offset + at, mask=at < length, other=0.0).to(tl.float32) * LOG2E
    e = _exponentials(q, k, shift, at, length, scale, CAUSAL)
    weights = e / tl.sum(e, axis=1)[:, None]
    d_v = tl.dot(tl.trans(weights.to(g.dtype)), g, input_precision="ieee")
    _store(d_value + b * d_value_b + h * d_value_h, d_v, at, value_channel, d_value_t, length, value_width)
    d_weights = tl.dot(g, tl.trans(v), input_precision="ieee")
    d_logits = weights * (d_weights - tl.sum(weights * d_weights, axis=1)[:, None])
    if OFFSET:  # (B, nh, T), contiguous
        tl.store(d_offset + number * length + at, tl.sum(d_logits, axis=0), mask=at < length)
    narrow = d_logits.to(q.dtype)
    d_q = tl.dot(narrow, k, input_precision="ieee") * scale
    _store(d_query + b * d_query_b + h * d_query_h, d_q, at, channel, d_query_t, length, width)
    d_k = tl.dot(tl.trans(narrow), q, input_precision="ieee") * scale
    _store(d_key + b * d_key_b + h * d_key_h, d_k, at, channel, d_key_t, length, width)


def tile(length: int) -> int:
    """The next power of two, at least 16, as tensor cores need it."""
    return max(16, 1 << (length - 1).bit_length())


def warps(length: int) -> int:
    """Warps per program: with 8 warps, a (128, 128) tile of float32 takes 64 registers a thread."""
    return {16: 1, 32: 2, 64: 4}.get(tile(length), 8)


def _inner(x: Tensor) -> Tensor:
    """x, copied if its innermost stride is not 1."""
    return x if x.stride(-1) == 1 else x.contiguous()


def _strides(x: Tensor) -> tuple[int, int, int]:
    """Strides of b, h and t; the first two are 0 for shared keys."""
    return (0, 0, x.stride(0)) if x.dim() == 2 else (x.stride(0), x.stride(1), x.stride(2))


def _options(query: Tensor, value: Tensor, offset: Tensor | None, causal: bool) -> dict[str, Any]:
    sizes = {
        "LENGTH": tile(query.shape[2]),
        "WIDTH": tile(query.shape[3]),
        "VALUE_WIDTH": tile(value.shape[3]),
    }
    return {
        "CAUSAL": causal,
        "OFFSET": offset is not None,
        **sizes,
        "num_warps": warps(query.shape[2]),
        **COMPILED,
    }


def forward(
    query: Tensor, key: Tensor, value: Tensor, offset: Tensor | None, scale: float, causal: bool
) -> Tensor:
    """softmax(scale · Q Kᵀ + offset) V, shapes as in `one_tile`; inputs are checked there."""
    B, nh, T, hs = query.shape
    query, key, value = _inner(query), _inner(key), _inner(value)
    out = empty_bthd(value)
    with torch.cuda.device_of(query):
        forward_kernel[(B * nh,)](
            query, key, value, offset if offset is not None else query, out,
            *_strides(query), *_strides(key), *_strides(value), *_strides(out),
            nh, T, hs, value.shape[3], scale, **_options(query, value, offset, causal),
        )  # fmt: skip
    return out


def backward(
    grad: Tensor, query: Tensor, key: Tensor, value: Tensor, offset: Tensor | None, scale: float, causal: bool
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Gradients of query, key, value and offset (empty without offset)."""
    B, nh, T, hs = query.shape
    grad, query, key, value = _inner(grad), _inner(query), _inner(key), _inner(value)
    shared = key.dim() == 2
    d_query, d_value = empty_bthd(query), empty_bthd(value)
    d_key = empty_bthd(query, torch.float32 if shared else key.dtype)
    d_offset = query.new_empty((B * nh, T) if offset is not None else 0, dtype=torch.float32)
    with torch.cuda.device_of(query):
        backward_kernel[(B * nh,)](
            grad, query, key, value, offset if offset is not None else query,
            d_query, d_key, d_value, d_offset,
            *_strides(grad), *_strides(query), *_strides(key), *_strides(value),
            *_strides(d_query), *_strides(d_key), *_strides(d_value),
            nh, T, hs, value.shape[3], scale, **_options(query, value, offset, causal),
        )  # fmt: skip
    if shared:
        d_key = d_key.sum(dim=(0, 1)).to(key.dtype)
    return (
        d_query,
        d_key,
        d_value,
        d_offset.to(query.dtype) if offset is None else d_offset.sum(dim=0).to(offset.dtype),
    )
