"""Answer key of one_big_projection."""

from __future__ import annotations

import random

import torch
from course_exercises.one_big_projection import judge

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.transformer_parts import HERE, again, draw, gradients_agree


def by_torch(small):
    """Stand the maps side by side."""
    return torch.hstack(small.unbind())


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Unequal sizes, ones, another layout and precision; gradients; and one call many times."""
    for shape in ((4, 5, 3), (2, 6, 6), (1, 4, 2), (3, 1, 2), (5, 3, 1), (3, 3, 3), (17, 2, 3)):
        small = draw(rng, *shape)
        judge(again(answer, small), small)
    small = draw(rng, 4, 3, 2)
    judge(again(answer, small), small)
    judge(again(answer, Build(f"{HERE}:strided", (small,))), small, ", not contiguous in memory")
    judge(answer(small.float()), small.float(), ", in float32")
    gradients_agree(answer, by_torch, {"small": small})
    steady(answer, small)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Unequal sizes, then sizes for which every wrong shape is right."""
    return [(draw(rng, 4, 5, 3),), (draw(rng, 2, 6, 3),), (draw(rng, 3, 3, 1),)]


def one_big_projection(small):
    """The reference."""
    return torch.cat(list(small), dim=-1)


def permuted(small):
    """The head's axis goes between the other two, and joins the last."""
    h, d_in, d_head = small.shape
    return small.permute(1, 0, 2).reshape(d_in, h * d_head)


def column_by_column(small):
    """Every column in its place."""
    h, d_in, d_head = small.shape
    return torch.stack([small[c // d_head, :, c % d_head] for c in range(h * d_head)], dim=1)


def written_into(small):
    """Fills an empty matrix."""
    h, d_in, d_head = small.shape
    out = torch.zeros(d_in, h * d_head, dtype=small.dtype, device=small.device)
    for i in range(h):
        out[:, i * d_head : (i + 1) * d_head] = small[i]
    return out


def above_each_other_transposed(small):
    """The transposed maps above each other, transposed again."""
    return small.mT.flatten(0, 1).mT


def from_what_it_does(small):
    """A linear map is known by what it makes of the unit vectors."""
    units = torch.eye(small.shape[1], dtype=small.dtype, device=small.device)
    made = torch.einsum("xd,hde->xhe", units, small)
    return made.flatten(1)


def straight_to_the_shape(small):
    """You reshape without moving the axis of the heads.
    The shape is right, but the rows of one matrix become rows of several.
    """
    h, d_in, d_head = small.shape
    return small.reshape(d_in, h * d_head)


def one_above_the_other(small):
    """You put the matrices one above the other.
    Such a matrix expects h inputs and adds the results. Put them side by side.
    """
    return small.flatten(0, 1)


def interleaved(small):
    """The columns of your heads alternate. Those of one head should be neighbours, as split_heads expects."""
    return small.permute(1, 2, 0).flatten(1)


def backwards(small):
    """Your heads are in reverse order. The first columns should be those of matrix 0."""
    return torch.cat(list(small.flip(0)), dim=-1)


def summed(small):
    """You add the matrices, which leaves a single head. Each should have its own columns."""
    return small.sum(0)


def averaged(small):
    """You average the matrices, which leaves a single head. Each should have its own columns."""
    return small.mean(0)


def transposed(small):
    """Your matrix is transposed: x @ W needs as many rows as x has components."""
    return torch.cat(list(small), dim=-1).T


def block_diagonal(small):
    """Your matrix is block-diagonal, so each head gets a part of x of its own. All heads get the same x."""
    return torch.block_diag(*small)


def the_first_one_repeated(small):
    """All your heads use the first matrix, so they compute the same."""
    return small[0].repeat(1, small.shape[0])


def composed(small):
    """You apply the matrices one after the other. Heads work side by side."""
    out = small[0]
    for each in small[1:]:
        out = out @ each.mT @ each
    return out


def scaled(small):
    """You divide by the root of the number of heads. Nothing is added here, so nothing needs scaling."""
    return torch.cat(list(small), dim=-1) / small.shape[0] ** 0.5


def each_map_transposed(small):
    """You transpose each small matrix before you join them. Join them as they are."""
    return torch.cat([each.T.reshape(each.shape) for each in small], dim=-1)


def detached(small):
    """something cuts it off, such as detach, no_grad, .data, .item, numpy or a new Parameter."""
    return torch.cat(list(small.detach()), dim=-1)


KEY = AnswerKey(
    id="one_big_projection",
    hidden=hidden,
    reference=one_big_projection,
    accepted=(permuted, column_by_column, written_into, above_each_other_transposed, from_what_it_does),
    rejected=(
        *(
            straight_to_the_shape,
            one_above_the_other,
            interleaved,
            backwards,
            summed,
            averaged,
            transposed,
            block_diagonal,
        ),
        *(the_first_one_repeated, composed, scaled, each_map_transposed, detached),
    ),
    fingerprint=fingerprint,
    commentary="""
    Column c of a matrix makes component c of the output, so the columns of head 0 come first, then those of
    head 1. All heads read the same x and therefore have the same number of rows. `reshape` alone would cut
    the matrices at the wrong places, because their rows lie one after the other in memory.
    """,
)
