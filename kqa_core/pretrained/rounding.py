"""What a few bits cost: the matrices of a model rounded once more, in blocks of other weights.

The weights of the file are multiples of a step in each block of 32. Rounded in the same blocks to the same
number of bits, they would stay as they are. So the blocks here begin 16 weights later: each holds half of two
old ones, and rounding makes new errors, about as large as those that made the file.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

BLOCK = 32  # weights


def rounded(weight: Tensor, bits: int, offset: int = 16) -> Tensor:
    """Each block of a matrix (rows, columns) rounded to 2^bits values between its smallest and its largest.

    Blocks begin `offset` weights later than in the file. The number of weights must be a multiple of 32.
    """
    blocks = weight.flatten().roll(-offset).view(-1, BLOCK)
    low, high = blocks.aminmax(dim=1, keepdim=True)
    step = (high - low) / (2**bits - 1)
    step = torch.where(step == 0, torch.ones_like(step), step)
    new = ((blocks - low) / step).round_().mul_(step).add_(low)
    return new.flatten().roll(offset).view(weight.shape)


def rounded_model(weights: Mapping[str, Tensor], bits: int) -> dict[str, Tensor]:
    """All weights, with the matrices of the blocks rounded; embeddings and gains stay as they are."""
    return {
        name: rounded(weight, bits) if weight.ndim == 2 and name.startswith("blocks.") else weight
        for name, weight in weights.items()
    }
