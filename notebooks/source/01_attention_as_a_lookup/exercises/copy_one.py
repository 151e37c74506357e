"""Exercise copy_one: a query that copies one value."""

from __future__ import annotations

import random

import sympy as sp

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, right
from kqa_core.check.helpers.effects import leaves_alone, names_changes
from kqa_core.check.helpers.repeated import every_time
from kqa_core.exercise_helpers.queries import STEEP, Renamed, query_column, tends_to_average
from kqa_core.symbolic.attention import BETA, Matrix, orthonormal_frame, standard_basis

HALF = sp.Rational(1, 2)
# the sums of their entries are far apart
OPPOSITE = [sp.Matrix([HALF] * 4 + [0] * 4), sp.Matrix([0] * 4 + [-HALF] * 4)]

OPPOSITE_SAID = "for the two keys (½, ½, ½, ½, 0, 0, 0, 0) and (0, 0, 0, 0, −½, −½, −½, −½)"


def judge(answer: Answer, keys: list[Matrix], j: int, case: str) -> None:
    """Raise NotYet unless the weight of key j tends to 1."""
    case = f"{case} and j = {j}"
    query = query_column(answer(keys, j, BETA), len(keys[0]), [BETA], case=case)
    with names_changes(answer, ("keys",), keys, j, BETA):
        tends_to_average(query, keys, [j], BETA, case)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The standard basis first, each index, then keys in other directions,
    in as many dimensions as there are keys and in more; five keys and eight; two of opposite sums, and two of
    which one has a large entry; one call many times; another symbol.
    """
    cases = [
        *(("for the standard basis of three dimensions", standard_basis(3), j) for j in (1, 2, 0)),
        ("for three orthonormal keys that are not the standard basis", orthonormal_frame(3, 3, rng), 2),
        ("for two orthonormal keys in four dimensions", orthonormal_frame(2, 4, rng), 0),
        ("for five orthonormal keys", orthonormal_frame(5, 5, rng), 3),
        ("for eight keys along the axes of nine dimensions", standard_basis(9)[:0:-1], 3),
        *((OPPOSITE_SAID, OPPOSITE, j) for j in (0, 1)),
        ("for two keys, one of them nearly along an axis", [*STEEP], 0),
        ("for three other orthonormal keys than before", orthonormal_frame(3, 3, rng), 2),
    ]
    for case, keys, j in cases:
        judge(answer, keys, j, case)
    first, basis, j = cases[0]
    every_time(answer, (basis, j, BETA), lambda again: judge(again, basis, j, first))
    judge(
        Renamed(answer, BETA),
        orthonormal_frame(3, 4, rng),
        1,
        "for three orthonormal keys and beta_2 as beta",
    )
    leaves_alone(answer, ("keys",), standard_basis(3), 1, BETA)
    return right("as beta grows, all the weight goes to key j, whichever orthonormal keys there are")


EXERCISE = Exercise(
    id="copy_one",
    title="Copy one value",
    order=2,
    points=2,
    difficulty=1,
    importance=5,
    minutes=6,
    source="CS224n A5 1(a)",
    hints=(
        "The weights depend only on the logits. What are the logits of your query, one for each key?",
        (
            "The keys are orthonormal. So if the query is a combination of keys, its coefficients are its"
            " logits."
        ),
        (
            "Coefficient j must get further and further ahead of all others as beta grows. The simplest"
            " choice is beta for key j and 0 for all other keys. Which vector is that?"
        ),
    ),
    check=check,
)
