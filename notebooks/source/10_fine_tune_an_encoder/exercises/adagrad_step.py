"""Exercise adagrad_step: a learning rate for each parameter, from its past gradients."""

from __future__ import annotations

import random

import torch
from course_exercises._encoder_parts import stepped, told_size, without_nan
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.effects import KEPT, kept_nothing, leaves_alone
from kqa_core.check.same_behaviour import same_behaviour
from kqa_core.exercise_helpers.transformer_parts import apart, difference, draw, tensors_of

EPSILON = 1e-10
INSIDE = ". Possible cause: ε is added under the root; the divisor is √s + ε"
NAMES = ("parameter", "gradient", "total")


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


def compared(
    result: object, arguments: tuple[Tensor, Tensor, Tensor, float], wanted: tuple[Tensor, Tensor], said: str
) -> None:
    """Raise NotYet unless `result` is the pair `wanted`. `said` begins a sentence about it."""
    parameter, gradient, _, rate = arguments
    without_nan(result, parameter, wanted[1] == 0.0)
    found = tensors_of(result, ("parameter", "total"), parameter)
    if apart(found[0], wanted[1]) <= 1.0 and apart(found[1], wanted[0]) <= 1.0:
        raise NotYet(f"{said}, your two results are in the wrong order: return (parameter, total)")
    if apart(found[1], wanted[1]) > 1.0:
        wrong = difference(found[1], wanted[1])
        raise NotYet(f"{said}, total is not the sum of the squared gradients so far: {wrong}")
    if apart(found[0], wanted[0]) > 1.0:
        wrong = stepped(found[0], wanted[0], parameter, rate * gradient, wanted[1].sqrt(), EPSILON)
        if apart(found[0], parameter - rate * gradient / (wanted[1] + EPSILON).sqrt()) <= 1.0:
            wrong = difference(found[0], wanted[0]) + INSIDE
        raise NotYet(f"{said}, the parameter is not where Adagrad puts it: {wrong}")


def walked(answer: Answer, parameter: Tensor, gradients: list[Tensor], rate: float) -> None:
    """Raise NotYet unless the answer agrees with torch, step by step,
    from a sum of zeros, and changes nothing it was given.
    """
    total = torch.zeros_like(parameter)
    first: tuple[object, ...] = ()
    once: object = None
    for step, (gradient, wanted) in enumerate(
        zip(gradients, expected(parameter, gradients, rate), strict=True), 1
    ):
        arguments = parameter, gradient, total, rate
        about = f"after step {step}, with learning_rate {rate:g}"
        result = answer(*arguments)
        first, once = (arguments, result) if step == 1 else (first, once)
        with kept_nothing(answer, *arguments):
            compared(result, arguments, wanted, f"{about} and {told_size(gradient)}")
        parameter, total = wanted
    expect(same_behaviour(answer(*first), once), KEPT)
    leaves_alone(answer, NAMES, parameter, gradients[0], total, rate)


def rare(rng: random.Random) -> list[Tensor]:
    """Three gradients of four numbers: those of the first are zero,
    those of the second begin with zero, all others are tiny.
    """
    gradients = [1e-6 * each.sign() * (1.0 + each.abs()) for each in (draw(rng, 4) for _ in range(3))]
    for i, gradient in enumerate(gradients):
        gradient[: 2 if i == 0 else 1] = 0.0
    return gradients


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Three steps, and three of numbers whose gradients are tiny, or zero at first, as for a rare word;
    a matrix, with another rate; float32.
    """
    walked(answer, draw(rng, 4), [draw(rng, 4) for _ in range(3)], 0.1)
    walked(answer, draw(rng, 4), rare(rng), 0.1)
    walked(answer, draw(rng, 2, 3), [draw(rng, 2, 3, scale=10.0**i) for i in (0, -1, 4)], 2.5)
    walked(answer, draw(rng, 3).float(), [draw(rng, 3).float() for _ in range(2)], 0.1)
    return right("the same steps as torch's own Adagrad, for gradients that are tiny or zero, too")


EXERCISE = Exercise(
    id="adagrad_step",
    title="One step of Adagrad",
    order=14,
    points=2,
    difficulty=2,
    importance=2,
    minutes=10,
    source="Duchi, Hazan and Singer 2011",
    hints=(
        (
            "The vector of a rare word has a gradient of zero most of the time. Which numbers should take"
            " larger steps, those of a rare word or those of a common one?"
        ),
        (
            "First add the squared gradient to the total, element by element. Then divide the gradient by the"
            " root of that new total plus ε, and subtract the rate times the result."
        ),
        (
            "With gradient 3, total 16, rate 0.1: the new total is 25, its root 5, so the step is 0.1 · 3/5 ="
            " 0.06."
        ),
    ),
    check=check,
)
