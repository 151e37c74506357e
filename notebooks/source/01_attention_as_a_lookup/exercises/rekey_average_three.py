"""Exercise rekey_average_three: a new key that makes the same query average three values."""

from __future__ import annotations

import random

import torch
from course_exercises._concrete_keys import shares, tensor_like, weights_of, with_key
from course_exercises._drawn_keys import another, draw_keys_and_query, pairs

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, right
from kqa_core.check.helpers.effects import leaves_alone, names_changes

WITH_ZEROS = (  # keys (4, 3) and a query (3,)
    torch.tensor([[2.0, 3, 1], [-1, 3, 0], [0, 0, 2], [1, -1, 0]], dtype=torch.float64),
    torch.tensor([0.0, 10, 0], dtype=torch.float64),
)
ZEROS = another(WITH_ZEROS[0], query=WITH_ZEROS[1])


def averages_three(answer: Answer, keys: torch.Tensor, query: torch.Tensor, case: str) -> None:
    """Raise NotYet unless rows 0, 1 and 2 share the weight with the answer's key in row 2."""
    key = tensor_like(answer(keys, query), (3,), "the new key", case)
    with names_changes(answer, ("K", "q"), keys, query):
        shares(weights_of(with_key(keys, 2, key), query), 3, f"{case}, with your new key in row 2")


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The notebook's K and q and two other pairs."""
    for case, keys, query in (*pairs(rng), (ZEROS, *WITH_ZEROS)):
        averages_three(answer, keys, query, case)
    leaves_alone(answer, ("K", "q"), *draw_keys_and_query(rng))
    return right(
        "with the new key the same query averages the first three values, with this K and q and with others"
    )


EXERCISE = Exercise(
    id="rekey_average_three",
    title="Change a key to average three values",
    order=12,
    points=1,
    difficulty=1,
    importance=3,
    minutes=5,
    source="Washington, attention assignment §1.4.1",
    hints=(
        "The query stays the same. Which logit must row 2 have to get as much weight as rows 0 and 1?",
        (
            "The softmax sees a key only through its dot product with q. How many keys have a given dot"
            " product with q?"
        ),
        "You already know two keys whose dot product with q is the one you need.",
    ),
    check=check,
)
