"""Answer key of rearrange_heads.

- The hidden check counts the orders of 2,400 shuffles of four heads, and where they leave a doubt, of 4,800:
  about 200 for each of the 24. For a fair shuffle, the sum of (count − 200)²/200 has a chi-square
  distribution with 23 degrees of freedom: it is above `LIMIT` with probability 5e-9. If each place is swapped
  with any place, its mean is 166 and its standard deviation 25.
- In every right answer, the same random numbers give the same orders. `REPEATED` orders of five heads from
  another source agree with the ones before with probability 120⁻⁶ = 3e-13.
"""

from __future__ import annotations

import random

import torch
from course_exercises.rearrange_heads import (
    evenly,
    from_the_global_generator,
    in_all_places,
    in_other_layouts,
    many_heads,
    order_of,
    shifted,
    unseeded,
)
from torch import Tensor

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.exercise_helpers.layout import new_tensor
from kqa_core.exercise_helpers.transformer_parts import draw, tensor_of


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Shifts of other sizes and in another layout;
    the global generators; many shuffles, all orders equally often.
    """
    for shape in ((1, 1, 4, 2), (2, 2, 1, 3), (4, 5, 3, 1), (3, 3, 3, 3)):
        shifted(answer, draw(rng, *shape))
    shifted(answer, draw(rng, 2, 3, 4, 2, dtype=torch.float32))
    heads = draw(rng, 3, 3, 3, 3)
    for value in answer.map([(heads, "shuffle")] * 6):
        order_of(tensor_of(value, (3, 3, 3, 3), heads.dtype, "the shuffled heads"), heads)
    in_other_layouts(answer, rng)
    many_heads(answer, rng, torch.float32)
    from_the_global_generator(answer, rng)
    unseeded(answer, rng)
    for how in ("shift", "shuffle"):
        new_tensor(answer, draw(rng, 1, 1, 3, 2), how)
    for n_head in (2, 5, 7):
        in_all_places(answer, rng, n_head)
    evenly(answer, rng, 2_400)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Shifts of several sizes, and a few shuffles."""
    calls: list[tuple[Tensor, str]] = [
        (draw(rng, *shape), "shift") for shape in ((3, 3, 3, 3), (1, 4, 2, 2), (2, 5, 3, 2))
    ]
    return [*calls, *[(draw(rng, 2, 3, 3, 2), "shuffle") for _ in range(8)]]


def rearrange_heads(heads, how):
    """The reference."""
    if how == "shift":
        return heads.roll(1, dims=1)
    return heads[:, torch.randperm(heads.shape[1])]


def by_hand(heads, how):
    """Lists of heads, Python's own shuffle."""
    parts = list(heads.unbind(dim=1))
    if how == "shift":
        parts = parts[-1:] + parts[:-1]
    else:
        random.shuffle(parts)
    return torch.stack(parts, dim=1)


def by_matrix(heads, how):
    """A permutation matrix from the left."""
    n = heads.shape[1]
    order = (torch.arange(n) - 1) % n if how == "shift" else torch.rand(n).argsort()
    return torch.einsum("ph,bhtc->bptc", torch.eye(n, dtype=heads.dtype)[order], heads)


def into_place(heads, how):
    """Writes each head to where it goes."""
    n = heads.shape[1]
    goes = [(h + 1) % n for h in range(n)] if how == "shift" else random.sample(range(n), n)
    out = torch.empty_like(heads)
    for h, place in enumerate(goes):
        out[:, place] = heads[:, h]
    return out


def numpy_order(heads, how):
    """index_select, with numpy's permutation."""
    import numpy as np

    n = heads.shape[1]
    order = np.roll(np.arange(n), 1) if how == "shift" else np.random.permutation(n)
    return heads.index_select(1, torch.from_numpy(order.copy()))


def backwards(heads, how):
    """You shift in the wrong direction. Head h should move to the place of head h + 1,
    and the last head to place 0.
    """
    return heads.roll(-1, dims=1) if how == "shift" else heads[:, torch.randperm(heads.shape[1])]


def over_time(heads, how):
    """You roll axis 2, which is time: position t would get the vector of position t − 1.
    The heads are along axis 1.
    """
    return heads.roll(1, dims=2) if how == "shift" else heads[:, torch.randperm(heads.shape[1])]


