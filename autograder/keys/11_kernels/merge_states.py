"""Answer key of merge_states. `test_11_kernels.py` shows that merging is associative and that the empty state changes nothing."""

from __future__ import annotations

import math
import random

import torch
from course_exercises._kernel_parts import same_state
from course_exercises.merge_states import halves

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.transformer_parts import again

SIZES = ((1, 2, 1, 1.0), (4, 5, 4, 2.0), (9, 8, 3, 1.0), (3, 4, 3, 500.0), (8, 6, 2, 0.01))  # rows, keys, width, loudness


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Rows of every kind, as many as the width and more, both ways round."""
    for rows, n, d, loud in SIZES:
        left, other, whole = halves(rng, rows, n, d, loud)
        same_state(again(answer, left, other), whole, f"for {rows} rows of width {d}")
        same_state(again(answer, other, left), whole, f"for {rows} rows of width {d}, the sides exchanged")
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Both ways round."""
    made = [halves(rng, *size) for size in SIZES]
    return [pair for left, other, _ in made for pair in ((left, other), (other, left))]


def merge_states(left, right):
    """The reference."""
    largest = torch.maximum(left[0], right[0])
    total, read = torch.zeros_like(left[1]), torch.zeros_like(left[2])
    for own, count, value in (left, right):
        factor = torch.where(own == -math.inf, 0.0, torch.exp(own - largest))  # (T,)
        total = total + factor * count
        read = read + factor[:, None] * value
    return largest, total, read


def stacked(left, right):
    """Both sides in one more axis, and a softmax's own trick."""
    m, sums, r = (torch.stack(pair) for pair in zip(left, right, strict=True))
    top = m.amax(0)
    weight = (m - top.nan_to_num(neginf=0.0)).exp()
    return top, (weight * sums).sum(0), torch.einsum("st,std->td", weight, r)


def row_by_row(left, right):
    """Plain numbers, one row after the other."""
    rows = []
    for m1, l1, r1, m2, l2, r2 in zip(*left, *right, strict=True):
        if m2 > m1:
            m1, l1, r1, m2, l2, r2 = m2, l2, r2, m1, l1, r1
        small = 0.0 if l2 == 0 else math.exp(float(m2) - float(m1))
        rows.append((m1, l1 + small * l2, r1 + small * r2))
    return tuple(torch.stack(column) for column in zip(*rows, strict=True))


def only_the_smaller_shrinks(left, right):
    """The larger side stays; the distance between the two says what the other is worth."""
    ahead = left[0] >= right[0]
    gap = torch.abs(left[0] - right[0])
    gap = torch.where(torch.isnan(gap), torch.inf, gap)
    a, b = torch.where(ahead, 1.0, torch.exp(-gap)), torch.where(ahead, torch.exp(-gap), 1.0)
    sums = left[1].mul(a).add(right[1].mul(b))
    reads = (left[2].T * a + right[2].T * b).T
    return torch.where(ahead, left[0], right[0]), sums, reads


def by_means(left, right):
    """Through logarithms of the sums: how much of the whole each side is."""
    log_left, log_right = left[0] + torch.log(left[1]), right[0] + torch.log(right[1])
    whole = torch.logaddexp(log_left, log_right)
    top = torch.max(left[0], right[0])
    total = torch.exp(whole - top).nan_to_num(nan=0.0)
    parts = [torch.exp(each - whole).nan_to_num(nan=0.0) * total for each in (log_left, log_right)]
    mean = [(side[2] / side[1].unsqueeze(1)).nan_to_num(nan=0.0) for side in (left, right)]
    return top, total, sum(part.unsqueeze(1) * each for part, each in zip(parts, mean, strict=True))


def not_brought_together(left, right):
    """You add what was measured from two different places: bring both sides to the common largest first."""
    return torch.maximum(left[0], right[0]), left[1] + right[1], left[2] + right[2]


def larger_side_wins(left, right):
    """You keep the side with the larger logit and drop the other: its keys have weights, too, if small ones."""
    ahead = left[0] >= right[0]
    return (
        torch.maximum(left[0], right[0]),
        torch.where(ahead, left[1], right[1]),
        torch.where(ahead[:, None], left[2], right[2]),
    )


def only_the_right_shrinks(left, right):
    """You change the right side only, as if the left always had the larger logit: either may."""
    largest = torch.maximum(left[0], right[0])
    factor = torch.where(right[0] == -math.inf, 0.0, torch.exp(right[0] - largest))
    return largest, left[1] + factor * right[1], left[2] + factor[:, None] * right[2]


