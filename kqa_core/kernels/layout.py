"""The layout of attention tensors: shape (B, nh, T, hs), in memory (B, T, nh, hs), called BTHD."""

from __future__ import annotations

import torch
from torch import Tensor


def empty_bthd(like: Tensor, dtype: torch.dtype | None = None) -> Tensor:
    """An uninitialised tensor of the shape (B, nh, T, hs) of `like`, in this layout."""
    B, nh, T, hs = like.shape
    return like.new_empty(B, T, nh, hs, dtype=dtype or like.dtype).transpose(1, 2)
