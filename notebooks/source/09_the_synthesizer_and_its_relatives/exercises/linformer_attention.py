"""Exercise linformer_attention: keys and values projected to r rows before attention."""

from __future__ import annotations

import random

import torch
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, expect, right
from kqa_core.check.helpers.transformer_parts import again, agree, apart, draw, tensor_of


def case(rng: random.Random, N: int, T: int, r: int, d_h: int, steep: float = 1.0) -> tuple[Tensor, ...]:
    """q, k, v (N, T, d_h), E and F (r, T)."""
    size = T**-0.5
    rows = (draw(rng, N, T, d_h, scale=scale) for scale in (1.5 * steep, 1.5, 1.0))
    return (*rows, draw(rng, r, T, scale=size), draw(rng, r, T, scale=size))


def check(answer: Answer, rng: random.Random) -> Verdict:
    """With one row the weight is 1; with the identity it is attention without a mask; and E and F must not be swapped."""
    q, k, v, E, F = case(rng, 2, 5, 3, 4)
    found = tensor_of(answer(q, k, v, E, F), (2, 5, 4), q.dtype, "the output")
    doubled = tensor_of(again(answer, q, k, v, E, 2 * F), (2, 5, 4), q.dtype, "the output")
    agree(doubled, 2 * found, "twice F should give twice the output: F mixes the values, and nothing else")
    warmer = tensor_of(again(answer, 0 * q, k, v, E, F), (2, 5, 4), q.dtype, "the output")
    even = (F.mean(dim=0) @ v)[:, None].expand(2, 5, 4)
    agree(warmer, even, "queries of zeros weigh all r mixed rows alike, so the output should be the mean of the rows of F v")
    q, k, v, E, F = case(rng, 2, 4, 1, 3)
    alone = tensor_of(again(answer, q, k, v, E, F), (2, 4, 3), q.dtype, "the output")
    agree(alone, (F @ v).expand(2, 4, 3), "with r = 1 there is one mixed row to read, so every output should be F v")
    q, k, v, E, F = case(rng, 1, 5, 2, 4)
    eye = torch.eye(5, dtype=q.dtype)
    plain = tensor_of(again(answer, q, k, v, eye, eye), (1, 5, 4), q.dtype, "the output")
    wanted = torch.nn.functional.scaled_dot_product_attention(q, k, v)
    expect(
        apart(plain, wanted) <= 1.0,
        "with r = T and E = F = the identity nothing is mixed, and the output should be that of attention without a mask; yours "
        "is not",
    )
    return right("r rows in the place of T")


EXERCISE = Exercise(
    id="linformer_attention",
    title="The Linformer",
    order=6,
    points=2,
    difficulty=2,
    importance=3,
    minutes=10,
    source="Wang et al. 2020, eq. 7",
    hints=(
        "E k is a matrix product. What shape has it, and which of its axes is left of T?",
        "Mix first, then attend as ever: r keys and r values for T queries. The weights have shape (N, T, r).",
        "torch.softmax(q @ (E @ k).transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1) @ (F @ v).",
    ),
    check=check,
)
