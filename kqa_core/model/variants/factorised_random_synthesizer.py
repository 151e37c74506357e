"""The factorised random Synthesizer (Tay et al. 2020, section 3.1.3): R as a product of two narrow matrices.

    softmax(R₁ R₂ᵀ) (X V)         R₁, R₂ (L, k) for each head, k = `synthesizer_rank`, 8 as in the paper

- 2 L k numbers a head instead of L². Entries of R₁ and R₂ start at N(0, 1/√k), so those of the product have
  variance 1, as in the random Synthesizer. With `synthesizer_fixed`, neither is trained.
- Decoding caches values only.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from kqa_core.model.config import GPTConfig
from kqa_core.model.variant_registry import Variant
from kqa_core.model.variants._fixed_logits import SynthesizedLogitsAttention


class FactorisedRandomSynthesizerAttention(SynthesizedLogitsAttention):
    """Causal, multi-head factorised random Synthesizer: x (B, T, C) → (B, T, C)."""

    def __init__(self, config: GPTConfig) -> None:
        super().__init__(config)
        for name in ("rows", "columns"):  # R₁ and R₂: (nh, L, k)
            drawn = (
                torch.randn(config.n_head, config.block_size, config.synthesizer_rank)
                * config.synthesizer_rank**-0.25
            )
            if config.synthesizer_fixed:
                self.register_buffer(name, drawn)
            else:
                self.register_parameter(name, nn.Parameter(drawn))

    def logits(self, x: Tensor, positions: Tensor, slots: int) -> Tensor:
        """Rows `positions` of R₁ R₂ᵀ, first `slots` columns: (B or 1, nh, T, slots)."""
        rows, columns = self.get_tensor("rows"), self.get_tensor("columns")
        # (B or 1, nh, T, k) @ (nh, k, slots)
        return rows[:, positions].transpose(0, 1) @ columns[:, :slots].transpose(-2, -1)

    def get_tensor(self, name: str) -> Tensor:
        """R₁ ("rows") or R₂ ("columns"), whether it is a parameter or a buffer."""
        table = getattr(self, name)
        assert isinstance(table, Tensor)
        return table


VARIANT = Variant(
    FactorisedRandomSynthesizerAttention, summary="softmax(R₁ R₂ᵀ) (X V), both trained, learned positions"
)
