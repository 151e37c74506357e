"""Exercise rekey_unit_select: a unit key that gets all the weight of a given query."""

from __future__ import annotations

import random

import torch
from course_exercises._concrete_keys import UNIT, selects, tensor_like, weights_of, with_key
from course_exercises._drawn_keys import another, draw_keys_and_query, pairs
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone, names_changes


def takes_over(answer: Answer, keys: Tensor, query: Tensor, case: str = "") -> None:
    """Raise NotYet unless the answer's key is of unit length and selects row 2."""
    case = case or another(keys, query=query)
    key = tensor_like(answer(keys, query), (3,), "the new key", case)
    length = float(key.norm())
    expect(
        abs(length - 1) <= UNIT,
        f"{case}, your new key has length {length:.9g}; it should have length 1, to within {UNIT:g}",
    )
    with names_changes(answer, ("K", "q"), keys, query):
        selects(weights_of(with_key(keys, 2, key), query), 2, f"{case}, with your new key in row 2")


def barely(keys: Tensor, query: Tensor) -> Tensor:
    """`query`, shorter or longer: the best unit key gets the weight 0.9904,
    one that points elsewhere soon less than 0.99.
    """
    low, high = 0.0, 64.0
    for _ in range(50):
        middle = (low + high) / 2
        logits = middle * torch.stack([keys[0] @ query, keys[1] @ query, query.norm(), keys[3] @ query])
        low, high = (low, middle) if float(logits.softmax(dim=0)[2]) > 0.9904 else (middle, high)
    return high * query


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The notebook's K and q and five other pairs: a key made for one q works for a random other with 36 %.

    For the last two only keys that point very nearly in the best direction are good enough.
    """
    (case, keys, query), *others = pairs(rng, 5)
    takes_over(answer, keys, query, case)
    for number, (_, keys, query) in enumerate(others, start=1):
        takes_over(answer, keys, barely(keys, query) if number > 3 else query)
    leaves_alone(answer, ("K", "q"), *draw_keys_and_query(rng))
    return right("a unit key takes more than 0.99 of the weight, with this K and q and with others")


EXERCISE = Exercise(
    id="rekey_unit_select",
    title="Win with a key of unit length",
    order=13,
    points=2,
    difficulty=2,
    importance=3,
    minutes=8,
    source="Washington, attention assignment §1.4.2",
    hints=(
        (
            "The length is fixed, so you choose only the direction of the new key. Which direction gives the"
            " largest logit?"
        ),
        "k·q = ‖k‖ ‖q‖ cos θ, and ‖k‖ = 1. For which θ is that largest?",
        "The new key should point in the direction of q. By which number must q be divided to get length 1?",
    ),
    check=check,
)
