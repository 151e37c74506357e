"""Answer key of mend_the_leak.

Tolerance: 0.4·√eps of the dtype, relative to the largest entry. The expected output is not computed with a
running sum: it is the leaky re-weighting of the row cut off after t, for each t. Heads, rows and positions
have random sizes e^N(0, 1).
"""

from __future__ import annotations

import random

import torch
from course_exercises.mend_the_leak import expected
from course_exercises.reweight_heads import lively, of_every_size, worst

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.layout import not_contiguous
from kqa_core.exercise_helpers.transformer_parts import again, agree, gradients_agree, tensor_of

SHAPES = ((1, 2, 1, 3), (2, 4, 3, 1), (3, 3, 8, 4), (1, 1, 4, 2), (1, 2, 150, 2))


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Other sizes, a very long row, heads of all sizes, float32, strides, gradients, and one call many
    times.
    """
    for shape in (*SHAPES, (1, 2, 900, 2)):
        heads = lively(rng, *shape)
        found = tensor_of(again(answer, heads), shape, heads.dtype, "what you return")
        wanted = expected(heads)
        agree(found, wanted, f"for heads of shape {shape}, {worst(heads, found, wanted)}")
    of_every_size(answer, rng, expected)
    heads = lively(rng, 2, 3, 4, 2).float()
    found = tensor_of(not_contiguous(answer, heads), (2, 3, 4, 2), torch.float32, "what you return")
    wanted = expected(heads)
    agree(
        found,
        wanted,
        f"for heads (2, 3, 4, 2) in float32, not contiguous in memory, {worst(heads, found, wanted)}",
    )
    gradients_agree(answer, mend_the_leak, {"heads": lively(rng, 2, 3, 4, 2)})
    steady(answer, heads)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Several sizes."""
    return [(lively(rng, *shape),) for shape in (*SHAPES, (2, 3, 5, 4))]


def mend_the_leak(heads):
    """The reference."""
    squares = heads.square().sum(dim=3, keepdim=True)  # (B, nh, T, 1)
    norms = squares.cumsum(dim=2).sqrt()  # at t: over positions ≤ t
    return heads * norms / norms.mean(dim=1, keepdim=True)


def cut_and_ask(heads):
    """Cuts the row off after each t and takes the whole norm of the rest."""
    out = []
    for t in range(heads.shape[2]):
        past = heads[:, :, : t + 1]
        norms = torch.linalg.matrix_norm(past)  # (B, nh)
        out.append(heads[:, :, t] * (norms / norms.mean(1, keepdim=True))[..., None])
    return torch.stack(out, dim=2)


def by_a_mask(heads):
    """A triangle of ones from the left adds up the past."""
    T = heads.shape[2]
    past = torch.ones(T, T, dtype=heads.dtype).tril()
    norms = torch.einsum("ts,bhsc->bht", past, heads**2) ** 0.5
    return torch.einsum("bhtc,bht->bhtc", heads, norms / norms.sum(1, keepdim=True)) * heads.shape[1]


def root_mean_square(heads):
    """The root of the mean square over the past: the number of positions cancels between the heads."""
    count = torch.arange(1, heads.shape[2] + 1, dtype=heads.dtype)[:, None]
    size = (heads.pow(2).mean(-1, keepdim=True).cumsum(2) / count).sqrt()
    return heads * size / size.mean(1, keepdim=True)


def step_by_step(heads):
    """As in decoding: one position after another, with the sum so far."""
    total, out = torch.zeros_like(heads[:, :, 0, :1]), []
    for here in heads.unbind(dim=2):
        total = total + (here * here).sum(-1, keepdim=True)
        out.append(here * total.sqrt() / total.sqrt().mean(dim=1, keepdim=True))
    return torch.stack(out, dim=2)


def still_leaking(heads):
    """Your output is that of the leaky formula, with norms over the whole row. At position t only positions ≤
    t may count. If you go from prefix to prefix, keep only the last position of each.
    """
    norms = heads.square().sum(dim=(2, 3), keepdim=True).sqrt()
    return heads * norms / norms.mean(dim=1, keepdim=True)


def position_alone(heads):
    """You use the norm of each position alone.
    This does not leak, but it ignores the past, which should count.
    """
    norms = heads.norm(dim=3, keepdim=True)
    return heads * norms / norms.mean(dim=1, keepdim=True)


