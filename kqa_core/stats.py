"""Statistics: a proportion's confidence interval, t-tests over seeds, McNemar's test over questions.

- `wilson` is Wilson's interval and not the textbook's p ± 1.96·s.e. It stays inside [0, 1], and its width is
  not 0 at 0 % and 100 %, unlike the textbook's (Wilson 1927; Brown, Cai and DasGupta 2001).
- Student's t is the incomplete beta function, which mpmath computes. Degrees of freedom may be fractional,
  as in Welch's test.
- `paired` and `welch` return the two-sided p-value: the probability of a difference at least this large if
  there is none, for normally distributed errors.
- A t-test needs spread. If there is none, its p-value would be 0, for two runs as for a hundred. Then both
  return the p-value of the test that asks only for signs or for order, which depends on the number of runs.
"""

from __future__ import annotations

import functools
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass


def wilson(hits: int, total: int, level: float = 0.95) -> tuple[float, float]:
    """Wilson's interval (low, high) of a proportion, at confidence `level`; (0, 1) for a `total` of 0.

    Raises ValueError if `hits` is not in 0..total.
    """
    if not 0 <= hits <= total:
        raise ValueError(f"hits must lie in 0..{total}, got {hits}")
    if total == 0:
        return 0.0, 1.0
    z = statistics.NormalDist().inv_cdf(0.5 + level / 2)
    share = hits / total
    centre = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z / (1 + z * z / total) * math.sqrt(share * (1 - share) / total + (z / (2 * total)) ** 2)
    low = 0.0 if hits == 0 else max(0.0, centre - half)
    return low, 1.0 if hits == total else min(1.0, centre + half)


@dataclass(frozen=True)
class Proportion:
    """`hits` of `total`: a proportion with its 95 % Wilson interval.

    >>> print(Proportion(25, 100))
    25.0 % (25 of 100, 95 % interval 17.5 to 34.3)
    """

    hits: int
    total: int

    @property
    def value(self) -> float:
        """In [0, 1]; nan for a total of 0."""
        return self.hits / self.total if self.total else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval."""
        return wilson(self.hits, self.total)

    def __str__(self) -> str:
        """Such as `5.0 % (25 of 500, 95 % interval 3.4 to 7.3)`."""
        if not self.total:
            return "no cases"
        low, high = self.interval
        return (
            f"{100 * self.value:.1f} % ({self.hits} of {self.total}, 95 % interval {100 * low:.1f} to"
            f" {100 * high:.1f})"
        )


def mean_sd(values: Sequence[float]) -> tuple[float, float]:
    """The mean, and the sample standard deviation (over n − 1); nan for the deviation of a single value."""
    return statistics.fmean(values), statistics.stdev(values) if len(values) > 1 else math.nan


def t_beyond(t: float, degrees: float) -> float:
    """P(|T| ≥ |t|) for Student's T with `degrees` degrees of freedom, at least 1."""
    if degrees < 1:
        raise ValueError(f"degrees of freedom must be at least 1, got {degrees}")
    # sympy's companion; here, because a course without sympy shows proportions, too
    from mpmath import betainc  # type: ignore[import-untyped] # mpmath ships no types

    return float(betainc(degrees / 2, 0.5, 0, degrees / (degrees + t * t), regularized=True))


def t_quantile(probability: float, degrees: float) -> float:
    """The quantile of Student's t for a `probability` between 0 and 1: `t_quantile(0.975, 2)` is 4.303.

    >>> round(t_quantile(0.975, 2), 3)
    4.303
    """
    if not 0 < probability < 1:
        raise ValueError(f"the probability must lie between 0 and 1, got {probability}")
    if probability < 0.5:
        return -t_quantile(1 - probability, degrees)
    return _upper_quantile(float(probability), float(degrees))


@functools.lru_cache(maxsize=256)
def _upper_quantile(probability: float, degrees: float) -> float:
    """The quantile for a probability of ½ or more, by Newton's method between two bounds."""
    wanted, low, high = 2 * (1 - probability), 0.0, 1.0
    if wanted == 1:
        return 0.0
    while t_beyond(high, degrees) > wanted:
        low, high = high, 2 * high
    scale = math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)) / math.sqrt(degrees * math.pi)
    t = (low + high) / 2
    for _ in range(60):  # about seven are needed
        excess = t_beyond(t, degrees) - wanted
        if excess == 0:
            break
        low, high = (t, high) if excess > 0 else (low, t)
        density = scale * (1 + t * t / degrees) ** (-(degrees + 1) / 2)
        step = t + excess / (2 * density)
        before, t = t, step if low <= step <= high else (low + high) / 2
        if abs(t - before) <= 1e-15 * t:
            break
    return t


def paired(first: Sequence[float], second: Sequence[float]) -> float:
    """The two-sided p-value of the paired t-test; run i of both has the same seed. At least two pairs.

    If all gaps are equal and not 0, it is that of the sign test, 2/2ⁿ: 0.25 for three pairs.

    >>> round(paired([3.0, 4.0, 6.0], [1.0, 2.5, 3.0]), 3)
    0.039
    """
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    mean, sd = mean_sd(gaps)
    if _is_rounding(sd, *first, *second):
        return 1.0 if _is_rounding(mean, *first, *second) else 2 / 2 ** len(gaps)
    return t_beyond(mean / (sd / math.sqrt(len(gaps))), len(gaps) - 1)


def welch(first: Sequence[float], second: Sequence[float]) -> float:
    """The two-sided p-value of Welch's t-test for independent runs, at least two each.

    If neither group has any spread but their means differ, it is that of the permutation test: 2 of all ways
    to divide the runs into two such groups, so 0.1 for three runs each.

    >>> round(welch([3.0, 4.0, 6.0], [1.0, 2.5, 3.0]), 3)
    0.122
    """
    (a, sd_a), (b, sd_b) = mean_sd(first), mean_sd(second)
    if _is_rounding(max(sd_a, sd_b), *first, *second):
        ways = math.comb(len(first) + len(second), len(first))
        return 1.0 if _is_rounding(a - b, *first, *second) else 2 / ways
    parts = sd_a**2 / len(first), sd_b**2 / len(second)
    below = parts[0] ** 2 / (len(first) - 1) + parts[1] ** 2 / (len(second) - 1)
    return t_beyond((a - b) / math.sqrt(sum(parts)), sum(parts) ** 2 / below)


def mcnemar(gained: int, lost: int) -> float:
    """The two-sided p-value of McNemar's exact test, for two models that answered the same questions.

    `gained` questions only the second model answered correctly, `lost` only the first. If neither is better,
    each of these is a fair coin.

    >>> mcnemar(gained=9, lost=1)
    0.021484375
    """
    total, fewer = gained + lost, min(gained, lost)
    tail: int = sum(math.comb(total, k) for k in range(fewer + 1))
    return min(1.0, 2 * tail / (1 << total))  # integers, because 2.0**total ends at 1,023


def _is_rounding(value: float, *others: float) -> bool:
    """Whether `value`, computed from the others, is 0 but for their rounding."""
    return abs(value) <= 1e-12 * max(map(abs, others))
