"""Answer key of is_it_a_difference.

No case has a p within 0.005 of 0.05: a right answer is never refused by chance. Each kind of case catches a
mistake: three seeds with a gap that passes a normal table; a gap that is small relative to the mean; many
seeds that overlap; pairs that vary together, and pairs that vary against each other, where Welch's test says
the opposite; and `EDGES`. In `growing`, a test of ratios or of logarithms says the opposite.
"""

from __future__ import annotations

import math
import random
import statistics

import numpy as np
import torch
from course_exercises.is_it_a_difference import (
    EDGES,
    UNSURE,
    Runs,
    clearly,
    differ,
    drawn,
    growing,
    scaled,
    unclear,
    with_signs,
    with_t,
)

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, expect, right
from kqa_core.check.helpers.read_values import truth
from kqa_core.stats import mean_sd, t_quantile, welch


def normal_says_yes(case: Runs) -> bool:
    """The mean is 2.1 standard errors or more from 0, though t says no."""
    mean, sd = mean_sd([a - b for a, b in zip(*case, strict=True)])
    return abs(mean) > 2.1 * sd / math.sqrt(len(case[0])) and unclear(case)


def overlapping(case: Runs) -> bool:
    """A clear difference, though mean ± s.d. of the two overlap, as do their ranges."""
    (a, sd_a), (b, sd_b) = (mean_sd(each) for each in case)
    return abs(a - b) < 0.9 * min(sd_a, sd_b) and min(case[0]) < max(case[1]) and clearly(case)


def small_spread(case: Runs) -> bool:
    """Spreads under ½, where a variance is smaller than a standard deviation:
    unclear, though |gap| passes 4 variances/√n.
    """
    gaps = [x - y for x, y in zip(*case, strict=True)]
    return abs(statistics.fmean(gaps)) > 4 * statistics.variance(gaps) / math.sqrt(len(gaps)) and unclear(
        case
    )


def only_paired(case: Runs) -> bool:
    """The paired test finds a difference, Welch's finds none."""
    return clearly(case) and welch(*case) > UNSURE


def only_welch(case: Runs) -> bool:
    """Welch's test finds a difference, the paired test finds none."""
    # a case below SURE is impossible: one t is at most √2 times the other
    return unclear(case) and welch(*case) < 0.045


def unequal(rng: random.Random) -> Runs:
    """t = 3.5, the second list almost constant: Welch's limit is 4.3, and 2.8 with one common spread."""
    first, second = with_t(rng, 3, 3.5)
    common = [0.99 * (value - 60) for value in second]
    shifted = [[a - each for a, each in zip(row, common, strict=True)] for row in (first, second)]
    return shifted[0], shifted[1]


FAR_EDGES = ((12, 2.08), (31, 1.975))  # runs and t, for tables that end: p is 0.062 and 0.058


def cases(rng: random.Random) -> list[Runs]:
    """Two of each kind and the edges, both ways round."""
    found: list[Runs] = []
    for _ in range(2):
        found.append(drawn(rng, 3, 1.3, normal_says_yes, spread=0.05))
        found.append(drawn(rng, 25, 0.8, overlapping))
        found.append(drawn(rng, 6, 4.0, clearly, level=600.0))  # clear, and under 1 % of the mean
        found.append(drawn(rng, 5, 0.6, lambda case: abs(_gap(case)) > 0.5 and unclear(case), level=3.0))
        found.append(
            scaled(drawn(rng, 5, 0.5, lambda case: small_spread(scaled(case, 0.01)), level=400.0), 0.01)
        )
        found.append(drawn(rng, 8, 3.0, clearly))
        found.append(drawn(rng, 30, 0.0, lambda case: abs(_gap(case)) > 0.05 and unclear(case)))
        found.append(drawn(rng, 4, 4.0, only_paired, shared=12.0))
        found.append(drawn(rng, 8, 3.0, only_paired, shared=12.0))
        found.append(drawn(rng, 3, 8.0, only_welch, shared=-3.0))
    found += [with_t(rng, count, t) for count, t in (*EDGES, *FAR_EDGES)]
    found += [unequal(rng), *growing(rng), *with_signs(rng)]
    return [*found, *[(second, first) for first, second in found]]


def _gap(case: Runs) -> float:
    return statistics.fmean(case[0]) - statistics.fmean(case[1])


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Every kind, both ways round. (Only the visible check has `NEAR` and equal lists.)"""
    drawn_cases = cases(rng)
    values = answer.map(list(drawn_cases))
    said = [truth(value, "your verdict") for value in values]
    seen = [case for case, each in zip(drawn_cases, said, strict=True) if each and not differ(case)]
    missed = [case for case, each in zip(drawn_cases, said, strict=True) if differ(case) and not each]
    of = f"of {len(drawn_cases)} pairs of rows, you"
    expect(not seen, f"{of} report {len(seen)} differences that seeds alone could have made{_one_of(seen)}")
    expect(not missed, f"{of} miss {len(missed)} clear differences{_one_of(missed)}")
    return right()


def _one_of(wrong: list[Runs]) -> str:
    """The first of some cases, as the end of a sentence."""
    if not wrong:
        return ""
    gaps = [a - b for a, b in zip(*wrong[0], strict=True)]
    (mean, sd), n = mean_sd(gaps), len(gaps)
    return (
        f"; in one of them {n} runs give t = {mean / (sd / math.sqrt(n)):.2f}, and the limit is"
        f" {t_quantile(0.975, n - 1):.2f}"
    )


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Every kind, both ways round, and cases that tell n − 2 degrees and √(n − 1) from the quantile 0.98."""
    return [*cases(rng), with_t(rng, 3, 8.0), with_t(rng, 3, 5.05)]


