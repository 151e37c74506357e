"""Exercise rotary_attention: where the rotation belongs in attention."""

from __future__ import annotations

import math
import random

import torch
from course_exercises.rope import near
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, right
from kqa_core.check.helpers.transformer_parts import again, draw, tensor_of


def case(rng: random.Random, N: int, nh: int, T: int, d_h: int) -> tuple[Tensor, ...]:
    """q, k, v (N, nh, T, d_h)."""
    return draw(rng, N, nh, T, d_h, scale=1.5), draw(rng, N, nh, T, d_h, scale=1.5), draw(rng, N, nh, T, d_h)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """One position; two positions by hand; the future changed; equal values come out unchanged."""
    q, k, v = case(rng, 2, 2, 5, 4)
    found = tensor_of(answer(q, k, v), (2, 2, 5, 4), q.dtype, "the output")
    near(found[:, :, 0], v[:, :, 0], "position 0 can only read itself: its output is its own value; yours is not")
    later = [torch.cat((each[:, :, :3], each[:, :, 3:] + 1.0), dim=2) for each in (q, k, v)]
    changed = tensor_of(again(answer, *later), (2, 2, 5, 4), q.dtype, "the output")
    near(changed[:, :, :3], found[:, :, :3], "a position changes when later ones do: something reads the future")
    same = v[:, :, :1].expand(2, 2, 5, 4).contiguous()
    level = tensor_of(again(answer, q, k, same), (2, 2, 5, 4), q.dtype, "the output")
    near(level, same, "if all values of a head are equal, every average of them is that value; yours comes out changed")
    q, k, v = case(rng, 1, 1, 2, 2)
    pair = tensor_of(again(answer, q, k, v), (1, 1, 2, 2), q.dtype, "the output")
    (a, b), (c, d) = q[0, 0, 1].tolist(), k[0, 0, 0].tolist()
    turned = a * (c * math.cos(1) + d * math.sin(1)) + b * (d * math.cos(1) - c * math.sin(1))  # q₁ · R(−1) k₀
    logits = torch.tensor([turned, float(q[0, 0, 1] @ k[0, 0, 1])], dtype=q.dtype) / math.sqrt(2)
    near(
        pair[0, 0, 1],
        torch.softmax(logits, dim=0) @ v[0, 0],
        "with d_head = 2, position 1 meets key 0 at a distance of 1, so one of them is turned by 1 radian against the other, and "
        "key 1 at a distance of 0; your output is another",
    )
    return right("queries and keys are turned, values are read as they are")


EXERCISE = Exercise(
    id="rotary_attention",
    title="Attention with rotary positions",
    order=4,
    points=2,
    difficulty=2,
    importance=4,
    minutes=10,
    source="Su et al. 2021, eq. 16",
    hints=(
        "Turning is there to let logits depend on distance. Which tensors do logits depend on?",
        "Turn queries and keys, each by its own position, then attend as ever: scale, mask, softmax, average of the values.",
        "torch.softmax((rope(q) @ rope(k).transpose(-2, -1) / math.sqrt(d_h)).masked_fill(future, -math.inf), dim=-1) @ v.",
    ),
    check=check,
)
