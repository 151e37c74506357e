"""Exercise average_two: a query that averages two values."""

from __future__ import annotations

import random

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, right
from kqa_core.check.helpers.effects import leaves_alone, names_changes
from kqa_core.check.helpers.repeated import every_time
from kqa_core.exercise_helpers.queries import Renamed, query_column, tends_to_average
from kqa_core.symbolic.attention import BETA, Matrix, orthonormal_frame, standard_basis


def judge(answer: Answer, keys: list[Matrix], a: int, b: int, case: str) -> None:
    """Raise NotYet unless the weights of keys a and b tend to one half each."""
    case = f"{case}, a = {a} and b = {b}"
    query = query_column(answer(keys, a, b, BETA), len(keys[0]), [BETA], case=case)
    with names_changes(answer, ("keys",), keys, a, b, BETA):
        tends_to_average(query, keys, [a, b], BETA, case)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The standard basis first, three pairs, then keys in other directions,
    in as many dimensions as there are keys and in more;
    two keys alone, two that are not neighbours; eight keys; one call many times; another symbol.
    """
    cases = [
        ("for the standard basis of three dimensions", standard_basis(3), 0, 1),
        ("for the standard basis of three dimensions", standard_basis(3), 2, 0),
        ("for the standard basis of four dimensions", standard_basis(4), 3, 1),
        ("for four orthonormal keys that are not the standard basis", orthonormal_frame(4, 4, rng), 3, 1),
        ("for three orthonormal keys in four dimensions", orthonormal_frame(3, 4, rng), 1, 2),
        ("for two orthonormal keys in three dimensions", orthonormal_frame(2, 3, rng), 1, 0),
        ("for five orthonormal keys", orthonormal_frame(5, 5, rng), 0, 3),
        ("for eight keys along the axes of nine dimensions", standard_basis(9)[:0:-1], 7, 1),
        ("for four other orthonormal keys than before", orthonormal_frame(4, 4, rng), 3, 1),
    ]
    for case, keys, a, b in cases:
        judge(answer, keys, a, b, case)
    first, basis, a, b = cases[0]
    every_time(answer, (basis, a, b, BETA), lambda again: judge(again, basis, a, b, first))
    judge(
        Renamed(answer, BETA),
        orthonormal_frame(3, 4, rng),
        2,
        0,
        "for three orthonormal keys and beta_2 as beta",
    )
    leaves_alone(answer, ("keys",), standard_basis(3), 0, 1, BETA)
    return right(
        "as beta grows, keys a and b share the weight and all others lose theirs, whichever orthonormal keys"
        " there are"
    )


EXERCISE = Exercise(
    id="average_two",
    title="Average two values",
    order=4,
    points=4,
    difficulty=2,
    importance=5,
    minutes=8,
    source="CS224n A5 1(b)",
    hints=(
        "For which logits is the softmax one half, one half, and zero everywhere else?",
        (
            "Logits a and b must be equal, and both must get further and further ahead of every other logit"
            " as beta grows. A combination of orthonormal keys has its coefficients as logits."
        ),
        (
            "Start from your copy_one, whose query raises one logit. The dot product is linear in the query:"
            " what does the sum of two such queries do to the logits of a, of b, and of the rest?"
        ),
    ),
    check=check,
)