def over_components(heads, how):
    """You roll the components within each head. The heads themselves, along axis 1, do not move."""
    return heads.roll(1, dims=3) if how == "shift" else heads[:, torch.randperm(heads.shape[1])]


def no_axis(heads, how):
    """You roll without dims, which rolls the flattened tensor by a single number. Use dims=1."""
    return heads.roll(1) if how == "shift" else heads[:, torch.randperm(heads.shape[1])]


def last_dropped(heads, how):
    """Your shift fills the first place with zeros and loses the last head.
    The last head moves to the first place.
    """
    if how == "shift":
        return torch.cat((torch.zeros_like(heads[:, :1]), heads[:, :-1]), dim=1)
    return heads[:, torch.randperm(heads.shape[1])]


def reversed_heads(heads, how):
    """You reverse the order of the heads. A shift moves each head by one place."""
    return heads.flip(1) if how == "shift" else heads[:, torch.randperm(heads.shape[1])]


def always_the_same(heads, how):
    """Your shuffle gives the same order at every call, as if a generator is seeded in the function, and the
    projection can learn it. Draw it anew.
    """
    if how == "shift":
        return heads.roll(1, dims=1)
    return heads[:, torch.randperm(heads.shape[1], generator=torch.Generator().manual_seed(3))]


def row_by_row(heads, how):
    """You draw an order for each row of the batch. One order holds for the whole batch."""
    if how == "shift":
        return heads.roll(1, dims=1)
    return torch.stack([row[torch.randperm(heads.shape[1])] for row in heads])


def with_repeats(heads, how):
    """You draw the head of each place independently, so one may appear twice and another not at all.
    Draw an order (randperm).
    """
    if how == "shift":
        return heads.roll(1, dims=1)
    return heads[:, torch.randint(heads.shape[1], (heads.shape[1],))]


def only_rotations(heads, how):
    """Your shuffle is a shift by a random number of places: only half of the orders of three heads can occur.
    All orders must be equally likely.
    """
    if how == "shift":
        return heads.roll(1, dims=1)
    return heads.roll(random.randrange(heads.shape[1]), dims=1)


def one_swap(heads, how):
    """Your shuffle exchanges two heads once: some orders never occur,
    others too often. Draw a whole order.
    """
    if how == "shift":
        return heads.roll(1, dims=1)
    order = list(range(heads.shape[1]))
    i, j = random.randrange(len(order)), random.randrange(len(order))
    order[i], order[j] = order[j], order[i]
    return heads[:, order]


def swaps_with_any(heads, how):
    """You swap each place with any place. Then some orders are likelier than others.
    Swap place i with a place from i on.
    """
    if how == "shift":
        return heads.roll(1, dims=1)
    order = list(range(heads.shape[1]))
    for i in range(len(order)):
        j = random.randrange(len(order))
        order[i], order[j] = order[j], order[i]
    return heads[:, order]


def never_as_they_were(heads, how):
    """You draw again if the order is the old one.
    All orders must be equally likely, the old one among them.
    """
    if how == "shift":
        return heads.roll(1, dims=1)
    n = heads.shape[1]
    order = torch.randperm(n)
    while n > 1 and order.tolist() == list(range(n)):
        order = torch.randperm(n)
    return heads[:, order]


def time_shuffled(heads, how):
    """Your shuffle reorders axis 2: positions change places,
    and the future may come before the past. Reorder axis 1.
    """
    if how == "shift":
        return heads.roll(1, dims=1)
    return heads[:, :, torch.randperm(heads.shape[2])]


KEY = AnswerKey(
    id="rearrange_heads",
    hidden=hidden,
    reference=rearrange_heads,
    accepted=(by_hand, by_matrix, into_place, numpy_order),
    rejected=(
        *(
            backwards,
            over_time,
            over_components,
            no_axis,
            last_dropped,
            reversed_heads,
            always_the_same,
            row_by_row,
        ),
        *(with_repeats, only_rotations, one_swap, swaps_with_any, never_as_they_were, time_shuffled),
    ),
    fingerprint=fingerprint,
    commentary=(
        "`roll(1, dims=1)` moves head $h$ to place $h+1$ and the last head to place 0. For the shuffle, one"
        " `randperm` is an order of the heads, and indexing axis 1 with it applies the same order to every"
        " row of the batch. The order must be drawn at each call: with a fixed order, $W_O$ would learn it,"
        " as it learns the shift."
    ),
)
