"""Exercise swiglu: an MLP in which one projection gates another."""

from __future__ import annotations

import random

import torch
import torch.nn.functional as F
from torch import Tensor, nn

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

NAMES = ("x", "w_gate", "w_up", "w_down")
Given = tuple[Tensor, Tensor, Tensor, Tensor]
SHAPES = (
    "for x (2, 3, 4) and m = 6 torch cannot multiply your matrices. Possible cause: a weight has the shape"
    " (out, in), as in nn.Linear, and is not transposed"
)

UNTURNED = ("(6x4 and 6x4)", "(6x6 and 4x6)")  # sizes in the first call, without a transpose


def case(rng: random.Random, *shape: int, inner: int) -> Given:
    """x of this shape, and three matrices as in nn.Linear: (inner, d), (inner, d), (d, inner)."""
    d = shape[-1]
    return draw(rng, *shape, scale=0.5), draw(rng, inner, d), draw(rng, inner, d), draw(rng, d, inner)


def wide(given: Given) -> Given:
    """The same with an x for which the largest gate is 30 in size."""
    x, gate, up, down = given
    return x * 30.0 / (x @ gate.mT).abs().max(), gate, up, down


def steep(given: Given) -> Given:
    """The same with an x so large that the exponential of a gate, or of minus a gate, is infinite."""
    x, *weights = given
    gate, up, down = weights
    return 1000 * x, gate, up, down


class Gated(nn.Module):
    """The same layer as modules of torch, with another function on the gate."""

    def __init__(self, act: nn.Module, inner: int, d: int) -> None:
        super().__init__()
        self.parts = nn.ModuleList(
            nn.Linear(a, b, bias=False, device="meta") for a, b in ((d, inner), (d, inner), (inner, d))
        )
        self.act = act

    def forward(self, x: Tensor) -> Tensor:
        """x (…, d) → (…, d)."""
        opened = self.act(self.parts[0](x))
        out: Tensor = self.parts[2](torch.mul(opened, self.parts[1](x)))
        return out


def gated(act: nn.Module, x: Tensor, *weights: Tensor) -> Tensor:
    """The output of `Gated` with these three matrices."""
    inner, d = weights[0].shape
    names = {f"parts.{i}.weight": weight for i, weight in enumerate(weights)}
    out: Tensor = torch.func.functional_call(Gated(act, inner, d), names, (x,))
    return out


def expected(x: Tensor, w_gate: Tensor, w_up: Tensor, w_down: Tensor) -> Tensor:
    """With SiLU on the gate."""
    return gated(nn.SiLU(), x, w_gate, w_up, w_down)


def mistakes(x: Tensor, w_gate: Tensor, w_up: Tensor, w_down: Tensor) -> Mistakes:
    """The outputs that common mistakes give."""
    given = x, w_gate, w_up, w_down
    return {
        "silu is on the projection w_up, and not on the gate": lambda: expected(x, w_up, w_gate, w_down),
        "the gate has a sigmoid: silu(z) is z times the sigmoid of z": lambda: gated(nn.Sigmoid(), *given),
        "the gate has GELU, and not silu": lambda: gated(nn.GELU(), *given),
        "the gate has ReLU, and not silu": lambda: gated(nn.ReLU(), *given),
        "the gate has no silu": lambda: gated(nn.Identity(), *given),
        "w_up is not used: the gate multiplies it, entry by entry": lambda: F.silu(x @ w_gate.mT).matmul(
            w_down.mT
        ),
        "x is added at the end: the block does that": lambda: expected(*given) + x,
    }


def judge(answered: object, given: Given, what: str = "", first: bool = False) -> None:
    """Raise NotYet unless `answered` is the layer's output. Only in the first case a mistake is named: later,
    the code was right without it.
    """
    x = given[0]
    found = tensor_of(answered, tuple(x.shape), x.dtype, f"the output{what}")
    said = f"for x {tuple(x.shape)} and m = {len(given[1])} your output{what} is not that of the formula"
    agree_or_name(found, expected(*given), said, mistakes(*given) if first else {}, ROOT)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """An inner layer that is wider, narrower, and of the same width; large gates; arguments unchanged;
    gradients.
    """
    cases = [case(rng, 2, 3, 4, inner=6), case(rng, 1, 1, 5, inner=3), case(rng, 3, 4, inner=6)]
    cases += [case(rng, 3, 4, inner=4), case(rng, 4, inner=6)]  # as wide as x; one token
    for given, result in in_turn(answer, cases, {f"RuntimeError: {sizes}": SHAPES for sizes in UNTURNED}):
        judge(result, given, first=given is cases[0])
    judge(answer(*wide(cases[0])), wide(cases[0]), " for gates of up to 30 in size")
    largest = float((steep(cases[0])[0] @ cases[0][1].mT).abs().max())
    judge(answer(*steep(cases[0])), steep(cases[0]), f" for gates of up to {largest:.0f} in size")
    leaves_alone(answer, NAMES, *cases[0])
    gradients_agree(answer, expected, dict(zip(NAMES, case(rng, 2, 3, 4, inner=5), strict=True)))
    return right()


EXERCISE = Exercise(
    id="swiglu",
    title="An MLP with a gate",
    order=4,
    points=2,
    difficulty=2,
    importance=5,
    minutes=8,
    source="Shazeer 2020, eq. 6",
    hints=(
        "In the worked example, which of the two projections goes through silu, and what happens to the"
        " other?",
        (
            "Two projections of the same x, of the same shape. One goes through silu and multiplies the"
            " other,"
            " entry by entry. The third matrix brings the product back to d entries."
        ),
        (
            "The matrices have torch's order (out, in), so a projection is x @ w.T. silu is F.silu, or"
            " z * torch.sigmoid(z). The product with * is entry by entry; @ is not."
        ),
    ),
    check=check,
)
