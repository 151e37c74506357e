"""Bytes that are no value: each is refused with one kind of error,
and nothing is computed, called or built on the way.
"""

from __future__ import annotations

import contextlib
import json

import pytest
import sympy
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from kqa_core.check import codec as values
from kqa_core.check import sympy_codec
from kqa_core.check.codec import Handles, decode, encode
from kqa_core.check.codec_errors import CodecError, Malformed


def message(tree, *blobs):
    text = json.dumps([tree, [len(blob) for blob in blobs]]).encode()
    return len(text).to_bytes(4, "big") + text + b"".join(blobs)


def power(base, exponent):
    return ["Pow", ["Integer", hex(base)], ["Integer", hex(exponent)]]


TOWERS = [
    power(10, 10**10),
    ["Pow", power(2, 60_000), ["Integer", "0x3e8"]],
    ["Pow", ["Rational", "0x1", "0x3"], ["Rational", hex(10**15), "0x7"]],
    ["Pow", ["Float", "0x3", 0, 53], ["Integer", hex(10**30)]],
    ["factorial", ["Integer", hex(10**9)]],
    ["gamma", ["Integer", hex(10**9)]],
    ["binomial", ["Integer", hex(10**9)], ["Integer", hex(10**8)]],
    ["Max", *(["Symbol", f"x{number}", []] for number in range(100))],
]


@pytest.mark.parametrize("tree", TOWERS, ids=lambda tree: tree[0])
def test_a_number_that_would_take_for_ever_is_never_computed(tree):
    with pytest.raises(Malformed):
        decode(message(["sympy", tree]))


MALFORMED = [
    *(
        b"",
        b"\x00",
        b"\xff\xff\xff\xff",
        b"\x00\x00\x00\x02{}",
        b"\x00\x00\x00\x04null",
        message([])[:-1],
        message(None) + b"x",
    ),
    *(
        message(tree)
        for tree in (
            [],
            ["nothing"],
            {"a": 1},
            ["int", "zz"],
            ["int", 3],
            ["float", "1"],
            ["complex", 1, 2],
            ["dict", [1]],
        )
    ),
    *(
        message(tree)
        for tree in (
            ["set", ["list"]],
            ["dict", [["list"], 1]],
            ["handle", -1, "x"],
            ["handle", "a", 1],
            [["list"]],
        )
    ),
    *(
        message(tree)
        for tree in (
            ["sympy", ["Nothing"]],
            ["sympy", ["Symbol", "f()", []]],
            ["sympy", ["Pow", ["pi"]]],
            ["sympy", 3],
        )
    ),
    *(
        message(tree)
        for tree in (
            ["sympy", ["Rational", "0x1", "0x0"]],
            ["sympy", ["Matrix", 1, 2, 2, ["pi"]]],
            ["sympy", ["pi", 1]],
        )
    ),
    *(
        message(["tensor", *rest], b"12345678")
        for rest in (["float32", [3], 0, 0], ["object", [2], 0, 0], ["float32", [-2], 0, 0])
    ),
    *(
        message(["tensor", *rest], b"12345678")
        for rest in (["float32", [2], 1, 0], ["float32", [2], 0, 1], ["float32", "2", 0, 0])
    ),
    *(
        message(["array", *rest], b"12345678")
        for rest in (["O", [1], 0], ["f8", [2**41, 0], 0], ["f8", [True], 0], ["f8", [1], -1])
    ),
    b"\x00\x00\x00\x0b[[NaN], []]",
    message(["list"] * 1)[:4] + b"[" * 100_000,
]


@pytest.mark.parametrize("data", MALFORMED)
def test_bad_bytes_are_malformed_and_nothing_else(data):
    with pytest.raises(CodecError):
        decode(data)


@given(st.binary(max_size=200))
def test_random_bytes_are_malformed_and_nothing_else(data):
    with pytest.raises(CodecError):
        decode(data)


words = st.sampled_from(
    [
        *values._TAGS,
        "tensor",
        "sympy",
        "list",
        "tuple",
        "dict",
        "Pow",
        "Integer",
        "Symbol",
        "Matrix",
        "Add",
        "float32",
        "f8",
        "0x3",
        "kqa_core.errors:UserError",
    ]
)
trees = st.recursive(
    st.one_of(st.none(), st.integers(-3, 2**70), words, st.floats(), st.booleans()),
    lambda inner: st.lists(inner, max_size=4),
)


@pytest.mark.slow
@given(st.one_of(trees, st.tuples(words, trees).map(list)), st.booleans())
@settings(max_examples=400)
def test_any_json_is_a_value_or_a_codec_error(tree, arguments):
    text = json.dumps([tree, [4]]).encode()
    with_blob = len(text).to_bytes(4, "big") + text + b"1234"
    with contextlib.suppress(CodecError):
        decode(with_blob, Handles(), arguments=arguments)


SMALL_VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=5), st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=20,
)


@pytest.mark.slow
@given(SMALL_VALUES, st.integers(0, 10_000), st.integers(0, 255))
def test_a_message_with_one_byte_changed_is_a_value_or_a_codec_error(value, place, byte):
    data = bytearray(encode([value, torch.ones(2), sympy.Symbol("beta") + 1]))
    data[place % len(data)] = byte
    with contextlib.suppress(CodecError):
        decode(bytes(data), Handles())


def test_bytes_that_are_no_bool_do_not_become_one():
    back = decode(message(["tensor", "bool", [2], 0, 0], b"\x02\x00"))
    assert back.tolist() == [True, False] and (back.to(torch.uint8) <= 1).all()


def test_what_lambdify_prints_of_a_value_calls_nothing():
    for name in ("__import__('os')", "f()", "a.b", "a;b", "x y", "", "1x", "'", "[x]"):
        assert sympy_codec.NAME.fullmatch(name) is None
