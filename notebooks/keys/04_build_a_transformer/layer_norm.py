"""Answer key of layer_norm."""

from __future__ import annotations

import random

import torch
import torch.nn.functional as F
from course_exercises.layer_norm import case, expected, judge, spiked

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.transformer_parts import HERE, again, draw, gradients_agree


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Unequal sizes, small and large entries, another layout and precision;
    gradients; and one call many times.
    """
    for sizes in ((3, 5, 4), (1, 1, 2), (2, 3, 16), (2, 30, 3), (70, 1, 5)):
        for scale in (3.0, 0.003, 1e-5, 3e5):
            given = case(rng, *sizes, scale)
            given[1][:2] = torch.tensor([0.0, -rng.uniform(0.5, 2.0)])
            judge(again(answer, *given), given, f" of size {scale:g}, with a gain of 0 and one below 0")
    for width in (60, 4000):
        given = spiked(rng, 2, 3, width)
        judge(again(answer, *given), given, " with one large entry in each vector")
    x, gain, shift = given = case(rng, 3, 4, 6)
    judge(answer(Build(f"{HERE}:strided", (x,)), gain, shift), given, ", not contiguous,")
    single = (x.float(), gain.float(), shift.float())
    judge(answer(*single), single, ", in float32,")
    small = draw(rng, 2, 3, 6, scale=0.01)
    judge(answer(small, gain, shift), (small, gain, shift), " with small entries")
    gradients_agree(answer, expected, {"x": x, "gain": gain, "shift": shift})
    steady(answer, *given)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Ordinary entries, small ones for which ε matters, equal ones, and three equal sizes, so that all shapes
    broadcast.
    """
    equal = torch.full((1, 2, 5), 2.0, dtype=torch.float64)
    return [
        case(rng, 2, 4, 6),
        *((draw(rng, 2, 3, 8, scale=scale), *case(rng, 1, 1, 8)[1:]) for scale in (0.01, 0.001)),
        (equal, *case(rng, 1, 1, 5)[1:]),
        case(rng, 4, 4, 4),
    ]


def layer_norm(x, gain, shift):
    """The reference."""
    mean = x.mean(dim=-1, keepdim=True)  # (B, T, 1)
    variance = ((x - mean) ** 2).mean(dim=-1, keepdim=True)  # (B, T, 1)
    return (x - mean) / torch.sqrt(variance + 1e-5) * gain + shift


def by_torch(x, gain, shift):
    """torch's function."""
    return F.layer_norm(x, (x.shape[-1],), gain, shift)


def with_var(x, gain, shift):
    """torch's variance, without its correction."""
    centred = x - x.mean(-1, keepdim=True)
    return centred * torch.rsqrt(x.var(-1, keepdim=True, unbiased=False) + 1e-5) * gain + shift


def from_moments(x, gain, shift):
    """The variance as the mean square minus the squared mean, corrected for rounding."""
    shifted = x - x[..., :1]
    mean = shifted.mean(-1, keepdim=True)
    variance = (shifted.square().mean(-1, keepdim=True) - mean**2).clamp(min=0)
    return torch.addcmul(shift, (shifted - mean) / (variance + 1e-5) ** 0.5, gain)


def by_sums(x, gain, shift):
    """Sums divided by the number of components."""
    C = x.shape[-1]
    centred = x - x.sum(-1)[..., None] / C
    return (
        gain * centred / torch.sqrt(torch.einsum("btc,btc->bt", centred, centred)[..., None] / C + 1e-5)
        + shift
    )


def unbiased(x, gain, shift):
    """Your variance divides by d − 1. LayerNorm divides by d: use unbiased=False."""
    return (x - x.mean(-1, keepdim=True)) / torch.sqrt(x.var(-1, keepdim=True) + 1e-5) * gain + shift


def no_epsilon(x, gain, shift):
    """You leave out ε: a vector with equal entries then gives 0 / 0, which is nan."""
    return (x - x.mean(-1, keepdim=True)) / x.var(-1, keepdim=True, unbiased=False).sqrt() * gain + shift


def epsilon_outside(x, gain, shift):
    """You add ε to the standard deviation. It belongs under the root, with the variance."""
    return (x - x.mean(-1, keepdim=True)) / (
        x.var(-1, keepdim=True, unbiased=False).sqrt() + 1e-5
    ) * gain + shift


def no_root(x, gain, shift):
    """You divide by the variance. Divide by its root, the standard deviation."""
    return (x - x.mean(-1, keepdim=True)) / (x.var(-1, keepdim=True, unbiased=False) + 1e-5) * gain + shift


