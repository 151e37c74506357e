"""Exercise split_heads: cut each position's vector into one vector for each head."""

from __future__ import annotations

import itertools
import random

import torch
from torch import Tensor

from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import Exercise, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.exercise_helpers.transformer_parts import (
    HERE,
    again,
    difference,
    draw,
    gradients_agree,
    tensor_of,
)


def judge(result: object, x: Tensor, n_head: int, about: str = "") -> None:
    """Raise NotYet unless head h holds components h·d_head … (h + 1)·d_head − 1 of every token."""
    B, T, C = x.shape
    d_head = C // n_head
    case = f"for x {tuple(x.shape)}{about} and n_head = {n_head}"
    found = tensor_of(result, (B, n_head, T, d_head), x.dtype, f"{case} the split tensor")
    for h in range(n_head):
        wanted = x[:, :, h * d_head : (h + 1) * d_head]
        expect(
            torch.equal(found[:, h], wanted),
            f"{case}, head {h} (result[:, {h}]) should hold components {h * d_head} to"
            f" {(h + 1) * d_head - 1} of every token, in their order: {difference(found[:, h], wanted)}",
        )


def by_number(x: Tensor, n_head: int) -> Tensor:
    """Each entry of the result, by its place in x: (B, T, C) → (B, n_head, T, C // n_head)."""
    B, T, C = x.shape
    axes = itertools.product(range(B), range(n_head), range(T), range(C // n_head))
    return torch.stack([x[b, t, h * (C // n_head) + c] for b, h, t, c in axes]).reshape(
        B, n_head, T, C // n_head
    )


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Unequal sizes, so that no two axes can be confused; sizes of 1, and large ones; as many tokens as
    heads; another layout; float32; x unchanged, and gradients.
    """
    x = draw(rng, 2, 5, 12)
    judge(answer(x, 3), x, 3)
    for B, T, C, n_head in ((1, 1, 4, 1), (2, 3, 12, 3), (3, 1, 8, 2), (2, 2, 8, 2), (6, 70, 48, 12)):
        other = draw(rng, B, T, C)
        judge(again(answer, other, n_head), other, n_head)
    judge(again(answer, Build(f"{HERE}:strided", (x,)), 3), x, 3, ", not contiguous in memory,")
    judge(answer(x.float(), 3), x.float(), 3, ", in float32,")
    leaves_alone(answer, ("x",), x, 3)
    gradients_agree(answer, by_number, {"x": draw(rng, 2, 3, 4), "n_head": 2})
    return right()


EXERCISE = Exercise(
    id="split_heads",
    title="Split vectors into heads",
    order=6,
    points=1,
    difficulty=2,
    importance=4,
    minutes=8,
    source="CS224n A5 2(a): mingpt",
    reserved=("kqa_core.model.attention:split_heads",),
    hints=(
        (
            "Two things happen: the last axis becomes two axes, and one of the two moves forward. Neither"
            " step alone is enough."
        ),
        (
            "First cut the last axis into (h, d_k). A view can do that, because the numbers stay in their"
            " order. Then exchange the axes of tokens and heads."
        ),
        (
            "x.view(B, T, n_head, d_k) has the right numbers in each head, but the heads come after the"
            " tokens. transpose(1, 2) exchanges axes 1 and 2. A view straight to the final shape would mix"
            " tokens with components."
        ),
    ),
    check=check,
)
