"""Exercise one_big_projection: h small maps are one large one."""

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
    apart,
    differing,
    draw,
    gradients_agree,
    tensor_of,
)


def judge(result: object, small: Tensor, about: str = "") -> None:
    """Raise NotYet unless the components of x @ result,
    cut into heads, equal the outputs of the small maps.
    """
    h, d_in, d_head = small.shape
    said = f"for small {tuple(small.shape)}{about}"
    found = tensor_of(result, (d_in, h * d_head), small.dtype, f"{said} the large matrix")
    x = torch.eye(d_in, dtype=small.dtype)  # (d_in, d_in): a basis of all inputs
    for i in range(h):
        made = (x @ found)[:, i * d_head : (i + 1) * d_head]  # (d_in, d_head)
        expect(
            apart(made, small[i]) <= 1e-3,
            f"{said}, x @ W should have x @ small[{i}] in columns {i * d_head} to {(i + 1) * d_head - 1}. For"
            f" the unit vectors as rows of x, in these columns{differing(made, small[i])}",
        )


def by_number(small: Tensor) -> Tensor:
    """Each entry of the large matrix, by its place in small: (h, d_in, d_head) → (d_in, h · d_head)."""
    h, d_in, d_head = small.shape
    axes = itertools.product(range(d_in), range(h), range(d_head))
    return torch.stack([small[i, row, c] for row, i, c in axes]).reshape(d_in, h * d_head)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Three maps from 4 to 2 components; a single map; as many maps as inputs; square maps; twelve maps;
    another layout; float32; small unchanged, and gradients.
    """
    small = draw(rng, 3, 4, 2)
    judge(answer(small), small)
    for shape in ((1, 2, 3), (3, 3, 2), (2, 4, 4), (12, 3, 2)):
        other = draw(rng, *shape)
        judge(again(answer, other), other)
    moved = draw(rng, 3, 4, 2)
    judge(answer(Build(f"{HERE}:strided", (moved,))), moved, ", not contiguous in memory")
    judge(answer(small.float()), small.float(), ", in float32")
    leaves_alone(answer, ("small",), small)
    gradients_agree(answer, by_number, {"small": small})
    return right()


EXERCISE = Exercise(
    id="one_big_projection",
    title="All heads in one projection",
    order=8,
    points=1,
    difficulty=2,
    importance=4,
    minutes=8,
    source="this course",
    hints=(
        "Column c of a matrix computes component c of the output. Which columns does head j need?",
        (
            "All small matrices get the same input, so they have the same number of rows. Put them side by"
            " side, not one above the other."
        ),
        (
            "torch.cat joins a list of tensors along an axis that you choose. The matrices small[0],"
            " small[1], … have shape (d_in, d_k), and the result should have shape (d_in, h · d_k)."
        ),
    ),
    check=check,
)
