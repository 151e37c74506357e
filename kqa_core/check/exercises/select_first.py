"""Exercise select_first: a query that returns the first value."""

from __future__ import annotations

import random

from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.facts import Exercise, Verdict, expect, right
from kqa_core.check.lookup import KEYS, NEARLY_ALL, shown, tensor, weights_of


def judge(keys: Tensor, value: object) -> None:
    """Raise NotYet unless `value` is a query (3,) that puts more than 0.99 of the weight on row 0 of keys (4, 3)."""
    weights = weights_of(keys, tensor(value, (3,), "your query"))
    said = f"row 0 must get more than {NEARLY_ALL} of the weight; your query gives {shown(weights)}"
    expect(bool(weights[0] > NEARLY_ALL), said)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The notebook's keys."""
    judge(KEYS, answer(KEYS))
    return right("row 0 gets more than 0.99 of the weight")


EXERCISE = Exercise(
    id="select_first",
    notebook="01_attention_as_a_lookup",
    order=6,
    points=1,
    difficulty=2,
    importance=4,
    minutes=10,
    source="Washington attention assignment §1.2",
    hints=(
        "Only differences of logits count. Which differences must be large, and which do not matter?",
        "You have three unknowns and four logits, but softmax does not see a shift that all logits share: use that shift as the "
        "fourth unknown.",
        "Solve [K 1](q, c) = (20, 0, 0, 0): a 4 × 4 system with a column of ones beside K. Its first three unknowns "
        "are the query.",
    ),
    check=check,
)
