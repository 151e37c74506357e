"""How attention tensors lie in memory: (B, nh, T, hs) with the channels of a position side by side."""

from __future__ import annotations

import torch
from torch import Tensor


def empty_bthd(like: Tensor, dtype: torch.dtype | None = None) -> Tensor:
    """An uninitialised (B, nh, T, hs) of that layout."""
    B, nh, T, hs = like.shape
    return like.new_empty(B, T, nh, hs, dtype=dtype or like.dtype).transpose(1, 2)