def is_it_a_difference(first, second):
    """The reference."""
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    error = statistics.stdev(gaps) / math.sqrt(len(gaps))
    return abs(statistics.fmean(gaps) / error) > t_quantile(0.975, len(gaps) - 1)


def interval_of_gaps(first, second):
    """The 95 % interval of the mean difference does not contain 0."""
    gaps = torch.tensor(first, dtype=torch.float64) - torch.tensor(second, dtype=torch.float64)
    half = t_quantile(0.975, len(gaps) - 1) * gaps.std() / len(gaps) ** 0.5
    low, high = gaps.mean() - half, gaps.mean() + half
    return bool((low > 0) | (high < 0))


def by_numpy(first, second):
    """Arrays, and t without a square root: t² against the squared quantile."""
    gaps = np.array(first) - np.array(second)
    return gaps.mean() ** 2 * len(gaps) / gaps.var(ddof=1) > t_quantile(0.975, len(gaps) - 1) ** 2


def by_covariance(first, second):
    """The variance of a difference is the sum of the variances minus twice the covariance."""
    n = len(first)
    variance = (
        statistics.variance(first) + statistics.variance(second) - 2 * statistics.covariance(first, second)
    )
    t = (statistics.fmean(first) - statistics.fmean(second)) / (variance / n) ** 0.5
    return not -t_quantile(0.975, n - 1) <= t <= t_quantile(0.975, n - 1)


def by_p_value(first, second):
    """The two-sided p-value, from the density of t, by the trapezium rule."""
    n, gaps = len(first), np.subtract(first, second)
    t = abs(gaps.mean()) / (gaps.std(ddof=1) / n**0.5)
    angles = np.linspace(0, math.atan(t / (n - 1) ** 0.5), 20_001)
    heights = np.cos(angles) ** (n - 2)
    scale = math.exp(math.lgamma(n / 2) - math.lgamma((n - 1) / 2)) / math.pi**0.5
    inside = 2 * scale * float(((heights[1:] + heights[:-1]) / 2 * np.diff(angles)).sum())
    return 1 - inside < 0.05


def welch_test(first, second):
    """You compare the two lists as if their runs had nothing in common (Welch's test). Runs with the same
    seed form a pair: test the mean of the differences.
    """
    from kqa_core.stats import welch

    return welch(first, second) < 0.05


def pooled(first, second):
    """You use Student's test for two independent lists, with one common spread. Runs with the same seed form
    a pair: test the mean of the differences.
    """
    n, m = len(first), len(second)
    both = (statistics.variance(first) * (n - 1) + statistics.variance(second) * (m - 1)) / (n + m - 2)
    t = (statistics.fmean(first) - statistics.fmean(second)) / (both * (1 / n + 1 / m)) ** 0.5
    return not -t_quantile(0.975, n + m - 2) <= t <= t_quantile(0.975, n + m - 2)


def normal_table(first, second):
    """Your limit is 1.96. It holds if the standard deviation is known. You estimate it from a few runs, so
    the limit is t_quantile(0.975, n − 1): 4.30 for three runs.
    """
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    return abs(statistics.fmean(gaps)) > 1.96 * statistics.stdev(gaps) / math.sqrt(len(gaps))


def one_sided(first, second):
    """Your limit is t_quantile(0.95, …). It leaves 5 % on each side, 10 % in all. The test is two-sided: 2.5
    % on each side, so the probability is 0.975.
    """
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    return abs(statistics.fmean(gaps)) > t_quantile(0.95, len(gaps) - 1) * statistics.stdev(gaps) / math.sqrt(
        len(gaps)
    )


def two_degrees(first, second):
    """Your limit is always that of two degrees of freedom, 4.30. That is right for three runs only: n
    differences have n − 1 degrees of freedom.
    """
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    return abs(statistics.fmean(gaps)) > t_quantile(0.975, 2) * statistics.stdev(gaps) / math.sqrt(len(gaps))


def n_degrees(first, second):
    """You use n degrees of freedom. The deviations from the mean add up to 0, so n differences have n − 1."""
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    return abs(statistics.fmean(gaps)) > t_quantile(0.975, len(gaps)) * statistics.stdev(gaps) / math.sqrt(
        len(gaps)
    )


