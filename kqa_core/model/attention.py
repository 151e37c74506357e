"""Attention: the page that is the equation.

    attention(Q, K, V) = softmax(Q Kᵀ / √d_head) V                    Vaswani et al. 2017, eq. 1

- `attention` is the literal equation, on any leading dimensions. Everything faster is tested against it.
- `MultiHead` is the frame of every attention with several heads: project, split, attend, merge, project.
- `CausalSelfAttention` fills it in: queries, keys and values; position t attends to positions ≤ t.
- Training uses a fused kernel (`kqa_core.kernels` chooses which: torch's by default). Decoding keeps keys and
  values in a `LayerKVCache`.
- A query whose keys are all masked gets nan and not an average over nothing. Causal rows always have one
  unmasked key.

Shapes: B batch, T time, C = d_model, nh heads, hs = d_head = C / nh.
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


def softmax(logits: Tensor) -> Tensor:
    """exp(x_i) / Σ_j exp(x_j) over the last dimension.
    The largest x is subtracted first: the same result, without overflow.

    >>> softmax(torch.tensor([1.0, 1.0, -torch.inf]))
    tensor([0.5000, 0.5000, 0.0000])
    """
    exponentials = torch.exp(logits - logits.amax(dim=-1, keepdim=True))
    return exponentials / exponentials.sum(dim=-1, keepdim=True)


def attention_weights(query: Tensor, key: Tensor, allowed: Tensor | None = None) -> Tensor:
    """softmax(Q Kᵀ / √d_head): query (…, T_q, hs),
    key (…, T_k, hs) → weights (…, T_q, T_k), rows summing to 1.

    `allowed` is a BoolTensor that broadcasts to the weights: True where a query may attend to a key.
    """
    logits = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])  # (…, T_q, T_k)
    if allowed is not None:
        # before the softmax, so that the others still sum to 1
        logits = logits.masked_fill(~allowed, -math.inf)
    return softmax(logits)


def attention(query: Tensor, key: Tensor, value: Tensor, allowed: Tensor | None = None) -> Tensor:
    """softmax(Q Kᵀ / √d_head) V: query (…, T_q, hs),
    key (…, T_k, hs), value (…, T_k, d_v) → (…, T_q, d_v).

    >>> keys = torch.eye(2)
    >>> attention(10 * keys, 10 * keys, torch.tensor([[1.0], [3.0]]))  # each query finds its own key
    tensor([[1.],
            [3.]])
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
    """The frame of attention with several heads: x (B, T, C) → (B, T, C).

    A subclass has `project` and `attend`, or a `forward` of its own. `project` and `output` treat each
    position alone; `mix` is what happens between positions.
    """

    projection: nn.Linear

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.n_head = config.n_head
        self.fusion = config.fusion  # how the heads are combined: concatenated by default
        self.attention_dropout = config.attention_dropout  # on the weights
        self.residual_dropout = Dropout(config.residual_dropout)  # on what is added to the residual stream

    def forward(self, x: Tensor, cache: LayerKVCache | None = None) -> Tensor:
        """x (B, T, C) → (B, T, C). With `cache`, x holds only the newest positions, the cache the others."""
        return self.output(self.mix(self.project(x), cache))

    def project(self, x: Tensor) -> tuple[Tensor, ...]:
        """x (…, C) → what `attend` needs of each position, such as query, key and value: (…, C) each."""
        raise NotImplementedError

    def mix(self, projected: tuple[Tensor, ...], cache: LayerKVCache | None = None) -> Tensor:
        """Projections (B, T, C) → the merged heads (B, T, C)."""
        heads = (split_heads(part, self.n_head) for part in projected)  # (B, nh, T, hs) each
        return self.merge(self.attend(*heads, cache=cache), cache)

    def attend(self, *heads: Tensor, cache: LayerKVCache | None) -> Tensor:
        """The projections as heads (B, nh, T, hs) → what each head computes, (B, nh, T, hs)."""
        raise NotImplementedError

    def merge(self, heads: Tensor, cache: LayerKVCache | None = None) -> Tensor:
        """Heads (B, nh, T, hs), combined as the fusion says → (B, T, C)."""
        return merge_heads(fuse(heads, self.fusion, self.training, cache))

    def output(self, merged: Tensor) -> Tensor:
        """Merged heads (…, C) → what is added to the residual stream, (…, C)."""
        out: Tensor = self.residual_dropout(self.projection(merged))
        return out

    def combined(self, heads: Tensor, cache: LayerKVCache | None = None) -> Tensor:
        """Heads (B, nh, T, hs) → what is added to the residual stream, (B, T, C)."""
        return self.output(self.merge(heads, cache))


class CausalSelfAttention(MultiHead):
    """Multi-head attention in which position t attends to positions ≤ t: x (B, T, C) → (B, T, C)."""

    def __init__(self, config: GPTConfig) -> None:
        super().__init__(config)
        self.query = nn.Linear(config.d_model, config.d_model)
        self.key = nn.Linear(config.d_model, config.d_model)
        self.value = nn.Linear(config.d_model, config.d_model)
        self.projection = nn.Linear(config.d_model, config.d_model)

    def apply_rotary(self, x: Tensor, positions: Tensor | None) -> Tensor:
        """Rotate queries or keys (B, nh, T, hs) by their positions (B, T), or by 0 … T − 1. Here: no change;
        `RotaryAttention` overrides it.
        """
        return x

    def project(self, x: Tensor) -> tuple[Tensor, ...]:
        """x (…, C) → queries, keys and values, (…, C) each."""
        return self.query(x), self.key(x), self.value(x)

    def attend(self, *heads: Tensor, cache: LayerKVCache | None) -> Tensor:
        """Queries, keys and values (B, nh, T, hs) → (B, nh, T, hs)."""
        query, key, value = heads
        positions = None if cache is None else cache.positions
        query, key = self.apply_rotary(query, positions), self.apply_rotary(key, positions)
        if cache is None:
            return causal_attention(query, key, value, self.attention_dropout if self.training else 0.0)
        key, value = cache.append("key", key), cache.append("value", value)  # (B, nh, L, hs), L ≥ T
        return F.scaled_dot_product_attention(query, key, value, attn_mask=cache.allowed)
