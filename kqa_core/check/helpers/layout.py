"""Calls with tensors that are not contiguous in memory, as `transpose` and `expand` leave them."""

from __future__ import annotations

from torch import Tensor

from kqa_core.check.answer import Answer, AnswerRaised, Build
from kqa_core.check.exercise import NotYet
from kqa_core.check.helpers.transformer_parts import HERE

VIEW = (
    "Your code stops if its input is not contiguous in memory, such as heads after transpose. view cannot join axes there: use "
    "reshape, or call contiguous() first"
)


def not_contiguous(answer: Answer, *args: object) -> object:
    """The value of a call in which the first two axes of each tensor are exchanged in memory. NotYet says so if the code stops.

    Call this after the same sizes have been right. Give tensors of at least four axes: `view` can still join the others.
    """
    try:
        return answer(*(Build(f"{HERE}:strided", (each,)) if isinstance(each, Tensor) else each for each in args))
    except AnswerRaised as raised:
        if raised.stub:
            raise
        raise NotYet(VIEW) from raised
