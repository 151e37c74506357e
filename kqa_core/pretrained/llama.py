"""Llama's form of a Transformer (Touvron et al. 2023), which SmolLM2 has: the changes since 2017 on one page.

    x ← x + attention(norm(x)),   x ← x + W_down (silu(W_gate norm(x)) ⊙ W_up norm(x)),   logits = E norm(x)

- RMSNorm (Zhang and Sennrich 2019) in place of LayerNorm: x / √(mean(x²) + ε) ⊙ g. No mean is subtracted.
- Rotary positions (Su et al. 2021), by the course's own `rotate`, on neighbouring channels.
- Grouped-query attention (Ainslie et al. 2023): several query heads share one head of keys and values.
- SwiGLU (Shazeer 2020) in place of GELU: one projection gates another.
- The output matrix is the token embedding E. No layer has a bias.

Shapes: B batch, T time, C = d_model, nh query heads, nkv heads of keys and values, hs = C / nh.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from kqa_core.kernels import causal_attention
from kqa_core.model.attention import merge_heads, split_heads
from kqa_core.model.kv_cache import KVCache, LayerKVCache
from kqa_core.model.variants.rope import angles, rotate


@dataclass(frozen=True)
class LlamaConfig:
    """The shape of a model."""

    vocab_size: int
    n_layer: int
    d_model: int
    d_mlp: int
    n_head: int  # of queries
    n_key_head: int  # of keys and values; divides n_head
    theta: float  # of the rotary positions
    epsilon: float  # of the norms
    block_size: int  # the longest text in tokens that it was trained on


class GroupedQueryAttention(nn.Module):
    """Causal self-attention in which n_head / n_key_head query heads share a head of keys and values."""

    def __init__(self, config: LlamaConfig) -> None:
        super().__init__()
        self.config = config
        d_head = config.d_model // config.n_head
        self.query = nn.Linear(config.d_model, config.n_head * d_head, bias=False)
        self.key = nn.Linear(config.d_model, config.n_key_head * d_head, bias=False)
        self.value = nn.Linear(config.d_model, config.n_key_head * d_head, bias=False)
        self.projection = nn.Linear(config.d_model, config.d_model, bias=False)

    def forward(self, x: Tensor, angle: Tensor, cache: LayerKVCache | None = None) -> Tensor:
        """x (B, T, C), angle (T, hs / 2) or (B, 1, T, hs / 2) → (B, T, C).
        With `cache`, x holds only the newest positions.
        """
        config = self.config
        query = rotate(split_heads(self.query(x), config.n_head), angle)  # (B, nh, T, hs)
        key = rotate(split_heads(self.key(x), config.n_key_head), angle)  # (B, nkv, T, hs)
        value = split_heads(self.value(x), config.n_key_head)  # (B, nkv, T, hs)
        if cache is not None:
            key, value = cache.append("key", key), cache.append("value", value)  # (B, nkv, L, hs)
        group = config.n_head // config.n_key_head
        # (B, nh, L, hs): query heads 0 … group − 1 use key head 0
        key, value = key.repeat_interleave(group, 1), value.repeat_interleave(group, 1)
        if cache is None:
            heads = causal_attention(query, key, value)
        else:
            heads = F.scaled_dot_product_attention(query, key, value, attn_mask=cache.allowed)
        out: Tensor = self.projection(merge_heads(heads))
        return out


class SwiGLU(nn.Module):
    """W_down (silu(W_gate x) ⊙ W_up x): x (…, C) → (…, C)."""

    def __init__(self, config: LlamaConfig) -> None:
        super().__init__()
        self.gate = nn.Linear(config.d_model, config.d_mlp, bias=False)
        self.up = nn.Linear(config.d_model, config.d_mlp, bias=False)
        self.down = nn.Linear(config.d_mlp, config.d_model, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """x (…, C) → (…, C)."""
        out: Tensor = self.down(F.silu(self.gate(x)) * self.up(x))
        return out


class LlamaBlock(nn.Module):
    """Attention and MLP, each behind a norm and added to the residual stream."""

    def __init__(self, config: LlamaConfig) -> None:
        super().__init__()
        self.norm_1 = nn.RMSNorm(config.d_model, config.epsilon)
        self.attention = GroupedQueryAttention(config)
        self.norm_2 = nn.RMSNorm(config.d_model, config.epsilon)
        self.mlp = SwiGLU(config)

    def forward(self, x: Tensor, angle: Tensor, cache: LayerKVCache | None = None) -> Tensor:
        """x (B, T, C) → (B, T, C)."""
        x = x + self.attention(self.norm_1(x), angle, cache)
        out: Tensor = x + self.mlp(self.norm_2(x))
        return out


class Llama(nn.Module):
    """The language model: tokens (B, T) → logits (B, T, vocab_size)."""

    def __init__(self, config: LlamaConfig) -> None:
        super().__init__()
        self.config = config
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([LlamaBlock(config) for _ in range(config.n_layer)])
        self.norm = nn.RMSNorm(config.d_model, config.epsilon)

    def hidden_states(self, tokens: Tensor, cache: KVCache | None = None) -> list[Tensor]:
        """The embedding and the output of each block, n_layer + 1 tensors (B, T, C), before the last norm."""
        config = self.config
        if cache is None:
            positions = torch.arange(tokens.shape[1], device=tokens.device)  # (T,)
        else:
            positions = cache.positions[:, None]  # (B, 1, T)
        angle = angles(positions, config.d_model // config.n_head, config.theta)
        states = [self.token_embedding(tokens)]
        for i, block in enumerate(self.blocks):
            states.append(block(states[-1], angle, None if cache is None else cache.layers[i]))
        return states

    def forward(self, tokens: Tensor, cache: KVCache | None = None) -> Tensor:
        """tokens (B, T) LongTensor → logits (B, T, vocab_size). With `cache`, `tokens` are only the newest
        ones, at `cache.positions`.
        """
        x = self.norm(self.hidden_states(tokens, cache)[-1])  # (B, T, C)
        return F.linear(x, self.token_embedding.weight)  # (B, T, vocab_size)
