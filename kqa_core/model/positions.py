"""Position encodings: learned, sinusoidal, rotary, or none.

- learned: one trained vector per position, added to the token's embedding (the assignment's model).
- sinusoidal: a fixed vector of sines and cosines, added (Vaswani et al. 2017, section 3.5). As in section 3.4
  there, the token's embedding is then multiplied by √d_model: it is initialised with 0.02 a channel, so sines
  of size 1 would dominate it.
- rotary: nothing is added; queries and keys are rotated (`kqa_core.model.variants.rope`). Only for variants
  with `takes_rotary`.
- none: no encoding. A causal model can still tell positions apart a little: the first attends to one token,
  the next to two.
- "variant" is the variant's own: rotary for `rope`, learned for all others. Old checkpoints have no other
  value.
"""

from __future__ import annotations

import torch
from torch import Tensor

from kqa_core.errors import UserError
from kqa_core.model.config import LEARNED, OF_VARIANT, ROTARY, GPTConfig
from kqa_core.model.variant_registry import find_variant

BASE = 10_000.0


def sinusoidal_positions(length: int, d_model: int) -> Tensor:
    """(length, d_model) float32: sin(t · 10000^(−2m/d)) in column 2m, the cosine of it in 2m + 1.

    An odd d_model ends on a sine. The angles are float64 until the last step: at t = 10,000 float32 would
    lose three digits.
    """
    columns = torch.arange(d_model)
    # (d_model,): columns 2m and 2m + 1 share one
    frequency = BASE ** (-2.0 * (columns // 2).double() / d_model)
    angle = torch.arange(length, dtype=torch.float64)[:, None] * frequency  # (length, d_model)
    return torch.where(columns % 2 == 0, angle.sin(), angle.cos()).float()


def positions_of(config: GPTConfig) -> str:
    """A model's position encoding, one of `POSITIONS`. Raises UserError if its variant cannot have it."""
    variant = find_variant(config.variant)
    brought = LEARNED if variant.learned_positions else ROTARY
    if config.positions in (OF_VARIANT, brought):
        return brought
    if brought == ROTARY:
        raise UserError(
            f"{config.variant} means rotary positions, not {config.positions}: use vanilla to choose others"
        )
    if config.positions == ROTARY and not variant.takes_rotary:
        raise UserError(
            f"rotary positions rotate queries and keys, which {config.variant} does not support: use learned,"
            " sinusoidal or none"
        )
    return config.positions
