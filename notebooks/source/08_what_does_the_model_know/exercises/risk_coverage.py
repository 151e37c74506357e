"""Exercise risk_coverage: how the risk falls when the model answers less often."""

from __future__ import annotations

import random
from collections.abc import Sequence

from course_exercises._certainty import (
    Level,
    curve,
    in_words,
    laid_out,
    levels,
    pairs_kept,
    points_of,
    sorted_is_right,
)

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.helpers.read_values import told

Points = list[tuple[float, float]]


def same(wanted: Points, found: Points) -> bool:
    """Equal up to rounding."""
    return len(wanted) == len(found) and all(
        abs(mine - theirs) <= 1e-6
        for ours, yours in zip(wanted, found, strict=True)
        for mine, theirs in zip(ours, yours, strict=True)
    )


def agrees(answer: Answer, rng: random.Random, what: Sequence[Level]) -> None:
    """Raise NotYet unless the answer's points are those of these levels."""
    wanted, case = curve(what), laid_out(rng, what)
    found = points_of(answer(*case), "the curve")
    given = f"for {in_words(what, *case)}:"
    order = ""
    if not same(wanted, found):
        order = sorted_is_right(
            answer, *case, agrees=lambda other: same(wanted, points_of(other, "the curve"))
        )
    points = f"{len(found)} point{'s' * (len(found) != 1)}"
    each = f"{given} return one point for each different confidence"
    there = [coverage for coverage, _ in found]
    missing = [pair for pair in wanted if min([abs(pair[0] - each) for each in there], default=1.0) > 1e-6]
    lacks = "; that with coverage {:.4g} and risk {:.4g} is missing".format(*missing[0]) if missing else ""
    if len(found) != len(wanted):
        pairs_kept(answer, *case)
    expect(
        len(found) == len(wanted),
        f"{each}: there are {len(wanted)} of them here; your curve has {points}{lacks}{order}",
    )
    for k, ((coverage, risk), (theirs, theirs_too)) in enumerate(zip(wanted, found, strict=True), 1):
        if abs(theirs - coverage) > 1e-6 or abs(theirs_too - risk) > 1e-6:
            pairs_kept(answer, *case)
        (first, theirs_first), (wrong, theirs_wrong) = told(coverage, theirs), told(risk, theirs_too)
        expect(
            abs(theirs - coverage) <= 1e-6 and abs(theirs_too - risk) <= 1e-6,
            f"{given} point {k} of {len(wanted)} is coverage {first}, risk {wrong}; yours is {theirs_first},"
            f" {theirs_wrong}{order}",
        )


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Different confidences; answers that share one; many answers."""
    single = [Level(mark.confidence, 1, rng.randint(0, 1)) for mark in levels(rng, 5)]
    agrees(answer, rng, [Level(0.87536, 1, 1), Level(0.5, 1, 0), Level(0.12346, 1, 1)])
    agrees(answer, rng, [Level(1.0, 1, 0), Level(0.5, 1, 1), Level(0.0, 1, 1)])
    agrees(answer, rng, single)
    agrees(answer, rng, [Level(0.875, 2, 2), Level(0.5, 3, 1), Level(0.25, 1, 0)])
    agrees(answer, rng, [Level(5e-05, 1, 1), Level(0.3, 1, 0), Level(0.0001, 2, 1), Level(1.0, 1, 1)])
    agrees(answer, rng, [Level(0.6 + 1e-12, 1, 0), Level(0.6, 1, 1), Level(0.3, 2, 1)])
    agrees(answer, rng, levels(rng, 120, 4))
    leaves_alone(answer, ("confidences", "right"), *laid_out(rng, single))
    return right("your curve shows what each threshold costs and gains")


EXERCISE = Exercise(
    id="risk_coverage",
    title="The risk-coverage curve",
    order=12,
    points=3,
    difficulty=3,
    importance=4,
    minutes=12,
    source="El-Yaniv and Wiener 2010",
    hints=(
        (
            "Sort the answers by confidence, the highest first, and move a threshold down through them. Which"
            " two numbers change at each step?"
        ),
        (
            "At a threshold t, the answers with confidence ≥ t are given. Coverage: the share of all"
            " questions that is answered. Risk: the share of wrong answers among the given ones. Answers with"
            " equal confidences are given together."
        ),
        (
            "Confidences 0.9 (right), 0.5 (wrong), 0.5 (right): at t = 0.9, one of three is given and none is"
            " wrong, (1/3, 0); at t = 0.5, all three are given and one is wrong, (1, 1/3). Two different"
            " confidences make two points."
        ),
    ),
    check=check,
)
