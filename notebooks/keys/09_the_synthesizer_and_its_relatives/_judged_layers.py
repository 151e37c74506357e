"""How the hidden checks of notebook 09 try a layer: one list of trials for all of them.

- Several sizes, unequal ones and ones; the same call many times; another layout in memory; float32; the
  gradient of every tensor; another device.
- `oracle` is another implementation than any answer (torch's fused kernel, complex numbers, one row at a
  time); it takes the same arguments as the answer. Both sum in float64, so right answers differ by a
  thousandth of the tolerance.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import expect
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.transformer_parts import (
    HERE,
    again,
    apart,
    device_kept,
    differing,
    gradients_agree,
    tensor_of,
)

# tolerances in float64: a root that is taken in float32, torch.sqrt(torch.tensor(d)), is off by 3.6e-8
ROUNDED = 50.0
Given = tuple[object, ...]
Case = Callable[..., Given]  # rng and sizes → the arguments of one call
Oracle = Callable[..., Tensor]


def judge_layer(
    answer: Answer,
    rng: random.Random,
    *,
    oracle: Oracle,
    case: Case,
    sizes: Sequence[tuple[int, ...]],
    names: Sequence[str],
    layer: str,
    device: bool = True,
) -> None:
    """NotYet unless `answer` is the oracle's equal.
    `names` are those of the arguments, `layer` what the student builds.

    With device=False, a tensor may be made on the CPU.
    """

    def same(given: Given, found: object, how: str = "") -> None:
        wanted = oracle(*given)
        output = tensor_of(found, tuple(wanted.shape), wanted.dtype, "the output")
        right = apart(output, wanted) <= (ROUNDED if wanted.dtype is torch.float64 else 1.0)
        off = differing(output, wanted)
        expect(right, f"for {_said(given, names)}{how} your output is not that of {layer}{off}")

    for size in sizes:
        given = case(rng, *size)
        same(given, again(answer, *given))
    given = case(rng, *sizes[0])
    steady(answer, *given)
    moved = [Build(f"{HERE}:strided", (each,)) if _matrix(each) else each for each in given]
    same(given, again(answer, *moved), ", not contiguous,")
    single = tuple(
        each.float() if isinstance(each, Tensor) and each.is_floating_point() else each for each in given
    )
    same(single, again(answer, *single), ", in float32,")
    gradients_agree(answer, oracle, dict(zip(names, case(rng, *sizes[1]), strict=True)))
    if device:
        device_kept(answer, *given)


def _matrix(value: object) -> bool:
    return isinstance(value, Tensor) and value.ndim >= 2


def _said(given: Given, names: Sequence[str]) -> str:
    """ "x (2, 5, 6) and A (6, 4)", the first three tensors by their shapes."""
    shapes = [
        f"{name} {tuple(each.shape)}"
        for name, each in zip(names, given, strict=True)
        if isinstance(each, Tensor) and each.ndim >= 2
    ]
    return " and ".join(shapes[:3])
