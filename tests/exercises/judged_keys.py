"""What the tests of the answer keys share.

- the keys of a notebook, and the verdict of both checks in this process;
- answers put together from the interchangeable steps of a module `generated_…`: it names the forms of each
  (`STEPS`, `WRONG_STEPS`) and says how they make an answer (`assembled`).
"""

import random

from autograder.answer_key import AnswerKey, find_key
from kqa_core.check.exercise import Outcome
from kqa_core.check.local import LocalAnswer
from kqa_core.check.registry import all_exercises, find, of_notebook
from kqa_core.check.run import run_check
from kqa_core.symbolic.attention import BETA


def keys_of(notebook=None):
    """The keys by exercise, of one notebook or of all."""
    exercises = all_exercises() if notebook is None else of_notebook(notebook)
    return {exercise.id: find_key(exercise.id) for exercise in exercises}


def checked(notebook=None):
    """The keys that a check decides."""
    return [key for key in keys_of(notebook).values() if isinstance(key, AnswerKey)]


def verdict(key, function, seed):
    """What the judge would say: the visible check, then the hidden one."""
    answer = LocalAnswer(function, seed)
    visible = run_check(find(key.id).check, answer, seed)
    return run_check(key.hidden, answer, seed + 1000) if visible.outcome is Outcome.RIGHT else visible


def with_the_argument(value, beta):
    """What a drawn answer returns, written in BETA, with the symbol that it was called with."""
    return value if beta == BETA else value.xreplace({BETA: beta})


def right_answers(generated, count, seed=0, cycled=0.3):
    """`count` different right answers by name, of a module `generated_…`. In the share `cycled` of its
    places, an answer takes the form whose turn it is and not one drawn at random.
    """
    rng, found = random.Random(seed), {}
    while len(found) < count:
        turn = len(found)
        names = [
            list(s)[turn % len(s)] if rng.random() < cycled else rng.choice(list(s)) for s in generated.STEPS
        ]
        found[" · ".join(names)] = generated.assembled(
            *(s[name] for s, name in zip(generated.STEPS, names, strict=True))
        )
    return found


def wrong_answers(generated, count, seed=0):
    """`count` different wrong answers by name:
    every wrong form occurs, among right forms drawn anew each time.
    """
    rng, found = random.Random(seed), {}
    mistakes = [(place, name) for place, wrong in enumerate(generated.WRONG_STEPS) for name in wrong]
    while len(found) < count:
        place, mistake = mistakes[len(found) % len(mistakes)]
        names = [rng.choice(list(step)) for step in generated.STEPS]
        forms = [step[name] for step, name in zip(generated.STEPS, names, strict=True)]
        names[place], forms[place] = f"WRONG {mistake}", generated.WRONG_STEPS[place][mistake]
        found[" · ".join(names)] = generated.assembled(*forms)
    return found
