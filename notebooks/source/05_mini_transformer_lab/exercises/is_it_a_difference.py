"""Exercise is_it_a_difference: a paired t-test on two rows of a table.

A case is two lists of figures, one per seed.

- Most are drawn until the paired test is clear: p below 0.02 if there is a difference, above 0.12 if there is none. In some,
  Welch's test, which ignores the pairs, says the opposite as clearly.
- `EDGES` have a t that is given exactly, between the right limit and the limit of a common mistake.
- No p lies within 0.005 of 0.05, so rounding decides nothing.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, JudgeError, Verdict, expect, right
from kqa_core.check.helpers.read_values import truth
from kqa_core.stats import mean_sd, paired, t_quantile

Runs = tuple[list[float], list[float]]
SURE, UNSURE = 0.02, 0.12
LEVEL, MARGIN = 0.05, 0.005
TRIES = 20_000
EDGES = (  # runs, t, and what a limit on the wrong side of t forgets
    (3, 2.5, "1.96 is the limit for very many runs"),
    (3, 3.05, "5 % on both sides together are 2.5 % on each side"),
    (3, 3.35, "three differences have two degrees of freedom"),
    (3, 3.9, "the standard deviation is computed with n − 1, and np.std divides by n unless you pass ddof=1"),
    (6, 2.45, "the limit depends on the number of runs"),
    (6, 3.2, "the limit depends on the number of runs"),
)


def differ(case: Runs) -> bool:
    """Whether the paired test finds a difference; raises an error if it is not clear, because such a case is our mistake."""
    p = paired(*case)
    if abs(p - LEVEL) > MARGIN:
        return p < LEVEL
    raise JudgeError(f"a case with p = {p:.3f} decides nothing")


def drawn(
    rng: random.Random,
    count: int,
    gap: float,
    wanted: Callable[[Runs], bool],
    level: float = 60.0,
    spread: float = 1.0,
    shared: float = 0.0,
) -> Runs:
    """Two lists of figures around `level` with s.d. 1 and `spread`. The first is higher by `gap` times a number near 1.

    A number of s.d. |`shared`| is drawn for each seed. It is added to both runs of the seed; if `shared` is negative, it is added
    to the first and subtracted from the second. Cases are drawn until `wanted` holds.
    """
    for _ in range(TRIES):
        shift = gap * rng.uniform(0.8, 1.25)
        common = [rng.gauss(0, abs(shared)) for _ in range(count)]
        first = [level + shift + each + rng.gauss(0, 1) for each in common]
        second = [level + (each if shared >= 0 else -each) + rng.gauss(0, spread) for each in common]
        if wanted((first, second)):
            return first, second
    raise JudgeError(f"no such case with {count} runs in {TRIES} draws")


def clearly(case: Runs) -> bool:
    """Cases in which the paired test finds a difference."""
    return paired(*case) < SURE


def unclear(case: Runs) -> bool:
    """Cases in which it finds none."""
    return paired(*case) > UNSURE


def with_t(rng: random.Random, count: int, t: float) -> Runs:
    """Two lists of `count` figures around 60; their differences have exactly this t, and a standard deviation of 1.5."""
    numbers, second = ([rng.gauss(0, 1) for _ in range(count)] for _ in range(2))
    mean, sd = mean_sd(numbers)
    second = [60 + each for each in second]
    return [b + 1.5 * ((each - mean) / sd + t / math.sqrt(count)) for b, each in zip(second, numbers, strict=True)], second


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Six runs far apart, the same lists swapped; six that overlap; six that differ little, but alike in every pair; `EDGES`."""
    far = drawn(rng, 6, 4.0, clearly)
    for case in (far, (far[1], far[0])):
        expect(truth(answer(*case), "your verdict"), f"these rows differ, and you do not report it: {_said(case)}")
    near = drawn(rng, 6, 0.3, unclear)
    expect(not truth(answer(*near), "your verdict"), f"a gap like this can come from the seeds alone: {_said(near)}")
    pairs = drawn(rng, 6, 3.0, clearly, shared=12.0)
    expect(
        truth(answer(*pairs), "your verdict"),
        f"compare the runs seed by seed: the first is higher in almost every pair by about the same amount: {_said(pairs)}",
    )
    for count, t, forgotten in EDGES:
        case, limit = with_t(rng, count, t), t_quantile(0.975, count - 1)
        expect(
            truth(answer(*case), "your verdict") is differ(case),
            f"{count} runs with t = {t} {'are a difference' if differ(case) else 'are not shown to differ'}, because the limit "
            f"is {limit:.2f}; you say the opposite ({forgotten}): {_said(case)}",
        )
    return right("you report a difference exactly if t is beyond the limit for this number of runs")


def _said(case: Runs) -> str:
    return " against ".join("(" + ", ".join(f"{value:.1f}" for value in each) + ")" for each in case)


EXERCISE = Exercise(
    id="is_it_a_difference",
    title="Write a paired t-test",
    order=6,
    points=3,
    difficulty=3,
    importance=5,
    minutes=25,
    source="Student 1908",
    hints=(
        "Runs with the same seed form a pair. So look at the n differences, not at the two lists. Then ask: how far would their "
        "mean be from 0 if only chance made them?",
        "t is the mean of the differences divided by its standard error, and the standard error is the standard deviation of the "
        "differences divided by √n. Compare |t| with t_quantile(0.975, n − 1).",
        "gaps = [a - b for a, b in zip(first, second)]; error = statistics.stdev(gaps) / math.sqrt(n); "
        "t = statistics.fmean(gaps) / error; return abs(t) > t_quantile(0.975, n - 1).",
    ),
    check=check,
)
