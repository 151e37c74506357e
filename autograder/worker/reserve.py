"""Functions of `kqa_core` that are the answer to an exercise: a student's cell may not call them.

This keeps the rule that an exercise states. It is no wall: who copies the library's text into a cell has copied an answer.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence
from typing import Any


def reserve(names: Sequence[str]) -> None:
    """Make each function `module:name` raise a RuntimeError when anything but `kqa_core` itself calls it."""
    for full in names:
        module, _, name = full.partition(":")
        function = getattr(importlib.import_module(module), name)
        reserved = _reserved(function, f"{module}.{name}")
        for other, there in list(sys.modules.items()):
            if other.startswith("kqa_core") and vars(there).get(name) is function:
                setattr(there, name, reserved)


def _reserved(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    def call(*args: object, **kwargs: object) -> object:
        if sys._getframe(1).f_globals.get("__name__", "").startswith("kqa_core."):
            return function(*args, **kwargs)
        raise RuntimeError(f"{name} is an answer to an exercise of this notebook, so your answer may not call it")

    return call
