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
def all_exercises() -> tuple[Exercise, ...]:
    """Every exercise of the course, in the order a student meets them."""
    names = [module.name for module in pkgutil.iter_modules(exercises.__path__)]
    found = [importlib.import_module(f"{exercises.__name__}.{name}").EXERCISE for name in names]
    return tuple(sorted(found, key=lambda exercise: (exercise.notebook, exercise.order)))


def find(name: str) -> Exercise:
    """The exercise called `name`. Raises UserError with the nearest names where there is none."""
    for exercise in all_exercises():
        if exercise.id == name:
            return exercise
    names = [exercise.id for exercise in all_exercises()]
    near = difflib.get_close_matches(name, names, n=3)
    advice = f"did you mean {' or '.join(near)}?" if near else f"the exercises are {', '.join(names)}"
    raise UserError(f"no exercise is called {name!r}: {advice}")


def of_notebook(notebook: str) -> tuple[Exercise, ...]:
    """The exercises of one notebook, in order."""
    return tuple(exercise for exercise in all_exercises() if exercise.notebook == notebook)
