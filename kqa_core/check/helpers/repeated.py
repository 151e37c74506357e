"""The same call many times: an answer that is right only sometimes, or only the first time, is not right.

An answer may draw random numbers if each of its results is right. So every result that differs from the first
is judged.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from kqa_core.check.answer import Answer, Build, Handle
from kqa_core.check.codec import encode
from kqa_core.check.codec_errors import CodecError
from kqa_core.check.exercise import NotYet
from kqa_core.check.same_behaviour import same_behaviour

TIMES = 60  # an answer that is right with probability 0.9 passes once in 500 times
# for results that take long to compare; one that is right with probability 1/2 passes once in 4,000 times
FEW = 12
NOT_ALWAYS = "your function is not right at every call with the same arguments: {}"


def _bits(result: object) -> bytes | None:
    """A result as bytes; None for one that is no value."""
    try:
        return encode(result)
    except CodecError:
        return None


class _Known:
    """An answer whose result is known already."""

    def __init__(self, answer: Answer, result: object) -> None:
        self.answer, self.result = answer, result

    def __call__(self, *args: object) -> object:
        return self.result

    def map(self, calls: Sequence[tuple[object, ...]]) -> list[object]:
        return [self.result for _ in calls]

    def rewind(self, count: int) -> None:
        self.answer.rewind(count)

    def attribute(self, handle: Handle, name: str) -> object:
        return self.answer.attribute(handle, name)

    def method(self, handle: Handle | Build, name: str, *args: object) -> object:
        return self.answer.method(handle, name, *args)


def every_time(
    answer: Answer, args: Sequence[object], judge: Callable[[Answer], object], times: int = TIMES
) -> None:
    """Raise NotYet unless `judge`, which calls its answer once with `args`,
    accepts the result of each of `times` calls.

    `times` is a multiple of FEW.
    """
    # each batch has the clock of one call
    batches = [answer.map([tuple(args)] * FEW) for _ in range(times // FEW)]
    first, *others = itertools.chain.from_iterable(batches)
    judge(_Known(answer, first))
    for result in others:
        # down to the last bit: a result within the tolerance of a coarse dtype may be a wrong one
        if same_behaviour(result, first) and _bits(result) == _bits(first):
            continue
        try:
            judge(_Known(answer, result))
        except NotYet as error:
            raise NotYet(NOT_ALWAYS.format(error)) from error
