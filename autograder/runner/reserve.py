"""Functions that a student's cell may not call, because they are the answer to an exercise.

- Functions of `kqa_core` that an exercise names (`Exercise.reserved`).
- Every function of the students' half of the exercises (`course_exercises`): checks compute expected values
  with them.

This keeps a rule. It is no wall: who copies the text of such a function into a cell has copied an answer.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType
from typing import Any

LIBRARY = "kqa_core."
EXERCISES = "course_exercises."
RESERVED = "{} is an answer to an exercise of this notebook, so your answer may not call it"
CHECKS = "{} is part of a check, so your answer may not call it: write your own"


_library: list[ModuleType] = []


def list_library() -> None:
    """List the modules of `kqa_core` that are imported. The fork server does it for all its runners: looking
    at every module in one of them would copy the pages that they are in.
    """
    _library[:] = [there for name, there in list(sys.modules.items()) if name.startswith("kqa_core")]


def reserve(names: Sequence[str]) -> None:
    """Make each function `module:name` raise a RuntimeError when anything but `kqa_core` itself calls it."""
    if not _library or any(full.partition(":")[0] not in sys.modules for full in names):
        for full in names:
            importlib.import_module(full.partition(":")[0])
        list_library()
    for full in names:
        module, _, name = full.partition(":")
        function = getattr(sys.modules[module], name)
        reserved = _reserved(function, RESERVED.format(f"{module}.{name}"))
        for there in _library:
            if vars(there).get(name) is function:
                setattr(there, name, reserved)


def _reserved(function: Callable[..., Any], why: str) -> Callable[..., Any]:
    def call(*args: object, **kwargs: object) -> object:
        if sys._getframe(1).f_globals.get("__name__", "").startswith((LIBRARY, EXERCISES)):
            return function(*args, **kwargs)
        raise RuntimeError(why)

    return call


class ReservingFinder(PathFinder):
    """Finds the modules of `course_exercises`; their functions are reserved as soon as they are imported."""

    @classmethod
    def find_spec(
        cls, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module's spec; None for any other package."""
        spec = super().find_spec(fullname, path, target) if fullname.startswith(EXERCISES) else None
        if spec is not None and spec.origin is not None:
            spec.loader = _ReservingLoader(fullname, spec.origin)
        return spec


class _ReservingLoader(SourceFileLoader):
    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        for name, value in list(vars(module).items()):
            own = callable(value) and getattr(value, "__module__", None) == module.__name__
            if own and not isinstance(value, type) and hasattr(value, "__name__"):
                setattr(module, name, _reserved(value, CHECKS.format(f"{module.__name__}.{name}")))
