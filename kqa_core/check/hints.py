"""hint(): the hints of an exercise, from a nudge to a worked step. How many a student took is recorded.
explain(): a question about the student's own code, once it is right.

- The question is drawn from the exercise's templates by the student's code: the same code gets the same one.
- A prediction is verified by the student's own function. A wrong one is not told what is right.
- It gives no points and is recorded nowhere.
"""

from __future__ import annotations

import inspect
import math
import random
import re
import zlib
from collections.abc import Callable
from numbers import Real

from kqa_core.check.api import MISSING, Slip, exercise_named, judged, print_notices, understood
from kqa_core.check.exercise import Exercise, Outcome, Question
from kqa_core.check.progress_store import ProgressStore
from kqa_core.check.same_behaviour import same_behaviour

RUNGS = ("nudge", "method", "worked step")
FEW_WORDS = 5  # in words, an answer has more
NEAR = 0.01  # by which a prediction of a number may differ, relative to it


def hint(name: object = MISSING, rung: int | None = None) -> None:
    """Give one hint: `hint("average_two")`. Each call gives the next:
    a nudge, the method, a worked step; then the last again.

    `hint("average_two", 1)` repeats the first.
    """
    exercise = exercise_named(name, "hint")
    store = ProgressStore()
    last = len(exercise.hints)
    if not last:
        raise Slip(f"hint: {exercise.id} has no hints")
    if rung is not None and rung not in range(1, last + 1):
        raise Slip(f"hint: {exercise.id} has hints 1 to {last}, not {rung!r}")
    rung = store.take_hint(exercise.id, last, rung)
    print_notices(store)
    more = "" if rung < last else ", the last"
    print(f"{exercise.id}, hint {rung} of {last} ({RUNGS[rung - 1]}{more}): {exercise.hints[rung - 1]}")


def explain(name: object = MISSING, function: object = MISSING, answer: object = MISSING) -> None:
    """Ask one question about your own code, once its check says right: `explain("causal_mask", causal_mask)`.

    Give your answer as the third argument: the value that you predict, or a sentence in quotes. Raises Slip
    for an answer that is not right yet, and for an exercise without questions.
    """
    exercise, code = understood(name, function, "explain")
    verdict, _ = judged(exercise, code)
    if verdict.outcome is not Outcome.RIGHT:
        raise Slip(f"explain: {exercise.id} is not right yet; its check says why")
    question, line, rng = _drawn(exercise, code)
    arguments, shown = question.draw(rng) if question.draw is not None else ((), {})
    text = question.text.format(line=line, **shown)
    expected = "the value that you predict" if question.draw is not None else '"a sentence or two"'
    if answer is MISSING:
        print(f'{text}\n    answer with explain("{exercise.id}", {exercise.id}, {expected})')
    elif question.draw is None:
        if not isinstance(answer, str) or len(answer.split()) < FEW_WORDS:
            raise Slip(f"explain: answer in words, at least {FEW_WORDS}, in quotes: {text}")
        print(f"Compare: {question.words}\n    keep yours in a text cell, where your instructor can read it")
    else:
        value = question.reads(code(*arguments), *arguments)
        if not _agree(value, answer):
            raise Slip(
                f"explain: your code gives another value; go through it by hand for this input: {text}"
            )
        told = f"{value:.4g}" if isinstance(value, float) else repr(value)
        print(f"{exercise.id}: as you predicted, your code gives {told}")


def _drawn(exercise: Exercise, code: Callable[..., object]) -> tuple[Question, str, random.Random]:
    """The question about this code, the line of it that the question quotes, and random numbers for it."""
    try:
        source = inspect.getsource(code)
    except (OSError, TypeError):  # such as the result of functools.partial
        source = ""
    lines = [line.partition("  #")[0].strip() for line in source.splitlines()]
    found = [
        (question, next((line for line in lines if re.search(question.find, line)), None))
        for question in exercise.questions
    ]
    fitting = [(question, line) for question, line in found if line is not None]
    fitting += [(question, "") for question, line in found if line is None and "{line}" not in question.text]
    if not fitting:
        raise Slip(f"explain: there is no question about {exercise.id}, as it is written here")
    rng = random.Random(zlib.crc32(" ".join(source.split()).encode("utf-8", "surrogatepass")))
    return (*rng.choice(fitting), rng)


def _agree(value: object, predicted: object) -> bool:
    """Whether a prediction is the value: numbers need not have all digits."""
    if all(isinstance(each, Real) and not isinstance(each, bool) for each in (value, predicted)):
        return math.isclose(float(value), float(predicted), rel_tol=NEAR, abs_tol=NEAR / 2)  # type: ignore[arg-type]
    return same_behaviour(value, predicted)
