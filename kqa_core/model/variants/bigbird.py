"""BigBird (Zaheer et al. 2020, section 2), causal: a window, the first positions, a few random ones.

Position t attends to s ≤ t if one of these holds:

- t − s < window: `bigbird_window` positions up to its own
- s < globals: the first `bigbird_global` positions of the row
- s is one of t's `bigbird_random` links, drawn once per layer from the positions between the two

The causal form differs from the paper's:

- The window and the links go backwards only; in the paper they go both ways.
- In the paper, a global position attends to the whole row, and the whole row attends to it. So any two
  positions are two steps apart, and the paper's theory (sparse attention can do what full attention can)
  depends on that. Here all positions attend to the first ones, but these attend only to each other: they
  carry the row's beginning and collect nothing. Information from before the window arrives through the links,
  or through the windows of further layers.
- The paper works in blocks of positions, for the hardware's sake. Here a block is one position.

There are two implementations, tested against each other. A mask for torch's kernel computes all T² logits; it
is the fastest for short rows. Gathering the keys of each query computes T · (window + globals + links)
logits, for long rows. Decoding uses a cache of keys and values.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from kqa_core.kernels.dropout import dropout as drop
from kqa_core.model.attention import CausalSelfAttention, attention_weights
from kqa_core.model.config import ROTARY, GPTConfig
from kqa_core.model.kv_cache import LayerKVCache
from kqa_core.model.variant_registry import Variant
from kqa_core.model.variants.rope import RotaryAttention

GATHER_FROM = 8  # gather keys if a row is at least this many times as long as the number of keys of a query


def draw_links(length: int, window: int, n_global: int, n_random: int) -> Tensor:
    """(length, n_random): each t's links, different positions in [n_global, t − window], or −1."""
    links = torch.full((length, n_random), -1)
    for t in range(length):
        between = torch.arange(n_global, max(n_global, t - window + 1))
        chosen = between[torch.randperm(len(between))[:n_random]]
        links[t, : len(chosen)] = chosen
    return links


class BigBirdAttention(CausalSelfAttention):
    """Causal self-attention in which each position attends to a few others: x (B, T, C) → (B, T, C).

    >>> config = GPTConfig(30, d_model=16, bigbird_window=2, bigbird_global=1, bigbird_random=0)
    >>> layer = BigBirdAttention(config)
    >>> layer.mask(torch.arange(4), 4).int()[3]  # position 3 attends to 0, 2 and 3
    tensor([1, 0, 1, 1], dtype=torch.int32)
    """

    links: Tensor  # (L, n_random), in the checkpoint: with other links it would be another model

    def __init__(self, config: GPTConfig) -> None:
        super().__init__(config)
        self.window, self.n_global = config.bigbird_window, config.bigbird_global
        self.register_buffer(
            "links", draw_links(config.block_size, self.window, self.n_global, config.bigbird_random)
        )

    def mask(self, positions: Tensor, slots: int) -> Tensor:
        """BoolTensor (…, T, slots): which slots 0 … slots − 1 each of `positions` (…, T) attends to."""
        slot = torch.arange(slots, device=positions.device)
        back = positions[..., None] - slot  # (…, T, slots): how far back a slot lies
        # (…, T, n_random, slots) → (…, T, slots)
        linked = (self.links[positions][..., None] == slot).any(dim=-2)
        return (back >= 0) & ((back < self.window) | (slot < self.n_global) | linked)

    def attended(self, length: int) -> tuple[Tensor, Tensor]:
        """Each query's keys as a list: positions (T, k), and which entries count (others repeat 0)."""
        t = torch.arange(length, device=self.links.device)[:, None]  # (T, 1)
        window = t - torch.arange(self.window, device=t.device)  # (T, window), negative before the row begins
        first = torch.arange(self.n_global, device=t.device).expand(length, -1)  # (T, globals)
        first = torch.where(first <= t - self.window, first, -1)  # those inside the window are listed already
        listed = torch.cat((window, first, self.links[:length]), dim=1)  # (T, k)
        return listed.clamp_min(0), listed >= 0

    def masked_attention(self, query: Tensor, key: Tensor, value: Tensor, allowed: Tensor) -> Tensor:
        """All logits, with a mask: query (B, nh, T, hs),
        key and value (B, nh, L, hs), allowed (…, T, L) → (B, nh, T, hs).
        """
        dropout = self.attention_dropout if self.training else 0.0
        return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed, dropout_p=dropout)

    def gathered_attention(self, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        """Only the unmasked logits: query, key and value (B, nh, T, hs) → (B, nh, T, hs)."""
        listed, counts = self.attended(query.shape[2])  # (T, k)
        # (B, nh, T, 1, k)
        weights = attention_weights(query[..., None, :], key[:, :, listed], counts[:, None])
        weights = drop(weights, self.attention_dropout if self.training else 0.0)
        return (weights @ value[:, :, listed]).squeeze(-2)  # (…, 1, k) @ (B, nh, T, k, hs) → (B, nh, T, hs)

    def attend(self, *heads: Tensor, cache: LayerKVCache | None) -> Tensor:
        """Queries, keys and values (B, nh, T, hs) → (B, nh, T, hs)."""
        query, key, value = heads
        T, positions = query.shape[2], None if cache is None else cache.positions
        query, key = self.apply_rotary(query, positions), self.apply_rotary(key, positions)
        if cache is not None:
            key, value = cache.append("key", key), cache.append("value", value)  # (B, nh, L, hs)
            allowed = self.mask(cache.positions, key.shape[2])[:, None]
            return self.masked_attention(query, key, value, allowed)
        if GATHER_FROM * (self.window + self.n_global + self.links.shape[1]) <= T:
            return self.gathered_attention(query, key, value)
        return self.masked_attention(query, key, value, self.mask(torch.arange(T, device=query.device), T))


class RotaryBigBirdAttention(RotaryAttention, BigBirdAttention):
    """The same, with queries and keys rotated by their positions."""


def attention(config: GPTConfig) -> BigBirdAttention:
    """BigBird with rotary positions if the config says so, else without."""
    return RotaryBigBirdAttention(config) if config.positions == ROTARY else BigBirdAttention(config)


VARIANT = Variant(
    attention,
    summary=(
        "softmax(Q Kᵀ / √d_head) V over a window, the first positions and random links, learned positions"
    ),
    takes_rotary=True,
)
