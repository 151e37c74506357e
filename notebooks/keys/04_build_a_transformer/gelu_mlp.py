"""Answer key of gelu_mlp."""

from __future__ import annotations

import math
import random

import torch
import torch.nn.functional as F
from course_exercises.gelu_mlp import NAMES, case, deep, expected, judge

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.transformer_parts import ROOT, again, gradients_agree


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Unequal sizes and ones, large entries, float32; gradients; and one call many times."""
    for sizes in ((3, 4, 5, 20), (1, 1, 2, 8), (2, 3, 4, 3), (1, 5, 1, 4), (2, 2, 6, 6)):
        given = case(rng, *sizes)
        judge(again(answer, *given), given)
    for scale in (0.01, 4.0, 30.0, 1e5):
        given = case(rng, 2, 3, 4, 30, scale)
        judge(again(answer, *given), given)
    given = deep(rng)
    judge(again(answer, *given), given, ROOT)
    given = case(rng, 2, 3, 4, 16)
    single = tuple(each.float() for each in given)
    judge(answer(*single), single)
    gradients_agree(answer, expected, dict(zip(NAMES, given, strict=True)))
    steady(answer, *given)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """A hidden layer of four times the width, and one of the same width."""
    return [case(rng, 2, 3, 4, 16), case(rng, 2, 3, 5, 5)]


def gelu_mlp(x, w_1, b_1, w_2, b_2):
    """The reference."""
    h = x @ w_1 + b_1  # (B, T, hidden)
    h = h * 0.5 * (1 + torch.erf(h / math.sqrt(2)))
    return h @ w_2 + b_2  # (B, T, C)


def by_torch(x, w_1, b_1, w_2, b_2):
    """torch's functions."""
    return F.linear(F.gelu(F.linear(x, w_1.t(), b_1)), w_2.t(), b_2)


def with_erfc(x, w_1, b_1, w_2, b_2):
    """The distribution function from the complementary error function."""
    h = torch.matmul(x, w_1).add(b_1)
    return torch.addmm(b_2, (h * torch.erfc(-h / 2**0.5) / 2).flatten(0, -2), w_2).view(*h.shape[:-1], -1)


def with_the_normal_distribution(x, w_1, b_1, w_2, b_2):
    """The distribution function by name."""
    h = torch.einsum("btc,ch->bth", x, w_1) + b_1
    return torch.einsum("bth,hc->btc", h * torch.special.ndtr(h), w_2) + b_2


def a_position_at_a_time(x, w_1, b_1, w_2, b_2):
    """Each position by itself: the MLP mixes nothing across positions."""
    return torch.stack([F.gelu(row @ w_1 + b_1) @ w_2 + b_2 for row in x.unbind(1)], dim=1)


def relu(x, w_1, b_1, w_2, b_2):
    """You use ReLU, as the Transformer of 2017 did. Here the activation is GELU."""
    return F.relu(x @ w_1 + b_1) @ w_2 + b_2


def tanh_approximation(x, w_1, b_1, w_2, b_2):
    """You use the approximation of GELU with tanh, as GPT-2 does.
    Here it is the exact GELU, with Φ from torch.erf.
    """
    return F.gelu(x @ w_1 + b_1, approximate="tanh") @ w_2 + b_2


def sigmoid_approximation(x, w_1, b_1, w_2, b_2):
    """You use z · sigmoid(1.702 z), a rough approximation of GELU.
    Here it is the exact GELU, with Φ from torch.erf.
    """
    h = x @ w_1 + b_1
    return (h * torch.sigmoid(1.702 * h)) @ w_2 + b_2


def silu(x, w_1, b_1, w_2, b_2):
    """You use z · sigmoid(z), which is called SiLU. GELU is z · Φ(z)."""
    return F.silu(x @ w_1 + b_1) @ w_2 + b_2


def no_activation(x, w_1, b_1, w_2, b_2):
    """There is no activation between your two maps, so together they are a single linear map."""
    return (x @ w_1 + b_1) @ w_2 + b_2


def only_phi(x, w_1, b_1, w_2, b_2):
    """You use Φ(z) alone. GELU multiplies z by Φ(z)."""
    return torch.special.ndtr(x @ w_1 + b_1) @ w_2 + b_2


def no_half_root(x, w_1, b_1, w_2, b_2):
    """You take erf(z). The distribution function of a standard normal variable needs erf(z/√2)."""
    h = x @ w_1 + b_1
    return (h * 0.5 * (1 + torch.erf(h))) @ w_2 + b_2


def no_half(x, w_1, b_1, w_2, b_2):
    """You leave out the factor 1/2: Φ(z) is (1 + erf(z/√2)) / 2, between 0 and 1."""
    return (2 * F.gelu(x @ w_1 + b_1)) @ w_2 + b_2


def no_first_bias(x, w_1, b_1, w_2, b_2):
    """You leave out b_1."""
    return F.gelu(x @ w_1) @ w_2 + b_2 + 0 * b_1.sum()


def no_second_bias(x, w_1, b_1, w_2, b_2):
    """You leave out b_2."""
    return F.gelu(x @ w_1 + b_1) @ w_2 + 0 * b_2


def activated_twice(x, w_1, b_1, w_2, b_2):
    """You apply GELU to the output as well. It stands only between the two linear maps."""
    return F.gelu(F.gelu(x @ w_1 + b_1) @ w_2 + b_2)


def activated_first(x, w_1, b_1, w_2, b_2):
    """You apply GELU to the input. It stands between the two linear maps."""
    return (F.gelu(x) @ w_1 + b_1) @ w_2 + b_2


def bias_after_the_activation(x, w_1, b_1, w_2, b_2):
    """You add b_1 after GELU. It belongs to the first linear map, before GELU."""
    return (F.gelu(x @ w_1) + b_1) @ w_2 + b_2


def with_the_residual(x, w_1, b_1, w_2, b_2):
    """You add x at the end. The block does that, not the MLP."""
    return x + F.gelu(x @ w_1 + b_1) @ w_2 + b_2


def detached(x, w_1, b_1, w_2, b_2):
    """something cuts it off, such as detach, no_grad, .data, .item, numpy or a new Parameter."""
    h = x @ w_1 + b_1
    return (h * 0.5 * (1 + torch.erf(h / math.sqrt(2))) @ w_2 + b_2).detach()


KEY = AnswerKey(
    id="gelu_mlp",
    hidden=hidden,
    reference=gelu_mlp,
    accepted=(by_torch, with_erfc, with_the_normal_distribution, a_position_at_a_time),
    rejected=(
        *(
            relu,
            tanh_approximation,
            sigmoid_approximation,
            silu,
            no_activation,
            only_phi,
            no_half_root,
            no_half,
            no_first_bias,
        ),
        *(
            no_second_bias,
            activated_twice,
            activated_first,
            bias_after_the_activation,
            with_the_residual,
            detached,
        ),
    ),
    fingerprint=fingerprint,
    commentary="""
    The MLP treats each position by itself: the matrix product acts on the last axis only. GELU multiplies z
    by Φ(z), the probability that a standard normal variable is below z, and `torch.erf` gives Φ exactly.
    Without an activation the two maps would be one. GPT-2 uses an approximation with tanh, which differs by
    up to 5e-4; with it, a checkpoint that was trained with the exact GELU gives slightly different logits.
    """,
)
