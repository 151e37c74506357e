"""numpy arrays as bytes, and back, for `kqa_core.check.codec`: little-endian, in row-major order."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

MAX_ARRAY = 64 * 2**20  # bytes of one array or tensor
MAX_AXES = 32
MAX_SIDE = 2**26  # of one axis: as many as `MAX_ARRAY` has bytes
MAX_EMPTY_SIDE = 10_000  # of an array without elements: `tolist` of shape (side, 0) makes as many lists

DTYPES = frozenset({"b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"})


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


def to_array(name: str, shape: list[int], data: bytearray) -> np.ndarray[Any, Any]:
    """The numpy array of these elements. `name` is its dtype, such as f4; `data` fills the shape exactly."""
    if name == "b1":
        truth: np.ndarray[Any, Any] = (np.frombuffer(data, dtype=np.uint8) != 0).reshape(shape)
        return truth
    array: np.ndarray[Any, Any] = np.frombuffer(data, dtype=f"<{name}").reshape(shape)
    return array