def norms_added(heads):
    """You add norms. A matrix norm is the square root of a sum of squares."""
    norms = heads.norm(dim=3, keepdim=True).cumsum(dim=2)
    return heads * norms / norms.mean(dim=1, keepdim=True)


def from_the_end(heads):
    """Your running sum starts at the end of the row.
    So at t it contains position t and all later positions.
    """
    norms = heads.square().sum(dim=3, keepdim=True).flip(2).cumsum(dim=2).flip(2).sqrt()
    return heads * norms / norms.mean(dim=1, keepdim=True)


def one_short(heads):
    """Your sum ends before t. Position t is known at t and should count."""
    squares = heads.square().sum(dim=3, keepdim=True)
    before = squares.cumsum(dim=2) - squares
    norms = torch.cat((squares[:, :, :1], before[:, :, 1:]), dim=2).clamp(min=1e-12).sqrt()
    return heads * norms / norms.mean(dim=1, keepdim=True)


def one_too_far(heads):
    """Your sum at t includes position t + 1: a small leak, but a leak."""
    total = heads.square().sum(dim=3, keepdim=True).cumsum(dim=2)
    norms = torch.cat((total[:, :, 1:], total[:, :, -1:]), dim=2).sqrt()
    return heads * norms / norms.mean(dim=1, keepdim=True)


def over_the_heads(heads):
    """You add along the heads instead of along time: axis 2 is time."""
    norms = heads.square().sum(dim=3, keepdim=True).cumsum(dim=1).sqrt()
    return heads * norms / norms.mean(dim=1, keepdim=True)


def without_a_root(heads):
    """The square root of the running sum is missing."""
    norms = heads.square().sum(dim=3, keepdim=True).cumsum(dim=2)
    return heads * norms / norms.mean(dim=1, keepdim=True)


def running_maximum(heads):
    """You keep the largest norm so far; the matrix norm adds the squares of all positions so far."""
    norms = heads.norm(dim=3, keepdim=True).cummax(dim=2).values
    return heads * norms / norms.mean(dim=1, keepdim=True)


def leaky_mean(heads):
    """Your norms are causal, but the mean that you divide by is over time too:
    it brings the future back in.
    """
    norms = heads.square().sum(dim=3, keepdim=True).cumsum(dim=2).sqrt()
    return heads * norms / norms.mean(dim=(1, 2), keepdim=True)


def undivided(heads):
    """You divide by nothing, so the outputs grow with t. Divide by the mean norm of the heads at t."""
    return heads * heads.square().sum(dim=3, keepdim=True).cumsum(dim=2).sqrt()


def last_norm_kept(heads):
    """You divide by the mean norm of the whole row, which is the last of the running norms:
    that is the future again.
    """
    norms = heads.square().sum(dim=3, keepdim=True).cumsum(dim=2).sqrt()
    return heads * norms / norms[:, :, -1:].mean(dim=1, keepdim=True)


def in_numpy(heads):
    """something cuts it off, such as detach, no_grad, .data, .item, numpy or a new Parameter."""
    array = heads.detach().numpy()
    norms = (array**2).sum(axis=3, keepdims=True).cumsum(axis=2) ** 0.5
    return torch.from_numpy(array * norms / norms.mean(axis=1, keepdims=True))


KEY = AnswerKey(
    id="mend_the_leak",
    hidden=hidden,
    reference=mend_the_leak,
    accepted=(cut_and_ask, by_a_mask, root_mean_square, step_by_step),
    rejected=(
        *(
            still_leaking,
            position_alone,
            norms_added,
            from_the_end,
            one_short,
            one_too_far,
            over_the_heads,
            without_a_root,
        ),
        *(running_maximum, leaky_mean, undivided, last_norm_kept, in_numpy),
    ),
    fingerprint=fingerprint,
    commentary=(
        "At position $t$, the leaky formula is applied to the row cut off after $t$. Squares can be added"
        " position by position, so `cumsum` over time followed by the square root gives the norms of all $T$"
        " cut rows at once. The mean is over the heads at the same $t$. Two mistakes are common: adding norms"
        " instead of squares, and dividing by a mean that includes later positions, which leaks again."
    ),
)
