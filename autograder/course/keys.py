"""Find an exercise's answer key. A file in `autograder/exercises/` is all it takes to add one."""

from __future__ import annotations

import importlib
import importlib.util

from autograder.key import AnswerKey, WrittenKey
from kqa_core.errors import UserError


def find_key(exercise: str) -> AnswerKey | WrittenKey:
    """The key of `exercise`. Raises UserError where its file is missing or holds no key of that name."""
    module = f"autograder.exercises.{exercise}"
    if importlib.util.find_spec(module) is None:
        raise UserError(
            f"exercise {exercise}: has no answer key; write autograder/exercises/{exercise}.py with KEY = AnswerKey(…)"
        )
    key = getattr(importlib.import_module(module), "KEY", None)
    if not isinstance(key, AnswerKey | WrittenKey) or key.id != exercise:
        raise UserError(f"autograder/exercises/{exercise}.py: expected KEY with id {exercise!r}, got {key!r:.80}")
    return key
