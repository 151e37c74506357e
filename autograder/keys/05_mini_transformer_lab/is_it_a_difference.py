"""Answer key of is_it_a_difference.

Every case is drawn until the paired test and Welch's agree with room to spare (p < 0.02 or p > 0.12, against 0.05), so a right
answer is never refused by chance, whichever of the usual tests it makes. The kinds of case are made to catch a mistake each:
three seeds with a gap that a normal table takes for real; a gap that is small beside the mean, and sure; many seeds that overlap.
"""

from __future__ import annotations

import math
import random
import statistics

import numpy as np
import torch
from course_exercises.is_it_a_difference import Runs, clearly, differ, drawn, unclear

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, expect, right
from kqa_core.check.helpers.read_values import truth
from kqa_core.stats import mean_sd, t_quantile


def normal_says_yes(case: Runs) -> bool:
    """1.96 standard errors are passed by both errors, though t says no."""
    gaps = [a - b for a, b in zip(*case, strict=True)]
    mean, sd = mean_sd(gaps)
    (_, sd_a), (_, sd_b) = (mean_sd(each) for each in case)
    error = math.sqrt((sd_a**2 + sd_b**2) / len(gaps))
    return abs(mean) > 2.1 * error and abs(mean) > 2.1 * sd / math.sqrt(len(gaps)) and unclear(case)


def overlapping(case: Runs) -> bool:
    """A sure difference, though mean ± s.d. of the two overlap, as do their ranges."""
    (a, sd_a), (b, sd_b) = (mean_sd(each) for each in case)
    return abs(a - b) < 0.9 * min(sd_a, sd_b) and min(case[0]) < max(case[1]) and clearly(case)


def small_spread(case: Runs) -> bool:
    """Spreads under ½, where a variance is smaller than a standard deviation: unclear, though |gap| passes 2.3 variances/√n."""
    (a, sd_a), (b, sd_b) = (mean_sd(each) for each in case)
    gaps = [x - y for x, y in zip(*case, strict=True)]
    spread = max(sd_a**2 + sd_b**2, statistics.variance(gaps))
    return abs(a - b) > 4 * spread / math.sqrt(len(gaps)) and unclear(case)


def scaled(case: Runs, factor: float) -> Runs:
    """The same figures in other units."""
    return [factor * value for value in case[0]], [factor * value for value in case[1]]


def cases(rng: random.Random) -> list[Runs]:
    """Two or three of each kind, both ways round."""
    found: list[Runs] = []
    for _ in range(2):
        found.append(drawn(rng, 3, 1.3, normal_says_yes, spread=0.05))
        found.append(drawn(rng, 25, 0.8, overlapping))
        found.append(drawn(rng, 6, 4.0, clearly, level=600.0))  # sure, and under 1 % of the mean
        found.append(drawn(rng, 5, 0.6, lambda case: abs(_gap(case)) > 0.5 and unclear(case), level=3.0))
        found.append(scaled(drawn(rng, 5, 0.5, lambda case: small_spread(scaled(case, 0.01)), level=400.0), 0.01))
        found.append(drawn(rng, 8, 3.0, clearly))
        found.append(drawn(rng, 30, 0.0, lambda case: abs(_gap(case)) > 0.05 and unclear(case)))
    return [*found, *[(second, first) for first, second in found]]


def _gap(case: Runs) -> float:
    return statistics.fmean(case[0]) - statistics.fmean(case[1])


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Every kind, both ways round."""
    drawn_cases = cases(rng)
    values = answer.map(list(drawn_cases))
    said = [truth(value, "your verdict") for value in values]
    seen = sum(each and not differ(case) for case, each in zip(drawn_cases, said, strict=True))
    missed = sum(differ(case) and not each for case, each in zip(drawn_cases, said, strict=True))
    expect(seen == 0, f"of {len(drawn_cases)} pairs of rows, you report {seen} differences that seeds alone could have made")
    expect(missed == 0, f"of {len(drawn_cases)} pairs of rows, you miss {missed} differences that are there beyond doubt")
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Every kind, both ways round."""
    return list(cases(rng))


def is_it_a_difference(first, second):
    """The reference."""
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    error = statistics.stdev(gaps) / math.sqrt(len(gaps))
    return abs(statistics.fmean(gaps)) > t_quantile(0.975, len(gaps) - 1) * error


def welch_test(first, second):
    """Welch's test, with its fractional degrees of freedom."""
    a, b = np.array(first), np.array(second)
    va, vb = a.var(ddof=1) / len(a), b.var(ddof=1) / len(b)
    degrees = (va + vb) ** 2 / (va**2 / (len(a) - 1) + vb**2 / (len(b) - 1))
    return abs(a.mean() - b.mean()) / math.sqrt(va + vb) > t_quantile(0.975, degrees)


