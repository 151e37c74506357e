"""An answer that runs in this process: `check("average_two", average_two)` tests one in a notebook.

- Arguments and results go through the value codec both ways, as in the judge. So an answer that passes here
  passes there, a student's function cannot change the check's own lists and tensors, and an object that only
  claims to be a tensor is not one.
- The global random generators are seeded again for every call and restored afterwards, so a check always
  gives the same verdict.
- The student's own exception is kept in `original`, for a message that shows the student's line.
"""

from __future__ import annotations

import builtins
import contextlib
import random
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from kqa_core.check import value_kinds
from kqa_core.check.answer import AnswerRaised, AnswerUnreadable, ArgumentFailed, Build, Handle
from kqa_core.check.codec import MAX_TEXT, Handles, decode, encode
from kqa_core.check.codec_errors import BuildFailed, CodecError, Foreign
from kqa_core.check.exercise import JudgeError

CALL_STEP = 7919  # between the seeds of the n-th and the next call, here and in the judge's runner
STUB = re.compile(r"exercise (\w+): replace this line with your answer")


def builtin_kind(error: BaseException) -> str:
    """The name of the nearest builtin exception: the judge learns nothing else about an exception."""
    for kind in type(error).__mro__:
        if getattr(builtins, kind.__name__, None) is kind:
            return str(kind.__name__)
    return "Exception"


def stub_of(error: BaseException) -> str | None:
    """The exercise whose untouched solution cell raises `error`; None if none does."""
    found = STUB.fullmatch(str(error)) if isinstance(error, NotImplementedError) else None
    return found and found[1]


def seed_generators(seed: int) -> None:
    """Seed the global generators of Python, numpy and the packages whose values are known."""
    random.seed(seed)
    np.random.seed(seed % 2**32)
    value_kinds.seed_all(seed)


@contextlib.contextmanager
def generators_kept() -> Iterator[None]:
    """Restore the global generators afterwards,
    so that checking an answer does not change the notebook's own random numbers.
    """
    ours, arrays = random.getstate(), np.random.get_state()
    try:
        with value_kinds.generators_kept():
            yield
    finally:
        random.setstate(ours)
        np.random.set_state(arrays)


def _encoded(args: tuple[object, ...]) -> bytes:
    try:
        return encode(args, arguments=True)
    except Foreign as error:
        raise JudgeError(f"the check passes an argument that cannot be sent: {error}") from None


class LocalAnswer:
    """A function of this process as an `Answer`.
    `original` is the exception behind the latest `AnswerRaised`, `arguments` what the call was given.
    """

    def __init__(self, function: Callable[..., object], seed: int = 0) -> None:
        self._function = function
        self._seed = seed
        self._calls = 0
        self._handles = Handles()
        self.original: BaseException | None = None
        self.arguments: tuple[object, ...] = ()
        self.gave_none = False  # whether a call has returned None

    def __call__(self, *args: object) -> object:
        """The value of one call; a failure is raised."""
        with generators_kept():
            return self._run(self._function, args)

    def map(self, calls: Sequence[tuple[object, ...]]) -> list[object]:
        """The values of many calls, in order; the first failure is raised."""
        with generators_kept():
            values: list[object] = []
            sent, message = None, b""
            for args in calls:
                if args is not sent:  # often one call is made thousands of times
                    sent, message = args, _encoded(args)
                values.append(self._run(self._function, args, message=message))
            return values

    def rewind(self, count: int) -> None:
        """Let the next `count` calls see the same global random numbers as the last `count`."""
        self._calls -= count

    def attribute(self, handle: Handle | Build, name: str) -> object:
        """`getattr` on a result that came back as a handle."""
        with generators_kept():
            return self._run(lambda target: getattr(target, name), (handle,), shown=False)

    def method(self, handle: Handle | Build, name: str, *args: object) -> object:
        """Call a method of a result that came back as a handle."""
        with generators_kept():
            return self._run(
                lambda target, *values: getattr(target, name)(*values), (handle, *args), shown=False
            )

    def _run(
        self,
        function: Callable[..., object],
        args: tuple[object, ...],
        *,
        shown: bool = True,
        message: bytes | None = None,
    ) -> object:
        """`message` is `args`, encoded; without it they are encoded here."""
        message = _encoded(args) if message is None else message
        seed_generators(self._seed + CALL_STEP * self._calls)
        self._calls += 1
        try:
            values: Any = decode(message, self._handles, arguments=True)
            result = function(*values)
        except BuildFailed as error:
            self.original = error.__cause__
            raise ArgumentFailed("Exception", str(error)) from None
        except (Exception, SystemExit) as error:
            self.original, self.arguments = error, args if shown else ()
            raise AnswerRaised(builtin_kind(error), str(error), stub=stub_of(error)) from error
        self.gave_none |= shown and result is None
        if type(result) is bool or (type(result) is str and len(result) <= MAX_TEXT):
            return result  # what `decode` would give
        try:
            return decode(encode(result, self._handles))
        except CodecError as error:
            raise AnswerUnreadable(str(error)) from None
