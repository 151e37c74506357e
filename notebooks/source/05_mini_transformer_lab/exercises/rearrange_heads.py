"""Exercise rearrange_heads: heads shifted by one, and heads in a new random order."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter

import torch
from torch import Tensor

from kqa_core.check.answer import Answer, AnswerRaised, Build
from kqa_core.check.exercise import POSSIBLE, Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.exercise_helpers.followed import SEEDS
from kqa_core.exercise_helpers.layout import new_tensor, not_contiguous
from kqa_core.exercise_helpers.transformer_parts import FOLLOWED, agree, difference, draw, tensor_of

ORDERS, LIMIT, REPEATED = 24, 85.0, 6
SURE = 35.0  # after half of the shuffles: no more are needed
PLACED = 600  # shuffles of a number of heads


def order_of(found: Tensor, heads: Tensor) -> tuple[int, ...]:
    """The head in each place. Raises NotYet if the heads came back changed,
    or in another order in each row.
    """
    _, n_head, _, _ = shape = tuple(heads.shape)
    same = (found[:, :, None] == heads[:, None]).all(dim=-1).all(dim=-1)  # (B, place, head)
    for row, place in (~same.any(dim=2)).nonzero().tolist()[:1]:
        raise NotYet(
            f"for heads {shape}, each place should hold a head of its row, unchanged; your place {place} of"
            f" row {row} holds none of them"
        )
    orders = same.float().argmax(dim=2)  # (B, place)
    for other in orders.tolist():
        expect(
            other == orders[0].tolist(),
            f"for heads {shape}, one order holds for the whole batch; a row of yours holds heads"
            f" {orders[0].tolist()}, another one {other}",
        )
    order = tuple(int(head) for head in orders[0])
    expect(
        sorted(order) == list(range(n_head)),
        f"for heads {shape}, each head should be returned once; your places hold heads {list(order)}",
    )
    return order


def shifted(answer: Answer, heads: Tensor) -> None:
    """Raise NotYet unless "shift" puts each head in the place of the next."""
    found = tensor_of(answer(heads, "shift"), tuple(heads.shape), heads.dtype, "the shifted heads")
    n_head = heads.shape[1]
    wanted = [(place - 1) % n_head for place in range(n_head)]
    order = order_of(found, heads)
    if list(order) != wanted:
        raise NotYet(f'after "shift" places 0 to {n_head - 1} hold heads {wanted}; yours hold {list(order)}')
    agree(
        found,
        heads.roll(1, dims=1),
        f'after "shift" of {n_head} heads, {difference(found, heads.roll(1, dims=1))}',
    )


def evenly(answer: Answer, rng: random.Random, shuffles: int) -> None:
    """Raise NotYet unless all 24 orders of four heads are about equally frequent. The sum of squares has
    23 degrees of freedom: it is above LIMIT with probability 5e-9, after all shuffles or after half of them.

    After half of them it is at most SURE for 95 % of the right answers. If each place is swapped with any
    place, its mean is 95 and its standard deviation 18 then.
    """
    heads = draw(rng, 2, 4, 3, 2)
    counts: Counter[tuple[int, ...]] = Counter()
    for made in (shuffles // 2, shuffles):
        counts += orders_of(answer, heads, made - counts.total())
        expect(
            len(counts) == ORDERS,
            f"four heads can stand in {ORDERS} orders; in {made} shuffles yours stood in {len(counts)}",
        )
        mean = made / ORDERS
        squares = sum((count - mean) ** 2 / mean for count in counts.values())
        expect(
            squares <= LIMIT,
            f"in {made} shuffles of four heads, each order should come about {mean:.0f} times. One of yours"
            f" came {max(counts.values())} times, another {min(counts.values())} times: not all orders are"
            " equally likely",
        )
        if squares <= SURE:
            return


def orders_of(answer: Answer, heads: Tensor, shuffles: int) -> Counter[tuple[int, ...]]:
    """How often each order came. Raises NotYet unless each result is an order."""
    seen: dict[bytes, tuple[int, ...]] = {}  # each result is looked at once
    counts: Counter[tuple[int, ...]] = Counter()
    before, alike = b"", 0
    for result in answer.map([(heads, "shuffle")] * shuffles):
        numbers = b""
        if isinstance(result, Tensor) and result.shape == heads.shape and result.dtype is heads.dtype:
            numbers = result.numpy().tobytes()
        if numbers not in seen:
            found = tensor_of(result, tuple(heads.shape), heads.dtype, "the shuffled heads")
            seen[numbers] = order_of(found, heads)
        counts[seen[numbers]] += 1
        alike += numbers == before
        before = numbers
    if shuffles >= 1_000:  # of at most 24 orders: it never happens with probability (23/24)^999, below 1e-18
        expect(
            alike > 0,
            f"in {shuffles} shuffles some order should come twice in a row by chance; none of yours did",
        )
    return counts


def from_the_global_generator(answer: Answer, rng: random.Random) -> None:
    """NotYet unless the same random numbers give the same orders."""
    heads = draw(rng, 1, 5, 2, 2)
    orders = []
    for _ in range(2):
        results = answer.map([(heads, "shuffle")] * REPEATED)
        orders.append(
            [
                order_of(tensor_of(each, (1, 5, 2, 2), heads.dtype, "the shuffled heads"), heads)
                for each in results
            ]
        )
        answer.rewind(REPEATED)
    expect(
        orders[0] == orders[1],
        "if the generators of torch, numpy and Python are seeded with the same numbers as before, your orders"
        f" should be the same; they are others. {POSSIBLE}they do not come from these generators alone",
    )


def unseeded(answer: Answer, rng: random.Random) -> None:
    """NotYet if a generator ends in the same state although two calls begin with different ones."""
    heads = draw(rng, 2, 4, 3, 2)
    for name in SEEDS:
        ends = []
        for seed in (1, 2):
            try:
                answer(
                    Build(f"{FOLLOWED}:noting", (heads,)),
                    Build(f"{FOLLOWED}:seeding", ("shuffle", name, seed)),
                )
            except AnswerRaised:  # code that cannot work with such a tensor
                return
            states = answer.method(Build(f"{FOLLOWED}:states"), "copy")
            ends.append(states.get(name) if isinstance(states, dict) else None)
        expect(
            ends[0] is None or ends[0] != ends[1],
            f"after a shuffle the generator of {name} is in one state, whatever seed was set before it."
            f" {POSSIBLE}your function seeds it, or sets its state",
        )


def in_all_places(answer: Answer, rng: random.Random, n_head: int) -> None:
    """NotYet unless each head comes to each place about equally often.

    A count is Binomial(600, 1/n_head). It is off by more than 6.5 standard deviations with probability below
    1e-8 for all counts together.
    """
    heads = draw(rng, 1, n_head, 1, 2)
    counts: Counter[tuple[int, int]] = Counter()
    for order, count in orders_of(answer, heads, PLACED).items():
        for place, head in enumerate(order):
            counts[head, place] += count
    mean = PLACED / n_head
    slack = 6.5 * math.sqrt(mean * (1 - 1 / n_head))
    for head in range(n_head):
        for place in range(n_head):
            expect(
                abs(counts[head, place] - mean) <= slack,
                f"in {counts[head, place]} of {PLACED} shuffles of {n_head} heads, head {head} came to place"
                f" {place}; about {mean:.0f} are expected, because all orders are equally likely",
            )


def many_heads(answer: Answer, rng: random.Random, dtype: torch.dtype = torch.float64) -> None:
    """NotYet unless forty heads are shifted as few are, and eight heads are shuffled fairly. Counted in sixty
    shuffles: how often the next place has a head with a larger number.

    Of 7 neighbours in a fair order, the number of such places has mean 3.5 and variance 9/12. The sum over 60
    orders is off by more than 44, which is 6.5 of its standard deviations, with probability below 1e-9.
    Eight, because a right answer may list all orders.
    """
    shifted(answer, draw(rng, 1, 40, 1, 2, dtype=dtype))
    heads = draw(rng, 1, 8, 1, 2, dtype=dtype)
    rises = sum(
        count * sum(a < b for a, b in itertools.pairwise(order))
        for order, count in orders_of(answer, heads, 60).items()
    )
    expect(
        abs(rises - 60 * 3.5) <= 44,
        f"in 60 shuffles of 8 heads, a head is followed by one with a larger number {rises} times; about 210"
        " are expected, because all orders are equally likely",
    )


def in_other_layouts(answer: Answer, rng: random.Random) -> None:
    """NotYet unless heads that are not contiguous, and heads in float32, are rearranged as others are."""
    heads = draw(rng, 2, 3, 4, 2)
    for how, axes in itertools.product(("shift", "shuffle"), ((0, 1), (1, 2))):
        found = not_contiguous(answer, heads, how, axes=axes)
        order = order_of(tensor_of(found, (2, 3, 4, 2), heads.dtype, f"what you return for {how!r}"), heads)
        expect(
            how == "shuffle" or order == (2, 0, 1),
            'after "shift" of three heads that are not contiguous in memory, places 0 to 2 hold heads [2, 0,'
            " 1];"
            f" yours hold {list(order)}",
        )
        found = answer(heads.float(), how)
        what = f"what you return for {how!r} in float32"
        order_of(tensor_of(found, (2, 3, 4, 2), torch.float32, what), heads.float())


def check(answer: Answer, rng: random.Random) -> Verdict:
    """A shift of three heads and of four; then twenty shuffles,
    each of which must be a whole order; no generator seeded; a new tensor; all orders equally often.
    """
    shifted(answer, draw(rng, 2, 3, 5, 4))
    shifted(answer, draw(rng, 3, 4, 2, 6))
    heads = draw(rng, 2, 4, 3, 2)
    results = answer.map([(heads, "shuffle")] * 20)
    orders = [
        order_of(tensor_of(each, tuple(heads.shape), heads.dtype, "the shuffled heads"), heads)
        for each in results
    ]
    # 20 draws of 24 orders are all equal with probability 24⁻¹⁹, below 1e-26
    expect(
        len(set(orders)) > 1,
        "twenty shuffles of four heads should not all give the same order; each of yours gave"
        f" {list(orders[0])}",
    )
    from_the_global_generator(answer, rng)
    unseeded(answer, rng)
    for n_head in (1, 3):
        for how in ("shift", "shuffle"):
            new_tensor(answer, draw(rng, 2, n_head, 3, 2), how)
    for how in ("shift", "shuffle"):
        leaves_alone(answer, ("heads",), heads, how)
    for n_head in (2, 6):
        in_all_places(answer, rng, n_head)
    many_heads(answer, rng)
    in_other_layouts(answer, rng)
    evenly(answer, rng, 4_800)
    return right("heads change places, none is changed, and all orders are equally likely")


EXERCISE = Exercise(
    id="rearrange_heads",
    title="Rearrange the heads",
    order=8,
    points=2,
    difficulty=2,
    importance=3,
    minutes=10,
    source="Washington mini-Transformer lab, §2.2",
    hints=(
        "The heads lie along axis 1. Nothing is computed here: the same tensors move to other places.",
        (
            "A shift is a roll along axis 1. For a shuffle draw a random order of the heads once, and index"
            " axis 1 with it."
        ),
        (
            'if how == "shift": torch.roll by one place along dim 1. Otherwise torch.randperm(n_head) is an'
            " order, and heads[:, order] applies it to all rows of the batch at once."
        ),
    ),
    check=check,
)
