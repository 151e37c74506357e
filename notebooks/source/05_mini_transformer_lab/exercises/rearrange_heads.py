"""Exercise rearrange_heads: heads shifted by one, and heads in a new random order."""

from __future__ import annotations

import random

from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.exercise_helpers.transformer_parts import agree, draw, tensor_of


def order_of(found: Tensor, heads: Tensor) -> tuple[int, ...]:
    """The head in each place. Raises NotYet if the heads came back changed,
    or in another order in each row.
    """
    _, n_head, _, _ = heads.shape
    same = (found[:, :, None] == heads[:, None]).all(dim=-1).all(dim=-1)  # (B, place, head)
    expect(
        bool(same.any(dim=2).all()),
        "every head should be returned unchanged, only in another place; some of yours were cut or mixed",
    )
    orders = same.float().argmax(dim=2)  # (B, place)
    expect(
        bool((orders == orders[0]).all()),
        "one order holds for the whole batch; yours differs from row to row",
    )
    order = tuple(int(head) for head in orders[0])
    expect(
        sorted(order) == list(range(n_head)), f"each head should be returned once; yours are {list(order)}"
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
    agree(found, heads.roll(1, dims=1), "the shifted heads hold different numbers than before")


def check(answer: Answer, rng: random.Random) -> Verdict:
    """A shift of three heads and of four; then twenty shuffles,
    each of which must be a whole order; heads not changed.
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
    expect(len(set(orders)) > 1, "twenty shuffles gave the same order each time; draw it anew at every call")
    for how in ("shift", "shuffle"):
        leaves_alone(answer, ("heads",), heads, how)
    return right("heads change places, and none is changed")


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
