"""Exercise rekey_average_three: leave the query, change a key."""

from __future__ import annotations

import random

from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.facts import Exercise, Verdict, expect, right
from kqa_core.check.lookup import REKEY_KEYS, REKEY_QUERY, SLACK, shown, tensor, weights_of


def judge(keys: Tensor, query: Tensor, value: object) -> None:
    """Raise NotYet unless keys (4, 3) with `value` (3,) as row 2 give rows 0, 1 and 2 a third each, for `query` (3,)."""
    changed = keys.clone()
    changed[2] = tensor(value, (3,), "the new k_2")
    weights = weights_of(changed, query, "your k_2")
    off = float((weights[:3] - 1 / 3).abs().max())
    expect(
        off < SLACK, f"rows 0, 1 and 2 should each get a third, within {SLACK}; with your k_2 the weights are {shown(weights)}"
    )


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The notebook's second set of keys."""
    judge(REKEY_KEYS, REKEY_QUERY, answer(REKEY_KEYS, REKEY_QUERY))
    return right("the same query now averages three values")


EXERCISE = Exercise(
    id="rekey_average_three",
    notebook="01_attention_as_a_lookup",
    order=11,
    points=1,
    difficulty=2,
    importance=3,
    minutes=8,
    source="Washington attention assignment §1.4",
    hints=(
        "The query is fixed. What does it see of a key?",
        "It sees k·q and nothing else. Which number must k_2·q be?",
        "Any k_2 with k_2·q = k_0·q will do, and there is a whole plane of them; one of its points you were given with K.",
    ),
    check=check,
)
