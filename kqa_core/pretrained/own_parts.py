"""A model of Llama's form that is put together from a student's own functions, with their cache.

The three functions are those of notebook 11:

    rms_norm(x, gain), swiglu(x, w_gate, w_up, w_down)
    cached_attention(q, k, v, past) → output, (keys, values)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import torch
from torch import Tensor

from kqa_core.model.attention import merge_heads, split_heads
from kqa_core.model.variants.rope import angles, rotate
from kqa_core.pretrained.llama import LlamaConfig

Past = tuple[Tensor, Tensor]  # keys and values (B, nkv, L, hs)
Attention = Callable[[Tensor, Tensor, Tensor, Past | None], tuple[Tensor, Past]]


@dataclass
class OwnModel:
    """Weights, form and functions. `past` holds the cache of each layer; `read` adds tokens to it."""

    weights: Mapping[str, Tensor] = field(repr=False)
    config: LlamaConfig
    rms_norm: Callable[[Tensor, Tensor], Tensor]
    swiglu: Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]
    attention: Attention
    length: int = 0  # tokens in the cache
    past: list[Past | None] = field(default_factory=list, repr=False)

    @torch.no_grad()
    def read(self, tokens: Tensor) -> Tensor:
        """Add tokens (B, n) to the row; the logits (B, vocab_size) of what follows the last one."""
        config = self.config
        self.past = self.past or [None] * config.n_layer
        positions = torch.arange(self.length, self.length + tokens.shape[1])
        angle = angles(positions, config.d_model // config.n_head, config.theta)  # (n, hs / 2)
        table = self.weights["token_embedding.weight"]
        x = table[tokens]
        for i in range(config.n_layer):
            x = self._block(i, x, angle)
        self.length += tokens.shape[1]
        return self.rms_norm(x[:, -1], self.weights["norm.weight"]) @ table.T

    def _block(self, i: int, x: Tensor, angle: Tensor) -> Tensor:
        """x (B, n, C) → (B, n, C)."""

        def weight(name: str) -> Tensor:
            return self.weights[f"blocks.{i}.{name}.weight"]

        y = self.rms_norm(x, weight("norm_1"))
        query, key, value = (
            split_heads(y @ weight(f"attention.{part}").T, count)  # (B, count, n, hs)
            for part, count in (
                ("query", self.config.n_head),
                ("key", self.config.n_key_head),
                ("value", self.config.n_key_head),
            )
        )
        heads, self.past[i] = self.attention(rotate(query, angle), rotate(key, angle), value, self.past[i])
        x = x + merge_heads(heads) @ weight("attention.projection").T
        y = self.rms_norm(x, weight("norm_2"))
        return x + self.swiglu(y, weight("mlp.gate"), weight("mlp.up"), weight("mlp.down"))
