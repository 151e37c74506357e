"""Answer key of split_heads."""

from __future__ import annotations

import random

import torch
from course_exercises.split_heads import judge

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.transformer_parts import HERE, again, draw, gradients_agree


def by_pieces(x, n_head):
    """Cut the components and stack the pieces."""
    return torch.stack(x.chunk(n_head, dim=-1), dim=1)


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Unequal sizes, equal ones, ones, another layout and precision; gradients; and one call many times."""
    for B, T, n_head, d_head in (
        (2, 3, 4, 5),
        (3, 1, 2, 4),
        (1, 6, 3, 2),
        (2, 4, 1, 7),
        (2, 5, 6, 1),
        (2, 4, 4, 3),
        (7, 130, 16, 2),
    ):
        x = draw(rng, B, T, n_head * d_head)
        judge(again(answer, x, n_head), x, n_head)
    x = draw(rng, 3, 5, 8)
    judge(again(answer, x, 2), x, 2)
    judge(again(answer, Build(f"{HERE}:strided", (x,)), 2), x, 2, ", not contiguous in memory,")
    judge(answer(x.float(), 4), x.float(), 4, ", in float32,")
    gradients_agree(answer, by_pieces, {"x": x, "n_head": 2})
    steady(answer, x, 4)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Three unequal sizes, one where every axis is the same."""
    return [(draw(rng, 2, 3, 20), 4), (draw(rng, 1, 6, 6), 3), (draw(rng, 3, 4, 16), 4)]


def split_heads(x, n_head):
    """The reference."""
    B, T, C = x.shape
    return x.reshape(B, T, n_head, C // n_head).transpose(1, 2)


def stacked(x, n_head):
    """One slice of components for each head."""
    d_head = x.shape[-1] // n_head
    return torch.stack([x[..., h * d_head : (h + 1) * d_head] for h in range(n_head)], dim=1)


def unflattened(x, n_head):
    """Cuts the last axis and moves the new one."""
    return x.unflatten(-1, (n_head, -1)).movedim(2, 1)


def written_into(x, n_head):
    """Fills a tensor of the right shape."""
    B, T, C = x.shape
    out = x.new_empty(B, n_head, T, C // n_head)
    for h, piece in enumerate(x.split(C // n_head, dim=2)):
        out[:, h] = piece
    return out


def gathered(x, n_head):
    """Takes the components by number."""
    components = torch.arange(x.shape[-1], device=x.device).reshape(n_head, -1)
    return x[:, :, components].permute(0, 2, 1, 3)


def a_time_at_a_time(x, n_head):
    """Each position by itself, then all positions together."""
    return torch.stack([row.reshape(x.shape[0], n_head, -1) for row in x.unbind(1)], dim=2)


def straight_to_the_shape(x, n_head):
    """You reshape straight to (B, h, T, d_k). The shape is right, but positions and components are mixed:
    exchange the axes of tokens and heads.
    """
    B, T, C = x.shape
    return x.reshape(B, n_head, T, C // n_head)


def not_moved(x, n_head):
    """The axis of the heads is still behind the axis of the tokens.
    Move it forward, so that the shape is (B, h, T, d_k).
    """
    B, T, C = x.shape
    return x.reshape(B, T, n_head, C // n_head)


def interleaved(x, n_head):
    """Each head takes every n_head-th component. It should take d_k neighbouring components."""
    B, T, C = x.shape
    return x.reshape(B, T, C // n_head, n_head).permute(0, 3, 1, 2)


def heads_before_batch(x, n_head):
    """Your heads come before the batch. The shape should be (B, h, T, d_k)."""
    return torch.stack(x.chunk(n_head, dim=-1))


def components_before_time(x, n_head):
    """Your last two axes are exchanged. Each head should have the shape (T, d_k), a row for each token."""
    return torch.stack(x.chunk(n_head, dim=-1), dim=1).transpose(-2, -1)


def backwards(x, n_head):
    """Your heads are in reverse order. Head 0 should hold the first components."""
    return torch.stack(x.chunk(n_head, dim=-1), dim=1).flip(1)


def into_the_batch(x, n_head):
    """You put the heads into the axis of the batch. Keep an axis of their own for them."""
    return torch.cat(x.chunk(n_head, dim=-1))


def copies(x, n_head):
    """Each of your heads has all components. They should share them, d_k = d / h each."""
    return x[:, None].expand(-1, n_head, -1, -1).clone()


def the_same_components(x, n_head):
    """All your heads hold the first d_k components. The other components are lost."""
    d_head = x.shape[-1] // n_head
    return torch.stack([x[..., :d_head]] * n_head, dim=1)


def two_heads(x, n_head):
    """There are always two heads, whatever n_head is."""
    B, T, C = x.shape
    return x.reshape(B, T, 2, C // 2).transpose(1, 2)


def as_a_list(x, n_head):
    """You return several heads, in a list or tuple. Return one tensor with an axis for the heads."""
    return list(x.chunk(n_head, dim=-1))


def n_head_components(x, n_head):
    """You take n_head for the width of a head. There should be n_head heads of width d / n_head."""
    B, T, C = x.shape
    return x.reshape(B, T, C // n_head, n_head).transpose(1, 2)


def detached(x, n_head):
    """something cuts it off, such as detach, no_grad, .data, .item, numpy or a new Parameter."""
    B, T, C = x.shape
    return x.detach().reshape(B, T, n_head, C // n_head).transpose(1, 2)


KEY = AnswerKey(
    id="split_heads",
    hidden=hidden,
    reference=split_heads,
    accepted=(stacked, unflattened, written_into, gathered, a_time_at_a_time),
    rejected=(
        *(
            straight_to_the_shape,
            not_moved,
            interleaved,
            heads_before_batch,
            components_before_time,
            backwards,
            into_the_batch,
        ),
        *(copies, the_same_components, two_heads, as_a_list, n_head_components, detached),
    ),
    fingerprint=fingerprint,
    commentary="""
    `reshape` cuts the last axis into heads and components without moving a number. `transpose(1, 2)` then
    exchanges tokens and heads. A single reshape to the final shape runs without an error and mixes components
    of different tokens: that is why the check uses sizes that cannot be confused.
    """,
)
