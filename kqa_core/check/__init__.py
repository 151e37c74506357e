"""The functions that a student calls in a notebook: check(), hint(), solution(), progress(), cockpit(),
reset() and attempted().

The other modules of this folder are the engine behind them, which the grader uses too. Importing this package
imports no torch. `suspect` makes the models of notebook 07 that pretend to be a variant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kqa_core.check.api import attempted, check, cockpit, progress, reset, solution
from kqa_core.check.hints import hint
from kqa_core.lazy import lazy_names

if TYPE_CHECKING:
    from kqa_core.check.helpers.models import suspect

__all__ = ["attempted", "check", "cockpit", "hint", "progress", "reset", "solution", "suspect"]

__getattr__ = lazy_names(__name__, __file__)
