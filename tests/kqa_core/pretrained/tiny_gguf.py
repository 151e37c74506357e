"""GGUF files written by the tests, with weights quantised by them."""

from __future__ import annotations

import struct

import numpy as np

TYPES = {bool: (7, "?"), int: (4, "I"), float: (6, "f")}
KINDS = {"F32": 0, "F16": 1, "Q4_0": 2, "Q4_1": 3, "Q8_0": 8}


def text(value):
    return struct.pack("<Q", len(value.encode())) + value.encode()


def entry(value):
    """A value of the metadata behind its type."""
    if isinstance(value, str):
        return struct.pack("<I", 8) + text(value)
    if isinstance(value, list):
        inner = entry(value[0])[:4]
        return (
            struct.pack("<I", 9)
            + inner
            + struct.pack("<Q", len(value))
            + b"".join(entry(v)[4:] for v in value)
        )
    number, code = TYPES[type(value)]
    return struct.pack(f"<I{code}", number, value)


def in_blocks(matrix):
    return np.asarray(matrix, dtype=np.float32).reshape(-1, 32)


def quantise(matrix, kind):
    """The bytes of a matrix: the nearest of 16 steps between a block's least and largest weight (Q4_1), the
    nearest of 255 steps around 0 (Q8_0), or all bits.
    """
    if kind in ("F32", "F16"):
        return np.asarray(matrix, dtype="<f4" if kind == "F32" else "<f2").tobytes()
    whole = []
    for block in in_blocks(matrix):
        if kind == "Q8_0":
            scale = np.float16(abs(block).max() / 127)
            q = np.rint(block / np.float32(scale)).clip(-127, 127).astype(np.int8)
            whole.append(scale.tobytes() + q.tobytes())
        else:
            scale, least = np.float16((block.max() - block.min()) / 15), np.float16(block.min())
            q = np.rint((block - np.float32(least)) / np.float32(scale)).clip(0, 15).astype(np.uint8)
            whole.append(scale.tobytes() + least.tobytes() + (q[:16] | q[16:] << 4).tobytes())
    return b"".join(whole)


def write_gguf(path, metadata, tensors, version=3):
    """`tensors`: name → (matrix, kind)."""
    head = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(metadata))
    head += b"".join(text(key) + entry(value) for key, value in metadata.items())
    body = b""
    for name, (matrix, kind) in tensors.items():
        body += b"\0" * (-len(body) % 32)
        sizes = tuple(reversed(np.shape(matrix)))
        head += text(name) + struct.pack(f"<I{len(sizes)}Q", len(sizes), *sizes)
        head += struct.pack("<IQ", KINDS[kind], len(body))
        body += quantise(matrix, kind)
    path.write_bytes(head + b"\0" * (-len(head) % 32) + body)
    return path
