"""Exercise synthesizer_layer: several heads of the dense Synthesizer, as a Transformer needs them."""

from __future__ import annotations

import random

import torch
from course_exercises.synthesizer_attention import expected as one_head
from course_exercises.synthesizer_attention import far_apart, not_kept, repeated
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.exercise_helpers.named_mistakes import Mistakes, agree_or_name
from kqa_core.exercise_helpers.transformer_parts import (
    FINITE,
    again,
    agree,
    agree_if_large,
    draw,
    first_leak,
    gradients_agree,
    in_float32,
    tensor_of,
)

Case = tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, int]


def case(rng: random.Random, N: int, T: int, L: int, d: int, n_head: int) -> Case:
    """x (N, T, d), A (d, d), b1 (d,), B (d_k, L), b2 (L,), V (d, d), W_O (d, d), n_head."""
    d_k = d // n_head
    A, V, W_O = (draw(rng, d, d, scale=d**-0.5) for _ in range(3))
    B, b2 = draw(rng, d_k, L, scale=2.0 * d_k**-0.5), draw(rng, L, scale=1.5)
    return draw(rng, N, T, d), A, draw(rng, d, scale=0.5), B, b2, V, W_O, n_head


def heads_of(x: Tensor, A: Tensor, b1: Tensor, B: Tensor, b2: Tensor, V: Tensor, n_head: int) -> list[Tensor]:
    """The output (N, T, d_k) of each head, one after the other."""
    parts = zip(A.chunk(n_head, 1), b1.chunk(n_head), V.chunk(n_head, 1), strict=True)
    return [one_head(x, A_j, b1_j, B, b2, V_j) for A_j, b1_j, V_j in parts]


def expected(
    x: Tensor, A: Tensor, b1: Tensor, B: Tensor, b2: Tensor, V: Tensor, W_O: Tensor, n_head: int
) -> Tensor:
    """The layer's output (N, T, d)."""
    return torch.cat(heads_of(x, A, b1, B, b2, V, n_head), dim=-1) @ W_O


def mistakes(given: Case) -> Mistakes:
    """The outputs of common mistakes, by what was done."""
    x, A, b1, B, b2, V, W_O, n_head = given
    d_k = A.shape[1] // n_head
    # component c of head j is channel c·n_head + j
    turned = torch.arange(A.shape[1]).view(d_k, n_head).T.flatten()

    def merged() -> Tensor:
        return torch.cat(heads_of(x, A, b1, B, b2, V, n_head), dim=-1)

    first = (A[:, :d_k].repeat(1, n_head), b1[:d_k].repeat(n_head))
    return {
        "W_O is missing at the end": merged,
        "W_O is transposed: the product should be heads @ W_O": lambda: merged() @ W_O.T,
        "x is added at the end: the block does that, not the layer": lambda: x + merged() @ W_O,
        "head j uses every n_head-th column, and it must use the columns j·d_k to (j+1)·d_k − 1": lambda: (
            expected(x, A[:, turned], b1[turned], B, b2, V[:, turned], W_O, n_head)
        ),
        (
            "the heads are merged without swapping n_head and T back, as a reshape of (N, n_head, T,"
            " d_k) does"
        ): lambda: torch.stack(heads_of(x, A, b1, B, b2, V, n_head), dim=1).reshape(x.shape) @ W_O,
        "every head uses the part of A and b1 that belongs to head 0": lambda: expected(
            x, *first, B, b2, V, W_O, n_head
        ),
        "the logits are divided by √d_k, but here nothing is scaled": lambda: expected(
            x, A, b1, B / d_k**0.5, b2 / d_k**0.5, V, W_O, n_head
        ),
        "the outputs of the heads are averaged, and they must be concatenated": lambda: (
            torch.stack(heads_of(x, A, b1, B, b2, V, n_head)).mean(dim=0).repeat(1, 1, n_head) @ W_O
        ),
        "every head uses the part of V that belongs to head 0": lambda: expected(
            x, A, b1, B, b2, V[:, :d_k].repeat(1, n_head), W_O, n_head
        ),
        "every head uses the part of b1 that belongs to head 0": lambda: expected(
            x, A, first[1], B, b2, V, W_O, n_head
        ),
        "b1 is missing": lambda: expected(x, A, 0 * b1, B, b2, V, W_O, n_head),
        "b2 is missing, or added to whole rows of logits": lambda: expected(
            x, A, b1, B, 0 * b2, V, W_O, n_head
        ),
    }


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Two heads, one, five and three, each against one head at a time;
    two equal calls; the future changed; logits far below 0; effects; gradients.
    """
    for number, (N, T, L, d, n_head) in enumerate(
        ((2, 5, 7, 6, 2), (2, 4, 6, 3, 1), (1, 2, 3, 4, 2), (1, 5, 6, 10, 5), (1, 4, 4, 6, 3))
    ):
        given = case(rng, N, T, L, d, n_head)
        result = again(answer, *given) if number else answer(*given)
        found = tensor_of(result, (N, T, d), torch.float64, "the output")
        sentence = f"for x ({N}, {T}, {d}), L = {L} and {n_head} head{'s' * (n_head > 1)} the output is wrong"
        repeated(found, tensor_of(again(answer, *given), (N, T, d), torch.float64, "the output"))
        agree_or_name(found, expected(*given), sentence, mistakes(given))
        other = case(rng, N, T, L, d, n_head)
        not_kept(tensor_of(again(answer, *other), (N, T, d), torch.float64, "the output"), expected(*other))
        later = given[0].clone()
        later[:, 2:] += 1.0
        first_leak(found, again(answer, later, *given[1:]), 2)
    x, A, b1, B, b2, V, W_O, n_head = case(rng, 2, 4, 6, 6, 2)
    low: Case = x, A, b1, B, b2 - 200.0, V, W_O, n_head
    read = tensor_of(again(answer, *low), (2, 4, 6), torch.float64, "the output for logits near −200")
    agree(read, expected(*low), FINITE)
    x, A, b1, B, b2 = in_float32(far_apart(rng, 3))
    B[1, 3] += 498.0  # position 1 has its largest logit in the future
    V, W_O = in_float32(draw(rng, 6, 6) for _ in range(2))
    spread: Case = x, A, b1, B, b2, V, W_O, 3
    agree_if_large(again(answer, *spread), expected(*spread))
    names = ("x", "A", "b1", "B", "b2", "V", "W_O")
    leaves_alone(answer, names, *given)
    gradients_agree(answer, expected, dict(zip((*names, "n_head"), given, strict=True)))
    return right("every head has its own weights, and together they are a layer for a Transformer")


EXERCISE = Exercise(
    id="synthesizer_layer",
    title="A layer with several heads",
    order=4,
    points=2,
    difficulty=2,
    importance=4,
    minutes=8,
    source="CS224n A5 2(g)",
    hints=(
        (
            "You have a function for one head. Which of its arguments differ from head to head, and which are"
            " shared?"
        ),
        (
            "Head j gets A[:, j·d_k : (j+1)·d_k], the same part of b1, and the same columns of V. Collect the"
            " outputs in a list, concatenate them along the last axis, and multiply by W_O."
        ),
        (
            "heads = [synthesizer_attention(x, A_j, b1_j, B, b2, V_j) for A_j, b1_j, V_j in"
            " zip(A.chunk(n_head, 1), b1.chunk(n_head), V.chunk(n_head, 1))]; return torch.cat(heads, dim=-1)"
            " @ W_O."
        ),
    ),
    check=check,
)
