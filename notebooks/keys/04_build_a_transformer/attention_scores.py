"""Answer key of attention_scores."""

from __future__ import annotations

import math
import random

import torch
import torch.nn.functional as F
from course_exercises.attention_scores import judge

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.transformer_parts import HERE, again, draw, gradients_agree


def by_torch(q, k):
    """The scores by torch's batched product."""
    return torch.matmul(q, k.mT) / q.shape[-1] ** 0.5


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Unequal sizes, ones, other layouts, another precision, large scores;
    gradients; and one call many times.
    """
    for one, other in (
        ((5, 9), (3, 9)),
        ((2, 3, 4, 5), (2, 3, 7, 5)),
        ((1, 1, 1, 2), (1, 1, 6, 2)),
        ((4, 1, 3), (4, 2, 3)),
        ((2, 1, 3, 2, 4), (2, 1, 3, 5, 4)),
        ((2, 2, 2, 1), (2, 2, 3, 1)),
        ((12, 130), (12, 130)),
    ):
        q, k = draw(rng, *one), draw(rng, *other)
        judge(again(answer, q, k), q, k)
    q, k = draw(rng, 2, 3, 4, 5), draw(rng, 2, 3, 6, 5)
    judge(again(answer, q, k), q, k)
    moved = (Build(f"{HERE}:strided", (each,)) for each in (q, k))
    judge(again(answer, *moved), q, k, ", not contiguous,")
    judge(answer(q.float(), k.float()), q.float(), k.float(), ", in float32,")
    for scale in (1e-5, 30.0, 3e4, 1e9):
        judge(answer(scale * q, k), scale * q, k, f" whose scores are near {scale:g}")
    gradients_agree(answer, by_torch, {"q": q, "k": k})
    steady(answer, q, k)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Two of unequal sizes, one with as many queries as keys,
    one where width and number agree with a usual habit.
    """
    shapes = (((5, 9), (3, 9)), ((2, 3, 4, 5), (2, 3, 7, 5)), ((4, 16), (4, 16)))
    return [(draw(rng, *one), draw(rng, *other)) for one, other in shapes]


def attention_scores(q, k):
    """The reference."""
    return (q / math.sqrt(q.shape[-1])) @ k.mT


def einstein(q, k):
    """In index notation, the queries scaled beforehand."""
    return torch.einsum("...id,...jd->...ij", q * q.size(-1) ** -0.5, k)


def broadcast(q, k):
    """Every pair multiplied entry by entry, then summed."""
    return (q.unsqueeze(-2) * k.unsqueeze(-3)).sum(-1).div(k.shape[-1] ** 0.5)


def half_and_half(q, k):
    """The fourth root on either side."""
    root = q.shape[-1] ** 0.25
    return torch.matmul(q / root, (k / root).mT)


def a_row_at_a_time(q, k):
    """One query after the other."""
    rows = [(k @ q[..., i, :, None]).squeeze(-1) for i in range(q.shape[-2])]
    return torch.stack(rows, dim=-2) / torch.sqrt(torch.tensor(k.shape[-1]))


def from_distances(q, k):
    """q·k = (|q|² + |k|² − |q − k|²) / 2."""
    apart = (q[..., :, None, :] - k[..., None, :, :]).pow(2).sum(-1)
    lengths = q.pow(2).sum(-1)[..., :, None] + k.pow(2).sum(-1)[..., None, :]
    return (lengths - apart) / (2 * math.sqrt(q.shape[-1]))


def no_root(q, k):
    """You do not divide by √d_k. The scores then grow with the width of the vectors,
    and the softmax saturates.
    """
    return q @ k.transpose(-2, -1)


def by_the_length(q, k):
    """You divide by d_k, or twice by its root. Divide once by √d_k."""
    return q @ k.transpose(-2, -1) / q.shape[-1]


def root_of_the_keys(q, k):
    """You take the root of the number of keys.
    Each score sums d_k products: the length of the last axis.
    """
    return q @ k.transpose(-2, -1) / math.sqrt(k.shape[-2])


def root_of_the_queries(q, k):
    """You take the root of the number of queries.
    Each score sums d_k products: the length of the last axis.
    """
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-2])


def times_the_root(q, k):
    """You multiply by √d_k. Divide by it."""
    return q @ k.transpose(-2, -1) * math.sqrt(q.shape[-1])


def the_other_way_round(q, k):
    """Your rows belong to the keys: entry [t, i] should be the score of query t with key i."""
    return k @ q.transpose(-2, -1) / math.sqrt(q.shape[-1])


def weights_already(q, k):
    """You return weights. Return the scores: the softmax comes later, after the mask."""
    return torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)


def cosines(q, k):
    """You divide each product by the norms of both vectors, which gives cosines. A query with a larger norm
    should give larger scores.
    """
    return F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).transpose(-2, -1)


def whole_root(q, k):
    """The root of the width is rounded to a whole number. Divide by the root itself."""
    return q @ k.transpose(-2, -1) / math.isqrt(q.shape[-1])


def sixty_four(q, k):
    """You always divide by 8, the root of 64. Divide by the root of the width that you are given."""
    return q @ k.transpose(-2, -1) / 8.0


def scaled_twice(q, k):
    """The product is divided by the root three times, as if queries, keys and product were each scaled.
    Divide by it once.
    """
    root = math.sqrt(q.shape[-1])
    return (q / root) @ (k / root).transpose(-2, -1) / root


def minus(q, k):
    """Your sign is wrong: the key that agrees most with a query should get the largest score."""
    return -q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def detached(q, k):
    """something cuts it off, such as detach, no_grad, .data, .item, numpy or a new Parameter."""
    return ((q / math.sqrt(q.shape[-1])) @ k.mT).detach()


def in_float32(q, k):
    """you create a tensor of a fixed dtype, or convert one."""
    return q.float() @ k.float().transpose(-2, -1) / math.sqrt(q.shape[-1])


KEY = AnswerKey(
    id="attention_scores",
    hidden=hidden,
    reference=attention_scores,
    accepted=(einstein, broadcast, half_and_half, a_row_at_a_time, from_distances),
    rejected=(
        *(
            no_root,
            by_the_length,
            root_of_the_keys,
            root_of_the_queries,
            times_the_root,
            the_other_way_round,
            weights_already,
        ),
        *(cosines, whole_root, sixty_four, scaled_twice, minus, detached, in_float32),
    ),
    fingerprint=fingerprint,
    commentary="""
    `k.transpose(-2, -1)` puts the keys into columns and leaves the leading axes alone, so one line serves any
    batch and any number of heads. The divisor is the root of the *last* axis of q, because that many products
    are summed in each score. The common mistakes are to divide by the number of keys, and to get the right
    shape with `view`, which mixes the numbers.
    """,
)
