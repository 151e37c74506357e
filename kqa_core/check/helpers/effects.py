"""Effects of an answer besides its value: it changes its arguments, or returns something else the next time.

In the judge the answer runs in another process, so its arguments cannot be compared from here. They are made
there by `given`, which keeps them. For the next call one of them is made by `same`, which raises if the
answer has changed what it got before. Every argument can be tested so: tensors (also for an answer that needs
gradients, or uses numpy), lists, sympy columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from kqa_core.check.answer import Answer, ArgumentFailed, Build
from kqa_core.check.codec import encode
from kqa_core.check.exercise import NotYet, expect, observed_and_cause
from kqa_core.check.same_behaviour import same_behaviour

CHANGED = (
    "Your result is right, but your code changes {} in place. Other cells still need it as it was: make a new"
    " object"
)
UNSTEADY = "Your function does not always return the same result for the same arguments"
KEPT = (
    "called twice with the same arguments, your function returns two different results. Possible cause:"
    " something is kept from an earlier call, or random numbers are drawn"
)
TIMES = 60  # an answer that is right with probability 0.9 passes once in 500 times
# in the process that runs the answer: each argument, and what it was
_GIVEN: dict[int, tuple[object, bytes]] = {}


class Changed(Exception):
    """An argument is no longer what it was."""


def given(place: int, value: object) -> object:
    """The value itself, kept for `same`."""
    _GIVEN[place] = (value, encode(value))
    return value


def same(place: int, value: object) -> object:
    """The value itself. Raises Changed if the object that `given` has handed out for this place
    differs from what it was.
    """
    kept, before = _GIVEN.pop(place, (value, encode(value)))
    if encode(kept) != before:
        raise Changed
    return value


def leaves_alone(answer: Answer, names: Sequence[str], *args: object, sentence: str = CHANGED) -> None:
    """Raise NotYet if a call with `args` changes one of them in place.
    `names` are the names of the first ones, those to test.

    Call this after plain calls have been right, or with another `sentence`.
    """
    kept = (Build(f"{__name__}:given", (place, arg)) for place, arg in enumerate(args[: len(names)]))
    answer(*kept, *args[len(names) :])
    for place, name in enumerate(names):
        again = [*args]
        again[place] = Build(f"{__name__}:same", (place, args[place]))
        try:
            answer(*again)
        except ArgumentFailed:  # by `same`: all the others are values
            raise NotYet(sentence.replace("{}", name)) from None


def steady(answer: Answer, *args: object) -> None:
    """Raise NotYet unless the answer returns the same value for `args` in all of TIMES calls."""
    first, *others = answer.map([args] * TIMES)
    expect(all(same_behaviour(first, other) for other in others), UNSTEADY)


@contextmanager
def names_changes(answer: Answer, names: Sequence[str], *args: object) -> Iterator[None]:
    """Around the comparison of a call with `args`: if it fails, and the call changes one of them in place,
    NotYet says so in place of a cause, because what was observed is about the arguments before the call.
    """
    try:
        yield
    except NotYet as wrong:
        seen = observed_and_cause(str(wrong))[0].removesuffix(".")
        said = f"{seen}. Your code changes {{}} in place, and this is about {{}} as it was before the call"
        leaves_alone(answer, names, *args, sentence=said)
        raise


@contextmanager
def kept_nothing(answer: Answer, *args: object) -> Iterator[None]:
    """Around the comparison of a call with `args`: if it fails, and the same call gives two results, NotYet
    says so in place of a cause, which would send the student to the wrong line.
    """
    try:
        yield
    except NotYet as wrong:
        first, second = answer(*args), answer(*args)
        seen = observed_and_cause(str(wrong))[0].removesuffix(".")
        expect(same_behaviour(first, second), f"{seen}. Then, {KEPT}")
        raise
