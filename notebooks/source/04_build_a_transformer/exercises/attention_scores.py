"""Exercise attention_scores: the scaled dot product of every query with every key."""

from __future__ import annotations

import math
import random

import torch
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.exercise_helpers.transformer_parts import ROOT, again, agree, draw, gradients_agree, tensor_of


def by_hand(q: Tensor, k: Tensor) -> Tensor:
    """One number at a time: (…, n_q, d), (…, n_k, d) → (…, n_q, n_k)."""
    rows = [[(q[..., i, :] * k[..., j, :]).sum(-1) for j in range(k.shape[-2])] for i in range(q.shape[-2])]
    scores = torch.stack([torch.stack(row, dim=-1) for row in rows], dim=-2)  # (…, n_q, n_k)
    return scores / math.sqrt(q.shape[-1])


def judge(answered: object, q: Tensor, k: Tensor, about: str = "") -> None:
    """Raise NotYet unless `answered` holds the scores of q and k; `about` says what is special about them."""
    shape = (*q.shape[:-1], k.shape[-2])
    found = tensor_of(answered, shape, q.dtype, "scores")
    case = f"for q {tuple(q.shape)} and k {tuple(k.shape)}{about}"
    agree(
        found,
        by_hand(q, k),
        f"{case} entry [t, i] should be q_t · k_i divided by the root of their width",
        ROOT,
    )


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Two queries and three keys; a batch of heads; a single query; large scores; arguments unchanged, and
    gradients.
    """
    q, k = draw(rng, 2, 4), draw(rng, 3, 4)
    judge(answer(q, k), q, k)
    several = draw(rng, 2, 3, 4, 6), draw(rng, 2, 3, 4, 6)
    judge(again(answer, *several), *several)
    single = draw(rng, 1, 1, 1, 2), draw(rng, 1, 1, 3, 2)
    judge(again(answer, *single), *single)
    judge(answer(100 * q, k), 100 * q, k, " with scores of 100 and more")
    leaves_alone(answer, ("q", "k"), q, k)
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
