"""Answer key of rope.

The oracle multiplies complex numbers by e^{iφ} in float64, and the loop in `test_05_rope.py` turns one pair
at a time. A mistake of the frequencies is hard to see in a short row of few components, so some rows here
have 40 positions, and 32 components.
"""

from __future__ import annotations

import math
import random

import torch
from course_exercises.rope import near
from course_keys._rope_mistakes import REJECTED

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.transformer_parts import (
    HERE,
    again,
    device_kept,
    difference,
    draw,
    gradients_agree,
    tensor_of,
)

SHAPES = (
    *((2, 5, 8), (40, 32), (1, 3, 7, 4), (2, 2, 9, 6), (3, 1, 10), (5, 2), (520, 2)),
    *((5, 4), (2, 5, 6), (2, 1, 3, 2, 4), (300, 4)),
)
THETAS = (100.0, 500_000.0)


def oracle(x, theta=10_000.0):
    """As complex numbers, with angles in float64."""
    T, d = x.shape[-2:]
    pair = torch.arange(d // 2, dtype=torch.float64)
    # (T, d / 2)
    angle = torch.arange(T, dtype=torch.float64)[:, None] * torch.exp(-2 * pair / d * math.log(theta))
    points = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)).contiguous())
    return torch.view_as_real(points * torch.exp(1j * angle)).flatten(-2).to(x.dtype)


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Any leading dimensions, other thetas, long rows;
    another layout, precision and device; gradients; steady.
    """

    def judge(given: tuple[object, ...], found: object, what: str) -> None:
        wanted = oracle(*given)
        output = tensor_of(found, tuple(wanted.shape), wanted.dtype, "the output")
        near(
            output,
            wanted,
            f"for x {tuple(wanted.shape)}{what} {difference(output, wanted)}: pair m is turned by position ·"
            " theta^(−2m/d)",
        )

    for shape in SHAPES:
        x = draw(rng, *shape)
        judge((x,), again(answer, x), "")
    for theta in THETAS:
        x = draw(rng, 2, 12, 8)
        judge((x, theta), again(answer, x, theta), f" and theta = {theta:g}")
    x = draw(rng, 3, 6, 8)
    judge((x,), again(answer, Build(f"{HERE}:strided", (x,))), ", not contiguous,")
    judge((x.float(),), answer(x.float()), ", in float32,")
    # angles up to 1: float32 is off by 2e-7 there, 6e-7 is allowed
    gradients_agree(answer, oracle, {"x": draw(rng, 3, 2, 4)})
    device_kept(answer, x)
    steady(answer, x)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """A few shapes, and another theta; first with it, which shows a table that is kept."""
    return [
        (draw(rng, 3, 10), 500.0),
        (draw(rng, 2, 5, 8),),
        (draw(rng, 9, 6),),
        (draw(rng, 2, 2, 4, 4),),
        (draw(rng, 2, 7, 8), 100.0),
    ]


def rope(x, theta=10000.0):
    """The reference."""
    T, d = x.shape[-2:]
    frequency = theta ** (-torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d)  # (d / 2,)
    angle = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * frequency  # (T, d / 2)
    a, b = x[..., 0::2], x[..., 1::2]  # (…, T, d / 2)
    turned = torch.stack((a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()), dim=-1)
    return turned.flatten(-2)


def complex_numbers(x, theta=10000.0):
    """Each pair is a complex number, and turning it is multiplying by e^{iφ}."""
    T, d = x.shape[-2:]
    pair = torch.arange(d // 2, dtype=x.dtype, device=x.device)
    angle = torch.outer(torch.arange(T, dtype=x.dtype, device=x.device), 1.0 / theta ** (2 * pair / d))
    points = torch.complex(x[..., ::2], x[..., 1::2]) * torch.polar(torch.ones_like(angle), angle)
    return torch.view_as_real(points).flatten(-2)


def rotated_quarter(x, theta=10000.0):
    """x cos φ plus x turned by a quarter, times sin φ; every angle stands twice."""
    T, d = x.shape[-2:]
    inverse = torch.exp(torch.arange(0, d, 2, device=x.device) * (-math.log(theta) / d)).repeat_interleave(2)
    angle = torch.arange(T, device=x.device)[:, None] * inverse
    quarter = torch.stack((-x[..., 1::2], x[..., 0::2]), dim=-1).reshape(x.shape)
    return x * angle.cos().to(x.dtype) + quarter * angle.sin().to(x.dtype)


def by_matrices(x, theta=10000.0):
    """A 2 × 2 matrix for every position and pair."""
    T, d = x.shape[-2:]
    t, i = torch.arange(T, device=x.device).to(x.dtype), torch.arange(d // 2, device=x.device).to(x.dtype)
    angle = torch.einsum(
        "t,i->ti", t, torch.pow(torch.tensor(theta, dtype=x.dtype, device=x.device), -2 * i / d)
    )
    cos, sin = angle.cos(), angle.sin()
    turn = torch.stack((torch.stack((cos, -sin), -1), torch.stack((sin, cos), -1)), -2)
    return torch.einsum("tiab,...tib->...tia", turn, x.unflatten(-1, (-1, 2))).flatten(-2)


def one_matrix(x, theta=10000.0):
    """One block-diagonal d × d matrix a position: the exponential of the generator of rotations."""
    T, d = x.shape[-2:]
    speed = torch.stack(
        [theta ** (torch.tensor(-2.0 * i / d, dtype=x.dtype, device=x.device)) for i in range(d // 2)]
    )
    quarter = torch.tensor([[0.0, -1.0], [1.0, 0.0]], dtype=x.dtype, device=x.device)
    turns = [torch.block_diag(*[torch.linalg.matrix_exp(t * w * quarter) for w in speed]) for t in range(T)]
    return torch.stack([x[..., t, :] @ turns[t].T for t in range(T)], dim=-2)


def in_halves_and_back(x, theta=10000.0):
    """Components are put into halves, turned the way half-split code does it, and put back."""
    T, d = x.shape[-2:]
    halves = torch.cat((x[..., ::2], x[..., 1::2]), dim=-1)
    angle = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * theta ** (
        -torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d
    )
    angle = torch.cat((angle, angle), dim=-1)
    turned = (
        halves * angle.cos()
        + torch.cat((-halves[..., d // 2 :], halves[..., : d // 2]), dim=-1) * angle.sin()
    )
    return turned.unflatten(-1, (2, d // 2)).transpose(-2, -1).reshape(x.shape)


KEY = AnswerKey(
    id="rope",
    hidden=hidden,
    reference=rope,
    accepted=(complex_numbers, rotated_quarter, by_matrices, one_matrix, in_halves_and_back),
    rejected=REJECTED,
    fingerprint=fingerprint,
    commentary=(
        "The angles are a table (T, d/2): position times speed. `x[..., 0::2]` and `x[..., 1::2]` are the"
        " first and the second components of all pairs, and the two lines of the rotation are written for all"
        " of them at once. `stack` and `flatten` put each pair back in its place. Because a rotation by"
        " $t\\omega$ transposed is a rotation by $-t\\omega$, the logit of a rotated query and key depends on"
        " $t-i$ only. Check values and not only properties: with the wrong sign of the exponent, lengths and"
        " the relative property still hold."
    ),
)
