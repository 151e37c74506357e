"""Exercise causal_mask: the positions that each position may attend to."""

from __future__ import annotations

import random

import torch
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import POSSIBLE, Exercise, NotYet, Question, Verdict, expect, right
from kqa_core.check.helpers.read_values import kind_of

LARGEST_SHOWN = 5


def mask_of(result: object, T: int, earlier: tuple[int, ...] = ()) -> Tensor:
    """`result` as a BoolTensor (T, T). Raises NotYet unless it is one; `earlier`: the T of earlier calls."""
    if not isinstance(result, Tensor):
        raise NotYet(f"the mask must be a torch tensor; yours is {kind_of(result)}")
    given = tuple(result.shape)
    kept = (
        f", that of the mask for T = {given[0]}, which was asked for before"
        if given in [(each, each) for each in earlier]
        else ""
    )
    expect(given == (T, T), f"for T = {T} the mask must have shape ({T}, {T}); yours has shape {given}{kept}")
    expect(result.dtype is torch.bool, f"the mask must be of dtype torch.bool; yours is {result.dtype}")
    return result


def judge(result: object, T: int, earlier: tuple[int, ...] = ()) -> None:
    """Raise NotYet at the first entry that differs from "t attends to positions up to t"."""
    mask = mask_of(result, T, earlier)
    if torch.equal(mask, torch.arange(T)[:, None] >= torch.arange(T)):
        return
    for t, row in enumerate(mask == (torch.arange(T)[:, None] >= torch.arange(T))):
        for s in (~row).nonzero().flatten().tolist():
            allowed = bool(mask[t, s])
            expect(
                allowed is (s <= t),
                f"for T = {T}, mask[{t}, {s}] is {allowed}"
                f"; it should be {s <= t}: position {t} may {'not ' * (s > t)}attend to "
                + (f"position {s}, which is later" if s > t else "itself" if s == t else "earlier ones")
                + (
                    f". It was right before longer masks were asked for. {POSSIBLE}a mask of an earlier call"
                    " is kept"
                    if T in earlier
                    else ""
                ),
            )


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Several lengths, among them 1; two of them again."""
    lengths = (3, 1, LARGEST_SHOWN, rng.randint(9, 30), 600, 3, 1, 2)
    for i, T in enumerate(lengths):
        judge(answer(T), T, lengths[:i])
    return right()


EXERCISE = Exercise(
    id="causal_mask",
    title="The causal mask",
    order=3,
    points=1,
    difficulty=1,
    importance=5,
    minutes=5,
    source="CS224n A5 2(a)",
    hints=(
        "Row t belongs to a query and column i to a key. Write the three rows for T = 3 on paper.",
        (
            "Each row has one True more than the row above it. torch has functions for the triangles of a"
            " matrix. Or compare the numbers of rows and columns."
        ),
        (
            "torch.tril keeps the lower triangle of a matrix, including the diagonal, and sets the rest to 0."
            " Apply it to a matrix of ones with dtype=torch.bool."
        ),
    ),
    check=check,
    questions=(
        Question(
            "Your line is `{line}`. For T = {T}, how many entries of the mask are True?",
            draw=lambda rng: ((T := rng.randint(4, 9),), {"T": T}),
            reads=lambda mask, T: int(mask.sum()),
        ),
        Question(
            "What does your line `{line}` give for T = 1, and what does that mean for the first position?",
            words="One entry, which is True: the first position attends to itself, and to nothing else.",
        ),
    ),
)
