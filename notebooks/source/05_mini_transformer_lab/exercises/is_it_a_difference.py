"""Exercise is_it_a_difference: a paired t-test on two rows of a table.

A case is two lists of figures, one per seed.

- Most are drawn until the paired test is clear: p below 0.02 if there is a difference, above 0.12 if there is
  none. In some, Welch's test, which ignores the pairs, says the opposite as clearly.
- `EDGES` have a t that is given exactly, between the right limit and the limit of a common mistake.
- If an answer is wrong, `cause` measures from which t on it reports a difference. A mistake of `NAMED` is
  named only if it has this limit at every number of runs that is tried; else the sentence gives only t and
  the right limit.
- In these cases no p lies within 0.005 of 0.05. `NEAR` is nearer: there a limit or a t that is rounded to one
  or two digits decides otherwise, and a limit of three digits is still right.
- `equal_lists` have t = 0/0. An answer may stop there, but it must not report a difference.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable

from kqa_core.check.answer import Answer, AnswerRaised
from kqa_core.check.exercise import POSSIBLE, Exercise, JudgeError, NotYet, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone, names_changes
from kqa_core.check.helpers.read_values import truth
from kqa_core.stats import mean_sd, paired, t_quantile, welch

Runs = tuple[list[float], list[float]]
SURE, UNSURE = 0.02, 0.12
LEVEL, MARGIN = 0.05, 0.005
TRIES = 20_000
# runs and t
EDGES = (
    (3, 2.5),
    (3, 3.05),
    (3, 3.35),
    (3, 3.9),
    (3, 4.7),
    (6, 2.45),
    (6, 2.7),
    (6, 3.2),
    (9, 2.42),
    (14, 2.05),
)
# runs and t; the last five are for tables of limits that end somewhere
NEAR = (
    *((3, 4.32), (3, 4.28), (3, 4.3013), (4, 3.1812), (5, 2.778)),
    *((61, 1.985), (61, 2.01), (121, 1.972), (121, 1.982), (301, 1.9645)),
)
TINY = 2e-12  # of a unit: figures of about 1e-10
SPREAD = 1.5  # the standard deviation of the differences in `with_t`
# a mistake, and the t from which it reports n runs
NAMED: tuple[tuple[str, Callable[[int, float], float]], ...] = (
    ("the limit is 1.96, that for very many runs", lambda n, limit: 1.96),
    (
        "the limit is t_quantile(0.95, …), which leaves 5 % on each side; the test has 2.5 % on each side",
        lambda n, limit: t_quantile(0.95, n - 1),
    ),
    (
        "the limit is t_quantile(0.98, …), which leaves 4 % in all, not 5 %: the probability is 0.975",
        lambda n, limit: t_quantile(0.98, n - 1),
    ),
    (
        "the limit is t_quantile(0.99, …), which leaves 2 % in all, not 5 %: the probability is 0.975",
        lambda n, limit: t_quantile(0.99, n - 1),
    ),
    ("the limit has n degrees of freedom; n differences have n − 1", lambda n, limit: t_quantile(0.975, n)),
    (
        "the limit has n − 2 degrees of freedom; n differences have n − 1",
        lambda n, limit: t_quantile(0.975, n - 2),
    ),
    (
        "the limit has 2n − 2 degrees of freedom, those of two independent lists; n differences have n − 1",
        lambda n, limit: t_quantile(0.975, 2 * n - 2),
    ),
    ("the limit is the one for three runs, whatever their number", lambda n, limit: t_quantile(0.975, 2)),
    (
        "the standard deviation divides by n, as np.std does without ddof=1; here it is n − 1",
        lambda n, limit: limit * math.sqrt((n - 1) / n),
    ),
    (
        "the standard deviation is divided by √(n − 1), not by √n",
        lambda n, limit: limit * math.sqrt(n / (n - 1)),
    ),
    (
        "the standard deviation is divided by n in all, not by √n",
        lambda n, limit: limit / math.sqrt(n),
    ),
    (
        "the standard deviation is not divided by √n",
        lambda n, limit: limit * math.sqrt(n),
    ),
    ("the variance is divided by √n, not the standard deviation", lambda n, limit: limit * SPREAD),
)


def below(case: Runs, p: float) -> bool:
    """Whether the paired test's p-value is smaller than `p`: its t is beyond the limit, computed once."""
    return abs(_t(case)) > t_quantile(1 - p / 2, len(case[0]) - 1)


