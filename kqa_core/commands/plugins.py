"""Extensions of `kqa` by other packages, found by entry points (`importlib.metadata`).

- The instructor's side adds `kqa course` and the sandbox's part of `kqa doctor`, so `kqa_core` never imports `autograder`.
- The students' wheel is built from the same pyproject.toml and names the same entry points, but has no `autograder`: an entry
  point whose package is not installed is ignored.
"""

from __future__ import annotations

import importlib.metadata
from typing import Any

COMMANDS = "kqa.commands"  # each a function `register(app)`
DOCTOR = "kqa.doctor"  # `sandbox` tests whether grading would work; `escape` tries to break out of the sandbox


def plugins(group: str) -> dict[str, Any]:
    """The objects of the entry points of `group`, by name. Raises an ImportError from inside an installed package."""
    found = {}
    for entry in importlib.metadata.entry_points(group=group):
        try:
            found[entry.name] = entry.load()
        except ModuleNotFoundError as error:
            if not error.name or not f"{entry.module}.".startswith(f"{error.name}."):
                raise
    return found
