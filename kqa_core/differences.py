"""Is a difference a difference? Mean ± standard deviation over seeds, and Student's t.

- `t_quantile` is computed, not looked up: no table and no scipy. It takes fractional degrees of freedom, as Welch's test has.
- `paired` and `welch` give p, two-sided: the probability of a difference at least this large if there is none, for normal errors.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

SLICES = 200  # of Simpson's rule: errors under 1e-8 up to 200 degrees of freedom


def mean_sd(values: Sequence[float]) -> tuple[float, float]:
    """The mean, and the standard deviation over n − 1; nan for the deviation of a single value."""
    return statistics.fmean(values), statistics.stdev(values) if len(values) > 1 else math.nan


def t_beyond(t: float, degrees: float) -> float:
    """P(|T| ≥ |t|) for Student's T with `degrees` degrees of freedom, at least 1.

    With t = √degrees · tan θ the density becomes c · cos^(degrees − 1) θ on (−π/2, π/2), which is integrated from 0 to θ.
    """
    if degrees < 1:
        raise ValueError(f"degrees of freedom must be at least 1, got {degrees}")
    scale = math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)) / math.sqrt(math.pi)
    end = math.atan(abs(t) / math.sqrt(degrees))
    step = end / SLICES
    heights: list[float] = [math.cos(i * step) ** (degrees - 1) for i in range(SLICES + 1)]
    area = step / 3 * (heights[0] + heights[-1] + 4 * sum(heights[1:-1:2]) + 2 * sum(heights[2:-1:2]))
    return min(1.0, max(0.0, 1 - 2 * scale * area))


def t_quantile(probability: float, degrees: float) -> float:
    """The t that Student's T stays below with `probability`, between ½ and 1: `t_quantile(0.975, 2)` is 4.303."""
    if not 0.5 <= probability < 1:
        raise ValueError(f"the probability must lie between 0.5 and 1, got {probability}")
    wanted, low, high = 2 * (1 - probability), 0.0, 1.0
    while t_beyond(high, degrees) > wanted:
        low, high = high, 2 * high
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if t_beyond(middle, degrees) > wanted else (low, middle)
    return (low + high) / 2


def paired(first: Sequence[float], second: Sequence[float]) -> float:
    """p of the paired t test: run i of both shares its seed and its batches. At least two pairs."""
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    mean, sd = mean_sd(gaps)
    return _p(mean, sd / math.sqrt(len(gaps)), len(gaps) - 1)


def welch(first: Sequence[float], second: Sequence[float]) -> float:
    """p of Welch's t test: runs on their own, of two spreads. At least two each."""
    (a, sd_a), (b, sd_b) = mean_sd(first), mean_sd(second)
    parts = sd_a**2 / len(first), sd_b**2 / len(second)
    below = parts[0] ** 2 / (len(first) - 1) + parts[1] ** 2 / (len(second) - 1)
    return _p(a - b, math.sqrt(sum(parts)), sum(parts) ** 2 / below if below else 1.0)


def _p(mean: float, error: float, degrees: float) -> float:
    """p of a mean with that standard error."""
    if error == 0.0:
        return 1.0 if mean == 0.0 else 0.0
    return t_beyond(mean / error, degrees)
