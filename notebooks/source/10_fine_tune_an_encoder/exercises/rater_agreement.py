"""Exercise rater_agreement: how often one person's rating has the sign of the mean rating."""

from __future__ import annotations

import random
from collections.abc import Sequence

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, NotYet, Verdict, right
from kqa_core.check.helpers.effects import kept_nothing, leaves_alone
from kqa_core.check.helpers.read_values import fraction, number, told

Ratings = list[list[int]]

SMALL: Ratings = [[3, -1, 1, 0], [2, 0], [-3, 1, -1]]
ZEROS: Ratings = [[0, 0, 4], [0, -1, 0, 0]]
ONE_STRONG: Ratings = [[4, -1, -1], [-4, 1, 1, 1], [2, 2, -1]]  # the mean and the majority differ in sign
BELOW_HALF: Ratings = [[2, -1, 0, 1, 0], [-3, 1, 1]]  # means that round to 0
UNEVEN: Ratings = [[1, 1, 1, 1, 1, 1, 1, -1], [-2, 1]]
OTHERS: Ratings = [[3, -1, 1, 0, 2, 0, -2], [-4, 1, 1, 1, 0], [2, -3, 1, 1, 1, 1, 0, 0, -1, 2, -4, 0, 0]]
ONE: Ratings = [[-3]]
SINGLE: Ratings = [[1], [-2, 1], [-2, 1], [2, 3, -1]]  # one rating; two sentences with equal ratings
NEAR_ZERO: Ratings = [[4, -1, -1, -1, *[0] * 96], [-4, -4, *[1] * 7]]  # without the strongest, the other sign
MANY: Ratings = [[*[-1] * 30, *[4] * 60], [-4] * 40 + [3] * 50]


def agreement(ratings: Sequence[Sequence[int]]) -> float:
    """The mean over sentences of the share of ratings with the sign of the sentence's mean."""
    shares = [sum(rating * sum(row) > 0 for rating in row) / len(row) for row in ratings]
    return sum(shares) / len(shares)


def shares(ratings: Sequence[Sequence[int]]) -> dict[str, float]:
    """Wrong probabilities, by the sentence that names the mistake."""
    signs = [[rating * sum(row) for rating in row] for row in ratings]
    majority = [max(sum(r > 0 for r in row), sum(r < 0 for r in row)) / len(row) for row in ratings]
    return {
        "it is the share of all ratings together; a sentence is drawn first, so each has the same weight": (
            sum(sign > 0 for row in signs for sign in row) / sum(map(len, signs))
        ),
        "a rating of 0 counts as agreement; it has no sign": _mean(
            [sum(sign >= 0 for sign in row) / len(row) for row in signs]
        ),
        "ratings of 0 are left out; they can be drawn, too": _mean(
            [sum(sign > 0 for sign in row) / max(1, sum(sign != 0 for sign in row)) for row in signs]
        ),
        "ratings are compared with the sign of most ratings; the label is the sign of the mean": _mean(
            majority
        ),
    }


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _listed(values: Sequence[object]) -> str:
    return " and ".join(map(str, values))


def agrees(answer: Answer, ratings: Ratings) -> None:
    """Raise NotYet unless the probability is that of these ratings."""
    most, shown = max(map(len, ratings)), f"for {len(ratings)} sentences"
    if len(ratings) < 5 and most < 9:
        shown = f"for {ratings}"
    elif len(ratings) < 5:
        sizes, means = [len(row) for row in ratings], [f"{sum(row) / len(row):.2g}" for row in ratings]
        shown += f" of {_listed(sizes)} ratings, with the means {_listed(means)},"
    found = fraction(answer([list(row) for row in ratings]), f"{shown} the probability")
    with kept_nothing(answer, [list(row) for row in ratings]):
        close(answer, found, ratings, shown)


def close(answer: Answer, found: float, ratings: Ratings, shown: str) -> None:
    """Raise NotYet unless `found` is the probability for these ratings, of which a sentence says `shown`. A
    mistake is named if it also gives what the answer says of OTHERS.
    """
    wanted = agreement(ratings)
    if abs(found - wanted) < 2e-7:
        return
    mine, yours = told(wanted, found)
    more = number(answer([list(row) for row in OTHERS]), "the probability")
    named = [
        sentence
        for (sentence, wrong), other in zip(shares(ratings).items(), shares(OTHERS).values(), strict=True)
        if abs(found - wrong) < 1e-6 and abs(more - other) < 1e-6
    ]
    cause = f". Possible cause: {named[0]}" if len(named) == 1 else ""
    raise NotYet(f"{shown} the probability is {mine}; yours is {yours}{cause}")


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Two sentences; ratings of 0; one strong rating against several weak ones; unequal numbers of raters."""
    for ratings in (SMALL, ZEROS, ONE_STRONG, BELOW_HALF, UNEVEN, ONE, SINGLE, NEAR_ZERO, MANY):
        agrees(answer, ratings)
    leaves_alone(answer, ("ratings",), [list(SMALL[i]) for i in (1, 0, 2)])
    return right("a rating of 0 agrees with nobody, and every sentence counts once")


EXERCISE = Exercise(
    id="rater_agreement",
    title="How far one person agrees with the mean",
    order=3,
    points=2,
    difficulty=1,
    importance=3,
    minutes=10,
    source="Hutto and Gilbert 2014: the ratings",
    hints=(
        (
            "Take one sentence first. Which sign does its mean have, and how many of its ratings have the"
            " same sign?"
        ),
        (
            "For one sentence, the probability is the number of ratings with the sign of the mean, divided"
            " by the number of ratings. A sentence is drawn first, so all sentences have the same weight."
        ),
        (
            "[3, −1, 1, 0] has the mean 0.75, and 2 of 4 ratings are positive: 0.5. [2, 0] gives 1 of 2: 0.5."
            " Two numbers have the same sign if their product is above 0. The mean over the sentences is the"
            " answer."
        ),
    ),
    check=check,
)
