"""Answer key of rope.

The oracle multiplies complex numbers by e^{iφ} in float64, and the loop in `test_05_rope.py` turns one pair
at a time. A mistake of the frequencies is hard to see in a short row of few components, so some rows here
have 40 positions, and 32 components.
"""

from __future__ import annotations

import math
import random

import torch
import torch.nn.functional as F
from course_exercises.rope import near

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.transformer_parts import (
    HERE,
    again,
    device_kept,
    draw,
    gradients_agree,
    tensor_of,
)

SHAPES = ((2, 5, 8), (40, 32), (1, 3, 7, 4), (2, 2, 9, 6), (3, 1, 10), (5, 2), (520, 2))
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
            f"for x {tuple(wanted.shape)}{what} your pairs are not turned by position · theta^(−2m/d)",
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
    """A few shapes, and another theta."""
    return [(draw(rng, 2, 5, 8),), (draw(rng, 9, 6),), (draw(rng, 2, 2, 4, 4),), (draw(rng, 2, 7, 8), 100.0)]


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


def exponent_with_plus(x, theta=10000.0):
    """Your exponent has the wrong sign: with theta^(+2m/d) the pairs rotate faster and faster, by 1000
    radians per position and more. Such a model still trains, only worse, which is how this mistake was
    published.
    """
    T, d = x.shape[-2:]
    angle = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * theta ** (
        torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d
    )
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack(
        (a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()), dim=-1
    ).flatten(-2)


