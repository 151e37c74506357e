"""Arguments that torch refuses to change in place, with which a check sees whether an answer changes what it was given.

In the judge the answer runs in another process, so its arguments cannot be compared afterwards. A tensor that was made in torch's
inference mode needs no comparison: a change in place, also of a view, raises RuntimeError, and everything else works as usual.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from kqa_core.check.answer import Answer, AnswerRaised, Build
from kqa_core.check.exercise import NotYet

CHANGED = "Your numbers are right, but your code changes {} in place. The caller still needs the old tensors: make new ones"


def sealed(values: Tensor, shapes: Sequence[Sequence[int]] | None = None) -> Build:
    """An argument with the numbers of `values` that cannot be changed in place; with `shapes`, a tuple of views of one storage.

    numpy can change it. Then all views change at once, so the answer's result is wrong.
    """
    return Build(f"{__name__}:make", (values, shapes))


def make(values: Tensor, shapes: Sequence[Sequence[int]] | None) -> Tensor | tuple[Tensor, ...]:
    """The argument itself, made in the process that runs the answer."""
    with torch.inference_mode():
        copy = values.clone()
        return copy if shapes is None else tuple(copy.view(tuple(shape)) for shape in shapes)


def untouched(answer: Answer, what: str, *args: object) -> object:
    """The value of a call with sealed arguments. Raises NotYet if the answer changes them, which are called `what`.

    An answer that fails for another reason is told the same, so call this after a plain call has been right.
    """
    try:
        return answer(*args)
    except AnswerRaised as raised:
        raise NotYet(CHANGED.format(what)) from raised
