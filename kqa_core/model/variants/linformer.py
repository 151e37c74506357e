"""Linformer (Wang et al. 2020, eq. 7): a whole row's keys and values are projected to r rows.

    softmax(Q (E K)ᵀ / √d_head) (F V)         E, F (r, T): r = `linformer_rank`

- Time and memory grow with r · T instead of T².
- **It leaks the future**, and no mask can fix that: each row of E K is a sum over *all* positions, later ones
  included. Linformer was made for encoders. As a language model it learns to copy the token that it should
  predict: its loss falls below what is possible, and it fails in decoding, where there is no future yet. The
  probe `reads_the_future` of `kqa_core.evaluation.probes` detects it. It attends to padding too.
- E and F are (r, block_size); a shorter row uses the first T columns. Each layer has its own pair, which its
  heads share.
- Each new position changes E K, so a KV cache is of no use: decoding computes the whole row again.
- Rotary positions are refused: a sum of keys has no position.
"""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from kqa_core.model.attention import MultiHead
from kqa_core.model.config import GPTConfig
from kqa_core.model.kv_cache import LayerKVCache
from kqa_core.model.variant_registry import Variant


class LinformerAttention(MultiHead):
    """Multi-head Linformer, not causal: x (B, T, C) → (B, T, C)."""

    def __init__(self, config: GPTConfig) -> None:
        super().__init__(config)
        self.query = nn.Linear(config.d_model, config.d_model)
        self.key = nn.Linear(config.d_model, config.d_model)
        self.value = nn.Linear(config.d_model, config.d_model)
        shape, scale = (config.linformer_rank, config.block_size), 1 / math.sqrt(config.block_size)
        # E: a row of E K then has the norm of a key, on average
        self.mix_keys = nn.Parameter(torch.randn(shape) * scale)
        self.mix_values = nn.Parameter(torch.randn(shape) * scale)  # F
        self.projection = nn.Linear(config.d_model, config.d_model)

    def project(self, x: Tensor) -> tuple[Tensor, ...]:
        """x (…, C) → queries, keys and values, (…, C) each."""
        return self.query(x), self.key(x), self.value(x)

    def attend(self, *heads: Tensor, cache: LayerKVCache | None) -> Tensor:
        """Queries, keys and values (B, nh, T, hs) → (B, nh, T, hs). Raises ValueError for a `cache`."""
        if cache is not None:
            raise ValueError("Linformer needs the whole row at every step: it cannot decode with a KVCache")
        query, key, value = heads
        T = query.shape[2]
        # (r, T) @ (B, nh, T, hs) → (B, nh, r, hs)
        key, value = self.mix_keys[:, :T] @ key, self.mix_values[:, :T] @ value
        dropout = self.attention_dropout if self.training else 0.0
        # no mask: none would help
        return F.scaled_dot_product_attention(query, key, value, dropout_p=dropout)


VARIANT = Variant(
    LinformerAttention,
    summary="softmax(Q (E K)ᵀ / √d_head) (F V), learned positions; leaks the future",
    causal=False,
    supports_kv_cache=False,
)
