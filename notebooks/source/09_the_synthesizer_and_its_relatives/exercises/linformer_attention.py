"""Exercise linformer_attention: keys and values projected to r rows before attention."""

from __future__ import annotations

import random

import torch
from course_exercises.synthesizer_attention import not_kept
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.exercise_helpers.named_mistakes import Mistakes, agree_or_name
from kqa_core.exercise_helpers.transformer_parts import (
    again,
    agree_if_large,
    draw,
    gradients_agree,
    in_float32,
    tensor_of,
)


def case(rng: random.Random, N: int, T: int, r: int, d_k: int, steep: float = 1.0) -> tuple[Tensor, ...]:
    """q, k, v (N, T, d_k), E and F (r, T)."""
    size = T**-0.5
    rows = (draw(rng, N, T, d_k, scale=scale) for scale in (1.5 * steep, 1.5, 1.0))
    return (*rows, draw(rng, r, T, scale=size), draw(rng, r, T, scale=size))


def mistakes(q: Tensor, k: Tensor, v: Tensor, E: Tensor, F: Tensor) -> Mistakes:
    """The outputs of common mistakes, by what was done."""
    keys, values = (torch.einsum("rs,nsd->nrd", mix, rows) for mix, rows in ((E, k), (F, v)))
    swapped = torch.einsum("rs,nsd->nrd", F, k), torch.einsum("rs,nsd->nrd", E, v)
    average = torch.nn.functional.scaled_dot_product_attention
    return {
        "the logits are not divided by √d_k": lambda: average(q, keys, values, scale=1.0),
        "the logits are divided by √r, but they are sums of d_k products": lambda: average(
            q, keys, values, scale=len(E) ** -0.5
        ),
        "the logits are divided by d_k, not by its root": lambda: average(
            q, keys, values, scale=1 / q.shape[-1]
        ),
        "the logits are divided by √T, but they are sums of d_k products": lambda: average(
            q, keys, values, scale=q.shape[1] ** -0.5
        ),
        "E and F are exchanged: E should mix the keys, and F the values": lambda: average(q, *swapped),
        "E mixes the values too, and they need F": lambda: average(q, keys, swapped[1]),
        "F mixes the keys too, and they need E": lambda: average(q, swapped[0], values),
        "the mixed rows are masked as if they were positions": lambda: average(
            q, keys, values, is_causal=True
        ),
    }


def expected(q: Tensor, k: Tensor, v: Tensor, E: Tensor, F: Tensor) -> Tensor:
    """The output (N, T, d_k), by torch's kernel."""
    keys, values = (torch.einsum("rs,nsd->nrd", mix, rows) for mix, rows in ((E, k), (F, v)))
    return torch.nn.functional.scaled_dot_product_attention(q, keys, values)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Unequal sizes, with the mistakes that give them away; one row; the identity, which is attention without
    a mask; effects; gradients.
    """
    given = case(rng, 2, 5, 3, 4)
    q, k, v, E, F = given
    found = tensor_of(answer(*given), (2, 5, 4), q.dtype, "the output")
    sentence = "for q (2, 5, 4) and r = 3 the output is not that of the Linformer"
    agree_or_name(found, expected(*given), sentence, mistakes(*given))
    other = case(rng, 2, 5, 3, 4)
    not_kept(tensor_of(again(answer, *other), (2, 5, 4), q.dtype, "the output"), expected(*other))
    level = tensor_of(again(answer, 0 * q, k, v, E, F), (2, 5, 4), q.dtype, "the output")
    even = (F.mean(dim=0) @ v)[:, None].expand(2, 5, 4)
    agree_or_name(
        level,
        even,
        "if all queries are zero, the r mixed rows have equal weights, and the output is the mean of the rows"
        " of F v",
        {},
    )
    q, k, v, E, F = case(rng, 2, 4, 1, 3)
    alone = tensor_of(again(answer, q, k, v, E, F), (2, 4, 3), q.dtype, "the output")
    agree_or_name(
        alone,
        (F @ v).expand(2, 4, 3),
        "for q (2, 4, 3) and r = 1 there is only one mixed row, so every output should be F v",
        {},
    )
    q, k, v, E, F = case(rng, 1, 5, 2, 4)
    eye = torch.eye(5, dtype=q.dtype)
    plain = tensor_of(again(answer, q, k, v, eye, eye), (1, 5, 4), q.dtype, "the output")
    wanted = torch.nn.functional.scaled_dot_product_attention(q, k, v)
    agree_or_name(
        plain,
        wanted,
        "for q (1, 5, 4), r = 5 and E = F = the identity, the output should be that of attention"
        " without a mask",
        {},
    )
    square = case(rng, 2, 5, 5, 4)
    agree_or_name(
        tensor_of(again(answer, *square), (2, 5, 4), q.dtype, "the output"),
        expected(*square),
        "for q (2, 5, 4), r = 5 and any E and F the output is not that of the Linformer",
        {},
    )
    level = torch.tensor([249.0, -249.0, 249.0, -249.0, 0.0])[:, None]  # of each query's logits
    above = level.expand(5, 4).clone()
    above[2, 1:] = -249.0  # far apart within a row
    keys = torch.eye(5, 4).expand(2, 5, 4)  # E takes the first three
    rows = (
        2.0 * (above + draw(rng, 2, 5, 4).tanh()),
        keys,
        draw(rng, 2, 5, 4),
        torch.eye(3, 5),
        draw(rng, 3, 5),
    )
    spread = in_float32(rows)
    agree_if_large(again(answer, *spread), expected(*spread))
    names = ("q", "k", "v", "E", "F")
    leaves_alone(answer, names, *given)
    gradients_agree(answer, expected, dict(zip(names, given, strict=True)))
    return right("r mixed rows take the place of T")


EXERCISE = Exercise(
    id="linformer_attention",
    title="One head of the Linformer",
    order=6,
    points=2,
    difficulty=2,
    importance=3,
    minutes=6,
    source="Wang et al. 2020, eq. 7",
    hints=(
        "E k is a matrix product. What shape does it have, and which axis of length T is gone?",
        (
            "Mix keys and values first. Then it is attention as usual, with r keys and r values for T"
            " queries. The weights have the shape (N, T, r)."
        ),
        "torch.softmax(q @ (E @ k).transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1) @ (F @ v).",
    ),
    check=check,
)
