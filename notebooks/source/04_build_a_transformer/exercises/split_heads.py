"""Exercise split_heads: cut each position's vector into one vector for each head."""

from __future__ import annotations

import random

import torch
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, expect, right
from kqa_core.check.helpers.transformer_parts import again, draw, tensor_of


def judge(result: object, x: Tensor, n_head: int) -> None:
    """Raise NotYet unless head h holds, at every position, channels h·d_head … (h + 1)·d_head − 1."""
    B, T, C = x.shape
    d_head = C // n_head
    found = tensor_of(result, (B, n_head, T, d_head), x.dtype, "the split tensor")
    for h in range(n_head):
        same = bool(torch.equal(found[:, h], x[:, :, h * d_head : (h + 1) * d_head]))
        expect(
            same,
            f"for x {tuple(x.shape)} and {n_head} heads, head {h} should hold channels {h * d_head} to {(h + 1) * d_head - 1} of "
            "every position, in their order",
        )


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Unequal sizes, so that no two axes can be confused."""
    x = draw(rng, 2, 5, 12)
    judge(answer(x, 3), x, 3)
    x = draw(rng, 1, 1, 4)
    judge(again(answer, x, 1), x, 1)
    return right()


EXERCISE = Exercise(
    id="split_heads",
    title="Split channels into heads",
    order=5,
    points=1,
    difficulty=2,
    importance=4,
    minutes=8,
    source="CS224n A5 2(a): mingpt",
    hints=(
        "Two things happen: the last axis becomes two axes, and then one of the two moves forward. Neither alone is enough.",
        "Cut the last axis C into (n_head, d_head) first; a view does that, since neighbours in memory stay neighbours. Then let "
        "the axes of time and head change places.",
        "x.view(B, T, n_head, C // n_head) and then .transpose(1, 2). A view straight to (B, n_head, T, d_head) has the right "
        "shape and mixes positions with channels.",
    ),
    check=check,
)
