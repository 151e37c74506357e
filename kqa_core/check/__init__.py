"""The functions that a student calls in a notebook: check(), hint(), explain(), solution(), progress(),
cockpit(), reset(), attempted() and predicted().

The other modules of this folder are the engine behind them, which the grader uses too. It knows no course,
and imports neither torch nor sympy unless a course uses them (`value_kinds`).
"""

from __future__ import annotations

from kqa_core.check.api import attempted, check, cockpit, predicted, progress, reset, solution
from kqa_core.check.hints import explain, hint

__all__ = [
    "attempted", "check", "cockpit", "explain", "hint", "predicted", "progress", "reset", "solution",
]  # fmt: skip
