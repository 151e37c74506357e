"""Exercise average_first_two: a query that returns the mean of the first two values."""

from __future__ import annotations

import random

from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.facts import Exercise, Verdict, expect, right
from kqa_core.check.lookup import KEYS, SLACK, shown, tensor, weights_of


def judge(keys: Tensor, value: object) -> None:
    """Raise NotYet unless `value` is a query (3,) whose first two weights on keys (4, 3) are within 0.01 of a half."""
    weights = weights_of(keys, tensor(value, (3,), "your query"))
    off = float((weights[:2] - 0.5).abs().max())
    expect(off < SLACK, f"rows 0 and 1 should each get half of the weight, within {SLACK}; your query gives {shown(weights)}")


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The notebook's keys."""
    judge(KEYS, answer(KEYS))
    return right("rows 0 and 1 share the weight")


EXERCISE = Exercise(
    id="average_first_two",
    notebook="01_attention_as_a_lookup",
    order=10,
    points=2,
    difficulty=2,
    importance=4,
    minutes=10,
    source="Washington attention assignment §1.3",
    hints=(
        "Two things at once: the first two logits agree, and both are far above the others.",
        "q must be orthogonal to k_0 − k_1, and must prefer k_0 to k_2 and to k_3. Adding two queries that each select one row "
        "is not enough: look at what the sum does to the other row.",
        "With the column of ones: ask for the logits (20, 20, 0, 0).",
    ),
    check=check,
)
