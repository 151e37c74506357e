"""Imports that wait until they are used: names of a package (PEP 562), and entry points of others.

- A package lists its names as imports under `if TYPE_CHECKING:`, where type checkers and editors see them.
  `lazy_names` reads that block to learn which module defines which name.
- The reason: torch, matplotlib and ipywidgets take seconds to import, and most commands and checks need none
  of them.
- `lazy_loader` does the same, but it is not among the packages that a student installs, so this is our own
  code.
- The instructor's side adds `kqa course`, the sandbox's part of `kqa doctor` and model answers by entry
  points, so `kqa_core` never imports `autograder`. The students' wheel is built from the same pyproject.toml
  and names the same entry points, but has no `autograder`: an entry point whose package is not installed is
  ignored.
"""

from __future__ import annotations

import ast
import importlib.metadata
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

COMMANDS = "kqa.commands"  # each a function `register(app)`
# `sandbox` tests whether grading would work; `escape` tries to break out of the sandbox
DOCTOR = "kqa.doctor"
# `answers` gives the model answer of an exercise, in Markdown: (exercise's id, the course's folder)
SOLUTIONS = "kqa.solutions"


def lazy_names(package: str, file: str) -> Callable[[str], object]:
    """The `__getattr__` of the package whose `__init__.py` is `file`, with the usual AttributeError."""
    homes: dict[str, tuple[str, str]] = {}  # name here → (module, name there)
    for block in ast.parse(Path(file).read_text(encoding="utf-8")).body:
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING":
            for statement in block.body:
                if isinstance(statement, ast.ImportFrom) and statement.module:
                    homes |= {
                        name.asname or name.name: (statement.module, name.name) for name in statement.names
                    }

    def imported(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, there = homes[name]
        # `there` may be a module that nothing imported yet
        value: object = getattr(__import__(module, fromlist=[there]), there)
        setattr(sys.modules[package], name, value)  # found at once the next time
        return value

    return imported


def plugins(group: str) -> dict[str, Any]:
    """The objects of a group's entry points, by name. Raises an installed package's ImportError."""
    objects = {}
    for entry in importlib.metadata.entry_points(group=group):
        try:
            objects[entry.name] = entry.load()
        except ModuleNotFoundError as error:
            if not error.name or not f"{entry.module}.".startswith(f"{error.name}."):
                raise
    return objects
