"""Exercise merge_heads: concatenate the vectors of all heads."""

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


def judge(result: object, x: Tensor, about: str = "") -> None:
    """Raise NotYet unless components h·d_head … (h + 1)·d_head − 1 of every token are those of head h."""
    B, n_head, T, d_head = x.shape
    said = f"for x {tuple(x.shape)}{about}"
    found = tensor_of(result, (B, T, n_head * d_head), x.dtype, f"{said} the merged tensor")
    wanted = torch.cat(x.unbind(1), dim=-1)
    rows = [f" (row {b} of the batch is right)" for b in range(B) if torch.equal(found[b], wanted[b])]
    for h in range(n_head):
        mine = wanted.clone()  # with these components of the result, at their places
        mine[..., h * d_head : (h + 1) * d_head] = found[..., h * d_head : (h + 1) * d_head]
        expect(
            torch.equal(mine, wanted),
            f"{said}, components {h * d_head} to {(h + 1) * d_head - 1} of every token in the result should"
            f" be those of head {h}, in their order: {difference(mine, wanted)}{''.join(rows[:1])}",
        )


def by_number(x: Tensor) -> Tensor:
    """Each entry of the result, by its place in x: (B, n_head, T, d_head) → (B, T, n_head · d_head)."""
    B, n_head, T, d_head = x.shape
    axes = itertools.product(range(B), range(T), range(n_head), range(d_head))
    return torch.stack([x[b, h, t, c] for b, t, h, c in axes]).reshape(B, T, n_head * d_head)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Unequal sizes; sizes of 1, and large ones; as many tokens as heads; another layout; float32; x
    unchanged, and gradients.
    """
    x = draw(rng, 2, 3, 5, 4)
    judge(answer(x), x)
    for shape in ((1, 1, 1, 6), (2, 3, 3, 2), (3, 2, 1, 4), (2, 2, 2, 3), (6, 12, 70, 2)):
        other = draw(rng, *shape)
        judge(again(answer, other), other)
    judge(again(answer, Build(f"{HERE}:strided", (x,))), x, ", not contiguous in memory")
    judge(answer(x.float()), x.float(), ", in float32")
    leaves_alone(answer, ("x",), x)
    gradients_agree(answer, by_number, {"x": draw(rng, 2, 2, 3, 2)})
    return right()


EXERCISE = Exercise(
    id="merge_heads",
    title="Merge the heads",
    order=7,
    points=1,
    difficulty=2,
    importance=4,
    minutes=6,
    source="CS224n A5 2(a): mingpt",
    reserved=("kqa_core.model.attention:merge_heads",),
    hints=(
        "It is split_heads in reverse, with the steps in the opposite order.",
        "First move the axis of the heads back behind the tokens. Then join the last two axes into one.",
        (
            "x.transpose(1, 2) has shape (B, T, h, d_k). Its numbers are no longer in order in memory, so"
            " join the last two axes with reshape: view would refuse."
        ),
    ),
    check=check,
)
