"""Where a position is told to the model: learned, sinusoidal, rotary, or not at all.

- learned: one trained row per position, added to the token's embedding (the assignment's model).
- sinusoidal: a fixed row of sines and cosines, added (Vaswani et al. 2017, section 3.5). As in section 3.4 there, the token's
  embedding is then multiplied by √d_model: it starts at 0.02 a channel, and waves of size 1 would drown it.
- rotary: nothing is added; queries and keys are turned (`kqa_core.model.variants.rope`). Only for variants that compare the two.
- none: nothing at all. A causal model can still tell positions apart a little: the first one reads one row, the next two.
- "variant" is what the variant brings with it: rotary for `rope`, learned for every other. Old checkpoints say nothing else.
"""

from __future__ import annotations

import torch
from torch import Tensor

from kqa_core.errors import UserError
from kqa_core.model.config import LEARNED, OF_VARIANT, ROTARY, GPTConfig
from kqa_core.model.variant_registry import find_variant

BASE = 10_000.0


def sinusoidal_positions(length: int, d_model: int) -> Tensor:
    """(length, d_model) in float32: sin(t · 10000^(−2m/d)) in column 2m, the cosine of the same angle in column 2m + 1.

    An odd d_model ends on a sine. The angles are float64 until the last step: at t = 10,000 float32 would lose three digits.
    """
    columns = torch.arange(d_model)
    frequency = BASE ** (-2.0 * (columns // 2).double() / d_model)  # (d_model,): columns 2m and 2m + 1 share one
    angle = torch.arange(length, dtype=torch.float64)[:, None] * frequency  # (length, d_model)
    return torch.where(columns % 2 == 0, angle.sin(), angle.cos()).float()


def positions_of(config: GPTConfig) -> str:
    """Which of `POSITIONS` a model of this config has. Raises UserError where its variant cannot have them."""
    variant = find_variant(config.variant)
    brought = LEARNED if variant.learned_positions else ROTARY
    if config.positions in (OF_VARIANT, brought):
        return brought
    if brought == ROTARY:
        raise UserError(f"{config.variant} means rotary positions, not {config.positions}: take vanilla to choose others")
    if config.positions == ROTARY and not variant.takes_rotary:
        raise UserError(
            f"rotary positions turn the queries and keys of single positions, {config.variant} compares none: "
            f"take learned, sinusoidal or none"
        )
    return config.positions
