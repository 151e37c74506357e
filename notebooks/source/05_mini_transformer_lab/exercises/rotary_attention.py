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
    near(found[:, :, 0], v[:, :, 0], "position 0 can only attend to itself, so its output is its own value; yours is not")
    later = [torch.cat((each[:, :, :3], each[:, :, 3:] + 1.0), dim=2) for each in (q, k, v)]
    changed = tensor_of(again(answer, *later), (2, 2, 5, 4), q.dtype, "the output")
    near(changed[:, :, :3], found[:, :, :3], "a position changes when later ones do: something reads the future")
    same = v[:, :, :1].expand(2, 2, 5, 4).contiguous()
    level = tensor_of(again(answer, q, k, same), (2, 2, 5, 4), q.dtype, "the output")
    near(level, same, "if all values of a head are equal, every average of them is that value; your output is different")
    q, k, v = case(rng, 1, 1, 2, 2)
    pair = tensor_of(again(answer, q, k, v), (1, 1, 2, 2), q.dtype, "the output")
    (a, b), (c, d) = q[0, 0, 1].tolist(), k[0, 0, 0].tolist()
    turned = a * (c * math.cos(1) + d * math.sin(1)) + b * (d * math.cos(1) - c * math.sin(1))  # q₁ · R(−1) k₀
    logits = torch.tensor([turned, float(q[0, 0, 1] @ k[0, 0, 1])], dtype=q.dtype) / math.sqrt(2)
    near(
        pair[0, 0, 1],
        torch.softmax(logits, dim=0) @ v[0, 0],
        "with d_head = 2, query 1 and key 0 have distance 1, so there is 1 radian between their rotations; query 1 and "
        "key 1 have distance 0. Your output at position 1 is different",
    )
    return right("queries and keys are rotated, values are not")


EXERCISE = Exercise(
    id="rotary_attention",
    title="Attention with rotary positions",
    order=5,
    points=2,
    difficulty=2,
    importance=4,
    minutes=10,
    source="Su et al. 2021, eq. 16",
    hints=(
        "The rotation makes logits depend on the distance. From which tensors are logits computed?",
        "Rotate queries and keys, each by its own position. Then attention as usual: scale, mask, softmax, mean of the values.",
        "torch.softmax((rope(q) @ rope(k).transpose(-2, -1) / math.sqrt(d_h)).masked_fill(future, -math.inf), dim=-1) @ v.",
    ),
    check=check,
)
