"""Exercise average_first_two: a query that averages the first two of four concrete keys' values."""

from __future__ import annotations

import random

from course_exercises._concrete_keys import shares, tensor_like, weights_of
from course_exercises._drawn_keys import cases, draw_keys

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, right
from kqa_core.check.helpers.effects import leaves_alone, names_changes


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The notebook's K, two others, keys a fifth as long, and fifty times as long."""
    for case, keys in cases(rng, scales=(0.2, 50)):
        query = tensor_like(answer(keys), (3,), "q", case)
        with names_changes(answer, ("K",), keys):
            shares(weights_of(keys, query), 2, case)
    leaves_alone(answer, ("K",), draw_keys(rng))
    return right("rows 0 and 1 share the weight, with this K and with others")


EXERCISE = Exercise(
    id="average_first_two",
    title="Average the first two values",
    order=8,
    points=1,
    difficulty=2,
    importance=3,
    minutes=5,
    source="Washington, attention assignment §1.3.2",
    hints=(
        "Rows 0 and 1 should have equal logits. Which leads should row 0 have over rows 1, 2 and 3?",
        (
            "The lead over row 1 is 0. The leads over rows 2 and 3 are large and equal. These are again three"
            " equations for the three entries of q."
        ),
        (
            "The matrix is K[0] - K[1:], as in select_first. Put 0, t, t on the right, as a float64 tensor,"
            " and solve. A lead t of 6 is enough."
        ),
    ),
    check=check,
)