def root_mean_square(x, gain, shift):
    """You do not subtract the mean. That is RMSNorm, which newer models use; LayerNorm subtracts it."""
    return x / torch.sqrt((x**2).mean(-1, keepdim=True) + 1e-5) * gain + shift


def mean_only(x, gain, shift):
    """You subtract the mean, but you do not divide by the standard deviation."""
    return (x - x.mean(-1, keepdim=True)) * gain + shift


def over_the_positions(x, gain, shift):
    """You average over the tokens. LayerNorm treats every token by itself:
    average over its components, dim=-1.
    """
    mean, variance = x.mean(1, keepdim=True), x.var(1, keepdim=True, unbiased=False)
    return (x - mean) / torch.sqrt(variance + 1e-5) * gain + shift


def over_the_batch(x, gain, shift):
    """You average over the batch, as BatchNorm does.
    LayerNorm averages over the components of one token, dim=-1.
    """
    mean, variance = x.mean(0, keepdim=True), x.var(0, keepdim=True, unbiased=False)
    return (x - mean) / torch.sqrt(variance + 1e-5) * gain + shift


def over_two_axes(x, gain, shift):
    """You average over tokens and components together.
    Each token has its own mean and variance, over its components alone.
    """
    mean, variance = x.mean((1, 2), keepdim=True), x.var((1, 2), keepdim=True, unbiased=False)
    return (x - mean) / torch.sqrt(variance + 1e-5) * gain + shift


def no_gain(x, gain, shift):
    """You do not multiply by the gain."""
    return F.layer_norm(x, x.shape[-1:]) + shift + 0 * gain


def no_shift(x, gain, shift):
    """You do not add the shift."""
    return F.layer_norm(x, x.shape[-1:]) * gain + 0 * shift


def shift_first(x, gain, shift):
    """You add the shift before you multiply by the gain. The gain comes first."""
    return (F.layer_norm(x, x.shape[-1:]) + shift) * gain


def gain_plus_one(x, gain, shift):
    """You add 1 to the gain, as some models do. Multiply by the gain itself."""
    return F.layer_norm(x, x.shape[-1:], 1 + gain, shift)


def exchanged(x, gain, shift):
    """You exchange gain and shift: multiply by the gain and add the shift."""
    return F.layer_norm(x, x.shape[-1:]) * shift + gain


def small_epsilon(x, gain, shift):
    """Your ε is much smaller than 1e-5: for vectors with small entries, that changes the output."""
    return F.layer_norm(x, x.shape[-1:], gain, shift, eps=1e-8)


def large_epsilon(x, gain, shift):
    """Your ε is much larger than 1e-5: for vectors with small entries, that changes the output."""
    return F.layer_norm(x, x.shape[-1:], gain, shift, eps=1e-3)


def no_keepdim(x, gain, shift):
    """the axis that mean and var average over is dropped: (B, T, d) becomes (B, T), which does not broadcast
    against x. keepdim=True keeps it as (B, T, 1).
    """
    return (x - x.mean(-1)) / torch.sqrt(x.var(-1, unbiased=False) + 1e-5) * gain + shift


def detached(x, gain, shift):
    """something cuts it off, such as detach, no_grad, .data, .item, numpy or a new Parameter."""
    mean = x.mean(dim=-1, keepdim=True)
    variance = ((x - mean) ** 2).mean(dim=-1, keepdim=True)
    return ((x - mean) / torch.sqrt(variance + 1e-5) * gain + shift).detach()


KEY = AnswerKey(
    id="layer_norm",
    hidden=hidden,
    reference=layer_norm,
    accepted=(by_torch, with_var, from_moments, by_sums),
    rejected=(
        *(
            unbiased,
            no_epsilon,
            epsilon_outside,
            no_root,
            root_mean_square,
            mean_only,
            over_the_positions,
            over_the_batch,
        ),
        *(
            over_two_axes,
            no_gain,
            no_shift,
            shift_first,
            gain_plus_one,
            exchanged,
            small_epsilon,
            large_epsilon,
            no_keepdim,
            detached,
        ),
    ),
    fingerprint=fingerprint,
    commentary="""
    Mean and variance are taken over the components of one token, so the result for a token does not depend on
    the other tokens or on the batch. `keepdim=True` keeps the shape (B, T, 1), which broadcasts against (B,
    T, d). The variance divides by d: `torch.var` divides by d − 1 unless you say otherwise. ε stands under
    the root, so a constant vector gives 0 and not nan.
    """,
)
