"""Answer key of causal_mask."""

from __future__ import annotations

import random

import torch
from course_exercises.causal_mask import judge

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.transformer_parts import again


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Every length up to 10, and longer ones. One of them many times."""
    for T in (*range(1, 11), rng.randint(11, 40), 65):
        judge(again(answer, T), T)
    longest = rng.randint(850, 900)
    judge(again(answer, longest), longest)
    steady(answer, 3)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Some lengths."""
    return [(20,), (1,), (4,), (9,), (610,)]


def causal_mask(T):
    """The reference."""
    return torch.ones(T, T, dtype=torch.bool).tril()


def by_comparing(T):
    """Numbers of rows against numbers of columns."""
    t = torch.arange(T)
    return t[:, None] >= t


def not_the_future(T):
    """Everything but what lies above the diagonal."""
    return ~torch.triu(torch.full((T, T), True), diagonal=1)


def row_by_row(T):
    """A Python list of rows."""
    return torch.tensor([[s <= t for s in range(T)] for t in range(T)])


def by_adding_up(T):
    """Running sums down a unit matrix: a key, once there, stays."""
    return torch.eye(T).cumsum(dim=0) > 0.5


def by_indices(T):
    """Writes True at the places of the triangle."""
    mask = torch.zeros(T, T, dtype=torch.bool)
    rows, columns = torch.tril_indices(T, T)
    mask[rows, columns] = True
    return mask


def inverted(T):
    """Your mask is inverted: it should be True where attention is allowed."""
    return torch.ones(T, T, dtype=torch.bool).triu(1)


def transposed(T):
    """Your mask is transposed. Rows should be queries and columns keys, so that row 0 allows only itself."""
    return torch.ones(T, T, dtype=torch.bool).triu()


def without_itself(T):
    """You do not let a position attend to itself. Without that, position 0 has no key at all."""
    return torch.ones(T, T, dtype=torch.bool).tril(-1)


def one_too_far(T):
    """Each row allows one position of the future, which is the token it should predict."""
    return torch.ones(T, T, dtype=torch.bool).tril(1)


def zeros_and_ones(T):
    """You return numbers. The mask should have dtype torch.bool,
    because `~` and masked_fill need True and False.
    """
    return torch.ones(T, T).tril()


def whole_numbers(T):
    """You return whole numbers. The mask should have dtype torch.bool:
    on integers `~` turns over the bits, so it does not mean “not”.
    """
    return torch.ones(T, T, dtype=torch.long).tril()


def to_be_added(T):
    """You return 0 and minus infinity, to be added to the scores.
    Return the mask itself: True where attention is allowed.
    """
    return torch.zeros(T, T).masked_fill(torch.ones(T, T, dtype=torch.bool).triu(1), float("-inf"))


def everything(T):
    """You allow everything. Position t must not attend to positions after t."""
    return torch.ones(T, T, dtype=torch.bool)


def only_itself(T):
    """Each position attends to itself only. Earlier positions are allowed too."""
    return torch.eye(T, dtype=torch.bool)


def only_the_first_eight(T):
    """Positions from 8 on are forbidden, whatever T is, as if a length were written into the code."""
    t = torch.arange(T)
    return (t[:, None] >= t) & (t < 8)


def with_batch_axes(T):
    """You add axes for batch and heads. They are not needed: a mask of shape (T, T) broadcasts by itself."""
    return torch.ones(T, T, dtype=torch.bool).tril()[None, None]


def flipped(T):
    """Your triangle lies on the wrong side: position t attends to the last t + 1
    positions and not to the first.
    """
    return torch.ones(T, T, dtype=torch.bool).tril().flip(1)


def window_of_four(T):
    """You allow only the last four positions. Causal means every position that is not later."""
    t = torch.arange(T)
    return (t[:, None] >= t) & (t[:, None] - t < 4)


KEY = AnswerKey(
    id="causal_mask",
    hidden=hidden,
    reference=causal_mask,
    accepted=(by_comparing, not_the_future, row_by_row, by_adding_up, by_indices),
    rejected=(
        *(
            inverted,
            transposed,
            without_itself,
            one_too_far,
            zeros_and_ones,
            whole_numbers,
            to_be_added,
            everything,
            only_itself,
        ),
        *(only_the_first_eight, with_batch_axes, flipped, window_of_four),
    ),
    fingerprint=fingerprint,
    commentary="""
    `tril` keeps the lower triangle with the diagonal, so row t is True up to column t. The dtype must be
    bool, because `masked_fill` and `~` need it. Typical slips are the upper triangle (rows are queries,
    columns are keys) and a mask without the diagonal, whose first row has no key at all.
    """,
)