def differ(case: Runs) -> bool:
    """Whether the paired test finds a difference;
    raises an error if it is not clear, because such a case is our mistake.
    """
    found = below(case, LEVEL - MARGIN)
    if found or not below(case, LEVEL + MARGIN):
        return found
    raise JudgeError(f"a case with p = {paired(*case):.3f} decides nothing")


def drawn(
    rng: random.Random,
    count: int,
    gap: float,
    wanted: Callable[[Runs], bool],
    level: float = 60.0,
    spread: float = 1.0,
    shared: float = 0.0,
) -> Runs:
    """Two lists of figures around `level` with s.d. 1 and `spread`.
    The first is higher by `gap` times a number near 1.

    A number of s.d. |`shared`| is drawn for each seed. It is added to both runs of the seed; if `shared` is
    negative, it is added to the first and subtracted from the second. Cases are drawn until `wanted` holds.
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
    return below(case, SURE)


def unclear(case: Runs) -> bool:
    """Cases in which it finds none."""
    return not below(case, UNSURE)


def with_t(rng: random.Random, count: int, t: float) -> Runs:
    """Two lists of `count` figures around 60; their differences have exactly this t,
    and a standard deviation of `SPREAD`.
    """
    numbers, second = ([rng.gauss(0, 1) for _ in range(count)] for _ in range(2))
    mean, sd = mean_sd(numbers)
    second = [60 + each for each in second]
    return [
        b + SPREAD * ((each - mean) / sd + t / math.sqrt(count))
        for b, each in zip(second, numbers, strict=True)
    ], second


def scaled(case: Runs, factor: float) -> Runs:
    """The same figures in other units."""
    return [factor * value for value in case[0]], [factor * value for value in case[1]]


def near_and_tiny(rng: random.Random) -> list[tuple[Runs, bool]]:
    """`NEAR`, and two cases of tiny figures, each with whether the rows differ."""
    near = [(with_t(rng, count, t), t > t_quantile(0.975, count - 1)) for count, t in NEAR]
    return [*near, *((scaled(with_t(rng, 6, t), TINY), t > 3.0) for t in (3.2, 2.0))]


def with_signs(rng: random.Random) -> list[Runs]:
    """Two cases with negative figures: of both signs, whose absolute values do not differ; of one sign."""
    both = drawn(
        rng,
        6,
        4.0,
        lambda case: clearly(case) and unclear(([abs(a) for a in case[0]], [abs(b) for b in case[1]])),
        level=-2.0,
    )
    return [both, drawn(rng, 6, 4.0, clearly, level=-60.0)]


def equal_lists(answer: Answer, rng: random.Random) -> None:
    """Raise NotYet if a list is said to differ from an equal one."""
    first = [60 + rng.gauss(0, 1) for _ in range(5)]
    try:
        verdict = answer(first, list(first))
    except AnswerRaised:  # t is 0/0
        return
    expect(
        not truth(verdict, "your verdict"),
        "for two equal lists of five figures there is no difference, because all differences are 0; you"
        " report one",
    )


def growing(rng: random.Random) -> list[Runs]:
    """Four runs of very different size: the first list is always a tenth above the second;
    and it is always 5 above it.
    """
    second = [each * rng.uniform(0.95, 1.05) for each in (10.0, 30.0, 100.0, 600.0)]
    tenth = [each * rng.uniform(1.09, 1.11) for each in second]
    return [(tenth, second), ([each + rng.uniform(4.5, 5.5) for each in second], second)]


def some_equal(rng: random.Random) -> Runs:
    """Six runs, three of which are the same in both lists. The other three alone would differ. The runs are
    far apart, so that both lists have the same order: sorting them keeps the pairs.
    """
    second = [60.0 + 5 * place + rng.gauss(0, 1) for place in rng.sample(range(6), 6)]
    gaps = rng.sample([0.0, 0.0, 0.0, 1.0, 1.25, 0.875], 6)
    return [each + gap for each, gap in zip(second, gaps, strict=True)], second


def measured(answer: Answer, rng: random.Random, count: int) -> float:
    """The t from which `answer` reports a difference of `count` runs, to one per cent; found by halving."""
    seed = rng.getrandbits(30)
    low, high = 0.5, 25.0
    while high / low > 1.01:
        t = math.sqrt(low * high)
        low, high = (
            (low, t) if truth(answer(*with_t(random.Random(seed), count, t)), "your verdict") else (t, high)
        )
    return math.sqrt(low * high)


def cause(answer: Answer, rng: random.Random) -> str:
    """The mistake of `NAMED` whose limits this wrong answer has, as a possible cause;
    empty if it has those of none.
    """
    limits = {n: measured(answer, rng, n) for n in (3, 6, 8)}
    for name, limit in NAMED:
        if all(abs(found / limit(n, t_quantile(0.975, n - 1)) - 1) < 0.01 for n, found in limits.items()):
            return f". {POSSIBLE}{name}"
    return ""


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Six runs far apart, the same lists swapped; six that overlap; six of which three are the same; six that
    differ little, but alike in every pair; `EDGES`; four of very different size; t near the limit, and tiny
    figures; equal lists.
    """
    far = drawn(rng, 6, 4.0, clearly)
    pairs = drawn(rng, 6, 3.0, lambda case: clearly(case) and welch(*case) > UNSURE, shared=12.0)
    cases = [
        (far, ""),
        (
            (far[1], far[0]),
            ". In the other order these rows were right",
        ),
        (drawn(rng, 6, 0.3, unclear), ""),
        (
            some_equal(rng),
            ". Three of the six differences are 0, and they count like the others",
        ),
        (
            pairs,
            ". Here only the pairs show it; Welch's test finds no difference",
        ),
        *((with_t(rng, count, t), "") for count, t in EDGES),
        *((case, "") for case in (*growing(rng), *with_signs(rng))),
    ]
    for case, fact in cases:
        if truth(answer(*case), "your verdict") is not differ(case):
            with names_changes(answer, ("first", "second"), *case):
                raise NotYet(f"{_said(case)}; you say the opposite{cause(answer, rng) or fact}")
    for case, wanted in near_and_tiny(rng):
        if truth(answer(*case), "your verdict") is not wanted:
            raise NotYet(f"{_said(case)}; you say the opposite")
    equal_lists(answer, rng)
    leaves_alone(answer, ("first", "second"), *far)
    return right("you report a difference exactly if t is beyond the limit for this number of runs")


