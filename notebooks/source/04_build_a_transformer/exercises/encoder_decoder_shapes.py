"""Exercise encoder_decoder_shapes: the shape of every tensor in a model with an encoder and a decoder."""

from __future__ import annotations

import functools
import random
from typing import Any

import numpy as np
import torch
from torch import nn

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect
from kqa_core.check.helpers.read_values import kind_of
from kqa_core.check.partial_credit import by_parts

WHAT = {
    "memory": "the output of the encoder",
    "encoder_weights": "the weights of the encoder's self-attention",
    "decoder_weights": "the weights of the decoder's self-attention",
    "cross_queries": "the queries of the cross-attention, split into heads",
    "cross_keys": "the keys of the cross-attention, split into heads",
    "cross_weights": "the weights of the cross-attention",
    "decoder_output": "the output of the decoder's last block",
    "logits": "the logits",
}
PARTS = {"encoder and decoder": 1, "cross-attention": 1}
SHOWN = ((2, 5, 3, 24, 4, 50), (7, 4, 9, 30, 6, 11), (2, 3, 4, 5, 1, 6), (1, 1, 1, 8, 2, 7))
Sizes = tuple[int, int, int, int, int, int]  # b, n, m, d, h, vocab_size


@functools.cache
def expected(sizes: Sizes) -> dict[str, tuple[int, ...]]:
    """The shapes for these sizes, from torch's own encoder and decoder, on a device that holds no numbers."""
    b, n, m, d, h, vocab_size = sizes
    with torch.device("meta"), torch.no_grad():
        source, target = torch.empty(b, n, d), torch.empty(b, m, d)
        attention = nn.MultiheadAttention(d, h, batch_first=True)
        memory = nn.TransformerEncoderLayer(d, h, batch_first=True)(source)
        written = nn.TransformerDecoderLayer(d, h, batch_first=True)(target, memory)
        weights = {}
        pairs = {"encoder": (source, source), "decoder": (target, target), "cross": (target, memory)}
        for name, (asking, asked) in pairs.items():
            weights[name] = attention(asking, asked, asked, average_attn_weights=False)[1].shape
        logits = nn.Linear(d, vocab_size)(written)
    *outer, queries, keys = weights["cross"]
    return {
        **{f"{name}_weights": tuple(shape) for name, shape in weights.items()},
        **{
            "memory": tuple(memory.shape),
            "decoder_output": tuple(written.shape),
            "logits": tuple(logits.shape),
        },
        **{"cross_queries": (*outer, queries, d // h), "cross_keys": (*outer, keys, d // h)},
    }


def shape_of(value: object, name: str) -> tuple[int, ...]:
    """`value` as a shape. Raises NotYet unless it is one."""
    if (
        isinstance(value, torch.Tensor)
        and value.ndim == 1
        and not value.is_floating_point()
        and not value.is_complex()
    ):
        value = value.tolist()
    if not isinstance(value, (tuple, list)):
        raise NotYet(f"the shape of {name} must be a tuple of whole numbers; yours is {kind_of(value)}")
    sides: list[Any] = [side.item() if isinstance(side, np.integer) else side for side in value]
    for side in sides:
        if type(side) is not int:
            raise NotYet(f"the shape of {name} must be a tuple of whole numbers; yours holds {kind_of(side)}")
    return tuple(sides)


def judge(result: object, sizes: Sizes, part: str) -> None:
    """Raise NotYet at the first wrong shape of a part."""
    if not isinstance(result, dict):
        raise NotYet(f"return a dict from the eight names to shapes; yours is {kind_of(result)}")
    names = [name for name in WHAT if name.startswith("cross_") == (part == "cross-attention")]
    missing = [name for name in names if name not in result]
    expect(not missing, f"your dict has no entry {missing[:1] and missing[0]!r}")
    extra = [name for name in result if name not in WHAT and len(result) >= len(WHAT)]
    expect(not extra, f"your dict has an entry too many: {str(extra[:1] and extra[0])[:60]!r}")
    wanted = expected(sizes)
    case = "b = {}, n = {}, m = {}, d = {}, h = {} and a vocabulary of {} tokens".format(*sizes)
    for name in names:
        shape = shape_of(result[name], name)
        expect(
            shape == wanted[name],
            f"for {case}, {WHAT[name]} ({name}) should not have the shape {str(shape)[:80]}",
        )


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Sizes of which no two are equal; one head; a batch and lengths of 1."""
    return judged_by_parts({sizes: answer(*sizes) for sizes in SHOWN})


def judged_by_parts(results: dict[Sizes, object]) -> Verdict:
    """The verdict on the results for these sizes:
    the shapes of the cross-attention are a part of their own.
    """

    def judge_all(part: str) -> None:
        for sizes, result in results.items():
            judge(result, sizes, part)

    return by_parts(PARTS, judge_all)


EXERCISE = Exercise(
    id="encoder_decoder_shapes",
    title="Shapes in an encoder-decoder",
    order=19,
    points=2,
    parts=PARTS,
    difficulty=2,
    importance=4,
    minutes=12,
    source="Vaswani et al. 2017, fig. 1",
    hints=(
        (
            "There are two lengths: n belongs to the source, m to the target. To which of the two does each"
            " tensor belong?"
        ),
        (
            "Weights have a row for each query and a column for each key, in each head. Of the other tensors"
            " in the list, only the logits have a last axis other than d."
        ),
        (
            "In the cross-attention m queries meet n keys: the queries have shape (b, h, m, d // h) and the"
            " keys (b, h, n, d // h). The shape of the weights follows from their product, as in"
            " attention_scores."
        ),
    ),
    check=check,
)
