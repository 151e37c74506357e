"""Exercise robust_query: the average of two values, when the keys are random.

The noise goes to 0 first, at a fixed beta, so every key goes to its mean. Then beta grows. So the weights are
judged at the means.
"""

from __future__ import annotations

import random

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.exercise_helpers.queries import Renamed, query_column, tends_to_average
from kqa_core.symbolic.attention import BETA, Matrix, orthonormal_frame, standard_basis


def judge(answer: Answer, means: list[Matrix], a: int, b: int, case: str) -> None:
    """Raise NotYet unless the answer's query averages values a and b for keys at these means."""
    case = f"{case}, a = {a} and b = {b}"
    query = query_column(answer(means[a], means[b], BETA), len(means[0]), [BETA], case=case)
    tends_to_average(query, means, [a, b], BETA, case)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The standard basis first, then means in other directions,
    in as many dimensions as there are keys and in more; nine dimensions; another symbol.
    """
    for a, b in ((0, 1), (3, 1)):
        judge(answer, standard_basis(4), a, b, "for means along the standard basis of four dimensions")
    judge(
        answer,
        orthonormal_frame(4, 4, rng),
        3,
        1,
        "for four orthonormal means that are not the standard basis",
    )
    judge(answer, orthonormal_frame(3, 5, rng), 1, 2, "for three orthonormal means in five dimensions")
    judge(answer, standard_basis(9)[:0:-1], 7, 0, "for eight means along axes of nine dimensions")
    axes = [-axis for axis in standard_basis(4)]
    judge(answer, axes, 0, 2, "for four means along the axes, each with the entry −1")
    judge(
        Renamed(answer, BETA),
        orthonormal_frame(3, 4, rng),
        2,
        0,
        "for three orthonormal means and beta_2 as beta",
    )
    leaves_alone(answer, ("mu_a", "mu_b"), *standard_basis(4)[:2], BETA)
    return right("as the noise vanishes and then beta grows, values a and b have half of the weight each")


EXERCISE = Exercise(
    id="robust_query",
    title="Average two values when keys vary slightly",
    order=1,
    points=2,
    difficulty=2,
    importance=4,
    minutes=8,
    source="CS224n A5 1(c)i",
    hints=(
        "You do not know the keys when you write the query. What do you know about them?",
        (
            "With very little noise each key is close to its mean, so each logit is close to the logit of the"
            " mean. The means are orthonormal: you have solved this for such vectors in notebook 01."
        ),
        (
            "Which combination of the two means has the same dot product with both of them, and 0 with all"
            " other means? Multiply it by a scale that grows."
        ),
    ),
    check=check,
)
