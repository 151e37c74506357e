"""Exercise select_first: a query that selects the first of four concrete keys."""

from __future__ import annotations

import random

import torch
from course_exercises._concrete_keys import selects, tensor_like, weights_of
from course_exercises._drawn_keys import another, cases, draw_keys, scaled

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, right
from kqa_core.check.helpers.effects import leaves_alone, names_changes

# descent with steps of one size goes past the weights wanted here
LONG = torch.tensor([[39, 1, -30], [118, 4, -40], [-108, -41, -100], [9, 127, -113]], dtype=torch.float64)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The notebook's K and three others: a query made for one K works for a random other with 5 %."""
    for case, keys in cases(rng, 3):
        query = tensor_like(answer(keys), (3,), "q", case)
        with names_changes(answer, ("K",), keys):
            selects(weights_of(keys, query), 0, case)
    keys = draw_keys(rng)
    exchanged = ", one that was right, with rows 2 and 3 exchanged"
    for words, order in (
        ("", [0, 1, 2, 3]),
        (exchanged, [0, 1, 3, 2]),
    ):  # the plane of rows 1 to 3 has two sides
        case = another(keys[order], words)
        query = tensor_like(answer(keys[order]), (3,), "q", case)
        selects(weights_of(keys[order], query), 0, case)
    # long keys need short queries, which cannot be rounded
    for case, keys in (*scaled(100.0, rng), (another(LONG), LONG)):
        selects(weights_of(keys, tensor_like(answer(keys), (3,), "q", case)), 0, case)
    leaves_alone(answer, ("K",), draw_keys(rng))
    return right("row 0 takes more than 0.99 of the weight, with this K and with others")


EXERCISE = Exercise(
    id="select_first",
    title="Select the first row",
    order=7,
    points=1,
    difficulty=2,
    importance=4,
    minutes=12,
    source="Washington, attention assignment §1.2.1",
    hints=(
        (
            "Look at the example in the plane again. Row 0 should lead each of the other rows by the same"
            " amount t."
        ),
        (
            "The lead over row i is (k_0 − k_i) · q. For i = 1, 2, 3 these are three equations for the three"
            " entries of q."
        ),
        (
            "K[0] - K[1:] has shape (3, 3), one difference in each row. Put t, t, t on the right, as a"
            " float64 tensor, and solve with torch.linalg.solve, as in the example in the plane. A lead of"
            " about 6 gives 0.99."
        ),
    ),
    check=check,
)
