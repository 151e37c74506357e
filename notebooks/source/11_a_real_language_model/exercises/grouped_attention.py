"""Exercise grouped_attention: causal attention in which several query heads share a head of keys and
values.
"""

from __future__ import annotations

import random

import torch
import torch.nn.functional as F
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.exercise_helpers.named_mistakes import Mistakes, agree_or_name
from kqa_core.exercise_helpers.transformer_parts import (
    ROOT,
    draw,
    gradients_agree,
    in_turn,
    tensor_of,
)

Given = tuple[Tensor, Tensor, Tensor]
NAMES = ("q", "k", "v")
SHAPES = (
    "for q (2, 6, 5, 4) and k (2, 2, 5, 4) your code stops: 6 heads of queries do not match 2 of keys or"
    " values. Possible cause: query heads are not given the keys and values of their group"
)

LARGE = " with logits of many thousands, positive and negative,"


def case(rng: random.Random, B: int, heads: int, shared: int, T: int, d_k: int) -> Given:
    """q (B, heads, T, d_k), k and v (B, shared, T, d_k)."""
    return draw(rng, B, heads, T, d_k), draw(rng, B, shared, T, d_k), draw(rng, B, shared, T, d_k)


def steep(given: Given) -> Given:
    """The same with longer queries and keys: many logits are below −10,000, and exponentials overflow."""
    q, k, v = given
    return 300 * q, 300 * k, v


def expected(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """torch's fused kernel, one query head at a time."""
    size = q.shape[1] // k.shape[1]
    heads = [
        F.scaled_dot_product_attention(q[:, j], k[:, j // size], v[:, j // size], is_causal=True)
        for j in range(q.shape[1])
    ]
    return torch.stack(heads, dim=1)


def mistakes(q: Tensor, k: Tensor, v: Tensor) -> Mistakes:
    """The outputs that common mistakes give."""
    heads, shared, T, d_k = q.shape[1], k.shape[1], q.shape[2], q.shape[3]
    turns = torch.arange(heads) % shared
    groups = torch.arange(heads) // (heads // shared)
    whole = k[:, groups], v[:, groups]

    def full(scale: float) -> Tensor:
        return F.scaled_dot_product_attention(q, *whole, is_causal=True, scale=scale)

    return {
        "the heads take turns: those of one group are neighbours. Use repeat_interleave": lambda: (
            F.scaled_dot_product_attention(q, k[:, turns], v[:, turns], is_causal=True)
        ),
        "the causal mask is missing": lambda: F.scaled_dot_product_attention(q, *whole),
        "the logits are not divided by the root of d_k": lambda: full(1.0),
        "the logits are divided by d_k: use its root": lambda: full(1.0 / d_k),
        "all query heads use key head 0": lambda: F.scaled_dot_product_attention(
            q, k[:, :1].expand_as(whole[0]), v[:, :1].expand_as(whole[1]), is_causal=True
        ),
        "position t does not attend to itself: the mask hides later positions only": lambda: (
            F.scaled_dot_product_attention(q, *whole, attn_mask=torch.ones(T, T).tril(-1).bool())
        ),
    }


def judge(answered: object, given: Given, what: str = "", first: bool = False) -> None:
    """Raise NotYet unless `answered` is the output of grouped-query attention. Only in the first case a
    mistake is named: later, the code was right without it.
    """
    q, k, _ = given
    found = tensor_of(answered, tuple(q.shape), q.dtype, f"the output{what}")
    said = f"for q {tuple(q.shape)} and k {tuple(k.shape)}{what} your output is wrong"
    agree_or_name(found, expected(*given), said, mistakes(*given) if first else {}, ROOT)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Groups of three, of one and of all heads; one position; logits of many thousands; arguments
    unchanged; gradients.
    """
    sizes = {
        (2, 6, 2, 5, 4): "",
        (1, 3, 3, 4, 3): ", where every query head has a key head of its own,",
        (2, 4, 1, 3, 6): ", where all query heads share one key head,",
        (1, 4, 2, 1, 4): "",
        (2, 4, 2, 2, 3): "",
    }
    cases = [case(rng, *each) for each in sizes]
    results = in_turn(answer, cases, {"RuntimeError: (6) must match the size of tensor b (2)": SHAPES})
    for (given, result), what in zip(results, sizes.values(), strict=True):
        judge(result, given, what, first=given is cases[0])
    judge(answer(*steep(cases[0])), steep(cases[0]), LARGE)
    leaves_alone(answer, NAMES, *cases[0])
    gradients_agree(answer, expected, dict(zip(NAMES, case(rng, 1, 4, 2, 3, 4), strict=True)))
    return right()


EXERCISE = Exercise(
    id="grouped_attention",
    title="Grouped-query attention",
    order=5,
    points=3,
    difficulty=3,
    importance=5,
    minutes=15,
    source="Ainslie et al. 2023",
    hints=(
        "With six query heads and two key heads, which key head does query head 2 use, and which query head"
        " 3?",
        (
            "Make as many heads of keys and of values as there are query heads: each one is repeated"
            " h / h_kv times in a row. What follows is the causal attention of notebook 04."
        ),
        (
            "torch's x.repeat_interleave(n, dim=1) gives heads 0, 0, …, 1, 1, …; x.repeat would give 0, 1, 0,"
            " 1, … The logits are q @ k.transpose(-2, -1) divided by the root of d_k; later positions become"
            " −inf before the softmax."
        ),
    ),
    check=check,
)