def pooled(first, second):
    """Student's own test, with one spread for both."""
    n, m = len(first), len(second)
    both = (statistics.variance(first) * (n - 1) + statistics.variance(second) * (m - 1)) / (n + m - 2)
    t = (statistics.fmean(first) - statistics.fmean(second)) / (both * (1 / n + 1 / m)) ** 0.5
    return not -t_quantile(0.975, n + m - 2) <= t <= t_quantile(0.975, n + m - 2)


def interval_of_gaps(first, second):
    """The 95 % interval of the mean difference leaves out 0."""
    gaps = torch.tensor(first, dtype=torch.float64) - torch.tensor(second, dtype=torch.float64)
    half = t_quantile(0.975, len(gaps) - 1) * gaps.std() / len(gaps) ** 0.5
    low, high = gaps.mean() - half, gaps.mean() + half
    return bool((low > 0) | (high < 0))


def permutation(first, second):
    """No law of errors at all: how often does dealing the figures out anew make a gap this large?"""
    together, n = np.array([*first, *second]), len(first)
    seen = abs(together[:n].mean() - together[n:].mean())
    rng = np.random.default_rng(1)
    dealt = np.array([rng.permutation(together) for _ in range(2000)])
    gaps = abs(dealt[:, :n].mean(1) - dealt[:, n:].mean(1))
    return (gaps >= seen - 1e-12).mean() < 0.05


def normal_table(first, second):
    """1.96 belongs to a spread that you know; from three runs you only guess it, and t_quantile says how far to go: 4.30
    standard errors for the paired test.
    """
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    return abs(statistics.fmean(gaps)) > 1.96 * statistics.stdev(gaps) / math.sqrt(len(gaps))


def means_differ(first, second):
    """The means of two rows always differ a little; the question is whether seeds alone would do that."""
    return statistics.fmean(first) != statistics.fmean(second)


def no_overlap(first, second):
    """You ask whether mean ± s.d. overlap; with many runs the mean is known far better than a single run: divide by √n."""
    (a, sd_a), (b, sd_b) = ((statistics.fmean(each), statistics.stdev(each)) for each in (first, second))
    return abs(a - b) > sd_a + sd_b


def apart_altogether(first, second):
    """You ask whether the ranges are apart; that says ever less as runs are added, since ranges only grow."""
    return min(first) > max(second) or min(second) > max(first)


def no_root(first, second):
    """You compare with the s.d. of a single run; the mean of n runs has one √n times smaller."""
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    return abs(statistics.fmean(gaps)) > t_quantile(0.975, len(gaps) - 1) * statistics.stdev(gaps)


def first_is_larger(first, second):
    """You only find a difference where the first row is the larger one: take the absolute value of t."""
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    return statistics.fmean(gaps) > t_quantile(0.975, len(gaps) - 1) * statistics.stdev(gaps) / math.sqrt(len(gaps))


def one_percent(first, second):
    """A gap of a fixed share of the mean is neither here nor there: seeds may make more, or a sure gap be less."""
    a, b = statistics.fmean(first), statistics.fmean(second)
    return abs(a - b) > 0.02 * max(abs(a), abs(b))


def variances(first, second):
    """You forgot a root: that is a variance over √n, not a standard error; the verdict then hangs on the units."""
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    return abs(statistics.fmean(gaps)) > t_quantile(0.975, len(gaps) - 1) * statistics.variance(gaps) / math.sqrt(len(gaps))


def inverted(first, second):
    """Your verdict is the wrong way round: True means that they differ."""
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    return abs(statistics.fmean(gaps)) <= t_quantile(0.975, len(gaps) - 1) * statistics.stdev(gaps) / math.sqrt(len(gaps))


def never(first, second):
    """You never report a difference, whatever the figures; some of these are beyond doubt."""
    return False


def all_as_one(first, second):
    """You take the spread of all runs together, so the gap that you ask about swells it: take it within each row, or of the
    gaps.
    """
    everything = [*first, *second]
    error = statistics.stdev(everything) / math.sqrt(len(first))
    return abs(statistics.fmean(first) - statistics.fmean(second)) > 4.3 * error


def most_of_them(first, second):
    """You count in how many seeds the first is larger, and call most of them a difference; a coin does that every second
    time.
    """
    wins = sum(a > b for a, b in zip(first, second, strict=True))
    return wins > len(first) / 2 or wins < len(first) / 2


KEY = AnswerKey(
    id="is_it_a_difference",
    hidden=hidden,
    reference=is_it_a_difference,
    accepted=(welch_test, pooled, interval_of_gaps, permutation),
    rejected=(
        *(normal_table, means_differ, no_overlap, apart_altogether, no_root, first_is_larger, one_percent, variances),
        *(inverted, never, all_as_one, most_of_them),
    ),
    fingerprint=fingerprint,
)
