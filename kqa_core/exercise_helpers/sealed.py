"""Arguments that torch refuses to change in place, for fingerprints: an answer that tries behaves otherwise.

A tensor that was made in torch's inference mode raises RuntimeError if it or a view of it is changed.
Everything else works as usual. Checks use `effects.leaves_alone`, which also sees changes by numpy.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from kqa_core.check.answer import Build


def sealed(values: Tensor, shapes: Sequence[Sequence[int]] | None = None) -> Build:
    """An argument with these numbers that cannot be changed in place; with `shapes`, a tuple of views.

    numpy can change it. Then all views change at once, so the answer's result is wrong.
    """
    return Build(f"{__name__}:make", (values, shapes))


def make(values: Tensor, shapes: Sequence[Sequence[int]] | None) -> Tensor | tuple[Tensor, ...]:
    """The argument itself, made in the process that runs the answer."""
    with torch.inference_mode():
        copy = values.clone()
        return copy if shapes is None else tuple(copy.view(tuple(shape)) for shape in shapes)
