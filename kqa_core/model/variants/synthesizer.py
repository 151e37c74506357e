"""The dense Synthesizer (Tay et al. 2020, section 3.1.1): weights without comparing positions.

    softmax(ReLU(X A + b₁) B + b₂) (X V)

- Position t computes its own weights over *absolute* positions 0 … block_size − 1; no keys are computed from
  x.
- It is still attention: the queries are ReLU(XA + b₁), the keys are the columns of B, the scale is 1, and b₂
  is one more channel in which every query is 1. So fused kernels can compute it (`kqa_core.kernels`); a test
  compares them with the formula.
- Every head has its own A (a slice of one projection); all share B and b₂, as in the assignment's starter
  code.
- B has block_size columns. The starter code has one fewer: enough for its rows of block_size − 1, too few for
  a full block.
- Decoding caches values only.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from kqa_core.kernels import synthesized_attention, with_constant_keys
from kqa_core.model.attention import MultiHead
from kqa_core.model.config import GPTConfig
from kqa_core.model.kv_cache import LayerKVCache
from kqa_core.model.variant_registry import Variant


class SynthesizerAttention(MultiHead):
    """Causal, multi-head dense Synthesizer: x (B, T, C) → (B, T, C)."""

    def __init__(self, config: GPTConfig) -> None:
        super().__init__(config)
        d_head = config.d_model // config.n_head
        self.hidden = nn.Linear(config.d_model, config.d_model)  # A and b₁ of every head
        # B: (hs, L)
        self.table = nn.Parameter(torch.empty(d_head, config.block_size).uniform_(-0.001, 0.001))
        self.offset = nn.Parameter(torch.zeros(config.block_size))  # b₂: (L,)
        self.value = nn.Linear(config.d_model, config.d_model)
        self.projection = nn.Linear(config.d_model, config.d_model)

    def project(self, x: Tensor) -> tuple[Tensor, ...]:
        """x (…, C) → hidden units, which are the queries, and values, (…, C) each."""
        return F.relu(self.hidden(x)), self.value(x)

    def attend(self, *heads: Tensor, cache: LayerKVCache | None) -> Tensor:
        """Hidden units and values (B, nh, T, hs) → (B, nh, T, hs)."""
        query, value = heads
        if cache is None:
            dropout = self.attention_dropout if self.training else 0.0
            return synthesized_attention(query, self.table, self.offset, value, dropout)
        value = cache.append("value", value)  # (B, nh, L, hs)
        query, key, value = with_constant_keys(query, self.table, self.offset, value)  # hs + 1 channels each
        out = F.scaled_dot_product_attention(query, key, value, attn_mask=cache.allowed, scale=1.0)
        return out[..., :-1]


VARIANT = Variant(
    attention=SynthesizerAttention, summary="softmax(ReLU(X A + b₁) B + b₂) (X V), learned positions"
)
