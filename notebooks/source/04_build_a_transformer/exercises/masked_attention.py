"""Exercise masked_attention: attention with a padding mask, and a causal mask if it is wanted."""

from __future__ import annotations

import random

import torch
import torch.nn.functional as F
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, expect, right
from kqa_core.check.helpers.transformer_parts import again, agree, draw, tensor_of

Given = tuple[Tensor, Tensor, Tensor, Tensor, bool]  # q, k, v, real, causal


def case(rng: random.Random, real: list[str], n_head: int, d_head: int, causal: bool) -> Given:
    """q, k and v (B, n_head, T, d_head), and the padding mask (B, T) that is drawn in `real`: x is a token, . is padding."""
    mask = torch.tensor([[mark == "x" for mark in row] for row in real])
    q, k, v = (draw(rng, len(real), n_head, len(real[0]), d_head) for _ in range(3))
    return 1.5 * q, k, v, mask, causal


def expected(q: Tensor, k: Tensor, v: Tensor, real: Tensor, causal: bool) -> Tensor:
    """Torch's fused kernel for each query on the keys that it may attend to; zeros if there are none."""
    out = torch.zeros_like(v)
    for b, row in enumerate(real):
        for t in range(len(row)):
            kept = [s for s in range(len(row)) if bool(row[s]) and (s <= t or not causal)]
            if kept:
                query, keys, values = q[b, None, :, t : t + 1], k[b, None][:, :, kept], v[b, None][:, :, kept]
                out[b, :, t] = F.scaled_dot_product_attention(query, keys, values)[0, :, 0]
    return out


def judge(answered: object, given: Given) -> None:
    """Raise NotYet unless `answered` is the masked attention of `given`, and name the kind of query that is wrong."""
    _, _, v, real, causal = given
    found = tensor_of(answered, tuple(v.shape), v.dtype, "the output")
    wanted = expected(*given)
    said = f"with a padding mask {tuple(real.shape)} and causal = {causal}"
    for b, row in enumerate(real):
        for t in range(len(row)):
            kept = row[: t + 1] if causal else row
            if not bool(kept.any()):
                empty = bool((found[b, :, t] == 0).all())
                expect(empty, f"{said}: query {t} of row {b} may attend to no key at all, so its output should be 0")
    agree(found, wanted, f"{said} your output is not the attention over the keys that are allowed")


PATTERNS = (["xxxx", "xx.."], ["xxxxx", "..xxx"])


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Padding at the end and at the start of a row, with and without a causal mask."""
    for causal in (False, True):
        for real in PATTERNS:
            given = case(rng, real, 2, 4, causal)
            judge(again(answer, *given), given)
    return right("padding gets weight 0, and so does the future where causal is True")


EXERCISE = Exercise(
    id="masked_attention",
    title="Attention with padding and causal masks",
    order=5,
    points=3,
    difficulty=3,
    importance=4,
    minutes=20,
    source="this course; Vaswani et al. 2017, section 3.2.3",
    hints=(
        "Make one mask of True and False that is True only where both masks allow the pair. Which shapes must the two have, "
        "so that they broadcast to (B, n_head, T, T)?",
        "A padding mask says which *keys* may be used, so its T belongs on the last axis: (B, 1, 1, T). The causal mask (T, "
        "T) broadcasts by itself. Combine them with &, and use minus infinity before the softmax.",
        "A row with only minus infinity becomes nan in the softmax, because it is 0 / 0. allowed.any(dim=-1, keepdim=True) "
        "says which queries have a key. For the others, replace the nan weights by 0, for example with masked_fill or "
        "torch.nan_to_num.",
    ),
    check=check,
)
