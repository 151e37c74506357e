"""Exercise risk_coverage: how the risk falls when the model answers less often."""

from __future__ import annotations

import random
from collections.abc import Sequence

from course_exercises._certainty import Level, curve, laid_out, levels, points_of

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, expect, right


def agrees(answer: Answer, rng: random.Random, what: Sequence[Level]) -> None:
    """Raise NotYet unless the answer's points are those of these levels."""
    wanted = curve(what)
    found = points_of(answer(*laid_out(rng, what)), "the curve")
    each = "one point is expected for each different confidence"
    expect(len(found) == len(wanted), f"{each}: {len(wanted)} here; yours has {len(found)}")
    for k, ((coverage, risk), (theirs, theirs_too)) in enumerate(zip(wanted, found, strict=True), 1):
        expect(
            abs(theirs - coverage) <= 1e-6 and abs(theirs_too - risk) <= 1e-6,
            f"point {k} of {len(wanted)} is coverage {coverage:.4f}, risk {risk:.4f}; yours is {theirs:.4f}, {theirs_too:.4f}",
        )


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Different confidences; then answers that share one."""
    single = [Level(mark.confidence, 1, rng.randint(0, 1)) for mark in levels(rng, 5)]
    agrees(answer, rng, [*single, Level(0.0, 1, 1), Level(1.0, 1, 0)])
    agrees(answer, rng, [Level(0.875, 2, 2), Level(0.5, 3, 1), Level(0.25, 1, 0)])
    return right("the surer the answers you give, the fewer of them, and (one hopes) the fewer wrong")


EXERCISE = Exercise(
    id="risk_coverage",
    title="The risk-coverage curve",
    order=5,
    points=3,
    difficulty=3,
    importance=4,
    minutes=20,
    source="El-Yaniv and Wiener 2010",
    hints=(
        "Line the answers up, the surest first, and let a threshold sink past them. What are the two numbers after each step?",
        "At a threshold t, the answers with confidence ≥ t are given. Coverage: how many of all. Risk: how many of *these* are "
        "wrong. A threshold cannot part answers of the same confidence, so they come in together.",
        "Confidences 0.9, 0.5, 0.5, of which the second is wrong: at t = 0.9 one of three is given and none wrong, (1/3, 0); at "
        "t = 0.5 all three, one wrong, (1, 1/3). Two different confidences, two points.",
    ),
    check=check,
)