def half_split_pairs(x, theta=10000.0):
    """Your pairs are components m and m + d/2, as in some libraries;
    here they are neighbours, 2m and 2m + 1.
    """
    T, d = x.shape[-2:]
    angle = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * theta ** (
        -torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d
    )
    a, b = x[..., : d // 2], x[..., d // 2 :]
    return torch.cat((a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()), dim=-1)


def pairs_not_put_back(x, theta=10000.0):
    """Your pairs are rotated correctly, but put back as two halves:
    the new pair m belongs in components 2m and 2m + 1.
    """
    T, d = x.shape[-2:]
    angle = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * theta ** (
        -torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d
    )
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.cat((a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()), dim=-1)


def turned_backwards(x, theta=10000.0):
    """You rotate in the other direction, from b towards a.
    Logits do not change by this, but the formula says a cos φ − b sin φ.
    """
    T, d = x.shape[-2:]
    angle = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * theta ** (
        -torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d
    )
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack(
        (a * angle.cos() + b * angle.sin(), b * angle.cos() - a * angle.sin()), dim=-1
    ).flatten(-2)


def one_sign_wrong(x, theta=10000.0):
    """One sign is wrong: with a cos φ − b sin φ and a sin φ − b cos φ the pair is
    reflected, even at position 0.
    """
    T, d = x.shape[-2:]
    angle = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * theta ** (
        -torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d
    )
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack(
        (a * angle.cos() - b * angle.sin(), a * angle.sin() - b * angle.cos()), dim=-1
    ).flatten(-2)


def both_plus(x, theta=10000.0):
    """Both sums have a plus, so lengths change: the first of the pair is a cos φ − b sin φ."""
    T, d = x.shape[-2:]
    angle = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * theta ** (
        -torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d
    )
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack(
        (a * angle.cos() + b * angle.sin(), a * angle.sin() + b * angle.cos()), dim=-1
    ).flatten(-2)


def sine_and_cosine_exchanged(x, theta=10000.0):
    """Sine and cosine are exchanged: at position 0, where the cosine is 1, nothing should change."""
    T, d = x.shape[-2:]
    angle = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * theta ** (
        -torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d
    )
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack(
        (a * angle.sin() - b * angle.cos(), a * angle.cos() + b * angle.sin()), dim=-1
    ).flatten(-2)


def half_the_exponent(x, theta=10000.0):
    """Your exponent is −m/d; it is −2m/d for pair m, so that the slowest pair gets near 1/theta."""
    T, d = x.shape[-2:]
    angle = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * theta ** (
        -torch.arange(d // 2, dtype=x.dtype, device=x.device) / d
    )
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack(
        (a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()), dim=-1
    ).flatten(-2)


def twice_the_exponent(x, theta=10000.0):
    """Your exponent is −4m/d: torch.arange(0, d, 2) holds 2m already."""
    T, d = x.shape[-2:]
    angle = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * theta ** (
        -2 * torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d
    )
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack(
        (a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()), dim=-1
    ).flatten(-2)


def reaches_the_end(x, theta=10000.0):
    """Your frequencies run from 1 to exactly 1/theta: divide by d, not by d − 2; pair m has theta^(−2m/d)."""
    T, d = x.shape[-2:]
    angle = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * theta ** (
        -torch.linspace(0, 1, d // 2, dtype=x.dtype, device=x.device)
    )
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack(
        (a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()), dim=-1
    ).flatten(-2)


def one_frequency(x, theta=10000.0):
    """All your pairs turn at the same speed; pair m turns theta^(−2m/d) a step,
    each slower than the one before.
    """
    T, d = x.shape[-2:]
    angle = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * torch.ones(
        d // 2, dtype=x.dtype, device=x.device
    )
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack(
        (a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()), dim=-1
    ).flatten(-2)


def theta_ignored(x, theta=10000.0):
    """You compute with 10000 whatever theta is given."""
    T, d = x.shape[-2:]
    angle = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * 10000.0 ** (
        -torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d
    )
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack(
        (a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()), dim=-1
    ).flatten(-2)


def counted_from_one(x, theta=10000.0):
    """Your positions begin at 1; the first of a row is position 0 and does not turn."""
    T, d = x.shape[-2:]
    angle = torch.arange(1, T + 1, dtype=x.dtype, device=x.device)[:, None] * theta ** (
        -torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d
    )
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack(
        (a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()), dim=-1
    ).flatten(-2)


def turned_by_the_row(x, theta=10000.0):
    """Your angle grows along the first axis, with the row of the batch:
    positions lie along the axis before the last.
    """
    d = x.shape[-1]
    frequency = theta ** (-torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d)
    rows = torch.arange(x.shape[0], dtype=x.dtype, device=x.device).reshape(-1, *[1] * (x.ndim - 1))
    angle = rows * frequency
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack(
        (a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()), dim=-1
    ).flatten(-2)


def added_waves(x, theta=10000.0):
    """You add sines and cosines, as sinusoidal positions do;
    rotary positions are no sum, they turn what is there.
    """
    T, d = x.shape[-2:]
    angle = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * theta ** (
        -torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d
    )
    return x + torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(-2)


def overwritten(x, theta=10000.0):
    """You compute the second component of a pair from the new first one. It needs the old one. (x[..., 0::2]
    is a view: if you write into x, it changes too.) Put the results into a new tensor.
    """
    T, d = x.shape[-2:]
    angle = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * theta ** (
        -torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d
    )
    out = x.clone()
    out[..., 0::2] = out[..., 0::2] * angle.cos() - out[..., 1::2] * angle.sin()
    out[..., 1::2] = out[..., 0::2] * angle.sin() + out[..., 1::2] * angle.cos()
    return out


def into_the_input(x, theta=10000.0):
    """Your result is right, but your code changes x in place.
    Other cells still need it as it was: make a new object
    """
    T, d = x.shape[-2:]
    angle = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * theta ** (
        -torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d
    )
    a, b = x[..., 0::2].clone(), x[..., 1::2].clone()
    x[..., 0::2] = a * angle.cos() - b * angle.sin()
    x[..., 1::2] = a * angle.sin() + b * angle.cos()
    return x


def detached(x, theta=10000.0):
    """No gradient flows back through your output: something cuts it off (detach, no_grad, .data, .item,
    numpy), so nothing before it can be trained.
    """
    T, d = x.shape[-2:]
    angle = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * theta ** (
        -torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d
    )
    a, b = x[..., 0::2].detach(), x[..., 1::2].detach()
    return torch.stack(
        (a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()), dim=-1
    ).flatten(-2)


def in_float32(x, theta=10000.0):
    """Your output does not have the dtype of the input:
    create no tensor of a fixed dtype, and convert nothing.
    """
    T, d = x.shape[-2:]
    angle = torch.arange(T, device=x.device)[:, None] * theta ** (-torch.arange(0, d, 2, device=x.device) / d)
    points = torch.view_as_complex(F.pad(x.float(), (0, 0)).unflatten(-1, (-1, 2)).contiguous())
    return torch.view_as_real(points * torch.polar(torch.ones_like(angle), angle)).flatten(-2)


KEY = AnswerKey(
    id="rope",
    hidden=hidden,
    reference=rope,
    accepted=(complex_numbers, rotated_quarter, by_matrices, one_matrix, in_halves_and_back),
    rejected=(
        *(
            exponent_with_plus,
            half_split_pairs,
            pairs_not_put_back,
            turned_backwards,
            one_sign_wrong,
            both_plus,
        ),
        *(
            sine_and_cosine_exchanged,
            half_the_exponent,
            twice_the_exponent,
            reaches_the_end,
            one_frequency,
            theta_ignored,
        ),
        *(
            counted_from_one,
            turned_by_the_row,
            added_waves,
            overwritten,
            into_the_input,
            detached,
            in_float32,
        ),
    ),
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
