"""Exercise layer_norm: standardise each token vector, then rescale its channels."""

from __future__ import annotations

import random

import torch
import torch.nn.functional as F
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, right
from kqa_core.check.helpers.transformer_parts import again, agree, draw, tensor_of


def case(rng: random.Random, B: int, T: int, C: int, scale: float = 3.0) -> tuple[Tensor, Tensor, Tensor]:
    """x (B, T, C) of standard deviation `scale` around 1, a gain (C,) near 1 and a shift (C,)."""
    return 1.0 + draw(rng, B, T, C, scale=scale), 1.0 + draw(rng, C, scale=0.5), draw(rng, C, scale=0.5)


def expected(x: Tensor, gain: Tensor, shift: Tensor) -> Tensor:
    """torch's own LayerNorm over the last axis, with ε = 1e-5."""
    return F.layer_norm(x, x.shape[-1:], gain, shift, eps=1e-5)


def judge(answered: object, given: tuple[Tensor, Tensor, Tensor], what: str = "") -> None:
    """Raise NotYet unless `answered` is torch's LayerNorm."""
    found = tensor_of(answered, tuple(given[0].shape), given[0].dtype, "the output")
    agree(found, expected(*given), f"for x {tuple(given[0].shape)}{what} your output differs from torch's LayerNorm")


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Ordinary vectors, small ones for which ε matters, and one with equal entries."""
    given = case(rng, 2, 4, 6)
    judge(again(answer, *given), given)
    given = (draw(rng, 1, 3, 8, scale=0.01), *case(rng, 1, 1, 8)[1:])
    judge(again(answer, *given), given, " with small entries")
    given = (torch.full((1, 2, 4), 3.0, dtype=torch.float64), *case(rng, 1, 1, 4)[1:])
    judge(again(answer, *given), given, " whose entries are all 3")
    return right()


EXERCISE = Exercise(
    id="layer_norm",
    title="Layer normalisation",
    order=11,
    points=2,
    difficulty=2,
    importance=4,
    minutes=10,
    source="Ba et al. 2016",
    hints=(
        "In the worked example, which numbers were averaged: those of one token, or those of one channel over all tokens?",
        "Mean and variance run over the last axis only. Keep that axis with keepdim=True, so that the results broadcast "
        "against x. The variance divides by d, not by d − 1.",
        "torch's var divides by d − 1 unless you pass unbiased=False. ε is added to the variance, before the root: with "
        "variance v the divisor is (v + 1e-5) ** 0.5. The gain multiplies the standardised vector, and the shift is added "
        "last.",
    ),
    check=check,
)
