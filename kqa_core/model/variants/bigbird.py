"""BigBird (Zaheer et al. 2020, section 2) in a causal form: each query reads a window, the first positions, and a few at random.

Position t reads s ≤ t where
    t − s < window,         `bigbird_window` positions up to its own
    or s < globals,         the first `bigbird_global` positions of the row
    or s is one of t's `bigbird_random` links, drawn once per layer from the positions between the two.

What the causal form changes of the paper's:
- The window reaches back only, the links too; the paper's go both ways.
- A global position there reads the whole row and is read by all of it: any two positions are then two steps apart, and the
  theory of the paper (sparse attention can do what full attention can) rests on that. Here the first positions are read by all
  but can themselves read only each other, so they tell of the row's beginning and gather nothing. What lies behind the window
  arrives through the links, or step by step through the windows of further layers.
- The paper works in blocks of positions, for the hardware's sake; here a block is one position.

Two ways to compute it, tested against each other: a mask for torch's kernel, all T² logits of it, the fastest for short rows; and
gathering what each query reads, T · (window + globals + links), for long ones. Decoding remembers keys and values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
import torch.nn.functional as F
from torch import Tensor

from kqa_core.model.attention import CausalSelfAttention, attention_weights, merge_heads, split_heads
from kqa_core.model.config import ROTARY
from kqa_core.model.head_fusion import fuse
from kqa_core.model.variant_registry import Variant
from kqa_core.model.variants.rope import RotaryAttention

if TYPE_CHECKING:
    from kqa_core.model.config import GPTConfig
    from kqa_core.model.kv_cache import LayerKVCache

GATHER_FROM = 8  # rows this many times as long as what a query reads are gathered


def draw_links(length: int, window: int, n_global: int, n_random: int) -> Tensor:
    """(length, n_random): for each t its links, different positions in [n_global, t − window], −1 where these are too few."""
    links = torch.full((length, n_random), -1)
    for t in range(length):
        between = torch.arange(n_global, max(n_global, t - window + 1))
        chosen = between[torch.randperm(len(between))[:n_random]]
        links[t, : len(chosen)] = chosen
    return links


class BigBirdAttention(CausalSelfAttention):
    """Causal self-attention in which each position reads a few others: x (B, T, C) → (B, T, C)."""

    links: Tensor  # (L, n_random), part of the checkpoint: another draw would be another model

    def __init__(self, config: GPTConfig) -> None:
        super().__init__(config)
        self.window, self.n_global = config.bigbird_window, config.bigbird_global
        self.register_buffer("links", draw_links(config.block_size, self.window, self.n_global, config.bigbird_random))

    def mask(self, positions: Tensor, slots: int) -> Tensor:
        """Which of slots 0 … slots − 1 each of positions (…, T) reads: BoolTensor (…, T, slots)."""
        slot = torch.arange(slots, device=positions.device)
        back = positions[..., None] - slot  # (…, T, slots): how far back a slot lies
        linked = (self.links[positions][..., None] == slot).any(dim=-2)  # (…, T, n_random, slots) → (…, T, slots)
        return (back >= 0) & ((back < self.window) | (slot < self.n_global) | linked)

    def attended(self, length: int) -> tuple[Tensor, Tensor]:
        """What each position of a row reads, as a list: positions (T, k), and which entries count (others repeat position 0)."""
        t = torch.arange(length, device=self.links.device)[:, None]  # (T, 1)
        window = t - torch.arange(self.window, device=t.device)  # (T, window), negative before the row begins
        first = torch.arange(self.n_global, device=t.device).expand(length, -1)  # (T, globals)
        first = torch.where(first <= t - self.window, first, -1)  # those inside the window are there already
        listed = torch.cat((window, first, self.links[:length]), dim=1)  # (T, k)
        return listed.clamp_min(0), listed >= 0

    def masked_attention(self, query: Tensor, key: Tensor, value: Tensor, allowed: Tensor) -> Tensor:
        """Every logit, and a mask: query (B, nh, T, hs), key and value (B, nh, L, hs), allowed (…, T, L) → (B, nh, T, hs)."""
        dropout = self.attention_dropout if self.training else 0.0
        return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed, dropout_p=dropout)

    def gathered_attention(self, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        """Only the logits that count: query, key and value (B, nh, T, hs) → (B, nh, T, hs)."""
        listed, counts = self.attended(query.shape[2])  # (T, k)
        weights = attention_weights(query[..., None, :], key[:, :, listed], counts[:, None])  # (B, nh, T, 1, k)
        weights = F.dropout(weights, self.attention_dropout, self.training)
        return (weights @ value[:, :, listed]).squeeze(-2)  # (…, 1, k) @ (B, nh, T, k, hs) → (B, nh, T, hs)

    def forward(self, x: Tensor, cache: LayerKVCache | None = None) -> Tensor:
        """x (B, T, C) → (B, T, C). With `cache`, x holds only the newest positions and the rest is remembered."""
        T, positions = x.shape[1], None if cache is None else cache.positions
        query = self.apply_rotary(split_heads(self.query(x), self.n_head), positions)  # (B, nh, T, hs)
        key = self.apply_rotary(split_heads(self.key(x), self.n_head), positions)  # (B, nh, T, hs)
        value = split_heads(self.value(x), self.n_head)  # (B, nh, T, hs)
        if cache is not None:
            key, value = cache.append("key", key), cache.append("value", value)  # (B, nh, L, hs)
            read = self.masked_attention(query, key, value, self.mask(cache.positions, key.shape[2])[:, None])
        elif GATHER_FROM * (self.window + self.n_global + self.links.shape[1]) <= T:
            read = self.gathered_attention(query, key, value)
        else:
            read = self.masked_attention(query, key, value, self.mask(torch.arange(T, device=x.device), T))
        read = fuse(read, self.fusion, self.training, cache)  # (B, nh, T, hs)
        out: Tensor = self.residual_dropout(self.projection(merge_heads(read)))  # (B, T, C)
        return out


class RotaryBigBirdAttention(RotaryAttention, BigBirdAttention):
    """The same, with queries and keys turned by their positions."""


def attention(config: GPTConfig) -> BigBirdAttention:
    """With learned positions, or with turned queries and keys where the config asks for rotary ones."""
    return RotaryBigBirdAttention(config) if config.positions == ROTARY else BigBirdAttention(config)


VARIANT = Variant(
    attention,
    summary="softmax(Q Kᵀ / √d_head) V over a window, the first positions and random links, learned positions",
    takes_rotary=True,
)
