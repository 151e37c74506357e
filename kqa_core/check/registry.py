"""Find exercises by name. A file in `kqa_core/check/exercises/` is all it takes to add one."""

from __future__ import annotations

import difflib
import functools
import importlib
import pkgutil

from kqa_core.check import exercises
from kqa_core.check.facts import Exercise
from kqa_core.errors import UserError


@functools.cache
def names() -> frozenset[str]:
    """What the exercises are called. None of their files is read: together they import for half a second."""
    return frozenset(module.name for module in pkgutil.iter_modules(exercises.__path__))


@functools.cache
def all_exercises() -> tuple[Exercise, ...]:
    """Every exercise of the course, in the order a student meets them."""
    return tuple(sorted(map(find, names()), key=lambda exercise: (exercise.notebook, exercise.order)))


def find(name: str) -> Exercise:
    """The exercise called `name`. Raises UserError with the nearest names where there is none."""
    if name in names():
        found: Exercise = importlib.import_module(f"{exercises.__name__}.{name}").EXERCISE
        return found
    in_order = [exercise.id for exercise in all_exercises()]
    near = difflib.get_close_matches(name, in_order, n=3)
    advice = f"did you mean {' or '.join(near)}?" if near else f"the exercises are {', '.join(in_order)}"
    raise UserError(f"no exercise is called {name!r}: {advice}")


def of_notebook(notebook: str) -> tuple[Exercise, ...]:
    """The exercises of one notebook, in order."""
    return tuple(exercise for exercise in all_exercises() if exercise.notebook == notebook)
