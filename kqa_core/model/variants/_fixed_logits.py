"""Synthesizers that compute logits without comparing positions: softmax(logits) (X V), causal.

The logits depend on a position's own x (factorised) or on no input at all (random). So only values are
cached.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod

import torch
from torch import Tensor, nn

from kqa_core.kernels.dropout import dropout as drop
from kqa_core.model.attention import MultiHead, softmax, split_heads
from kqa_core.model.config import GPTConfig
from kqa_core.model.kv_cache import LayerKVCache


class SynthesizedLogitsAttention(MultiHead, ABC):
    """Causal, multi-head: x (B, T, C) → (B, T, C), with the logits of `self.logits`."""

    def __init__(self, config: GPTConfig) -> None:
        super().__init__(config)
        self.value = nn.Linear(config.d_model, config.d_model)
        self.projection = nn.Linear(config.d_model, config.d_model)

    @abstractmethod
    def logits(self, x: Tensor, positions: Tensor, slots: int) -> Tensor:
        """Logits (B or 1, nh, T, slots) of x (B, T, C) at positions
        (B or 1, T) for absolute positions 0 … slots − 1.
        """

    def forward(self, x: Tensor, cache: LayerKVCache | None = None) -> Tensor:
        """x (B, T, C) → (B, T, C). With `cache`, x holds the newest positions, the cache earlier values."""
        B, T, _ = x.shape
        value = split_heads(self.value(x), self.n_head)  # (B, nh, T, hs)
        if cache is None:
            steps = torch.arange(T, device=x.device)
            positions, allowed = steps[None], steps <= steps[:, None]  # (1, T), (T, T)
        else:
            positions, allowed = cache.positions, cache.allowed  # (B, T), (B, 1, T, L)
            value = cache.append("value", value)  # (B, nh, L, hs)
        # (B or 1, nh, T, L)
        logits = self.logits(x, positions, value.shape[2]).masked_fill(~allowed, -math.inf)
        # expanded first, so that dropout differs from row to row
        weights = softmax(logits).to(value.dtype).expand(B, -1, -1, -1)
        weights = drop(weights, self.attention_dropout if self.training else 0.0)
        return self.combined(weights @ value, cache)
