"""Exercise exact_logits: a query for any weights you like, exactly."""

from __future__ import annotations

import random

import torch
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.facts import Exercise, Verdict, expect, right
from kqa_core.check.lookup import KEYS, shown, tensor, weights_of

TOLERANCE = 1e-10  # a thousand times what float64 loses on these keys; a float32 answer is off by about 1e-6


def judge(keys: Tensor, wanted: Tensor, value: object) -> None:
    """Raise NotYet unless `value` is a query (3,) whose weights on keys (4, 3) are `wanted` (4,), within 1e-10."""
    weights = weights_of(keys, tensor(value, (3,), "your query"))
    off = float((weights - wanted).abs().max())
    said = f"the weights should be {shown(wanted)} to within 1e-10; yours are {shown(weights)}, off by up to {off:.1g}"
    expect(off <= TOLERANCE, said)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """One set of weights on the notebook's keys."""
    wanted = torch.tensor([0.4, 0.3, 0.2, 0.1], dtype=torch.float64)
    judge(KEYS, wanted, answer(KEYS, wanted))
    return right("the weights are the ones asked for, to ten digits")


EXERCISE = Exercise(
    id="exact_logits",
    notebook="01_attention_as_a_lookup",
    order=8,
    points=2,
    difficulty=3,
    importance=3,
    minutes=15,
    source="Washington attention assignment §1.2, made exact",
    hints=(
        "Which logits give the weights w? There is more than one answer: which logits do not change the weights?",
        "softmax(log w) = w, and so is softmax(log w + c). Four equations K q = log w + c in three unknowns and c: "
        "four unknowns.",
        "Put a column of ones beside K and solve the 4 × 4 system for log w; drop the last unknown. K alone, by least squares, "
        "misses unless log w happens to lie in the range of K.",
    ),
    check=check,
)
