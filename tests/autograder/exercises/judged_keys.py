"""What the tests of the answer keys share: the keys of a notebook, and the verdict of both checks in this process."""

import importlib

from autograder.key import AnswerKey
from kqa_core.check.facts import Outcome
from kqa_core.check.local import LocalAnswer
from kqa_core.check.registry import all_exercises, find, of_notebook
from kqa_core.check.run import run_check


def keys_of(notebook=None):
    """The keys by exercise, of one notebook or of all."""
    exercises = all_exercises() if notebook is None else of_notebook(notebook)
    return {exercise.id: importlib.import_module(f"autograder.exercises.{exercise.id}").KEY for exercise in exercises}


def checked(notebook=None):
    """The keys that a check decides."""
    return [key for key in keys_of(notebook).values() if isinstance(key, AnswerKey)]


def verdict(key, function, seed):
    """What the judge would say: the visible check, then the hidden one."""
    answer = LocalAnswer(function, seed)
    visible = run_check(find(key.id).check, answer, seed)
    return run_check(key.hidden, answer, seed + 1000) if visible.outcome is Outcome.RIGHT else visible
