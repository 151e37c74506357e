"""Exercise mend_the_leak: the re-weighting with norms over no later position."""

from __future__ import annotations

import random

import torch
from course_exercises.reweight_heads import expected as whole_row
from course_exercises.reweight_heads import lively, of_every_size, worst
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, expect, right
from kqa_core.check.helpers.effects import CHANGED, kept_nothing, leaves_alone, names_changes
from kqa_core.exercise_helpers.layout import not_contiguous
from kqa_core.exercise_helpers.named_mistakes import Mistakes, agree_or_name
from kqa_core.exercise_helpers.transformer_parts import (
    agree,
    apart,
    difference,
    draw,
    gradients_agree,
    tensor_of,
)


def expected(heads: Tensor) -> Tensor:
    """The leaky re-weighting's output at position t for the row cut off after t."""
    return torch.cat([whole_row(heads[:, :, : t + 1])[:, :, t:] for t in range(heads.shape[2])], dim=2)


def mistakes(heads: Tensor) -> Mistakes:
    """The outputs (B, n_head, d_head) at the last position that common mistakes give,
    by the sentence about the mistake.
    """
    # (B, n_head, T)
    norms = torch.stack([heads[:, :, : t + 1].flatten(2).norm(dim=2) for t in range(heads.shape[2])], dim=2)
    last, batch = norms[:, :, -1], norms[:, :, -1].square().sum(dim=0, keepdim=True).sqrt()
    # (B, n_head, T)
    alone, sizes = heads.norm(dim=3), norms / torch.arange(1, heads.shape[2] + 1, dtype=heads.dtype).sqrt()

    def weighted(norm: Tensor, mean: Tensor | None = None) -> Tensor:
        return (
            heads[:, :, -1] * (norm / (norm.mean(dim=1, keepdim=True) if mean is None else mean))[:, :, None]
        )

    past = "the mean is over earlier positions, too; it should be over the heads, at position t alone"
    return {
        "the squares of all rows of the batch are added; each row should have its own norms": lambda: (
            weighted(batch)
        ),
        "position t itself is left out": lambda: weighted(norms[:, :, -2]),
        past: lambda: weighted(last, norms.mean(dim=(1, 2))[:, None]),
        f"{past} (and the norms are root mean squares)": lambda: weighted(
            sizes[:, :, -1], sizes.mean(dim=(1, 2))[:, None]
        ),
        "the mean is over the rows of the batch, too; it should be over the heads of one row": lambda: (
            weighted(last, last.mean())
        ),
        "the heads are divided by the norms; multiply by them, and divide by their mean": lambda: weighted(
            1 / last, 1 / last.mean(1, True)
        ),
        "norms are added; it should be their squares, and then the root of the sum": lambda: weighted(
            alone.sum(dim=2)
        ),
        "the square root is missing": lambda: weighted(last.square()),
        "the norm is that of position t alone; it should be over all positions up to t": lambda: weighted(
            alone[:, :, -1]
        ),
        "the norms are not divided by their mean": lambda: weighted(last, torch.ones_like(last)),
    }


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The past must not change when the future does;
    then the values, at the last position first; a long row; heads of all sizes; float32; effects and
    gradients.
    """
    shape = (2, 3, 5, 4)
    heads = lively(rng, *shape)
    found = tensor_of(answer(heads), shape, heads.dtype, "what you return")
    changed = torch.cat((heads[:, :, :3], 5.0 * draw(rng, 2, 3, 2, 4)), dim=2)
    after = tensor_of(answer(changed), shape, heads.dtype, "what you return")
    moved = apart(after[:, :, :3], found[:, :, :3]) > 1
    with kept_nothing(answer, changed):
        expect(
            not moved,
            f"for heads {shape}, positions 3 and 4 were changed. Your output at positions 0 to 2 should stay"
            f" the same: {difference(after[:, :, :3], found[:, :, :3])}",
        )
    wanted = expected(heads)
    ours, yours = torch.zeros_like(heads), torch.zeros_like(heads)
    ours[:, :, -1], yours[:, :, -1] = wanted[:, :, -1], found[:, :, -1]
    at_last = (
        f"for heads {shape}, at the last position your result should be that of the leaky re-weighting:"
        f" {worst(heads, yours, ours)}"
    )
    with names_changes(answer, ("heads",), heads):
        agree_or_name(found[:, :, -1], wanted[:, :, -1], at_last, mistakes(heads), entry=False)
    for t in range(4):
        norms = "position 0 alone" if t == 0 else f"positions 0 to {t}"
        ours, yours = wanted.clone(), wanted.clone()
        yours[:, :, t] = found[:, :, t]
        agree(
            yours[:, :, t],
            ours[:, :, t],
            f"for heads {shape}, the last position is right, but at position {t}, where the norms are those"
            f" of {norms}, {worst(heads, yours, ours)}",
        )
    for axes in ((0, 1), (1, 2)):
        output = tensor_of(not_contiguous(answer, heads, axes=axes), shape, heads.dtype, "what you return")
        agree(
            output,
            wanted,
            f"for heads {shape} that are not contiguous in memory, as after transpose,"
            f" {worst(heads, output, wanted)}",
        )
    for length, before in ((5, ""), (300, " (for 5 positions it was right)")):
        long = lively(rng, 1, 2, length, 3)
        found = tensor_of(answer(long), (1, 2, length, 3), long.dtype, "what you return")
        wanted = expected(long)
        agree(found, wanted, f"for heads (1, 2, {length}, 3) {worst(long, found, wanted)}{before}")
    of_every_size(answer, rng, expected)
    single = heads.float()
    found = tensor_of(answer(single), shape, torch.float32, "what you return")
    wanted = expected(single)
    agree(found, wanted, f"for heads {shape} in float32, {worst(single, found, wanted)}")
    leaves_alone(answer, ("heads",), heads, sentence=CHANGED.replace("result", "output"))
    gradients_agree(answer, expected, {"heads": lively(rng, 2, 3, 4, 2)})
    return right("only the past counts, the future does not")


EXERCISE = Exercise(
    id="mend_the_leak",
    title="Repair the leak",
    order=12,
    points=3,
    difficulty=3,
    importance=4,
    minutes=20,
    source="after the Washington mini-Transformer lab, §2.2",
    hints=(
        (
            "Cut the row off after position t. What does the leaky formula give for the shorter row? One norm"
            " for each t."
        ),
        (
            "Which quantity can be added position by position: norms, or their squares? A running sum gives"
            " all T at once."
        ),
        (
            "squares = heads.square().sum(dim=3, keepdim=True) has shape (B, n_head, T, 1). Its cumsum along"
            " dim 2 is, at t, the sum over positions ≤ t; its square root is the norm. Take the mean over the"
            " heads as before."
        ),
    ),
    check=check,
)
