"""Exercise calibration_error: how far confidence and accuracy differ."""

from __future__ import annotations

import random
from collections.abc import Sequence

from course_exercises._certainty import binned

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, expect, right
from kqa_core.check.helpers.read_values import fraction

Case = tuple[list[float], list[bool], int]


def agrees(answer: Answer, case: Case, wanted: float, sentence: str) -> None:
    """Raise NotYet with `sentence` unless the error found is the wanted one. Only a sum is rounded, so 1e-6 is enough for
    float32, too.
    """
    found = fraction(answer(*case), "the calibration error")
    expect(abs(found - wanted) <= 1e-6, sentence.format(found=found, wanted=wanted))


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Two answers in one bin; two bins of different size; a random case."""
    agrees(
        answer,
        ([0.75, 0.875], [True, False], 4),
        0.3125,
        "of two answers, at 0.75 and 0.875, one is right: 0.8125 claimed, 0.5 true, {wanted} apart; yours: {found:.4f}",
    )
    agrees(
        answer,
        ([0.25, 0.75, 0.75, 0.75], [True, True, False, False], 2),
        0.5,
        "one answer of confidence 0.25 is right and three of 0.75 are right once: (0.75 + 3 · 0.4167) / 4 = {wanted}; "
        "yours: {found:.4f}",
    )
    confidences, hits, wanted = binned(rng, 8, rng.sample(range(8), 4))
    agrees(answer, (confidences, hits, 8), wanted, "for random answers in 8 bins the error is {wanted:.4f}; yours: {found:.4f}")
    return right("claimed and true certainty, bin by bin")


def spread_over(rng: random.Random, bins: int) -> Sequence[int]:
    """Some of the bins, but never all."""
    return rng.sample(range(bins), rng.randint(1, max(1, bins - 1)))


EXERCISE = Exercise(
    id="calibration_error",
    title="Expected calibration error",
    order=4,
    points=3,
    difficulty=3,
    importance=4,
    minutes=20,
    source="Naeini, Cooper and Hauskrecht 2015; Guo et al. 2017",
    hints=(
        "Sort the answers into bins first. What two numbers does a bin have that ought to be the same?",
        "A bin's claim is the mean of its confidences, its truth the share of its answers that are right. Take the distance of "
        "the two, weigh it by how many answers the bin holds, and divide by how many there are in all.",
        "With 4 bins, 0.30 is in bin 1, as int(0.30 · 4) = 1; 1.0 would be in bin 4, which does not exist, so it goes to bin 3. "
        "If bin 1 holds 0.30 (right) and 0.40 (wrong), its distance is |0.5 − 0.35| and its weight 2. Empty bins weigh nothing.",
    ),
    check=check,
)
