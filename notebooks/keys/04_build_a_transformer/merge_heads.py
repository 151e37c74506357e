"""Answer key of merge_heads."""

from __future__ import annotations

import random

import torch
from course_exercises.merge_heads import judge

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.transformer_parts import HERE, again, draw, gradients_agree


def by_pieces(x):
    """Join the heads along the components."""
    return torch.cat(x.unbind(1), dim=-1)


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Unequal sizes, equal ones, ones, another layout and precision; gradients; and one call many times."""
    for shape in (
        (2, 4, 3, 5),
        (3, 2, 1, 4),
        (1, 3, 6, 2),
        (2, 1, 4, 7),
        (2, 6, 5, 1),
        (2, 4, 4, 3),
        (7, 16, 130, 2),
    ):
        x = draw(rng, *shape)
        judge(again(answer, x), x)
    x = draw(rng, 3, 2, 5, 4)
    judge(again(answer, x), x)
    judge(again(answer, Build(f"{HERE}:strided", (x,))), x, ", not contiguous in memory")
    judge(answer(x.float()), x.float(), ", in float32")
    gradients_agree(answer, by_pieces, {"x": x})
    steady(answer, x)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Unequal sizes, then equal ones."""
    return [(draw(rng, 2, 4, 3, 5),), (draw(rng, 1, 3, 6, 2),), (draw(rng, 3, 4, 4, 4),)]


def merge_heads(x):
    """The reference."""
    return x.transpose(1, 2).flatten(2)


def joined(x):
    """Head beside head."""
    return torch.cat([x[:, h] for h in range(x.shape[1])], dim=-1)


def reshaped(x):
    """Says the new shape, all but the components."""
    return torch.movedim(x, 1, -2).reshape(*x.shape[::2], -1)


def written_into(x):
    """Fills a tensor of the right shape."""
    B, n_head, T, d_head = x.shape
    out = x.new_zeros(B, T, n_head * d_head)
    for h in range(n_head):
        out[..., h * d_head : (h + 1) * d_head] = x[:, h]
    return out


def contiguous_view(x):
    """As minGPT writes it."""
    B, n_head, T, d_head = x.size()
    return x.permute(0, 2, 1, 3).contiguous().view(B, T, n_head * d_head)


def by_a_product(x):
    """Each head meets its own columns of a unit matrix, and all are added up."""
    B, n_head, T, d_head = x.shape
    places = torch.eye(n_head * d_head, dtype=x.dtype, device=x.device).view(n_head, d_head, -1)
    return torch.einsum("bhtd,hdc->btc", x, places)


def straight_to_the_shape(x):
    """You reshape without exchanging tokens and heads first.
    The shape is right, but a row mixes several positions.
    """
    B, n_head, T, d_head = x.shape
    return x.reshape(B, T, n_head * d_head)


def interleaved(x):
    """The components of your heads alternate. Those of one head should be neighbours."""
    return x.permute(0, 2, 3, 1).flatten(-2)


def summed(x):
    """You add the heads. They should be side by side, each with its own components."""
    return x.sum(dim=1)


def averaged(x):
    """You average the heads. They should be side by side, each with its own components."""
    return x.mean(dim=1)


def last_head(x):
    """You keep only the last head."""
    return x[:, -1]


def backwards(x):
    """Your heads are in reverse order. Head 0 should come first."""
    return torch.cat(x.flip(1).unbind(1), dim=-1)


def not_joined(x):
    """You move the axis but do not join: the last two axes, heads and components, should become one."""
    return x.transpose(1, 2)


def one_above_the_other(x):
    """You join the heads along the axis of the tokens. Join them along the components."""
    return torch.cat(x.unbind(1), dim=1)


def components_before_time(x):
    """Your components come before the tokens. The shape should be (B, T, d)."""
    return torch.cat(x.unbind(1), dim=-1).transpose(1, 2)


def batch_and_time_joined(x):
    """You join batch and tokens into one axis. The shape should be (B, T, d)."""
    return torch.cat(x.unbind(1), dim=-1).flatten(0, 1)


def time_for_heads(x):
    """You exchange the wrong axes: exchange heads and tokens, not heads and components."""
    B, n_head, T, d_head = x.shape
    return x.transpose(1, 3).reshape(B, T, n_head * d_head)


def two_heads(x):
    """The output holds only the first two heads, however many there are."""
    return torch.cat((x[:, 0], x[:, min(1, x.shape[1] - 1)]), dim=-1)


def detached(x):
    """something cuts it off, such as detach, no_grad, .data, .item, numpy or a new Parameter."""
    return torch.cat(x.detach().unbind(1), dim=-1)


KEY = AnswerKey(
    id="merge_heads",
    hidden=hidden,
    reference=merge_heads,
    accepted=(joined, reshaped, written_into, contiguous_view, by_a_product),
    rejected=(
        *(
            straight_to_the_shape,
            interleaved,
            summed,
            averaged,
            last_head,
            backwards,
            not_joined,
            one_above_the_other,
        ),
        *(components_before_time, batch_and_time_joined, time_for_heads, two_heads, detached),
    ),
    fingerprint=fingerprint,
    commentary="""
    The two steps of `split_heads` in reverse: exchange heads and tokens, then join the last two axes. After a
    transpose the memory is no longer in order, so `view` refuses and `reshape` or `flatten` copies. Without
    the transpose, the shape is right and the rows are wrong.
    """,
)
