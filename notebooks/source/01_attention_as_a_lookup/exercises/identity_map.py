"""Exercise identity_map: four queries, each of which selects its own key."""

from __future__ import annotations

import random

from course_exercises._concrete_keys import SELECTED, K, listed, tensor_like, weights_of
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, expect, right


def maps_to_itself(answer: Answer, keys: Tensor, case: str) -> None:
    """Raise NotYet unless row i of the answer's Q selects key i, for all i."""
    queries = tensor_like(answer(keys), (4, 3), "Q")
    weights = weights_of(keys, queries)  # (4, 4), a row for each query
    for i, row in enumerate(weights):
        said = f"{case}, row {i} of softmax(Q @ K.T) is {listed(row)}; its entry {i} should be above {SELECTED}"
        expect(bool(row[i] > SELECTED), said)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The notebook's K."""
    maps_to_itself(answer, K, "with the K of this notebook")
    return right("each query selects its own key")


EXERCISE = Exercise(
    id="identity_map",
    title="One query for each key",
    order=7,
    points=2,
    difficulty=3,
    importance=4,
    minutes=10,
    source="Washington, attention assignment §1.3",
    hints=(
        "You have a query that selects row 0. What changes for row 1?",
        "Row i of Q @ K.T holds the logits of query i. Each row may have a shift of its own, so there are four systems with the "
        "same 4 by 4 matrix.",
        "torch.linalg.solve takes several right-hand sides at once, as the columns of a matrix. Of the solution, leave out "
        "the row of shifts; mind which way round the rest has to stand to be Q.",
    ),
    check=check,
)
