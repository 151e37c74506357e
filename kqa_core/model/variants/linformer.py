"""Linformer (Wang et al. 2020, eq. 7): keys and values of a whole row are mixed down to r rows before they are read.

    softmax(Q (E K)ᵀ / √d_head) (F V)         E, F (r, T): r = `linformer_rank`

- Time and memory grow with r · T in the place of T².
- **It leaks the future**, and no mask can help: each row of E K is a sum over *every* position, later ones included, and a query
  reads whole rows. Made for encoders, it is offered here as it is: a language model of it is trained to copy what it should
  predict, its loss falls below what is possible, and in decoding, where there is no future yet, it fails. The probe
  `reads_the_future` of `kqa_core.evaluation.probes` finds it. Padding is read too.
- E and F are (r, block_size) and cut to a shorter row's T columns. Each layer has its own pair, which its heads share.
- What E K holds of old positions changes with every new one, so nothing is remembered: decoding reads everything anew.
- Rotary positions are refused: a mixed key stands nowhere.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from kqa_core.model.attention import merge_heads, split_heads
from kqa_core.model.head_fusion import fuse
from kqa_core.model.variant_registry import Variant

if TYPE_CHECKING:
    from kqa_core.model.config import GPTConfig
    from kqa_core.model.kv_cache import LayerKVCache


class LinformerAttention(nn.Module):
    """Multi-head Linformer, not causal: x (B, T, C) → (B, T, C)."""

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.n_head = config.n_head
        self.fusion = config.fusion
        self.query = nn.Linear(config.d_model, config.d_model)
        self.key = nn.Linear(config.d_model, config.d_model)
        self.value = nn.Linear(config.d_model, config.d_model)
        shape, scale = (config.linformer_rank, config.block_size), 1 / math.sqrt(config.block_size)
        self.mix_keys = nn.Parameter(torch.randn(shape) * scale)  # E: a row of E K is then as long as a key, on average
        self.mix_values = nn.Parameter(torch.randn(shape) * scale)  # F
        self.projection = nn.Linear(config.d_model, config.d_model)
        self.attention_dropout = config.attention_dropout
        self.residual_dropout = nn.Dropout(config.residual_dropout)

    def forward(self, x: Tensor, cache: LayerKVCache | None = None) -> Tensor:
        """x (B, T, C) → (B, T, C). Raises ValueError for a `cache`: there is nothing to remember."""
        if cache is not None:
            raise ValueError("Linformer mixes the whole row at every step: it cannot decode from a KVCache")
        T = x.shape[1]
        query = split_heads(self.query(x), self.n_head)  # (B, nh, T, hs)
        key = self.mix_keys[:, :T] @ split_heads(self.key(x), self.n_head)  # (r, T) @ (B, nh, T, hs) → (B, nh, r, hs)
        value = self.mix_values[:, :T] @ split_heads(self.value(x), self.n_head)  # (B, nh, r, hs)
        dropout = self.attention_dropout if self.training else 0.0
        read = F.scaled_dot_product_attention(query, key, value, dropout_p=dropout)  # no mask: there is none to give
        read = fuse(read, self.fusion, self.training)  # (B, nh, T, hs)
        out: Tensor = self.residual_dropout(self.projection(merge_heads(read)))  # (B, T, C)
        return out


VARIANT = Variant(
    LinformerAttention,
    summary="softmax(Q (E K)ᵀ / √d_head) (F V), learned positions; leaks the future",
    causal=False,
    supports_kv_cache=False,
)
