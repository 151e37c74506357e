"""Checks made of assertions that call a student's function as if it were here: what an assignment of nbgrader
has, as `kqa course adopt` takes it over.

    def check(answer, rng):
        squares = called(answer)
        with asserted(rng):
            assert squares(2) == [1, 4], "squares(2) should be [1, 4]"
        return right()
"""

from __future__ import annotations

import builtins
import contextlib
import random
from collections.abc import Callable, Iterator
from typing import Any

from kqa_core.check.answer import Answer, AnswerRaised, Handle
from kqa_core.check.exercise import NotYet
from kqa_core.check.local import generators_kept, seed_generators


def called(answer: Answer, bind: Callable[..., tuple[object, ...]] | None = None) -> Callable[..., Any]:
    """A function that calls the answer. What the student's code raises arrives as the nearest exception of
    Python's own, and an object that is no value as a `Remote`.

    `bind` brings keywords into the order of the answer's parameters: `lambda x, y=2: (x, y)`.
    """

    def call(*args: object, **keywords: object) -> Any:
        values = bind(*args, **keywords) if keywords and bind is not None else args
        return _tried(answer, lambda: answer(*map(_sent, values)))

    return call


@contextlib.contextmanager
def asserted(rng: random.Random) -> Iterator[None]:
    """Inside, a failed assertion says that the answer is wrong. An exception of the student's code that
    nothing caught is told as such. The global random generators begin anew, drawn from `rng`.
    """
    try:
        with generators_kept():
            seed_generators(rng.getrandbits(32))
            yield
    except AssertionError as wrong:
        raise NotYet(" ".join(str(wrong).split()) or "a test fails") from None
    except Exception as error:
        if isinstance(error.__cause__, AnswerRaised):
            raise error.__cause__ from None
        raise


class Remote:
    """An object of the student's process, such as a table: its attributes and methods are asked for there."""

    def __init__(self, answer: Answer, handle: Handle) -> None:
        self._answer, self._handle = answer, handle

    def __getattr__(self, name: str) -> Any:
        """A value, or another `Remote`, such as a method that may be called."""
        if name.startswith("__"):
            raise AttributeError(name)
        return _tried(self._answer, lambda: self._answer.attribute(self._handle, name))

    def __call__(self, *args: object) -> Any:
        """Call it."""
        return self._method("__call__", *args)

    def __len__(self) -> int:
        """Its length."""
        return int(self._method("__len__"))

    def __getitem__(self, place: object) -> Any:
        """An item of it."""
        return self._method("__getitem__", place)

    def __eq__(self, other: object) -> Any:
        """Whether it says that it equals another."""
        return self._method("__eq__", other)

    __hash__ = None  # type: ignore[assignment]  # as for everything that is compared by its content

    def _method(self, name: str, *args: object) -> Any:
        return _tried(self._answer, lambda: self._answer.method(self._handle, name, *map(_sent, args)))


def _sent(value: object) -> object:
    return value._handle if isinstance(value, Remote) else value


def _tried(answer: Answer, ask: Callable[[], object]) -> Any:
    try:
        value = ask()
    except AnswerRaised as failed:
        kind = getattr(builtins, failed.kind, Exception)
        try:
            error = kind(failed.message)
        except Exception:  # one that takes more than a message
            error = Exception(failed.message)
        raise error from failed
    return Remote(answer, value) if isinstance(value, Handle) else value
