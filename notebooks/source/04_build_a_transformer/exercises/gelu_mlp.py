"""Exercise gelu_mlp: the two-layer network that is applied to each position."""

from __future__ import annotations

import random

import torch
import torch.nn.functional as F
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, NotYet, Verdict, observed_and_cause, right
from kqa_core.check.helpers.effects import leaves_alone, steady
from kqa_core.exercise_helpers.named_mistakes import Mistakes, agree_or_name
from kqa_core.exercise_helpers.transformer_parts import ROOT, again, draw, gradients_agree, in_turn, tensor_of

ERF = 1e-7  # torch.sqrt(torch.tensor(2.0)) has 24 bits, and GELU hardly depends on it near 0
NAMES = ("x", "w_1", "b_1", "w_2", "b_2")


def case(rng: random.Random, B: int, T: int, C: int, hidden: int, scale: float = 1.0) -> tuple[Tensor, ...]:
    """x (B, T, C) of standard deviation `scale`, w_1 (C, hidden), b_1 (hidden,), w_2 (hidden, C)
    and b_2 (C,).
    """
    shapes = ((C, hidden), (hidden,), (hidden, C), (C,))
    return (draw(rng, B, T, C, scale=scale), *(draw(rng, *shape, scale=0.8) for shape in shapes))


def expected(x: Tensor, w_1: Tensor, b_1: Tensor, w_2: Tensor, b_2: Tensor) -> Tensor:
    """The same with torch's exact GELU."""
    return F.linear(F.gelu(F.linear(x, w_1.T, b_1)), w_2.T, b_2)


def deep(rng: random.Random) -> tuple[Tensor, ...]:
    """A hidden layer between −6 and −4, where GELU is small and not 0; no b_2."""
    x, w_1, _, w_2, b_2 = case(rng, 1, 1, 2, 20)
    return x, 0 * w_1, -torch.linspace(4.0, 6.0, 20, dtype=x.dtype), w_2, 0 * b_2


def mistakes(x: Tensor, w_1: Tensor, b_1: Tensor, w_2: Tensor, b_2: Tensor) -> Mistakes:
    """The outputs that common mistakes give."""
    hidden = F.linear(x, w_1.T, b_1)
    return {
        "b_1 is missing": lambda: expected(x, w_1, 0 * b_1, w_2, b_2),
        "b_2 is missing": lambda: expected(x, w_1, b_1, w_2, 0 * b_2),
        "there is no GELU between the two linear maps": lambda: F.linear(hidden, w_2.T, b_2),
        "the activation is ReLU and not GELU": lambda: F.linear(F.relu(hidden), w_2.T, b_2),
        "Φ(z) needs erf(z/√2), not erf(z)": lambda: F.linear(
            hidden * (1 + torch.erf(hidden)) / 2, w_2.T, b_2
        ),
        "Φ(z) stands alone: GELU multiplies it by z": lambda: F.linear(
            torch.special.ndtr(hidden), w_2.T, b_2
        ),
        "b_1 is added after GELU: it belongs to the first linear map": lambda: F.linear(
            F.gelu(hidden - b_1) + b_1, w_2.T, b_2
        ),
        "GELU comes after both linear maps: it stands between them": lambda: F.gelu(
            F.linear(hidden, w_2.T, b_2)
        ),
        "x is added: the block does that, not the MLP": lambda: x + expected(x, w_1, b_1, w_2, b_2),
        "it is the approximation of GELU with tanh": lambda: F.linear(
            F.gelu(hidden, approximate="tanh"), w_2.T, b_2
        ),
    }


def judge(answered: object, given: tuple[Tensor, ...], within: float = ERF) -> None:
    """Raise NotYet unless `answered` is the output of this MLP; `within` as in `apart`. No mistake is named
    where GELU is near 0 (`deep`): there several give the same.
    """
    x, w_1, b_1, *_ = given
    low, high = (x @ w_1 + b_1).aminmax()
    case = f"for x {tuple(x.shape)}, w_1 {tuple(w_1.shape)} and x @ w_1 + b_1 from {low:.3g} to {high:.3g}"
    found = tensor_of(answered, tuple(x.shape), x.dtype, f"{case} the output")
    said = f"{case} your output is not that of the MLP"
    named = mistakes(*given) if float(high) > -4.0 else {}
    agree_or_name(found, expected(*given), said, named, within)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """A hidden layer four times as wide, then others, one of the same width; large entries, and ones where
    GELU is all but 0; float32; arguments unchanged, and gradients.
    """
    for given, result in in_turn(
        answer,
        [
            *(case(rng, 2, 3, 4, 16), case(rng, 1, 1, 3, 5), case(rng, 1, 2, 2, 11, 20.0)),
            *(case(rng, 2, 3, 4, 4), case(rng, 1, 2, 2, 7, 3000.0), case(rng, 1, 20, 3, 40, 3.0)),
            tuple(each.float() for each in case(rng, 2, 3, 4, 16)),
        ],
    ):
        try:
            judge(result, given)
        except NotYet as wrong:
            steady(answer, *given)
            seen = observed_and_cause(str(wrong))[0].rstrip(".")
            leaves_alone(answer, NAMES, *given, sentence=f"{seen}. Your code changes {{}} in place")
            raise
    given = deep(rng)
    judge(again(answer, *given), given, ROOT)
    given = case(rng, 2, 2, 3, 7)
    leaves_alone(answer, NAMES, *given)
    gradients_agree(answer, expected, dict(zip(NAMES, given, strict=True)))
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
        (
            "For h = x @ w_1 + b_1, GELU gives h * 0.5 * (1 + torch.erf(h / math.sqrt(2))). F.gelu(h)"
            " computes the same. Both biases are added after their matrix product."
        ),
    ),
    check=check,
)
