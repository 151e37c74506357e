"""Does a function that every student receives pass as an answer?
`python tests/mutants/run_released_functions.py [-n 04]`.

- Every function of `kqa_core`, and of the exercises' visible half, is tried at every exercise whose answer
  takes as many arguments: first by the visible check, in a fork of this process; what passes is judged like a
  submission.
- A function that passes belongs into the `reserved` of that exercise, or an import gives full marks. The
  status is 1 if one does.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import io
import os
import pkgutil
import random
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from multiprocessing import get_context
from types import ModuleType

import torch

import kqa_core
from autograder.answer_key import AnswerKey, find_key
from autograder.grading.config import JudgeConfig
from autograder.grading.workers import run_tasks
from autograder.judge.clock import OutOfTime, clock
from autograder.judge.results import ExerciseResult
from autograder.judge.tasks import AnswerTask
from kqa_core.check import registry
from kqa_core.check.exercise import Exercise, Outcome
from kqa_core.check.local import LocalAnswer
from kqa_core.check.run import run_check

SECONDS = 1.0  # for one function; a right answer takes milliseconds, or this is a training run
SEED = 5
Function = Callable[..., object]


def modules() -> Iterator[ModuleType]:
    """Everything that a student can import from the course."""
    names = [module.name for module in pkgutil.walk_packages(kqa_core.__path__, "kqa_core.")]
    halves = [
        f"{registry.PACKAGE}.{path.stem}"
        for folder in registry.folders()
        for path in sorted(folder.glob("*.py"))
    ]
    for name in names + halves:
        with suppress(ImportError):  # needs a GPU's libraries
            yield importlib.import_module(name)


def released() -> dict[str, Function]:
    """`module:name` → function."""
    found = {}
    for module in modules():
        for name, value in vars(module).items():
            if (
                callable(value)
                and getattr(value, "__module__", None) == module.__name__
                and name.isidentifier()
            ):
                found[f"{module.__name__}:{name}"] = value
    return found


def fits(function: Function, arguments: int) -> bool:
    """Whether a call with that many arguments can succeed."""
    try:
        inspect.signature(function).bind(*range(arguments))
    except (TypeError, ValueError):
        return False
    return True


def passing(exercise_id: str) -> list[str]:
    """The functions that the visible check accepts, tried in this process."""
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    exercise, key = registry.find(exercise_id), find_key(exercise_id)
    assert isinstance(key, AnswerKey)
    assert exercise.check is not None
    required = [
        each for each in inspect.signature(key.reference).parameters.values() if each.default is each.empty
    ]
    names = []
    for name, function in FUNCTIONS.items():
        if not fits(function, len(required)):
            continue
        random.seed(SEED)
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            try:
                with clock(SECONDS):
                    right = (
                        run_check(exercise.check, LocalAnswer(function, SEED), SEED).outcome is Outcome.RIGHT
                    )
            except (Exception, SystemExit, OutOfTime):
                right = False
        if right:
            names.append(name)
    return names


def tasks(chosen: list[Exercise]) -> Iterator[AnswerTask]:
    """An answer for each function that a visible check accepted: a cell that imports it."""
    course = JudgeConfig().course / "source"
    with get_context("fork").Pool(os.cpu_count(), maxtasksperchild=1) as pool:
        for exercise, names in zip(chosen, pool.imap(passing, [each.id for each in chosen]), strict=True):
            print(f"{exercise.notebook[:2]} {exercise.id}: {', '.join(names) or 'none'}", flush=True)
            for name in names:
                module, function = name.split(":")
                source = f"from {module} import {function} as {exercise.id}"
                yield AnswerTask(
                    exercise.id, name, source, course / exercise.notebook / f"{exercise.notebook}.ipynb"
                )


def main() -> int:
    """Print which functions pass; the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-n", "--notebook", default="", help="the beginning of a notebook's name, such as 04")
    start = parser.parse_args().notebook
    chosen = [
        each for each in registry.all_exercises() if not each.written and each.notebook.startswith(start)
    ]
    print(f"{len(FUNCTIONS)} functions, {len(chosen)} exercises")
    passed = 0
    for task, result in run_tasks(list(tasks(chosen)), JudgeConfig()):
        if not isinstance(result, ExerciseResult) or result.outcome == Outcome.RIGHT:
            passed += 1
            print(
                f"full marks: {task.label} as {task.exercise}"
                if isinstance(result, ExerciseResult)
                else result
            )
    return int(passed > 0)


FUNCTIONS = released()

if __name__ == "__main__":
    sys.exit(main())
