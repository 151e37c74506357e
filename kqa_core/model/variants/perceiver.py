"""A Perceiver-style model (Jaegle et al. 2021), as in CS224n Assignment 5 of 2023: fewer rows inside.

- DownProjectBlock, (T, C) → (m, C): `Y = attention(Q = LN(basis), K = V = X)`, then `Y + MLP(LN(Y))`
- n_layer − 2 ordinary blocks on Y, (m, C) → (m, C)
- UpProjectBlock, (m, C) → (T, C): `X + attention(Q = X, K = V = LN(Y))`, then `… + MLP(LN(…))`

Details:

- `basis` (m, C) is trained: m = `bottleneck_dim`, by which the handout means rows, not channels. Initialised
  Xavier-uniform.
- The cost of the middle blocks does not depend on T.
- The masks are the handout's, lower triangles from the corner: row i of Y attends to inputs ≤ i, and position
  t to rows ≤ t. So the model is causal, and **the rows of Y only attend to the first m inputs**: a later
  input reaches the output only through its own X. The end of a document sees its beginning, and nothing of
  the text just before. Row 0 of Y attends to input 0 with weight 1 for any query, so the first row of the
  basis gets no gradient.
- The LayerNorms are where the handout has them: on the basis or on Y, and before each MLP. X is not
  normalised.
- The up projection adds X, as a block has its residual. Published solutions differ: some omit it, so that
  position t's own character counts only as a query.
- Position t < m writes row t of Y, and row t never changes again. So decoding can use a KV cache.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from kqa_core.errors import UserError
from kqa_core.model.attention import CausalSelfAttention, split_heads
from kqa_core.model.block import Block, mlp_of
from kqa_core.model.config import GPTConfig
from kqa_core.model.kv_cache import LayerKVCache
from kqa_core.model.variant_registry import Variant


class CausalCrossAttention(CausalSelfAttention):
    """Multi-head attention to another sequence: position t attends to the source's positions ≤ t."""

    def forward(  # type: ignore[override]  # it takes two sequences
        self, target: Tensor, source: Tensor, cache: LayerKVCache | None = None, slots: int | None = None
    ) -> Tensor:
        """target (B, T, C) and source (B, S, C) → (B, T, C). With `cache`, both hold only the newest
        positions, and only the first `slots` cached positions are attended to.
        """
        query = split_heads(self.query(target), self.n_head)  # (B, nh, T, hs)
        key = split_heads(self.key(source), self.n_head)  # (B, nh, S, hs)
        value = split_heads(self.value(source), self.n_head)  # (B, nh, S, hs)
        if cache is None:
            t, s = (torch.arange(n, device=target.device) for n in (query.shape[2], key.shape[2]))
            allowed = s <= t[:, None]  # (T, S)
        else:
            key, value = cache.append("key", key), cache.append("value", value)  # (B, nh, L, hs)
            key, value, allowed = key[:, :, :slots], value[:, :, :slots], cache.allowed[..., :slots]
        dropout = self.attention_dropout if self.training else 0.0
        heads = F.scaled_dot_product_attention(query, key, value, attn_mask=allowed, dropout_p=dropout)
        return self.combined(heads, cache)


class DownProjectBlock(nn.Module):
    """Inputs (B, T, C) → rows (B, min(T, m), C): rows that no position can attend to are not computed."""

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        # (1, m, C)
        self.basis = nn.Parameter(
            nn.init.xavier_uniform_(torch.empty(1, config.bottleneck_dim, config.d_model))
        )
        self.norm_1 = nn.LayerNorm(config.d_model)
        self.attention = CausalCrossAttention(config)
        self.norm_2 = nn.LayerNorm(config.d_model)
        self.mlp = mlp_of(config)

    def forward(self, x: Tensor, cache: LayerKVCache | None = None) -> Tensor:
        """x (B, T, C) → (B, min(T, m), C). With `cache`, one row per position of x;
        no position attends to those from m on.
        """
        B, m = len(x), self.basis.shape[1]
        if cache is None:
            x = x[:, :m]  # no row attends to later inputs
            basis = self.basis[:, : x.shape[1]].expand(B, -1, -1)
        else:
            basis = self.basis[0, cache.positions.clamp_max(m - 1)]  # (B, T, C)
        y = self.attention(self.norm_1(basis), x, cache)
        out: Tensor = y + self.mlp(self.norm_2(y))
        return out


class UpProjectBlock(nn.Module):
    """Inputs (B, T, C) and rows (B, min(T, m), C) → (B, T, C)."""

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.n_rows = config.bottleneck_dim
        self.norm_1 = nn.LayerNorm(config.d_model)
        self.attention = CausalCrossAttention(config)
        self.norm_2 = nn.LayerNorm(config.d_model)
        self.mlp = mlp_of(config)

    def forward(self, x: Tensor, y: Tensor, cache: LayerKVCache | None = None) -> Tensor:
        """x (B, T, C), y (B, min(T, m), C) → (B, T, C)."""
        x = x + self.attention(x, self.norm_1(y), cache, self.n_rows)
        out: Tensor = x + self.mlp(self.norm_2(x))
        return out


class PerceiverStack(nn.Module):
    """All layers, in place of the blocks: x (B, T, C) → (B, T, C). Raises UserError for under two."""

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        if config.n_layer < 2:
            raise UserError(
                "a perceiver projects down in its first layer and up in its last: n_layer must be ≥ 2, not"
                f" {config.n_layer}"
            )
        self.down = DownProjectBlock(config)
        self.middle = nn.ModuleList([Block(config) for _ in range(config.n_layer - 2)])
        self.up = UpProjectBlock(config)

    def forward(self, x: Tensor, cache: LayerKVCache | None = None) -> Tensor:
        """All layers, called as a block is: x (B, T, C) → (B, T, C)."""
        y = self.down(x, None if cache is None else cache.part("down"))  # (B, min(T, m), C)
        for i, block in enumerate(self.middle):
            y = block(y, None if cache is None else cache.part(f"middle {i}"))
        out: Tensor = self.up(x, y, None if cache is None else cache.part("up"))
        return out


VARIANT = Variant(
    attention=CausalSelfAttention,  # of the middle blocks
    summary="attention down to m rows, blocks on these, attention up again, learned positions",
    stack=PerceiverStack,
)
