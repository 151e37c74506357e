"""The random Synthesizer (Tay et al. 2020, section 3.1.2): attention weights that do not depend on the input.

    softmax(R) (X V)         R (L, L) for each head, initialised at random and trained

- The weights are the same for every row of every batch: training fixes how positions are mixed, and no text
  changes it.
- R ~ N(0, 1), so the weights of a new head are already uneven. With `synthesizer_fixed`, R is not trained
  (the paper's "Fixed Random"): it is a buffer and no parameter, but still in the checkpoint.
- Decoding caches values only.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from kqa_core.model.config import GPTConfig
from kqa_core.model.variant_registry import Variant
from kqa_core.model.variants._fixed_logits import SynthesizedLogitsAttention


class RandomSynthesizerAttention(SynthesizedLogitsAttention):
    """Causal, multi-head random Synthesizer: x (B, T, C) → (B, T, C)."""

    def __init__(self, config: GPTConfig) -> None:
        super().__init__(config)
        # R: (nh, L, L)
        drawn = nn.Parameter(torch.randn(config.n_head, config.block_size, config.block_size))
        if config.synthesizer_fixed:
            self.register_buffer("table", drawn.detach())
        else:
            self.table = drawn

    def logits(self, x: Tensor, positions: Tensor, slots: int) -> Tensor:
        """Rows `positions` of R, first `slots` columns: (B or 1, nh, T, slots)."""
        # (nh, B or 1, T, slots) → (B or 1, nh, T, slots)
        return self.table[:, positions, :slots].transpose(0, 1)


VARIANT = Variant(
    RandomSynthesizerAttention, summary="softmax(R) (X V), R drawn and trained, learned positions"
)
