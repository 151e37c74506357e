"""Where tensors lie in memory: arguments that are not contiguous, as `transpose` and `expand` leave them, and
results that share the memory of an argument.
"""

from __future__ import annotations

from torch import Tensor

from kqa_core.check.answer import Answer, AnswerRaised, Build, Handle
from kqa_core.check.exercise import POSSIBLE, NotYet
from kqa_core.exercise_helpers.transformer_parts import FOLLOWED, HERE

VIEW = (
    "Your code stops if its input is not contiguous in memory, such as heads after transpose."
    f" {POSSIBLE}view cannot join axes there; reshape can, and so can view after contiguous()"
)
REFUSED = "view size is not compatible"  # torch's words


def not_contiguous(answer: Answer, *args: object, axes: tuple[int, int] = (0, 1)) -> object:
    """A call in which each tensor's first two axes are exchanged in memory; NotYet if `view` stops there.

    Call this after the same sizes have been right. Give tensors of at least four axes: `view` can still join
    the others. Heads that were split from one tensor have `axes` 1 and 2 exchanged: there it joins none.
    """
    try:
        return answer(
            *(
                Build(f"{HERE}:strided", (argument, *axes)) if isinstance(argument, Tensor) else argument
                for argument in args
            )
        )
    except AnswerRaised as raised:
        # In a hidden check the message is not known, but the line is.
        if raised.kind == "RuntimeError" and (
            REFUSED in raised.message or (not raised.message and "view" in raised.line)
        ):
            raise NotYet(VIEW) from raised
        raise


def new_tensor(answer: Answer, values: Tensor, *args: object) -> None:
    """Raise NotYet if the result of a call with `values` and `args` is `values` itself, or a view of it.

    Call this after plain calls have been right. Code that leaves torch passes.
    """
    try:
        result = answer(Build(f"{FOLLOWED}:followed", (values, "values")), *args)
    except AnswerRaised:
        return
    if not (isinstance(result, Handle) and result.type_name == "Followed"):
        return
    if answer.method(result, "shares_memory") is True:
        raise NotYet(
            f"for an argument of shape {tuple(values.shape)} you return the argument itself, or a view of it,"
            " and a change of one would change the other: return a new tensor"
        )
