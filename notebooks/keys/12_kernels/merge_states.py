"""Answer key of merge_states. `test_12_kernels.py` shows that merging is associative and that the
empty state changes nothing.
"""

from __future__ import annotations

import math
import random

import torch
from course_exercises._kernel_parts import same_state, shared_state, state_after, steady
from course_exercises.merge_states import far_below, halves, slips, tied

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.exercise_helpers.transformer_parts import again

SIZES = (
    (1, 2, 1, 1.0),
    (4, 5, 4, 2.0),
    (9, 8, 3, 1.0),
    (3, 4, 3, 500.0),
    (8, 6, 2, 0.01),
    (50, 40, 17, 2.0),
)  # rows, keys, width, scale


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Rows of every kind, as many as the width and more, in both orders;
    logits far apart and close together.
    """
    for rows, n, d, scale in SIZES:
        left, other, whole = halves(rng, rows, n, d, scale)
        where = f"for {rows} rows of width {d}"
        same_state(again(answer, left, other), whole, where, slips(left, other))
        same_state(again(answer, other, left), whole, f"{where}, the sides exchanged", slips(other, left))
    for (left, other, whole), where in (
        (tied(rng, 5), "where both sides have the same m"),
        (far_below(), "where the side with the smaller m has the larger values"),
    ):
        same_state(answer(left, other), whole, where, slips(left, other))
    left, other, whole = halves(rng, 4, 5, 3)
    steady(answer, (left, other), whole, "for 4 rows of width 3")
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Both orders, and states whose parts share their memory."""
    made = [halves(rng, *size) for size in SIZES]
    shared = shared_state((3,))
    other = state_after(
        torch.tensor([[0.0], [1.0], [3.0]], dtype=torch.float64),
        torch.full((3, 1, 1), 2.0, dtype=torch.float64),
    )
    calls: list[tuple[object, ...]] = [
        pair for left, other_side, _ in made for pair in ((left, other_side), (other_side, left))
    ]
    return [*calls, (shared, other), (other, shared)]


def merge_states(left, right):
    """The reference."""
    m = torch.maximum(left[0], right[0])
    ell, a = torch.zeros_like(left[1]), torch.zeros_like(left[2])
    for own_m, own_ell, own_a in (left, right):
        factor = torch.where(own_m == -math.inf, 0.0, torch.exp(own_m - m))  # (T,)
        ell = ell + factor * own_ell
        a = a + factor[:, None] * own_a
    return m, ell, a


def stacked(left, right):
    """Both sides in one more axis, and torch's max over it."""
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
    """The larger side stays as it is; the gap between the two m gives the factor of the other."""
    ahead = left[0] >= right[0]
    gap = torch.abs(left[0] - right[0])
    gap = torch.where(torch.isnan(gap), torch.inf, gap)
    a, b = torch.where(ahead, 1.0, torch.exp(-gap)), torch.where(ahead, torch.exp(-gap), 1.0)
    sums = left[1].mul(a).add(right[1].mul(b))
    reads = (left[2].T * a + right[2].T * b).T
    return torch.where(ahead, left[0], right[0]), sums, reads


def by_means(left, right):
    """Through logarithms of the sums: the share of each side in the whole."""
    log_left, log_right = left[0] + torch.log(left[1]), right[0] + torch.log(right[1])
    whole = torch.logaddexp(log_left, log_right)
    top = torch.max(left[0], right[0])
    total = torch.exp(whole - top).nan_to_num(nan=0.0)
    parts = [torch.exp(each - whole).nan_to_num(nan=0.0) * total for each in (log_left, log_right)]
    mean = [(side[2] / side[1].unsqueeze(1)).nan_to_num(nan=0.0) for side in (left, right)]
    return top, total, sum(part.unsqueeze(1) * each for part, each in zip(parts, mean, strict=True))


def not_brought_together(left, right):
    """You add sums that were measured from two different maxima.
    Multiply each side by e^(own m − common m) first.
    """
    return torch.maximum(left[0], right[0]), left[1] + right[1], left[2] + right[2]


def larger_side_wins(left, right):
    """You keep the side with the larger m and drop the other.
    The keys of the other side have weights, too.
    """
    ahead = left[0] >= right[0]
    return (
        torch.maximum(left[0], right[0]),
        torch.where(ahead, left[1], right[1]),
        torch.where(ahead[:, None], left[2], right[2]),
    )


def only_the_right_shrinks(left, right):
    """You rescale the right side only, as if the left side always had the larger m.
    Either side can have it.
    """
    largest = torch.maximum(left[0], right[0])
    factor = torch.where(right[0] == -math.inf, 0.0, torch.exp(right[0] - largest))
    return largest, left[1] + factor * right[1], left[2] + factor[:, None] * right[2]


def nan_where_both_are_empty(left, right):
    """In a row in which both m are −inf, you compute −inf − (−inf), which is nan. Use torch.where to make the
    factor 0 there.
    """
    largest = torch.maximum(left[0], right[0])
    a, b = torch.exp(left[0] - largest), torch.exp(right[0] - largest)
    return largest, a * left[1] + b * right[1], a[:, None] * left[2] + b[:, None] * right[2]