def n_minus_two(first, second):
    """You use n − 2 degrees of freedom. Only one mean is estimated,
    that of the differences, so n of them have n − 1.
    """
    gaps = np.subtract(first, second)
    return bool(abs(gaps.mean()) > t_quantile(0.975, len(gaps) - 2) * gaps.std(ddof=1) / len(gaps) ** 0.5)


def ninety_eight(first, second):
    """Your limit is t_quantile(0.98, …), which leaves 4 % in all. The test has 5 % in all, so 2.5 % on each
    side: the probability is 0.975.
    """
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    return abs(statistics.fmean(gaps)) > t_quantile(0.98, len(gaps) - 1) * statistics.stdev(gaps) / math.sqrt(
        len(gaps)
    )


def divided_by_n(first, second):
    """Your standard deviation divides by n, as np.std does. It is estimated from the same numbers as the
    mean, so divide by n − 1: statistics.stdev, or np.std with ddof=1.
    """
    gaps = np.subtract(first, second)
    return bool(abs(gaps.mean()) > t_quantile(0.975, len(gaps) - 1) * np.std(gaps) / math.sqrt(len(gaps)))


def means_differ(first, second):
    """You report a difference in all of these cases. Two means always differ a little; the question is
    whether chance alone would make such a difference.
    """
    return statistics.fmean(first) != statistics.fmean(second)


def no_overlap(first, second):
    """You ask whether the two ranges mean ± s.d. overlap. This ignores the pairs, and that the mean of n runs
    varies less than a single run.
    """
    (a, sd_a), (b, sd_b) = ((statistics.fmean(each), statistics.stdev(each)) for each in (first, second))
    return abs(a - b) > sd_a + sd_b


def no_root(first, second):
    """You compare with the standard deviation of one difference. The standard error of the mean of n
    differences is √n times smaller.
    """
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    return abs(statistics.fmean(gaps)) > t_quantile(0.975, len(gaps) - 1) * statistics.stdev(gaps)


def first_is_larger(first, second):
    """You only find a difference if the first row is the larger one. Take the absolute value of t."""
    gaps = np.subtract(first, second)
    return bool(gaps.mean() > t_quantile(0.975, len(gaps) - 1) * gaps.std(ddof=1) / len(gaps) ** 0.5)


def one_percent(first, second):
    """You compare the gap with a fixed share of the mean. Seeds may make a larger gap than that, and a real
    difference may be smaller: compare with the standard error.
    """
    a, b = statistics.fmean(first), statistics.fmean(second)
    return abs(a - b) > 0.02 * max(abs(a), abs(b))


def variances(first, second):
    """You divide the variance by √n. The standard error is the standard deviation divided by √n,
    so a square root is missing.
    """
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    return abs(statistics.fmean(gaps)) > t_quantile(0.975, len(gaps) - 1) * statistics.variance(
        gaps
    ) / math.sqrt(len(gaps))


def inverted(first, second):
    """Your verdict is inverted: True means that the rows differ."""
    gaps = np.subtract(first, second)
    return bool(abs(gaps.mean()) <= t_quantile(0.975, len(gaps) - 1) * gaps.std(ddof=1) / len(gaps) ** 0.5)


def never(first, second):
    """You report no difference in any of these cases. Some of these rows differ clearly."""
    return False


def most_of_them(first, second):
    """You count in how many seeds the first is larger. With few seeds a coin gives such counts often, and the
    sizes of the differences are lost.
    """
    wins = sum(a > b for a, b in zip(first, second, strict=True))
    return wins > len(first) / 2 or wins < len(first) / 2


def both_sorted(first, second):
    """You sort both lists. The i-th numbers of the two have the same seed, and sorting breaks these pairs."""
    gaps = np.subtract(sorted(first), sorted(second))
    return bool(abs(gaps.mean()) > t_quantile(0.975, len(gaps) - 1) * gaps.std(ddof=1) / len(gaps) ** 0.5)


KEY = AnswerKey(
    id="is_it_a_difference",
    hidden=hidden,
    reference=is_it_a_difference,
    accepted=(interval_of_gaps, by_numpy, by_covariance, by_p_value),
    rejected=(
        *(welch_test, pooled, normal_table, one_sided, two_degrees, n_degrees, divided_by_n, means_differ),
        *(no_overlap, no_root, first_is_larger, one_percent, variances, inverted, never, most_of_them),
        *(n_minus_two, ninety_eight, both_sorted),
    ),
    fingerprint=fingerprint,
    commentary=(
        "A run depends on its seed, and both runs of a pair share it. The difference within a pair removes"
        " that shared part. If this part is large, the differences vary less than the runs do. The test asks"
        " whether their mean is far from 0 in units of its own standard error $\\hat\\sigma/\\sqrt n$, where"
        " $\\hat\\sigma$ is their standard deviation, computed with $n-1$. Because $\\hat\\sigma$ is"
        " estimated from $n$ numbers, the limit is not 1.96 but the quantile of Student's distribution with"
        " $n-1$ degrees of freedom. The common mistakes are to forget $\\sqrt n$, to use 1.96, and to test"
        " the two lists as if they were independent."
    ),
)
