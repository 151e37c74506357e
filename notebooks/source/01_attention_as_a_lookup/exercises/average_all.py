"""Exercise average_all: a query that averages all four values."""

from __future__ import annotations

import random

import torch
from course_exercises._concrete_keys import shares, tensor_like, weights_of
from course_exercises._drawn_keys import cases, draw_keys

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Question, Verdict, right
from kqa_core.check.helpers.effects import leaves_alone, names_changes


def predicted_call(rng: random.Random) -> tuple[tuple[torch.Tensor], dict[str, int]]:
    """Four keys, of which only one query has equal dot products with all; and a number of the first."""
    first = rng.randint(2, 9)
    keys = [[first, 0, 0], [0, 1, 0], [0, 0, 2], [1, 1, 1]]
    return (torch.tensor(keys, dtype=torch.float64),), {"first": first}


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The notebook's K, two others, and keys ten times and a thousand times as long."""
    for case, keys in cases(rng, scales=(10, 1000)):
        query = tensor_like(answer(keys), (3,), "q", case)
        with names_changes(answer, ("K",), keys):
            shares(weights_of(keys, query), 4, case)
    leaves_alone(answer, ("K",), draw_keys(rng))
    return right("all four values count the same, whichever keys there are")


EXERCISE = Exercise(
    id="average_all",
    title="Average all values",
    order=6,
    points=1,
    difficulty=1,
    importance=3,
    minutes=3,
    source="Washington, attention assignment §1.3.1",
    hints=(
        "Equal weights need equal logits.",
        "Which query has the same dot product with every key, whatever the keys are?",
        (
            "If four keys do not lie in one plane, only one query gives them equal logits, and all these"
            " logits are 0. You met it in part 1, at beta = 0."
        ),
    ),
    check=check,
    questions=(
        Question(
            "The keys are ({first}, 0, 0), (0, 1, 0), (0, 0, 2) and (1, 1, 1). What is the dot product of the"
            " first key with your query?",
            draw=predicted_call,
            reads=lambda query, keys: float(keys[0] @ torch.as_tensor(query, dtype=keys.dtype)),
        ),
        Question(
            "Your line is `{line}`. Why may the keys be ten times as long?",
            words="All logits are 0, however long the keys are, and equal logits give equal weights.",
        ),
    ),
)
