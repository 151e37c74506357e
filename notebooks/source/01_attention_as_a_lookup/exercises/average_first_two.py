"""Exercise average_first_two: a query that averages the first two of four concrete keys' values."""

from __future__ import annotations

import random

from course_exercises._concrete_keys import K, shares, tensor_like, weights_of

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, right


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The notebook's K."""
    query = tensor_like(answer(K), (3,), "q")
    shares(weights_of(K, query), 2, "with the K of this notebook")
    return right("rows 0 and 1 share the weight")


EXERCISE = Exercise(
    id="average_first_two",
    title="Average two values with skewed keys",
    order=10,
    points=2,
    difficulty=2,
    importance=3,
    minutes=8,
    source="Washington, attention assignment §1.4",
    hints=(
        "What did average_two ask of the logits? The same holds here, only that the keys are not orthonormal.",
        "Ask for logits (t, t, 0, 0) with t large, up to a common shift.",
        "It is the system of select_first with another right-hand side. Or use that logits are linear in the query: combine the "
        "query that selects row 0 with the one that selects row 1.",
    ),
    check=check,
)
