"""Exercise select_first: a query that selects the first of four concrete keys."""

from __future__ import annotations

import random

from course_exercises._concrete_keys import K, selects, tensor_like, weights_of

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, right


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The notebook's K."""
    query = tensor_like(answer(K), (3,), "q")
    selects(weights_of(K, query), 0, "with the K of this notebook")
    return right("row 0 takes more than 0.99 of the weight")


EXERCISE = Exercise(
    id="select_first",
    title="Select the first row",
    order=6,
    points=1,
    difficulty=2,
    importance=4,
    minutes=10,
    source="Washington, attention assignment §1.2",
    hints=(
        "Try the key itself, times a large number, and look at the logits K @ q. Which row wins, and why?",
        "Ask for logits (t, 0, 0, 0) with t large. That is four equations for three unknowns; but adding one number to all "
        "logits changes no weight, so a fourth unknown is free.",
        "Append a column of ones to K: the last unknown is the common shift. Solve the 4 by 4 system for (t, 0, 0, 0) and leave "
        "the shift out of q.",
    ),
    check=check,
)
