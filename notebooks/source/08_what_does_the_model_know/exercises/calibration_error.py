"""Exercise calibration_error: how far confidence and accuracy differ."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
from course_exercises._certainty import binned, pairs_kept
from torch import Tensor

from kqa_core.check.answer import Answer, AnswerRaised
from kqa_core.check.exercise import POSSIBLE, Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.helpers.read_values import fraction, number, told

Case = tuple[list[float], list[bool], int]
EMPTY = (
    f"; with all of them in one bin your error is right. {POSSIBLE}the sum of a bin is divided by its number"
    " of answers, which can be 0: skip empty bins"
)
SORTED = f". {POSSIBLE}the confidences are sorted and the answers are not, which gives this error"


def some_empty(case: Case) -> bool:
    """Whether a bin has no answer."""
    confidences, _, bins = case
    return len({min(int(each * bins), bins - 1) for each in confidences}) < bins


def of_one_bin(answer: Answer, case: Case) -> str:
    """`EMPTY` if a bin has no answer, and the same answers in one bin give the right error; else ""."""
    confidences, hits, _ = case
    if not some_empty(case):
        return ""
    try:
        found = number(answer(confidences, hits, 1), "the calibration error")
    except (AnswerRaised, NotYet):
        return ""
    return EMPTY if abs(found - abs(sum(hits) - sum(confidences)) / len(hits)) <= 1e-6 else ""


def agrees(answer: Answer, case: Case, wanted: float, sentence: str) -> None:
    """Raise NotYet with `sentence` unless the error found is the wanted one. Only a sum is rounded, so 1e-6
    is enough for float32, too.
    """
    try:
        result = answer(*case)
    except AnswerRaised as raised:
        if raised.kind == "ZeroDivisionError" and (empty := of_one_bin(answer, case)):
            said = sentence.replace("yours is {found}", "your code divides by 0").format(
                wanted=f"{wanted:.4g}"
            )
            raise NotYet(said + empty) from raised
        raise
    is_nan = isinstance(result, (float, np.generic, Tensor)) and bool(np.isnan(np.asarray(result)).any())
    if is_nan:
        raise NotYet(sentence.format(found="nan", wanted=f"{wanted:.4g}") + of_one_bin(answer, case))
    try:
        found = fraction(result, "the calibration error")
    except NotYet as wrong:
        given = sentence.partition("; yours")[0].format(wanted=f"{wanted:.4g}")
        raise NotYet(f"{wrong} ({given})") from None
    mine, yours = told(wanted, found)
    if abs(found - wanted) > 1e-6:
        pairs_kept(answer, *case)
    apart = abs(found - sorted_apart(*case)) <= 1e-6
    expect(abs(found - wanted) <= 1e-6, sentence.format(found=yours, wanted=mine) + SORTED * apart)


def sorted_apart(confidences: list[float], hits: list[bool], bins: int) -> float:
    """What the confidences give if they are sorted and the answers are not."""
    gaps = [0.0] * bins
    for confidence, hit in zip(sorted(confidences), hits, strict=True):
        gaps[min(int(confidence * bins), bins - 1)] += hit - confidence
    return sum(map(abs, gaps)) / len(hits)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Two answers in one bin; two bins, also of different size; an edge; a confidence of 1; a random case."""
    agrees(
        answer,
        ([0.8125, 0.9375], [True, False], 4),
        0.375,
        "of 4 bins, the last one has 0.8125 (right) and 0.9375 (wrong): claimed 0.875, true 0.5, so the error"
        " is {wanted}; yours is {found}",
    )
    agrees(
        answer,
        ([0.75, 0.875], [True, False], 4),
        0.3125,
        "the last of 4 bins begins with 0.75 and has 0.75 (right) and 0.875 (wrong): claimed 0.8125, true"
        " 0.5, so the error is {wanted}; yours is {found}",
    )
    agrees(
        answer,
        ([0.25, 0.75, 0.75, 0.75], [True, True, False, False], 2),
        0.5,
        "for 0.25 (right), 0.75 (right), 0.75 (wrong) and 0.75 (wrong) in 2 bins the error is"
        " (1 · 0.75 + 3 · 0.4167) / 4 = {wanted}; yours is {found}",
    )
    agrees(
        answer,
        ([0.875, 0.375], [False, True], 4),
        (0.875 + 0.625) / 2,
        "for 0.875 (wrong) and, after it, 0.375 (right) in 4 bins the error is {wanted}; yours is {found}",
    )
    agrees(
        answer,
        ([1.0, 0.875, 0.25], [False, True, True], 4),
        (0.875 + 0.75) / 3,
        "a confidence of 1 is in the last bin: for 1 (wrong), 0.875 (right) and 0.25 (right) in 4 bins the"
        " error is {wanted}; yours is {found}",
    )
    agrees(
        answer,
        ([0.0, 0.375, 0.4375, 0.5625], [True, False, True, False], 2),
        (abs(0.8125 - 2) + 0.5625) / 4,
        "of 2 bins, bin 0 has 0, 0.375 and 0.4375, and bin 1 has 0.5625: for 0 (right), 0.375 (wrong),"
        " 0.4375 (right) and 0.5625 (wrong) the error is {wanted}; yours is {found}",
    )
    agrees(
        answer,
        ([0.249, 0.26], [True, False], 4),
        (0.751 + 0.26) / 2,
        "of 4 bins, 0.249 (right) is in bin 0 and 0.26 (wrong) in bin 1: the error is {wanted}; yours is"
        " {found}",
    )
    agrees(
        answer,
        ([126 / 128, 127 / 128], [False, True], 128),
        (126 + 1) / 128 / 2,
        "of 128 bins, 126/128 (wrong) is in bin 126 and 127/128 (right) in bin 127: the error is {wanted};"
        " yours is {found}",
    )
    some = rng.sample(range(8), 4)
    for bins, filled in ((8, some), (1, [0]), (60, [59, 58, 7, 30, 31, 32]), (15, [14, 13, 9, 6, 3, 2, 0])):
        confidences, hits, wanted = binned(rng, bins, filled)
        where = f"for {len(hits)} answers in {len(filled)} of {bins} bins"
        said = f"{where} the error is {{wanted}}; yours is {{found}}"
        agrees(answer, (confidences, hits, bins), wanted, said)
    leaves_alone(answer, ("confidences", "right"), confidences, hits, bins)
    return right("claims are compared with the truth, bin by bin")


def spread_over(rng: random.Random, bins: int) -> Sequence[int]:
    """Some of the bins, but never all."""
    return rng.sample(range(bins), rng.randint(1, max(1, bins - 1)))


EXERCISE = Exercise(
    id="calibration_error",
    title="Expected calibration error",
    order=11,
    points=3,
    difficulty=3,
    importance=4,
    minutes=15,
    source="Naeini, Cooper and Hauskrecht 2015; Guo et al. 2017",
    hints=(
        (
            "Sort the answers into bins first. Which two numbers of a bin should be equal if the model is"
            " calibrated?"
        ),
        (
            "For each bin: the mean of its confidences, and the share of its answers that are right. Take the"
            " absolute difference, multiply it by the number of answers in the bin, add up over the bins, and"
            " divide by the number of all answers."
        ),
        (
            "With 4 bins, 0.30 is in bin 1, because int(0.30 · 4) = 1. The confidence 1.0 would be in bin 4,"
            " which does not exist, so it belongs to bin 3. If bin 1 holds 0.30 (right) and 0.40 (wrong), its"
            " difference is |0.5 − 0.35| and its weight is 2. Empty bins are skipped."
        ),
    ),
    check=check,
)