def nan_where_nothing_is_read(left, right):
    """A row that neither side may read has −inf on both, and −inf − (−inf) is nan: its factor must be 0, or its state left
    alone.
    """
    largest = torch.maximum(left[0], right[0])
    a, b = torch.exp(left[0] - largest), torch.exp(right[0] - largest)
    return largest, a * left[1] + b * right[1], a[:, None] * left[2] + b[:, None] * right[2]


def smaller_of_the_two(left, right):
    """You measure from the smaller of the two largest logits: the factors grow beyond 1, and overflow. Take the larger."""
    smallest = torch.minimum(left[0], right[0])
    smallest = torch.where(smallest == -math.inf, torch.maximum(left[0], right[0]), smallest)
    total, read = torch.zeros_like(left[1]), torch.zeros_like(left[2])
    for own, count, value in (left, right):
        factor = torch.where(own == -math.inf, 0.0, torch.exp(own - smallest))
        total, read = total + factor * count, read + factor[:, None] * value
    return smallest, total, read


def read_not_scaled(left, right):
    """You bring the totals together and add the reads as they are: they take the same two factors."""
    largest = torch.maximum(left[0], right[0])
    total, read = torch.zeros_like(left[1]), torch.zeros_like(left[2])
    for own, count, value in (left, right):
        factor = torch.where(own == -math.inf, 0.0, torch.exp(own - largest))
        total, read = total + factor * count, read + value
    return largest, total, read


def total_not_scaled(left, right):
    """You bring the reads together and add the totals as they are: they take the same two factors."""
    largest = torch.maximum(left[0], right[0])
    total, read = torch.zeros_like(left[1]), torch.zeros_like(left[2])
    for own, count, value in (left, right):
        factor = torch.where(own == -math.inf, 0.0, torch.exp(own - largest))
        total, read = total + count, read + factor[:, None] * value
    return largest, total, read


def divided(left, right):
    """You divide by the total already; the state holds plain sums, or it could not be merged with a third."""
    largest = torch.maximum(left[0], right[0])
    total, read = torch.zeros_like(left[1]), torch.zeros_like(left[2])
    for own, count, value in (left, right):
        factor = torch.where(own == -math.inf, 0.0, torch.exp(own - largest))
        total, read = total + factor * count, read + factor[:, None] * value
    return largest, total, torch.where(total[:, None] > 0, read / total[:, None].clamp(min=1e-300), 0.0)


def averaged(left, right):
    """You halve the sum of the two reads: they are sums, not means, and are added."""
    largest = torch.maximum(left[0], right[0])
    total, read = torch.zeros_like(left[1]), torch.zeros_like(left[2])
    for own, count, value in (left, right):
        factor = torch.where(own == -math.inf, 0.0, torch.exp(own - largest))
        total, read = total + factor * count, read + factor[:, None] * value / 2
    return largest, total, read


def largest_added(left, right):
    """You add the two largest logits; the largest of all is the larger of the two."""
    largest = torch.maximum(left[0], right[0])
    total, read = torch.zeros_like(left[1]), torch.zeros_like(left[2])
    for own, count, value in (left, right):
        factor = torch.where(own == -math.inf, 0.0, torch.exp(own - largest))
        total, read = total + factor * count, read + factor[:, None] * value
    return left[0] + right[0], total, read


def one_sided_rows_lost(left, right):
    """A row that only one side may read loses all it has read: a side that is empty counts 0, and the other stays."""
    largest = torch.maximum(left[0], right[0])
    both = (left[0] > -math.inf) & (right[0] > -math.inf)
    total, read = torch.zeros_like(left[1]), torch.zeros_like(left[2])
    for own, count, value in (left, right):
        factor = torch.where(both, torch.exp(own - largest), 0.0)
        total, read = total + factor * count, read + factor[:, None] * value
    return largest, total, read


KEY = AnswerKey(
    id="merge_states",
    hidden=hidden,
    reference=merge_states,
    accepted=(stacked, row_by_row, only_the_smaller_shrinks, by_means),
    rejected=(
        *(not_brought_together, larger_side_wins, only_the_right_shrinks, nan_where_nothing_is_read, smaller_of_the_two),
        *(read_not_scaled, total_not_scaled, divided, averaged, largest_added, one_sided_rows_lost),
    ),
    fingerprint=fingerprint,
)