def smaller_of_the_two(left, right):
    """You measure from the smaller of the two m, so the factors are above 1 and can overflow.
    Take the larger one.
    """
    smallest = torch.minimum(left[0], right[0])
    smallest = torch.where(smallest == -math.inf, torch.maximum(left[0], right[0]), smallest)
    total, read = torch.zeros_like(left[1]), torch.zeros_like(left[2])
    for own, count, value in (left, right):
        factor = torch.where(own == -math.inf, 0.0, torch.exp(own - smallest))
        total, read = total + factor * count, read + factor[:, None] * value
    return smallest, total, read


def a_not_rescaled(left, right):
    """You rescale ell but add a as it is. Both take the same two factors."""
    largest = torch.maximum(left[0], right[0])
    total, read = torch.zeros_like(left[1]), torch.zeros_like(left[2])
    for own, count, value in (left, right):
        factor = torch.where(own == -math.inf, 0.0, torch.exp(own - largest))
        total, read = total + factor * count, read + value
    return largest, total, read


def ell_not_rescaled(left, right):
    """You rescale a but add ell as it is. Both take the same two factors."""
    largest = torch.maximum(left[0], right[0])
    total, read = torch.zeros_like(left[1]), torch.zeros_like(left[2])
    for own, count, value in (left, right):
        factor = torch.where(own == -math.inf, 0.0, torch.exp(own - largest))
        total, read = total + count, read + factor[:, None] * value
    return largest, total, read


def divided(left, right):
    """You divide a by ell. The state holds plain sums: otherwise it could not be merged with a third one."""
    largest = torch.maximum(left[0], right[0])
    total, read = torch.zeros_like(left[1]), torch.zeros_like(left[2])
    for own, count, value in (left, right):
        factor = torch.where(own == -math.inf, 0.0, torch.exp(own - largest))
        total, read = total + factor * count, read + factor[:, None] * value
    return largest, total, torch.where(total[:, None] > 0, read / total[:, None].clamp(min=1e-300), 0.0)


def averaged(left, right):
    """You halve the sum of the two a. They are sums, not means, so they are added."""
    largest = torch.maximum(left[0], right[0])
    total, read = torch.zeros_like(left[1]), torch.zeros_like(left[2])
    for own, count, value in (left, right):
        factor = torch.where(own == -math.inf, 0.0, torch.exp(own - largest))
        total, read = total + factor * count, read + factor[:, None] * value / 2
    return largest, total, read


def largest_added(left, right):
    """You add the two m. The largest logit of all keys is the larger of the two."""
    largest = torch.maximum(left[0], right[0])
    total, read = torch.zeros_like(left[1]), torch.zeros_like(left[2])
    for own, count, value in (left, right):
        factor = torch.where(own == -math.inf, 0.0, torch.exp(own - largest))
        total, read = total + factor * count, read + factor[:, None] * value
    return left[0] + right[0], total, read


def one_sided_rows_lost(left, right):
    """In a row that is empty on one side, you lose the keys of the other side. Only the empty side should
    have the factor 0.
    """
    largest = torch.maximum(left[0], right[0])
    both = (left[0] > -math.inf) & (right[0] > -math.inf)
    total, read = torch.zeros_like(left[1]), torch.zeros_like(left[2])
    for own, count, value in (left, right):
        factor = torch.where(both, torch.exp(own - largest), 0.0)
        total, read = total + factor * count, read + factor[:, None] * value
    return largest, total, read


def changed_in_place(left, right):
    """A tensor of a given state is changed in place, by `m[…] = …`, `*=`, `+=` or a method such as `mul_`."""
    m = torch.maximum(left[0], right[0])
    for own, ell, a in (left, right):
        factor = torch.where(own == -math.inf, 0.0, torch.exp(own - m))
        ell *= factor
        a *= factor[:, None]
    return m, left[1] + right[1], left[2] + right[2]


KEY = AnswerKey(
    id="merge_states",
    hidden=hidden,
    reference=merge_states,
    accepted=(stacked, row_by_row, only_the_smaller_shrinks, by_means),
    rejected=(
        *(
            not_brought_together,
            larger_side_wins,
            only_the_right_shrinks,
            nan_where_both_are_empty,
            smaller_of_the_two,
        ),
        *(
            a_not_rescaled,
            ell_not_rescaled,
            divided,
            averaged,
            largest_added,
            one_sided_rows_lost,
            changed_in_place,
        ),
    ),
    fingerprint=fingerprint,
    commentary=r"""
    Each side has measured its sums from its own maximum. Before they can be added they must be measured from
    the same one, and that is the larger of the two: then both factors $e^{m_\text{own}-m}$ are at most 1 and
    nothing overflows. A side that has seen no key has $m = -\infty$, so its factor is 0 and it adds nothing.
    If both sides are empty, the difference would be $-\infty - (-\infty)$, which is nan; `torch.where` puts 0
    there. The common mistake is to rescale only one side. The online softmax of the exercise before is the
    special case in which the right side is one tile.
    """,
)
