"""Exercise abstention_threshold: how confident must the model be to answer?"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import numpy as np
import torch
from course_exercises._certainty import Level, curve, in_words, laid_out, levels, pairs_kept, sorted_is_right

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import POSSIBLE, Exercise, NotYet, Verdict, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.helpers.read_values import kind_of, number, told


def lowest(what: Sequence[Level], target: float) -> float:
    """The lowest confidence of these levels down to which a share `target` is right;
    infinity if there is none.
    """
    ordered = sorted(what, key=lambda level: -level.confidence)
    met = [
        level.confidence
        for level, (_, risk) in zip(ordered, curve(ordered), strict=True)
        if 1 - risk >= target - 1e-12
    ]
    return min(met, default=math.inf)


def first_stop(what: Sequence[Level], target: float) -> float:
    """The confidence just above the first one, from the top, that misses the target;
    infinity if that is the highest.
    """
    last = math.inf
    ordered = sorted(what, key=lambda level: -level.confidence)
    for level, (_, risk) in zip(ordered, curve(ordered), strict=True):
        if 1 - risk < target - 1e-12:
            break
        last = level.confidence
    return last


def infinite(found: object) -> bool:
    """Whether this is the number infinity, of Python, numpy or torch."""
    if isinstance(found, torch.Tensor):
        found = found.item() if found.numel() == 1 else None
    if isinstance(found, (np.ndarray, np.generic)) and found.size == 1:
        found = found.item()
    return type(found) is float and found == math.inf


def agrees(answer: Answer, rng: random.Random, what: Sequence[Level], target: float) -> None:
    """Raise NotYet unless the threshold found is the lowest that reaches the target."""
    case = *laid_out(rng, what), target
    found, wanted = answer(*case), lowest(what, target)
    given = f"for {in_words(what, *case[:2])}, and a target of {target:g},"

    def same(value: object) -> bool:
        far = wanted == math.inf or infinite(value)
        return infinite(value) == (wanted == math.inf) if far else abs(number(value, "it") - wanted) <= 1e-6

    def ordered() -> str:
        return sorted_is_right(answer, *case, agrees=same)

    if wanted == math.inf:
        if not infinite(found):
            other = "nothing (None)" if found is None else kind_of(found)
            yours = f"{found:g}" if isinstance(found, (int, float)) else other
            pairs_kept(answer, *case)
            raise NotYet(
                f"{given} no threshold reaches the target, so return math.inf; yours is {yours}{ordered()}"
            )
        return
    if infinite(found):
        pairs_kept(answer, *case)
        raise NotYet(
            f"{given} you return infinity, so nothing is answered; but the threshold {wanted:.13g} reaches"
            f" the target{ordered()}"
        )
    theirs = number(found, "the threshold")
    mine, yours = told(wanted, theirs)
    shown = f"{given} the lowest threshold is {mine}; yours is {yours}"
    if abs(theirs - wanted) > 1e-6:
        pairs_kept(answer, *case)
        cause = ordered()
        if not cause and abs(theirs - first_stop(what, target)) <= 1e-6:
            cause = (
                f". {POSSIBLE}the search stops where the share first misses the target; a lower threshold"
                " reaches it again"
            )
        raise NotYet(shown + cause)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """A target that is met down to the middle; one that is met exactly;
    one that is never met; one that is missed and met again; one that is missed by 0.0005.
    """
    high, low = sorted(rng.sample(range(5, 16), 2), reverse=True)
    what = [Level(high / 16, 4, 4), Level(low / 16, 4, 2), Level(0.125, 4, 0)]
    agrees(answer, rng, what, 0.9)
    agrees(answer, rng, what, 0.75)
    agrees(answer, rng, [Level(0.75, 3, 3), Level(0.25, 1, 0)], 0.75)  # no answer of 0.25 is right
    agrees(answer, rng, [Level(0.75, 5, 0), Level(0.5, 5, 1)], 0.1)  # 1 − 9/10 is rounded to less than 1/10
    agrees(answer, rng, [Level(0.75, 3, 1), Level(0.25, 3, 1)], 0.8)
    agrees(answer, rng, [Level(0.75, 1, 1), Level(0.25, 1, 0)], 0.9)  # one answer is enough
    agrees(answer, rng, [Level(0.6 + 1e-12, 1, 1), Level(0.6, 1, 0)], 0.9)  # they nearly agree
    agrees(answer, rng, [Level(1.0, 2, 2), Level(0.75, 1, 0)], 0.66669)  # missed by 0.00002
    agrees(answer, rng, [Level(0.5, 2, 0), Level(0.25, 1, 0)], 0.0)
    agrees(answer, rng, [Level(1.0, 3, 3), Level(0.5, 2, 0)], 0.9)
    agrees(answer, rng, [Level(k / 256, 1, k % 7 > 0) for k in range(1, 90)], 0.8)
    agrees(answer, rng, [Level(0.5, 2, 2), Level(0.0, 3, 3)], 0.9)
    agrees(answer, rng, steps(rng), 0.8)
    agrees(answer, rng, [Level(0.75, 100, 80), Level(0.5, 100, 53), Level(0.25, 50, 0)], 0.6655)  # of 0.665
    leaves_alone(answer, ("confidences", "right"), *laid_out(rng, what), 0.75)
    return right("your threshold reaches the target and answers as many questions as possible")


def steps(rng: random.Random) -> list[Level]:
    """Levels whose share of right answers falls below a target and comes back above it."""
    a, b, c, d = (mark.confidence for mark in levels(rng, 4))
    return [Level(a, 2, 2), Level(b, 2, 0), Level(c, 12, 12), Level(d, 8, 0)]  # 1, 1/2, 14/16, 14/24


EXERCISE = Exercise(
    id="abstention_threshold",
    title="Choose a threshold for abstaining",
    order=13,
    points=2,
    difficulty=3,
    importance=5,
    minutes=10,
    source="Chow 1970; Geifman and El-Yaniv 2017",
    hints=(
        (
            "Your risk–coverage curve has a point for every threshold that is worth trying. Which points"
            " reach the target, and which of these is the best?"
        ),
        (
            "Try each confidence as a threshold. Keep those at which the share of right answers among the"
            " given ones is at least the target, and take the lowest: it answers the most questions. The"
            " share can fall below the target and rise above it again."
        ),
        (
            "Confidences 0.9 (right), 0.8 (wrong), 0.7 (right), 0.6 (right), target 0.7: the shares from the"
            " top are 1, 0.5, 0.67 and 0.75. The lowest threshold that reaches the target is 0.6, although"
            " 0.8 and 0.7 do not reach it."
        ),
    ),
    check=check,
)
