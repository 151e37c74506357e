"""Exercise is_it_a_difference: a t test on two rows of a table.

A case is two lists of figures, one per seed, drawn until both tests, paired and Welch's, are clear: p below 0.02 if there is a
difference, above 0.12 if there is none. So a student may choose either test, or Student's own.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, JudgeError, Verdict, expect, right
from kqa_core.check.helpers.read_values import truth
from kqa_core.stats import paired, welch

Runs = tuple[list[float], list[float]]
SURE, UNSURE = 0.02, 0.12
TRIES = 5_000


def differ(case: Runs) -> bool:
    """Whether both tests find a difference; raises an error if they are not clear, because such a case is our mistake."""
    chances = paired(*case), welch(*case)
    if max(chances) < SURE or min(chances) > UNSURE:
        return max(chances) < SURE
    raise JudgeError(f"a case with p = {chances[0]:.3f} and {chances[1]:.3f} decides nothing")


def drawn(
    rng: random.Random, count: int, gap: float, wanted: Callable[[Runs], bool], level: float = 60.0, spread: float = 1.0
) -> Runs:
    """Two lists of figures: around `level` with s.d. 1, and with s.d. `spread`. The first is higher by `gap` times a number near
    1, such that `wanted` holds.
    """
    for _ in range(TRIES):
        shift = gap * rng.uniform(0.8, 1.25)
        case = [level + shift + rng.gauss(0, 1) for _ in range(count)], [rng.gauss(level, spread) for _ in range(count)]
        if wanted(case):
            return case
    raise JudgeError(f"no such case with {count} runs in {TRIES} draws")


def clearly(case: Runs) -> bool:
    """Cases in which both tests find a difference."""
    return max(paired(*case), welch(*case)) < SURE


def unclear(case: Runs) -> bool:
    """Cases in which neither test finds a difference."""
    return min(paired(*case), welch(*case)) > UNSURE


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Six runs far apart, the same two lists swapped, and six that overlap."""
    far = drawn(rng, 6, 4.0, clearly)
    for case in (far, (far[1], far[0])):
        expect(truth(answer(*case), "your verdict"), f"these differ, by any test: {_said(case)}")
    near = drawn(rng, 6, 0.3, unclear)
    expect(not truth(answer(*near), "your verdict"), f"a gap like this is what seeds alone make: {_said(near)}")
    return right("what seeds alone could have done you do not report")


def _said(case: Runs) -> str:
    return " against ".join("(" + ", ".join(f"{value:.1f}" for value in each) + ")" for each in case)


EXERCISE = Exercise(
    id="is_it_a_difference",
    title="Test whether two rows differ",
    order=8,
    points=3,
    difficulty=3,
    importance=5,
    minutes=25,
    source="Student 1908; Welch 1947",
    hints=(
        "How far would the two means lie apart if nothing but the seeds differed? And how well do so few runs tell you that?",
        "t is the difference of the means over its standard error. Paired: the differences run by run, their mean over their "
        "s.d./√n, n − 1 degrees of freedom. Or Welch: √(s₁²/n₁ + s₂²/n₂). Compare |t| with t_quantile(0.975, degrees).",
        "Paired: gaps = [a − b for each seed]; t = fmean(gaps) / (stdev(gaps) / √n), with Python's statistics module; return "
        "abs(t) > t_quantile(0.975, n − 1). With three seeds that quantile is 4.30, not 1.96.",
    ),
    check=check,
)
