"""Exercise average_all: a query that returns the mean of all values."""

from __future__ import annotations

import random

from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.facts import Exercise, Verdict, expect, right
from kqa_core.check.lookup import KEYS, SLACK, shown, tensor, weights_of


def judge(keys: Tensor, value: object) -> None:
    """Raise NotYet unless `value` is a query (3,) whose four weights on keys (4, 3) are all within 0.01 of a quarter."""
    weights = weights_of(keys, tensor(value, (3,), "your query"))
    off = float((weights - 0.25).abs().max())
    expect(off < SLACK, f"all four weights should be 0.25, within {SLACK}; yours are {shown(weights)}")


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The notebook's keys."""
    judge(KEYS, answer(KEYS))
    return right("every value counts a quarter")


EXERCISE = Exercise(
    id="average_all",
    notebook="01_attention_as_a_lookup",
    order=9,
    points=1,
    difficulty=1,
    importance=3,
    minutes=5,
    source="Washington attention assignment §1.3",
    hints=(
        "Equal weights mean equal logits.",
        "You need k_0·q = k_1·q = k_2·q = k_3·q. Count the conditions, and the unknowns.",
        "For these keys the three differences k_i − k_0 are independent, so the only q orthogonal to all of them is the shortest "
        "query there is.",
    ),
    check=check,
)
