"""Exercise masked_mean: one vector for a sentence, from its real tokens alone."""

from __future__ import annotations

import random

import torch
import torch.nn.functional as F
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, right
from kqa_core.check.helpers.transformer_parts import agree, draw, tensor_of


def states(rng: random.Random, B: int, T: int, d: int) -> tuple[Tensor, Tensor]:
    """hidden (B, T, d), float64, and a mask (B, T) of which the first row is full and each other has 1 to T real tokens."""
    lengths = torch.tensor([T, *(rng.randint(1, T) for _ in range(B - 1))])
    return 1.0 + draw(rng, B, T, d), (torch.arange(T) < lengths[:, None]).long()


def expected(hidden: Tensor, mask: Tensor) -> Tensor:
    """Attention of a query with equal scores for all real tokens."""
    query, key = torch.zeros_like(hidden[:, :1]), torch.zeros_like(hidden)  # (B, 1, d), (B, T, d)
    return F.scaled_dot_product_attention(query, key, hidden, attn_mask=mask[:, None, :] > 0)[:, 0]


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Three rows, one of a single token."""
    hidden, mask = states(rng, 3, 5, 4)
    mask[1] = torch.tensor([1, 0, 0, 0, 0])
    found = tensor_of(answer(hidden, mask), (3, 4), hidden.dtype, "what you return")
    agree(found[:1], expected(hidden, mask)[:1], "where nothing is padded, this is the mean over all tokens; yours is not")
    agree(found, expected(hidden, mask), "where a row is padded, your vector is not the mean over its real tokens")
    return right("padding weighs nothing")


EXERCISE = Exercise(
    id="masked_mean",
    title="Average the real tokens",
    order=6,
    points=2,
    difficulty=2,
    importance=4,
    minutes=10,
    source="Reimers and Gurevych 2019 (Sentence-BERT), mean pooling",
    hints=(
        "Take a sentence of 3 words in a batch of width 5. What should be added up, and what should the sum be divided by?",
        "Multiply by the mask, so that padding adds nothing; it needs one more axis for that. Then divide by the number of real "
        "tokens, which is each row's own.",
        "`mask[:, :, None]` has shape (B, T, 1) and meets (B, T, d). The sum over axis 1 has shape (B, d), and the count of "
        "real tokens, to divide by it, (B, 1).",
    ),
    check=check,
)
