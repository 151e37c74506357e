"""Exercise identity_map: four queries, each of which returns its own value."""

from __future__ import annotations

import random

from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.facts import Exercise, Verdict, expect, right
from kqa_core.check.lookup import KEYS, NEARLY_ALL, shown, tensor, weights_of


def judge(keys: Tensor, value: object) -> None:
    """Raise NotYet unless `value` is Q (4, 3) with softmax(Q Kᵀ) ≈ I for keys (4, 3)."""
    weights = weights_of(keys, tensor(value, (4, 3), "Q, one query a row,"), "one of your queries")
    for i in range(4):
        said = f"query {i} must give more than {NEARLY_ALL} of its weight to row {i}; yours gives {shown(weights[i])}"
        expect(bool(weights[i, i] > NEARLY_ALL), said)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The notebook's keys."""
    judge(KEYS, answer(KEYS))
    return right("softmax(Q Kᵀ) is the identity, to two digits")


EXERCISE = Exercise(
    id="identity_map",
    notebook="01_attention_as_a_lookup",
    order=7,
    points=2,
    difficulty=2,
    importance=4,
    minutes=10,
    source="Washington attention assignment §1.2",
    hints=(
        "Row i of Q Kᵀ holds the logits of query i. You have found one such query already.",
        "All four queries solve systems with the same matrix and different right-hand sides: solve them at once.",
        "torch.linalg.solve takes a matrix of right-hand sides, one a column: 20 times the identity. The solution "
        "holds one query "
        "a column (and the shift below it), so it still has to be turned.",
    ),
    check=check,
)
