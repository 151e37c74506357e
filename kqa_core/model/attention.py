"""Attention: the page that is the equation.

    attention(Q, K, V) = softmax(Q Kᵀ / √d_head) V                    Vaswani et al. 2017, eq. 1

- `attention` is the literal equation, on any leading dimensions. Everything faster is tested against it.
- `CausalSelfAttention` projects x to queries, keys and values and splits them into heads; position t attends
  to positions ≤ t.
- Training uses a fused kernel (`kqa_core.kernels` chooses which: torch's by default). Decoding keeps keys and
  values in a `LayerKVCache`.
- A query whose keys are all masked gets nan and not an average over nothing. Causal rows always have one
  unmasked key.

Shapes: B batch, T time, C = d_model, nh heads, hs = d_head = C / nh; N real positions of packed rows
(`kqa_core.model.packing`).
"""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from kqa_core.kernels import causal_attention
from kqa_core.kernels.dropout import Dropout
from kqa_core.model.config import GPTConfig
from kqa_core.model.head_fusion import fuse
from kqa_core.model.kv_cache import LayerKVCache
from kqa_core.model.packing import Packing


def softmax(logits: Tensor) -> Tensor:
    """exp(x_i) / Σ_j exp(x_j) over the last dimension. The largest x is subtracted first: the same result,
    without overflow.
    """
    exponentials = torch.exp(logits - logits.amax(dim=-1, keepdim=True))
    return exponentials / exponentials.sum(dim=-1, keepdim=True)


def attention_weights(query: Tensor, key: Tensor, allowed: Tensor | None = None) -> Tensor:
    """softmax(Q Kᵀ / √d_head): query (…, T_q, hs), key (…, T_k, hs) → weights (…, T_q, T_k), rows summing to
    1.

    `allowed` is a BoolTensor that broadcasts to the weights: True where a query may attend to a key.
    """
    logits = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])  # (…, T_q, T_k)
    if allowed is not None:
        # before the softmax, so that the others still sum to 1
        logits = logits.masked_fill(~allowed, -math.inf)
    return softmax(logits)


def attention(query: Tensor, key: Tensor, value: Tensor, allowed: Tensor | None = None) -> Tensor:
    """softmax(Q Kᵀ / √d_head) V: query (…, T_q, hs), key (…, T_k, hs), value (…, T_k, d_v) → (…, T_q,
    d_v).
    """
    return attention_weights(query, key, allowed) @ value


def split_heads(x: Tensor, n_head: int) -> Tensor:
    """(B, T, C) → (B, nh, T, hs): head h holds channels h·hs … (h+1)·hs − 1."""
    B, T, C = x.shape
    return x.view(B, T, n_head, C // n_head).transpose(1, 2)  # (B, T, nh, hs) → (B, nh, T, hs)


def merge_heads(x: Tensor) -> Tensor:
    """(B, nh, T, hs) → (B, T, C), the inverse of `split_heads`."""
    B, nh, T, hs = x.shape
    return x.transpose(1, 2).reshape(B, T, nh * hs)  # (B, T, nh, hs) → (B, T, C)


class MultiHead(nn.Module):
    """What all modules with several heads share. They map x (B, T, C) to heads, each in its own way."""

    projection: nn.Linear

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.n_head = config.n_head
        self.fusion = config.fusion  # how the heads are combined: concatenated by default
        self.attention_dropout = config.attention_dropout  # on the weights
        self.residual_dropout = Dropout(config.residual_dropout)  # on what is added to the residual stream

    def split(self, x: Tensor, packing: Packing | None = None) -> Tensor:
        """x (B, T, C), or packed (N, C) → heads (B, nh, T, hs)."""
        return split_heads(x if packing is None else packing.unpack(x), self.n_head)

    def combined(
        self, heads: Tensor, cache: LayerKVCache | None = None, packing: Packing | None = None
    ) -> Tensor:
        """Heads (B, nh, T, hs) → what is added to the residual stream, (B, T, C), or packed (N, C)."""
        merged = merge_heads(fuse(heads, self.fusion, self.training, cache))
        out: Tensor = self.residual_dropout(
            self.projection(merged if packing is None else packing.pack(merged))
        )
        return out


class CausalSelfAttention(MultiHead):
    """Multi-head self-attention in which position t attends to positions ≤ t only: x (B, T, C) → (B, T,
    C).
    """

    def __init__(self, config: GPTConfig) -> None:
        super().__init__(config)
        self.query = nn.Linear(config.d_model, config.d_model)
        self.key = nn.Linear(config.d_model, config.d_model)
        self.value = nn.Linear(config.d_model, config.d_model)
        self.projection = nn.Linear(config.d_model, config.d_model)

    def apply_rotary(self, x: Tensor, positions: Tensor | None) -> Tensor:
        """Rotate queries or keys (B, nh, T, hs) by their positions. Here: no change. `RotaryAttention`
        overrides it.
        """
        return x

    def forward(self, x: Tensor, cache: LayerKVCache | None = None, packing: Packing | None = None) -> Tensor:
        """x (B, T, C) → (B, T, C). With `cache`, x holds only the newest positions; the others are in the
        cache.

        With `packing`, x is packed: (N, C) → (N, C).
        """
        positions = None if cache is None else cache.positions  # (B, T), or None for 0 … T−1 in every row
        query = self.apply_rotary(self.split(self.query(x), packing), positions)  # (B, nh, T, hs)
        key = self.apply_rotary(self.split(self.key(x), packing), positions)  # (B, nh, T, hs)
        value = self.split(self.value(x), packing)  # (B, nh, T, hs)
        if cache is None:
            dropout = self.attention_dropout if self.training else 0.0
            heads = causal_attention(query, key, value, dropout)
        else:
            key, value = cache.append("key", key), cache.append("value", value)  # (B, nh, L, hs), L ≥ T
            heads = F.scaled_dot_product_attention(query, key, value, attn_mask=cache.allowed)
        return self.combined(heads, cache, packing)
