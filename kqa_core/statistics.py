"""How sure a measured share is.

- Wilson's interval, not the textbook p ± 1.96·s.e.: it stays inside [0, 1], and is honest at 0 % and 100 %, where the
  textbook one has no width at all (Wilson 1927; Brown, Cai and DasGupta 2001).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist


def wilson(hits: int, total: int, level: float = 0.95) -> tuple[float, float]:
    """The interval that holds the true share of `hits` in `total` with confidence `level`; (0, 1) where none were asked."""
    if not 0 <= hits <= total:
        raise ValueError(f"hits must lie in 0..{total}, got {hits}")
    if total == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf(0.5 + level / 2)
    share = hits / total
    centre = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z / (1 + z * z / total) * math.sqrt(share * (1 - share) / total + (z / (2 * total)) ** 2)
    low = 0.0 if hits == 0 else max(0.0, centre - half)
    return low, 1.0 if hits == total else min(1.0, centre + half)


@dataclass(frozen=True)
class Share:
    """`hits` of `total`, with its 95 % interval."""

    hits: int
    total: int

    @property
    def value(self) -> float:
        """The share in [0, 1]; nan of nothing."""
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
        return f"{100 * self.value:.1f} % ({self.hits} of {self.total}, 95 % interval {100 * low:.1f} to {100 * high:.1f})"
