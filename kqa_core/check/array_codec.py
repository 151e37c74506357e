"""Tensors and numpy arrays as bytes, and back, for `kqa_core.check.codec`. Bytes are little-endian and in
row-major order.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch

MAX_ARRAY = 64 * 2**20  # bytes of one tensor or array
MAX_AXES = 32
MAX_SIDE = 2**26  # of one axis: as many as `MAX_ARRAY` has bytes
MAX_EMPTY_SIDE = 10_000  # of an array without elements: `tolist` of shape (side, 0) makes as many lists

DTYPES = {
    str(dtype).removeprefix("torch."): dtype
    for dtype in (
        *(torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.complex64, torch.complex128),
        *(torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool),
    )
}
DTYPE_NAMES = {dtype: name for name, dtype in DTYPES.items()}
NUMPY_DTYPES = frozenset(
    {"b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"}
)


def is_shape(value: object) -> bool:
    """Whether a value read from a message is a shape: a list of whole numbers within the caps."""
    if type(value) is not list or len(value) > MAX_AXES or not all(type(side) is int for side in value):
        return False
    if 0 in value:
        sides = [side for side in value if side != 0]
        return all(side > 0 for side in sides) and math.prod(sides) <= MAX_EMPTY_SIDE
    return all(0 < side <= MAX_SIDE for side in value)


def array_bytes(value: np.ndarray[Any, Any]) -> bytes:
    """The elements of an array."""
    return value.astype(value.dtype.newbyteorder("<"), copy=False).tobytes()


def tensor_bytes(value: torch.Tensor) -> bytes:
    """The elements of a tensor."""
    flat = value.detach().resolve_conj().resolve_neg().cpu().reshape(-1)  # (numel,)
    # `view` needs a stride of 1
    return flat.clone(memory_format=torch.contiguous_format).view(torch.uint8).numpy().tobytes()


def to_tensor(name: str, shape: list[int], data: bytearray) -> torch.Tensor:
    """The tensor of these elements. `name` is its dtype, such as float32; `data` fills the shape exactly."""
    dtype = DTYPES[name]
    if not data:
        return torch.empty(shape, dtype=dtype)
    if dtype is torch.bool:
        return torch.frombuffer(data, dtype=torch.uint8).ne(0).reshape(shape)  # a byte of 2 is not a bool
    return torch.frombuffer(data, dtype=dtype).reshape(shape)


def to_array(name: str, shape: list[int], data: bytearray) -> np.ndarray[Any, Any]:
    """The numpy array of these elements. `name` is its dtype, such as f4; `data` fills the shape exactly."""
    if name == "b1":
        truth: np.ndarray[Any, Any] = (np.frombuffer(data, dtype=np.uint8) != 0).reshape(shape)
        return truth
    array: np.ndarray[Any, Any] = np.frombuffer(data, dtype=f"<{name}").reshape(shape)
    return array
