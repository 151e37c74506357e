"""Exercise reweight_heads: each head times its matrix norm, divided by the heads' mean norm."""

from __future__ import annotations

import random
from collections.abc import Callable

import torch
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import POSSIBLE, Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.effects import CHANGED, leaves_alone, names_changes
from kqa_core.check.helpers.read_values import told
from kqa_core.exercise_helpers.layout import not_contiguous
from kqa_core.exercise_helpers.transformer_parts import (
    agree,
    apart,
    difference,
    draw,
    gradients_agree,
    tensor_of,
)


def lively(rng: random.Random, B: int, n_head: int, T: int, d_head: int) -> Tensor:
    """Heads of very different sizes, in rows and positions of very different sizes."""
    heads = draw(rng, B, n_head, T, d_head)
    scales = draw(rng, B, n_head, 1, 1).exp() * draw(rng, B, 1, 1, 1).exp() * draw(rng, 1, 1, T, 1).exp()
    return heads * scales


def expected(heads: Tensor) -> Tensor:
    """By loops over rows and heads."""
    rows = []
    for row in heads:
        norms = torch.stack([head.double().square().sum() for head in row]) ** 0.5
        rows.append(torch.stack([head * norm / norms.mean() for head, norm in zip(row, norms, strict=True)]))
    return torch.stack(rows)


def of_every_size(answer: Answer, rng: random.Random, oracle: Callable[[Tensor], Tensor]) -> None:
    """Raise NotYet unless heads of all sizes are re-weighted as by `oracle`, each compared by itself: one is
    0, one tiny, and all are multiplied by 0.01, 1 and 10,000.

    A number of 1e-12 that is added to a norm is still below the tolerance, one of 1e-9 is not.
    """
    heads = lively(rng, 2, 4, 3, 2)
    heads[0, 1] = 0.0
    heads[1, 2] *= 1e-7
    for scale in (1.0, 0.01, 1e4):
        what = f"for heads of sizes around {scale:g}, one of which is 0, what you return"
        found = tensor_of(answer(scale * heads), tuple(heads.shape), heads.dtype, what)
        wanted = oracle(scale * heads)
        off, b, h = max((apart(found[b, h], wanted[b, h]), b, h) for b in range(2) for h in range(4))
        if off > 1:
            raise NotYet(
                f"for heads of sizes around {scale:g}, of which one is 0 and one is tiny, in head {h}"
                f" of row {b} {difference(found[b, h], wanted[b, h])}"
            )


def check(answer: Answer, rng: random.Random) -> Verdict:
    """One head stays as it is; then several, in one row and in three; six, one of them far larger; heads of
    all sizes; float32; heads unchanged, and gradients.
    """
    heads = lively(rng, 2, 1, 4, 3)
    found = tensor_of(answer(heads), tuple(heads.shape), heads.dtype, "for a single head what you return")
    alone = "for heads (2, 1, 4, 3), the norm of the only head is the mean norm, so it should not change"
    agree(found, heads, f"{alone}: {worst(heads, found, heads)}")
    one_large = torch.cat((100 * draw(rng, 2, 1, 3, 4), draw(rng, 2, 5, 3, 4)), dim=1)
    for heads in (*(lively(rng, *shape) for shape in ((1, 3, 5, 4), (3, 2, 4, 6), (2, 3, 4, 2))), one_large):
        shape = tuple(heads.shape)
        found = tensor_of(answer(heads), shape, heads.dtype, f"for heads of shape {shape} what you return")
        wanted = expected(heads)
        off = f"for heads of shape {shape}, {worst(heads, found, wanted)}"
        with names_changes(answer, ("heads",), heads):
            for axes, mistake in (
                (3, "each position separately"),
                ((0, 2, 3), "all rows of the batch together"),
            ):
                norms = heads.square().sum(dim=axes, keepdim=True).sqrt()
                other = heads * norms / norms.mean(dim=1, keepdim=True)
                expect(
                    apart(found, wanted) <= 1 or apart(found, other) > 1,
                    f"{off}. {POSSIBLE}the norm is that of {mistake}; it should be one for each head of each"
                    " row, over positions and components",
                )
            agree(found, wanted, off)
    of_every_size(answer, rng, expected)
    single = lively(rng, 2, 3, 4, 2).float()
    found = tensor_of(answer(single), tuple(single.shape), torch.float32, "what you return")
    float32 = expected(single)
    agree(found, float32, f"for heads (2, 3, 4, 2) in float32, {difference(found, float32)}")
    split = tensor_of(
        not_contiguous(answer, single, axes=(1, 2)), (2, 3, 4, 2), torch.float32, "what you return"
    )
    agree(
        split,
        float32,
        f"for heads (2, 3, 4, 2) that are not contiguous in memory, {difference(split, float32)}",
    )
    said = CHANGED.replace("result", "output")
    leaves_alone(answer, ("heads",), lively(rng, 2, 3, 4, 2), sentence=said)
    gradients_agree(answer, expected, {"heads": lively(rng, 2, 3, 4, 2)})
    return right("heads with a large norm grow, heads with a small norm shrink")


def worst(heads: Tensor, found: Tensor, wanted: Tensor) -> str:
    """In words, the entry of `heads` whose output is off by most, and by how much it is multiplied."""
    place = torch.unravel_index((found - wanted).abs().argmax(), heads.shape)
    entry = float(heads[place])
    if entry == 0.0:
        return difference(found, wanted)
    mine, yours = told(float(wanted[place]) / entry, float(found[place]) / entry)
    return (
        f"entry {[int(index) for index in place]}, in head {int(place[1])} of row {int(place[0])}, should be"
        f" multiplied by {mine}; yours is multiplied by {yours}"
    )


EXERCISE = Exercise(
    id="reweight_heads",
    title="Re-weight the heads by their norms",
    order=10,
    points=2,
    difficulty=2,
    importance=3,
    minutes=15,
    source="Washington mini-Transformer lab, §2.2",
    hints=(
        "One number for each head of each row of the batch: what shape has the tensor of norms?",
        (
            "Square, sum over positions and components (axes 2 and 3), take the square root; keep the axes"
            " for broadcasting. The mean of the norms is over the heads only."
        ),
        (
            "norms = heads.square().sum(dim=(2, 3), keepdim=True).sqrt() has shape (B, n_head, 1, 1); its"
            " mean over dim 1 has shape (B, 1, 1, 1). Multiply by the first, divide by the second."
        ),
    ),
    check=check,
)
