"""Exercise count_parameters: the number of learned parameters, from the sizes alone."""

from __future__ import annotations

import random

import torch
from torch import nn

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, NotYet, Verdict, right
from kqa_core.check.helpers.read_values import number

Sizes = tuple[int, int, int, int, int]  # vocab_size, block_size, n_layer, n_head, d_model
ODD = (256, 128, 7, 3, 507)  # 21,963,747 parameters: odd, and above 2²⁴


def counted(sizes: Sizes) -> int:
    """The count, by building the parts on a device that holds no numbers and counting their parameters."""
    vocab_size, block_size, n_layer, n_head, d_model = sizes
    with torch.device("meta"):
        encoder = nn.TransformerEncoderLayer(d_model, n_head, 4 * d_model, norm_first=True)
        parts: list[nn.Module] = [encoder] * n_layer
        ends = [nn.Embedding(vocab_size, d_model), nn.Embedding(block_size, d_model)]
        parts += [*ends, nn.LayerNorm(d_model), nn.Linear(d_model, vocab_size, bias=False)]
    return sum(parameter.numel() for part in parts for parameter in part.parameters())


def judge(result: object, sizes: Sizes) -> None:
    """Raise NotYet unless `result` is the number of parameters."""
    found, wanted = number(result, "the number of parameters"), counted(sizes)
    case = "vocab_size = {}, block_size = {}, n_layer = {}, n_head = {}, d_model = {}".format(*sizes)
    if found == wanted:
        return
    if found != int(found):
        raise NotYet(f"for {case} you count {found:,} parameters, which is not a whole number")
    off = abs(int(found) - wanted)
    much = f"{int(found):,} parameters, {off:,}" if off < 10**15 else "far"
    raise NotYet(f"for {case} you count {much} too {'many' if found > wanted else 'few'}")


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The model of CS224n Assignment 5, a small one, and one whose count is no float32."""
    for sizes in ((256, 128, 4, 8, 256), (11, 7, 3, 2, 6), (5, 5, 1, 1, 3), ODD):
        judge(answer(*sizes), sizes)
    return right("3,323,392 for the model of CS224n Assignment 5 with 256 characters")


EXERCISE = Exercise(
    id="count_parameters",
    title="Count the parameters",
    order=15,
    points=2,
    difficulty=2,
    importance=3,
    minutes=12,
    source="this course",
    hints=(
        "Go through the names of the weights in Part 3 and Part 4, and write down each shape in terms of d.",
        (
            "A linear map from a to b components has a·b weights and b biases. There are four such maps in"
            " attention and two in the MLP. A LayerNorm has 2d parameters, and each block has two of them."
        ),
        (
            "In each block, attention has 4·(d² + d) parameters, and the MLP's first map has 4d² + 4d. The"
            " second map and the LayerNorms are left for you. Outside the blocks are two tables, a LayerNorm"
            " and the head."
        ),
    ),
    check=check,
)
