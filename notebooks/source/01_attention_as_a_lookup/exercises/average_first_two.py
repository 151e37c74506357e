"""Exercise average_first_two: a query that averages the first two of four concrete keys' values."""

from __future__ import annotations

import random

from course_exercises._concrete_keys import shares, tensor_like, weights_of
from course_exercises._drawn_keys import cases

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, right


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The notebook's K and two others."""
    for case, keys, _ in cases(rng):
        query = tensor_like(answer(keys), (3,), "q")
        shares(weights_of(keys, query), 2, case)
    return right("rows 0 and 1 share the weight, with this K and with others")


EXERCISE = Exercise(
    id="average_first_two",
    title="Average the first two values",
    order=12,
    points=1,
    difficulty=2,
    importance=3,
    minutes=5,
    source="Washington, attention assignment §1.3.2",
    hints=(
        "Which four weights do you want? Are all of them positive?",
        "exact_logits reaches any positive weights. Choose weights within 0.01 of ½, ½, 0 and 0.",
        "For example 0.499, 0.499, 0.001 and 0.001, as a float64 tensor. Without exact_logits: solve for the logits (t, t, 0, "
        "0) with a large t, up to a common shift.",
    ),
    check=check,
)
