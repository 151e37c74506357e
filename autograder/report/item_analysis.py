"""The figures of the report, as pure functions. Wilson's interval of a share is `kqa_core.stats`.

- Discrimination is the corrected point-biserial correlation (Henrysson 1963): right or not, against the marks of the *other*
  exercises, so that no exercise is praised for agreeing with itself. Unattempted counts as not right, as is usual.
- It is shown from `ENOUGH` students on. Under Fisher's transformation, atanh(r) has standard error 1 / sqrt(n - 3): with 32
  students an exercise that truly discriminates at 0.3 ("good", Ebel 1965) comes out negative in at most 5 classes of 100, with
  fewer more often. And `EACH` right and wrong at least: the mean of fewer is those few.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import correlation

ENOUGH = 32
EACH = 5


@dataclass(frozen=True)
class Discrimination:
    """How well an exercise tells those who do the rest well from those who do not. `value` is None where `why` says why."""

    value: float | None
    students: int
    why: str = ""

    def __str__(self) -> str:
        """Such as `0.41 (n = 120)`."""
        return f"{self.value:.2f} (n = {self.students})" if self.value is not None else f"{self.why} (n = {self.students})"


def discrimination(right: Sequence[bool], rest: Sequence[float]) -> Discrimination:
    """Of one exercise: who had it right, and what each of them got for the other exercises, in the same order."""
    students, hits = len(right), sum(right)
    if len(rest) != students:
        raise ValueError(f"as many of each are needed, got {students} and {len(rest)}")
    if students < ENOUGH:
        return Discrimination(None, students, f"too few: {ENOUGH} needed")
    if min(hits, students - hits) < EACH:
        return Discrimination(None, students, f"too few {'right' if hits < EACH else 'wrong'}: {EACH} needed")
    if math.isclose(min(rest), max(rest)):
        return Discrimination(None, students, "all have the same for the rest")
    return Discrimination(correlation([float(each) for each in right], rest), students)


def tenths(shares: Iterable[float]) -> list[int]:
    """How many shares fall in each tenth: [0, 0.1), [0.1, 0.2) … [0.9, 1], and what extra points lift above 1 in the last."""
    counts = [0] * 10
    for share in shares:
        counts[min(9, max(0, math.floor(10 * share + 1e-9)))] += 1  # 0.3 is 3 tenths, whatever 10 * 0.3 comes to
    return counts
