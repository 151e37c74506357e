"""The reader of GGUF files."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from tiny_gguf import write_gguf

from kqa_core.errors import UserError
from kqa_core.pretrained.gguf import q4_1, q8_0, read_gguf


def test_a_block_of_four_bits_by_hand():
    """d = ½ (0x3800 in float16), m = −1 (0xBC00). Byte 0 is 0x2F: 15 for weight 0, 2 for weight 16."""
    block = [0x00, 0x38, 0x00, 0xBC, 0x2F, *[0x00] * 14, 0x81]
    weights = q4_1(torch.tensor([block], dtype=torch.uint8))
    expected = torch.full((1, 32), -1.0)
    expected[0, 0], expected[0, 16] = 0.5 * 15 - 1, 0.5 * 2 - 1
    expected[0, 15], expected[0, 31] = 0.5 * 1 - 1, 0.5 * 8 - 1
    assert weights.equal(expected)


def test_a_block_of_eight_bits_by_hand():
    """d = ¼ (0x3400); the bytes are signed: 0xFF is −1, 0x80 is −128."""
    weights = q8_0(torch.tensor([[0x00, 0x34, 4, 0xFF, 0x80, *[0] * 29]], dtype=torch.uint8))
    assert weights[0, :4].tolist() == [1.0, -0.25, -32.0, 0.0]


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("F32", 0.0),
        ("F16", 2**-11),  # half of the last of 11 bits, for weights below 1 in size
        ("Q8_0", 0.5 * 1 / 127 + 2**-11),  # half a step, and the step's rounding to float16
        ("Q4_1", 0.5 * 2 / 15 + 2 * 2**-10),
    ],
)
def test_a_matrix_comes_back_in_its_shape_within_half_a_step(tmp_path, kind, error):
    matrix = np.random.default_rng(0).uniform(-1, 1, (6, 64)).astype(np.float32)
    vector = np.arange(5, dtype=np.float32)
    path = write_gguf(tmp_path / "a.gguf", {"a": 1}, {"v": (vector, "F32"), "m": (matrix, kind)})
    file = read_gguf(path)
    assert file.tensors["m"].kind.name == kind
    weights = file.tensors["m"].dequantised()
    assert weights.shape == (6, 64) and weights.dtype == torch.float32
    assert float((weights - torch.from_numpy(matrix)).abs().max()) <= error
    assert file.tensors["v"].dequantised().tolist() == [0, 1, 2, 3, 4]


def test_metadata_of_all_kinds(tmp_path):
    metadata = {"n": 3, "x": 0.5, "yes": True, "text": "Ġé", "texts": ["a", "", "日"], "numbers": [3, 1, 2]}
    assert dict(read_gguf(write_gguf(tmp_path / "a.gguf", metadata, {})).metadata) == metadata


def test_a_file_that_is_not_there_or_none_is_named(tmp_path):
    with pytest.raises(UserError, match=r"none.gguf: cannot be read \(No such file"):
        read_gguf(tmp_path / "none.gguf")
    (tmp_path / "text.gguf").write_text("hello")
    with pytest.raises(UserError, match=r"text.gguf: is no GGUF file: it begins with b'hell'"):
        read_gguf(tmp_path / "text.gguf")
    write_gguf(tmp_path / "old.gguf", {}, {}, version=1)
    with pytest.raises(UserError, match=r"old.gguf: is GGUF of version 1"):
        read_gguf(tmp_path / "old.gguf")


def test_a_file_that_ends_early_is_named_wherever_it_ends(tmp_path):
    path = write_gguf(tmp_path / "a.gguf", {"text": "abc", "list": [1, 2]}, {"m": (np.arange(32), "Q4_1")})
    whole = path.read_bytes()
    for length in range(4, len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(UserError, match=r"a.gguf: ends too early or is damaged"):
            read_gguf(path)


def test_weights_of_an_unknown_kind_are_named(tmp_path):
    path = write_gguf(tmp_path / "a.gguf", {}, {"m": (np.arange(32), "Q4_0")})
    with pytest.raises(UserError, match=r"a.gguf: m is stored as kind 2; F32, F16, Q4_1, Q8_0 can be read"):
        read_gguf(path)
