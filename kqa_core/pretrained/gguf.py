"""GGUF, the file format of llama.cpp: metadata, and weights in a few bits each.

    "GGUF" · version · number of tensors · number of metadata entries
    key, type and value of each entry · name, sizes, kind and offset of each tensor · padding
    the bytes of the tensors

- Numbers are little-endian; a text is its length (8 bytes) and its UTF-8. Sizes are listed from the last
  dimension to the first: a matrix (rows, columns) has sizes columns, rows.
- A quantised matrix is stored in blocks of 32 weights of one row. `KINDS` are those of SmolLM2's file, and
  `F16`.
- Why not the package `gguf`: its reader takes 6 s for a file with 49,152 tokens, and this page 0.2 s.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from kqa_core.errors import UserError

# the type of a number → its code in `struct`
SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
TEXT, ARRAY = 8, 9
BLOCK = 32  # weights


def f32(blocks: Tensor) -> Tensor:
    """(n, 4) bytes → (n, 1) weights."""
    return blocks.view(torch.float32)


def f16(blocks: Tensor) -> Tensor:
    """(n, 2) bytes → (n, 1) weights."""
    return blocks.view(torch.float16).float()


def q8_0(blocks: Tensor) -> Tensor:
    """(n, 34) bytes → (n, 32) weights: a scale d in float16 and 32 signed bytes q; a weight is d · q."""
    scale = blocks[:, :2].contiguous().view(torch.float16).float()  # (n, 1)
    return blocks[:, 2:].view(torch.int8).float().mul_(scale)


def q4_1(blocks: Tensor) -> Tensor:
    """(n, 20) bytes → (n, 32) weights: a scale d and a minimum m in float16, and 32 numbers q of 4 bits, from
    0 to 15; a weight is d · q + m.

    Byte i has q of weight i in its lower half, and q of weight i + 16 in its upper half.
    """
    scale = blocks[:, :2].contiguous().view(torch.float16).float()  # (n, 1)
    minimum = blocks[:, 2:4].contiguous().view(torch.float16).float()  # (n, 1)
    weights = torch.empty(len(blocks), BLOCK)
    weights[:, : BLOCK // 2] = blocks[:, 4:] & 15
    weights[:, BLOCK // 2 :] = blocks[:, 4:] >> 4
    return weights.mul_(scale).add_(minimum)


@dataclass(frozen=True)
class Kind:
    """A way to store weights."""

    name: str
    weights: int  # in a block
    size: int  # bytes of a block
    dequantise: Callable[[Tensor], Tensor]  # (n, size) uint8 → (n, weights) float32


KINDS = {
    0: Kind("F32", 1, 4, f32),
    1: Kind("F16", 1, 2, f16),
    3: Kind("Q4_1", BLOCK, 20, q4_1),
    8: Kind("Q8_0", BLOCK, 34, q8_0),
}


@dataclass(frozen=True)
class StoredTensor:
    """A tensor as the file has it."""

    shape: tuple[int, ...]
    kind: Kind
    blocks: Tensor  # (n, kind.size) uint8

    def dequantised(self) -> Tensor:
        """Its weights: `shape`, float32."""
        return self.kind.dequantise(self.blocks).view(self.shape)


@dataclass(frozen=True)
class GGUF:
    """The content of a file."""

    metadata: Mapping[str, Any] = field(repr=False)
    tensors: Mapping[str, StoredTensor] = field(repr=False)


def read_gguf(path: str | Path) -> GGUF:
    """Read a file. Raises UserError if it is no GGUF file, or has weights of another kind."""
    try:
        content = bytearray(Path(path).read_bytes())
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror}): a GGUF file was expected") from None
    if content[:4] != b"GGUF":
        raise UserError(f"{path}: is no GGUF file: it begins with {bytes(content[:4])!r}")
    reader = _Reader(content)
    try:
        return _read(reader, path)
    except (struct.error, UnicodeDecodeError, KeyError, RuntimeError, ValueError) as error:
        raise UserError(
            f"{path}: ends too early or is damaged ({type(error).__name__}): get it again"
        ) from None


class _Reader:
    """Reads numbers and texts one after the other."""

    def __init__(self, content: bytearray) -> None:
        self.content, self.place = content, 4

    def number(self, code: str) -> Any:
        (value,) = struct.unpack_from(f"<{code}", self.content, self.place)
        self.place += struct.calcsize(f"<{code}")
        return value

    def text(self) -> str:
        length = self.number("Q")
        self.place += length
        return self.content[self.place - length : self.place].decode()

    def value(self, kind: int) -> Any:
        if kind == TEXT:
            return self.text()
        if kind != ARRAY:
            return self.number(SCALARS[kind])
        inner, length = self.number("I"), self.number("Q")
        if inner in SCALARS:
            values = struct.unpack_from(f"<{length}{SCALARS[inner]}", self.content, self.place)
            self.place += struct.calcsize(f"<{length}{SCALARS[inner]}")
            return list(values)
        return [self.value(inner) for _ in range(length)]


def _read(reader: _Reader, path: str | Path) -> GGUF:
    version, tensors, entries = reader.number("I"), reader.number("Q"), reader.number("Q")
    if version not in (2, 3):
        raise UserError(f"{path}: is GGUF of version {version}; 2 or 3 was expected")
    metadata = {}
    for _ in range(entries):
        key = reader.text()
        metadata[key] = reader.value(reader.number("I"))
    listed = []
    for _ in range(tensors):
        name = reader.text()
        sizes = [reader.number("Q") for _ in range(reader.number("I"))]
        listed.append((name, tuple(reversed(sizes)), reader.number("I"), reader.number("Q")))
    alignment = metadata.get("general.alignment", 32)
    start = -(-reader.place // alignment) * alignment  # rounded up
    whole = torch.frombuffer(reader.content, dtype=torch.uint8)
    found = {}
    for name, shape, code, offset in listed:
        if code not in KINDS:
            known = ", ".join(kind.name for kind in KINDS.values())
            raise UserError(f"{path}: {name} is stored as kind {code}; {known} can be read")
        kind = KINDS[code]
        count = prod(shape) // kind.weights
        begin = start + offset
        blocks = whole[begin : begin + count * kind.size].view(count, kind.size)
        found[name] = StoredTensor(shape, kind, blocks)
    return GGUF(metadata, found)
