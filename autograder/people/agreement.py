"""How far two graders agree, from answers that both marked.

Each rubric point of each such answer is one decision: ticked or not. Per cent agreement p_o is the share of
decisions that are the same. Cohen's kappa corrects it for chance: κ = (p_o − p_e) / (1 − p_e), where p_e is
the agreement of two graders who tick at random as often as these do (Cohen 1960). It is not defined if both
tick everything, or both nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Agreement:
    """The agreement of two graders. `kappa` is None where it is not defined."""

    answers: int
    decisions: int
    same: int
    kappa: float | None

    @property
    def share(self) -> float:
        """The share of decisions that are the same, from 0 to 1."""
        return self.same / self.decisions if self.decisions else 0.0


def agreement(pairs: Iterable[tuple[tuple[bool, ...], tuple[bool, ...]]]) -> Agreement:
    """The agreement over answers that both marked:
    for each, the first and the second grader's ticks of the same rubric.
    """
    pairs = list(pairs)
    decisions = [ticks for first, second in pairs for ticks in zip(first, second, strict=True)]
    count, same = len(decisions), sum(first == second for first, second in decisions)
    if not count:
        return Agreement(len(pairs), 0, 0, None)
    first, second = (Fraction(sum(ticks[side] for ticks in decisions), count) for side in (0, 1))
    chance = first * second + (1 - first) * (1 - second)
    kappa = None if chance == 1 else float((Fraction(same, count) - chance) / (1 - chance))
    return Agreement(len(pairs), count, same, kappa)
