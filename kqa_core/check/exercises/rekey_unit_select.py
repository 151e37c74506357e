"""Exercise rekey_unit_select: a key of length one that takes everything."""

from __future__ import annotations

import random

from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.facts import Exercise, Verdict, expect, right
from kqa_core.check.lookup import NEARLY_ALL, REKEY_KEYS, REKEY_QUERY, shown, tensor, weights_of

UNIT = 1e-6  # how far the length may be from 1: enough for float32


def judge(keys: Tensor, query: Tensor, value: object) -> None:
    """Raise NotYet unless `value` (3,) is a unit vector that, as row 2 of keys (4, 3), gets more than 0.99 of the weight."""
    key = tensor(value, (3,), "the new k_2")
    changed = keys.clone()
    changed[2] = key
    length = float(key.norm())
    expect(abs(length - 1) <= UNIT, f"the new k_2 must have length 1; yours has length {length:.6g}")
    weights = weights_of(changed, query, "your k_2")
    said = f"row 2 must get more than {NEARLY_ALL} of the weight; with your k_2 the weights are {shown(weights)}"
    expect(bool(weights[2] > NEARLY_ALL), said)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The notebook's second set of keys."""
    judge(REKEY_KEYS, REKEY_QUERY, answer(REKEY_KEYS, REKEY_QUERY))
    return right("a key of length one, and the query finds nothing else")


EXERCISE = Exercise(
    id="rekey_unit_select",
    notebook="01_attention_as_a_lookup",
    order=12,
    points=2,
    difficulty=3,
    importance=4,
    minutes=10,
    source="Washington attention assignment §1.4",
    hints=(
        "Among all keys of length one, which has the largest dot product with q?",
        "Cauchy–Schwarz: k·q ≤ ‖k‖‖q‖, with equality for one direction only.",
        "That direction is q's own. Divide q by its length, and compare ‖q‖ with k_0·q to see why it wins.",
    ),
    check=check,
)
