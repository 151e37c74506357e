"""Exercise identity_map: four queries, each of which selects its own key."""

from __future__ import annotations

import random

from course_exercises._concrete_keys import selects, tensor_like, weights_of
from course_exercises._drawn_keys import cases, draw_keys
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, right
from kqa_core.check.helpers.effects import leaves_alone, names_changes


def maps_to_itself(answer: Answer, keys: Tensor, case: str) -> None:
    """Raise NotYet unless row i of the answer's Q selects key i, for all i."""
    queries = tensor_like(answer(keys), (4, 3), "Q", case)
    weights = weights_of(keys, queries)  # (4, 4), a row for each query
    with names_changes(answer, ("K",), keys):
        for i, row in enumerate(weights):
            selects(row, i, case, f"row {i} of softmax(Q @ K.T) is")


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The notebook's K, two others, keys a fifth as long, and fifty times as long."""
    for case, keys in cases(rng, scales=(0.2, 50)):
        maps_to_itself(answer, keys, case)
    leaves_alone(answer, ("K",), draw_keys(rng))
    return right("each query selects its own key, with this K and with others")


EXERCISE = Exercise(
    id="identity_map",
    title="One query for each key",
    order=10,
    points=1,
    difficulty=2,
    importance=4,
    minutes=5,
    source="Washington, attention assignment §1.2.2",
    hints=(
        "Which four sets of weights do you want, one for each row of Q?",
        (
            "exact_logits gives the query for one set of weights. A weight of exactly 0 cannot be reached,"
            " but 0.001 can."
        ),
        (
            "Row i of the wanted weights has 0.997 at place i and 0.001 elsewhere. Make this table float64,"
            " for example from torch.eye(4, dtype=torch.float64). torch.stack([exact_logits(K, row) for row"
            " in wanted]) has shape (4, 3)."
        ),
    ),
    check=check,
)
