"""The factorised dense Synthesizer (Tay et al. 2020, section 3.1.3): L = a · b logits from a + b numbers.

    h = ReLU(X A + b₁),   f = h B_a + c_a  (a numbers),   g = h B_b + c_b  (b numbers)
    logits[s] = f[s // b] · g[s % b],        softmax(logits) (X V)

- a is the largest divisor of block_size that is at most its square root (128 = 8 · 16), so that a · b is the
  block size, as in the paper. A prime block size does not factorise: then a = 1, and the logits are the dense
  Synthesizer's times one number.
- Each head has its own h; all share the matrices B, as in the dense form. They have a + b columns instead of
  L.
- The matrices are initialised with N(0, 1/d_head), not near 0: the gradient of a product of two small numbers
  is small.
- Decoding caches values only.
"""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from kqa_core.model.attention import split_heads
from kqa_core.model.config import GPTConfig
from kqa_core.model.variant_registry import Variant
from kqa_core.model.variants._fixed_logits import SynthesizedLogitsAttention


def even_factors(length: int) -> tuple[int, int]:
    """(a, b) with a · b = length, a ≤ b, and a as large as possible. 128 → (8, 16)."""
    a = next(a for a in range(math.isqrt(length), 0, -1) if length % a == 0)
    return a, length // a


class FactorisedSynthesizerAttention(SynthesizedLogitsAttention):
    """Causal, multi-head factorised dense Synthesizer: x (B, T, C) → (B, T, C)."""

    def __init__(self, config: GPTConfig) -> None:
        super().__init__(config)
        d_head = config.d_model // config.n_head
        coarse, fine = even_factors(config.block_size)
        self.hidden = nn.Linear(config.d_model, config.d_model)  # A and b₁ of every head
        self.coarse_table = nn.Parameter(torch.randn(d_head, coarse) / math.sqrt(d_head))  # B_a: (hs, a)
        self.coarse_offset = nn.Parameter(torch.zeros(coarse))  # c_a
        self.fine_table = nn.Parameter(torch.randn(d_head, fine) / math.sqrt(d_head))  # B_b: (hs, b)
        self.fine_offset = nn.Parameter(torch.zeros(fine))  # c_b

    def logits(self, x: Tensor, positions: Tensor, slots: int) -> Tensor:
        """All products of a coarse and a fine number, in order, the first `slots`: (B, nh, T, slots)."""
        hidden = F.relu(split_heads(self.hidden(x), self.n_head))  # (B, nh, T, hs)
        coarse = hidden @ self.coarse_table + self.coarse_offset  # (B, nh, T, a)
        fine = hidden @ self.fine_table + self.fine_offset  # (B, nh, T, b)
        return (coarse[..., :, None] * fine[..., None, :]).flatten(-2)[..., :slots]  # (…, a, b) → (…, a · b)


VARIANT = Variant(
    FactorisedSynthesizerAttention,
    summary="softmax((h B_a + c_a) ⊗ (h B_b + c_b)) (X V), h = ReLU(X A + b₁), learned positions",
)
