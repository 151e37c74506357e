"""Answer key of rms_norm. The oracle is torch's module."""

from __future__ import annotations

import random

import numpy as np
import torch
import torch.nn.functional as F
from course_exercises.rms_norm import case, expected, judge

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.transformer_parts import HERE, again, draw, gradients_agree


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Unequal sizes, small and large entries, another layout and precision; gradients; one call many
    times.
    """
    for shape in ((3, 5, 4), (1, 1, 2), (2, 3, 16), (6, 3), (2, 2, 3, 5), (7,)):
        for scale in (3.0, 0.003, 300.0, 1e5):
            given = case(rng, *shape, scale=scale)
            judge(again(answer, *given), given)
    x, gain = given = case(rng, 3, 4, 6)
    judge(answer(*given), given)
    judge(answer(Build(f"{HERE}:strided", (x,)), gain), given, ", not contiguous,")
    judge(answer(x.float(), gain.float()), (x.float(), gain.float()), ", in float32,")
    small = draw(rng, 2, 3, 6, scale=0.01), gain
    judge(answer(*small), small, " with entries of about 0.01")
    gradients_agree(answer, expected, {"x": x, "gain": gain})
    steady(answer, *given)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Ordinary entries, small ones for which ε matters, and zeros."""
    zeros = torch.zeros(1, 2, 5, dtype=torch.float64)
    small = draw(rng, 2, 3, 8, scale=0.001), case(rng, 8)[1]
    return [
        case(rng, 2, 4, 6),
        case(rng, 2, 3, 8, scale=0.01),
        (zeros, case(rng, 5)[1]),
        case(rng, 4, 3, 4),
        small,
    ]


def rms_norm(x, gain):
    """The reference."""
    mean_square = (x**2).mean(dim=-1, keepdim=True)  # (…, 1)
    return x / torch.sqrt(mean_square + 1e-5) * gain


def with_rsqrt(x, gain):
    """One over the root."""
    return gain * x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 0.00001)


def by_the_function(x, gain):
    """torch's function."""
    return F.rms_norm(x, gain.shape, weight=gain, eps=1e-5)


def from_the_length(x, gain):
    """The length of a vector, divided by the root of d."""
    d = x.size(-1)
    length = torch.linalg.vector_norm(x, dim=-1, keepdim=True)
    return x / (length**2 / d + 1e-5) ** 0.5 * gain


def as_a_dot_product(x, gain):
    """The squares are added up by a product of matrices."""
    squares = (x.unsqueeze(-2) @ x.unsqueeze(-1)).squeeze(-1)  # (…, 1)
    return (x / (squares / x.shape[-1] + 1e-5).sqrt()) * gain


def by_einsum(x, gain):
    """einsum for the squares and for the gain."""
    size = torch.sqrt(torch.einsum("...i,...i->...", x, x) / len(gain) + 1e-5)
    return torch.einsum("...i,...,i->...i", x, 1 / size, gain)


def root_first(x, gain):
    """The average as a sum over np.shape, and a power."""
    width = np.shape(gain)[0]
    return torch.mul(x, torch.pow(torch.sum(x * x, dim=-1, keepdim=True).div(width).add(1e-5), -0.5)).mul(
        gain
    )


def mean_subtracted(x, gain):
    """The mean is subtracted first. That is LayerNorm; RMSNorm subtracts nothing."""
    y = x - x.mean(-1, keepdim=True)
    return y / torch.sqrt((y**2).mean(-1, keepdim=True) + 1e-5) * gain


def variance(x, gain):
    """x is divided by the standard deviation, which is measured from the mean. The root mean square is
    measured from 0.
    """
    return x / torch.sqrt(x.var(-1, keepdim=True, unbiased=False) + 1e-5) * gain


def the_sum(x, gain):
    """x is divided by the length of the vector. Divide the sum of the squares by d before the root."""
    return x / torch.sqrt((x**2).sum(-1, keepdim=True) + 1e-5) * gain


def no_root(x, gain):
    """x is divided by the mean of the squares. Divide by its root."""
    return x / ((x**2).mean(-1, keepdim=True) + 1e-5) * gain


def mean_of_sizes(x, gain):
    """x is divided by the mean absolute value. Square, average, and take the root."""
    return x / (x.abs().mean(-1, keepdim=True) + 1e-5) * gain


def no_epsilon(x, gain):
    """ε is left out: a vector of zeros then gives 0/0 = nan. Add ε to the mean of the squares."""
    return x / torch.sqrt((x**2).mean(-1, keepdim=True)) * gain


def epsilon_outside(x, gain):
    """ε is added to the root. It belongs under it."""
    return x / (torch.sqrt((x**2).mean(-1, keepdim=True)) + 1e-5) * gain


def small_epsilon(x, gain):
    """Your ε is too small, so vectors with small entries come out too large. 1e-5 is added to the mean of
    the squares, under the root.
    """
    return F.rms_norm(x, x.shape[-1:], gain, 1e-8)


def no_gain(x, gain):
    """The gain is missing."""
    return x / torch.sqrt((x**2).mean(-1, keepdim=True) + 1e-5) + 0 * gain


def gain_plus_one(x, gain):
    """1 is added to the gain, as in some models. Multiply by the gain itself."""
    return x / torch.sqrt((x**2).mean(-1, keepdim=True) + 1e-5) * (1 + gain)


def gain_added(x, gain):
    """The gain is added. Multiply by it."""
    return x / torch.sqrt((x**2).mean(-1, keepdim=True) + 1e-5) + gain


def over_the_tokens(x, gain):
    """The mean is over the tokens. Each token has its own root mean square, over its components: dim=-1."""
    return x / torch.sqrt((x**2).mean(-2, keepdim=True) + 1e-5) * gain


def over_everything(x, gain):
    """The mean is over all tokens together. Each token has its own root mean square: dim=-1."""
    return x / torch.sqrt((x**2).mean() + 1e-5) * gain


def gain_inside(x, gain):
    """The gain is multiplied before the size is measured. Divide first, and then multiply by the gain."""
    y = x * gain
    return y / torch.sqrt((y**2).mean(-1, keepdim=True) + 1e-5)


def multiplied(x, gain):
    """x is multiplied by the root. Divide by it."""
    return x * torch.sqrt((x**2).mean(-1, keepdim=True) + 1e-5) * gain


KEY = AnswerKey(
    id="rms_norm",
    hidden=hidden,
    reference=rms_norm,
    accepted=(with_rsqrt, by_the_function, from_the_length, as_a_dot_product, by_einsum, root_first),
    rejected=(
        mean_subtracted,
        variance,
        the_sum,
        no_root,
        mean_of_sizes,
        no_epsilon,
        epsilon_outside,
        small_epsilon,
        no_gain,
        gain_plus_one,
        gain_added,
        over_the_tokens,
        over_everything,
        gain_inside,
        multiplied,
    ),
    fingerprint=fingerprint,
    commentary="""
The mean of the squares runs over the components of one token, and `keepdim=True` keeps the axis, so that it
broadcasts. ε stands under the root, so a vector of zeros gives 0 and not nan. The gain comes last.

The commonest mistake is to subtract the mean, as LayerNorm does. Then the output is that of another model.
""",
)
