"""Statistics of the report, as pure functions. Wilson's interval of a share is in `kqa_core.stats`.

- Discrimination is the corrected point-biserial correlation (Henrysson 1963): right or not, against the marks
  of the *other* exercises, so that an exercise is not correlated with itself. Unattempted counts as not
  right, as is usual.
- It is shown from `MIN_STUDENTS` students on. Under Fisher's transformation, atanh(r) has standard error 1 /
  sqrt(n - 3). With 32 students, an exercise whose true discrimination is 0.3 ("good", Ebel 1965) has a
  negative estimate in at most 5 classes of 100; with fewer students this happens more often.
- At least `MIN_EACH` answers must be right and as many wrong, because the mean of fewer depends on single
  students.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import correlation

MIN_STUDENTS = 32
MIN_EACH = 5


@dataclass(frozen=True)
class Discrimination:
    """How well an exercise separates strong from weak students. If `value` is None, `reason` says why."""

    value: float | None
    students: int
    reason: str = ""

    def __str__(self) -> str:
        """Such as `0.41 (n = 120)`."""
        return (
            f"{self.value:.2f} (n = {self.students})"
            if self.value is not None
            else f"{self.reason} (n = {self.students})"
        )


def discrimination(right: Sequence[bool], rest: Sequence[float]) -> Discrimination:
    """The discrimination of one exercise.

    `right` says for each student whether the exercise is right; `rest` holds the marks of the same students
    for the other exercises. Raises ValueError if the two differ in length.
    """
    students, hits = len(right), sum(right)
    if len(rest) != students:
        raise ValueError(f"expected two sequences of the same length, got {students} and {len(rest)}")
    if students < MIN_STUDENTS:
        return Discrimination(None, students, f"too few: {MIN_STUDENTS} needed")
    if min(hits, students - hits) < MIN_EACH:
        return Discrimination(
            None, students, f"too few {'right' if hits < MIN_EACH else 'wrong'}: {MIN_EACH} needed"
        )
    if math.isclose(min(rest), max(rest)):
        return Discrimination(None, students, "all have the same mark for the rest")
    return Discrimination(correlation([float(hit) for hit in right], rest), students)


def tenths(shares: Iterable[float]) -> list[int]:
    """How many shares lie in each tenth: [0, 0.1) … [0.9, 1]. Shares above 1 count in the last."""
    counts = [0] * 10
    for share in shares:
        counts[min(9, max(0, math.floor(10 * share + 1e-9)))] += 1  # 1e-9: 10 * 0.3 may come out below 3
    return counts
