"""Exercise attention_scores: the scaled dot product of every query with every key."""

from __future__ import annotations

import math
import random

import torch
from torch import Tensor

from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import Exercise, Verdict, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.exercise_helpers.transformer_parts import (
    HERE,
    again,
    agree,
    differing,
    draw,
    gradients_agree,
    rounding,
    tensor_of,
)


def by_hand(q: Tensor, k: Tensor) -> Tensor:
    """One number at a time: (…, n_q, d), (…, n_k, d) → (…, n_q, n_k)."""
    rows = [[(q[..., i, :] * k[..., j, :]).sum(-1) for j in range(k.shape[-2])] for i in range(q.shape[-2])]
    scores = torch.stack([torch.stack(row, dim=-1) for row in rows], dim=-2)  # (…, n_q, n_k)
    return scores / math.sqrt(q.shape[-1])


def judge(answered: object, q: Tensor, k: Tensor, about: str = "") -> None:
    """Raise NotYet unless `answered` holds the scores of q and k; `about` says what is special about them."""
    shape = (*q.shape[:-1], k.shape[-2])
    case, wanted = f"for q {tuple(q.shape)} and k {tuple(k.shape)}{about}", by_hand(q, k)
    found = tensor_of(answered, shape, q.dtype, f"{case} the tensor of scores")
    said = f"{case} entry […, t, i] should be q_t · k_i divided by the root of their width"
    agree(found, wanted, said + differing(found, wanted), rounding(q.shape[-1]))


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Two queries and three keys; a batch of heads, and other leading axes; a single query; a width of 1 and
    a large one; large scores and small ones, and scores of 0; float32; another
    layout; arguments unchanged, and gradients.
    """
    q, k = draw(rng, 2, 4), draw(rng, 3, 4)
    judge(answer(q, k), q, k)
    for leading, n_q, n_k, width in (
        ((2, 3), 4, 4, 6),
        ((1, 1), 1, 3, 2),
        ((3,), 2, 5, 3),
        ((3, 2, 2), 2, 3, 1),
        ((), 8, 8, 75),
    ):
        given = draw(rng, *leading, n_q, width), draw(rng, *leading, n_k, width)
        judge(again(answer, *given), *given)
    for scale in (1e-4, 100.0, 1e6):
        judge(answer(scale * q, k), scale * q, k, f" whose scores are of the order of {scale:g}")
    for axes in (torch.eye(3, 4), torch.zeros(3, 4)):
        q_of_axes, k_of_axes = axes.double(), torch.eye(4).double()
        what = ", whose rows are unit vectors along the axes" if axes.any() else ", where q is 0"
        judge(answer(q_of_axes, k_of_axes), q_of_axes, k_of_axes, what)
    single = q.float(), k.float()
    judge(answer(*single), *single, ", in float32,")
    leaves_alone(answer, ("q", "k"), q, k)
    q, k = draw(rng, 2, 3, 2, 4), draw(rng, 2, 3, 5, 4)
    judge(answer(*(Build(f"{HERE}:strided", (each,)) for each in (q, k))), q, k, ", not contiguous,")
    gradients_agree(answer, by_hand, {"q": q, "k": k})
    return right()


EXERCISE = Exercise(
    id="attention_scores",
    title="Compute the attention scores",
    order=1,
    points=1,
    difficulty=1,
    importance=5,
    minutes=6,
    source="Vaswani et al. 2017, eq. 1",
    hints=(
        (
            "A product of matrices holds the dot product of each row of the first matrix with each column of"
            " the second."
        ),
        (
            "The keys are rows, but the product needs them as columns. With leading axes for batch and heads,"
            " only the last two axes may be exchanged."
        ),
        (
            "k.transpose(-2, -1) has shape (…, d_k, n_k). Multiply q by it with @. Then divide by the square"
            " root of q.shape[-1]."
        ),
    ),
    check=check,
)