def _said(case: Runs) -> str:
    count = len(case[0])
    t, limit = _t(case), t_quantile(0.975, count - 1)
    digits = 2 if abs(abs(t) - limit) > 0.05 else 4
    rows = f"two rows of {count} figures" if count > 20 else _shown(case, f".{digits}f")
    return (
        f"for {rows} t is {t:.{digits}f} and the limit for {count} runs is {limit:.{digits}f}, "
        f"so the rows {'differ' if abs(t) > limit else 'are not shown to differ'}"
    )


def _t(case: Runs) -> float:
    """t, or nan if all differences are equal."""
    mean, sd = mean_sd([a - b for a, b in zip(*case, strict=True)])
    return mean / (sd / math.sqrt(len(case[0]))) if sd else math.nan


def _shown(case: Runs, form: str) -> str:
    """The two rows, with as many decimals as it takes to give the same t in this format."""
    first, second = case
    for decimals in range(1, 17):
        first, second = ([round(value, decimals) for value in each] for each in case)
        if f"{_t((first, second)):{form}}" == f"{_t(case):{form}}":
            break
    return " against ".join(f"({', '.join(map(str, each))})" for each in (first, second))


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
        (
            "Runs with the same seed form a pair. So look at the n differences, not at the two lists. Then"
            " ask: how far would their mean be from 0 if only chance made them?"
        ),
        (
            "t is the mean of the differences divided by its standard error, and the standard error is the"
            " standard deviation of the differences divided by √n. Compare |t| with t_quantile(0.975, n − 1)."
        ),
        (
            "gaps = [a - b for a, b in zip(first, second)]; error = statistics.stdev(gaps) / math.sqrt(n); "
            "t = statistics.fmean(gaps) / error; return abs(t) > t_quantile(0.975, n - 1)."
        ),
    ),
    check=check,
)
