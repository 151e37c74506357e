"""Exercise adagrad_step: a learning rate for each parameter, from its past gradients."""

from __future__ import annotations

import random

import torch
from course_exercises._encoder_parts import CHANGED, twice
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, right
from kqa_core.check.helpers.transformer_parts import agree, draw, tensors_of

EPSILON = 1e-10


def expected(parameter: Tensor, gradients: list[Tensor], rate: float) -> list[tuple[Tensor, Tensor]]:
    """torch's own Adagrad along these gradients: parameter and sum after each step."""
    leaf = parameter.clone().requires_grad_()
    optimizer = torch.optim.Adagrad([leaf], lr=rate, eps=EPSILON)
    path = []
    for gradient in gradients:
        leaf.grad = gradient.clone()
        optimizer.step()
        path.append((leaf.detach().clone(), optimizer.state[leaf]["sum"].clone()))
    return path


def walked(answer: Answer, parameter: Tensor, gradients: list[Tensor], rate: float) -> None:
    """Raise NotYet unless the answer agrees with torch, step by step, from a sum of zeros, and changes nothing it was given."""
    total = torch.zeros_like(parameter)
    for step, (gradient, wanted) in enumerate(zip(gradients, expected(parameter, gradients, rate), strict=True), 1):
        given = {"parameter": parameter, "gradient": gradient, "total": total}
        found, later = (tensors_of(each, ("parameter", "total"), parameter) for each in twice(answer, given, rate))
        agree(found[1], wanted[1], f"after step {step}, total is not the sum of the squared gradients so far")
        agree(found[0], wanted[0], f"after step {step}, the parameter is not where Adagrad puts it")
        for mine, theirs in zip(later, wanted, strict=True):
            agree(mine, theirs, CHANGED.format(names="parameter, gradient or total"))
        parameter, total = wanted


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Three steps."""
    walked(answer, draw(rng, 4), [draw(rng, 4) for _ in range(3)], 0.1)
    return right("the same steps as torch's own Adagrad")


EXERCISE = Exercise(
    id="adagrad_step",
    title="One step of Adagrad",
    order=10,
    points=2,
    difficulty=2,
    importance=2,
    minutes=10,
    source="Duchi, Hazan and Singer 2011",
    hints=(
        "The vector of a rare word has a gradient of zero most of the time. Which numbers should take larger steps, those of a "
        "rare word or those of a common one?",
        "First add the squared gradient to the total, number by number. Then divide the gradient by the root of that new total "
        "plus ε, and subtract the rate times the result.",
        "With gradient 3, total 16, rate 0.1: the new total is 25, its root 5, so the step is 0.1 · 3/5 = 0.06.",
    ),
    check=check,
)
