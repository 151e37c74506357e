"""Exercise gelu_mlp: the two-layer network that is applied to each position."""

from __future__ import annotations

import random

import torch.nn.functional as F
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, right
from kqa_core.check.helpers.transformer_parts import again, agree, draw, tensor_of


def case(rng: random.Random, B: int, T: int, C: int, hidden: int) -> tuple[Tensor, ...]:
    """x (B, T, C), w_1 (C, hidden), b_1 (hidden,), w_2 (hidden, C) and b_2 (C,)."""
    shapes = ((C, hidden), (hidden,), (hidden, C), (C,))
    return (draw(rng, B, T, C), *(draw(rng, *shape, scale=0.8) for shape in shapes))


def expected(x: Tensor, w_1: Tensor, b_1: Tensor, w_2: Tensor, b_2: Tensor) -> Tensor:
    """The same with torch's exact GELU."""
    return F.linear(F.gelu(F.linear(x, w_1.T, b_1)), w_2.T, b_2)


def judge(answered: object, given: tuple[Tensor, ...]) -> None:
    """Raise NotYet unless `answered` is the output of this MLP."""
    x, w_1, *_ = given
    found = tensor_of(answered, tuple(x.shape), x.dtype, "the output")
    agree(found, expected(*given), f"for x {tuple(x.shape)} and w_1 {tuple(w_1.shape)} your output is not that of the MLP")


def check(answer: Answer, rng: random.Random) -> Verdict:
    """A hidden layer four times as wide, then one of another width."""
    for sizes in ((2, 3, 4, 16), (1, 1, 3, 5)):
        given = case(rng, *sizes)
        judge(again(answer, *given), given)
    return right()


EXERCISE = Exercise(
    id="gelu_mlp",
    title="The MLP with GELU",
    order=12,
    points=1,
    difficulty=2,
    importance=4,
    minutes=8,
    source="Hendrycks and Gimpel 2016; Vaswani et al. 2017, section 3.3",
    hints=(
        "Three steps: a linear map to the hidden width, GELU on every number, a linear map back.",
        "Φ(z) = (1 + erf(z/√2)) / 2, and torch has torch.erf. GELU multiplies z itself by Φ(z).",
        "For h = x @ w_1 + b_1, GELU gives h * 0.5 * (1 + torch.erf(h / math.sqrt(2))). F.gelu(h) computes the same. Both "
        "biases are added after their matrix product.",
    ),
    check=check,
)
