"""Exercise adamw_step: two averages, their bias correction, and a separate weight decay."""

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

NAMES = ("parameter", "mean", "square")
EARLY = ". Possible cause: ε is added before the bias correction of the square, and not after it"
SQUARE = "0.999 of the old one and 0.001 of the squared gradient"
LATE = ((12, 1.0, 0.1, 0.2), (3000, 100.0, 0.9, 1.5))  # step, size of the gradient, rate and decay
State = tuple[Tensor, Tensor, Tensor]


def expected(parameter: Tensor, gradients: list[Tensor], rate: float, decay: float) -> list[State]:
    """torch's own AdamW along these gradients: parameter and both averages after each step."""
    leaf = parameter.clone().requires_grad_()
    optimizer = torch.optim.AdamW([leaf], lr=rate, weight_decay=decay)
    path = []
    for gradient in gradients:
        leaf.grad = gradient.clone()
        optimizer.step()
        state = optimizer.state[leaf]
        path.append((leaf.detach().clone(), state["exp_avg"].clone(), state["exp_avg_sq"].clone()))
    return path


def compared(result: object, wanted: State, step: int, shrunk: Tensor, rate: float, size: str) -> None:
    """Raise NotYet unless `result` is the state `wanted`. `shrunk` is the parameter before it, after the
    decay; `size` says with which numbers.
    """
    without_nan(result, shrunk, wanted[2] == 0.0)
    said = f"after step {step}, {size},"
    found = tensors_of(result, tuple(f"{said} {name}" for name in NAMES), shrunk)
    swapped = apart(found[1], wanted[2]) <= 1.0 and apart(found[2], wanted[1]) <= 1.0
    expect(
        not swapped or apart(found[1], wanted[1]) <= 1.0,
        f"{said} your mean and your square are in the wrong order: return ({', '.join(NAMES)})",
    )
    for i, what in ((1, "0.9 of the old one and 0.1 of the gradient"), (2, SQUARE)):
        if apart(found[i], wanted[i]) > 1.0:
            raise NotYet(f"{said} {NAMES[i]} is not {what}: {difference(found[i], wanted[i])}")
    if apart(found[0], wanted[0]) > 1.0:
        mean, root = wanted[1] / (1 - 0.9**step), (wanted[2] / (1 - 0.999**step)).sqrt()
        wrong = stepped(found[0], wanted[0], shrunk, rate * mean, root, 1e-8)
        early = 1e-8 / (1 - 0.999**step) ** 0.5
        if apart(found[0], shrunk - rate * mean / (root + early)) <= 1.0:
            wrong = difference(found[0], wanted[0]) + EARLY
        raise NotYet(f"{said} the parameter is not where AdamW puts it: {wrong}")


def walked(answer: Answer, parameter: Tensor, gradients: list[Tensor], rate: float, decay: float) -> None:
    """Raise NotYet unless the answer agrees with torch, step by step, from averages of zero."""
    state: State = (parameter, torch.zeros_like(parameter), torch.zeros_like(parameter))
    first: tuple[object, ...] = ()
    once: object = None
    for step, (gradient, wanted) in enumerate(
        zip(gradients, expected(parameter, gradients, rate, decay), strict=True), 1
    ):
        given = state[0], gradient, *state[1:], step, rate, decay
        result = answer(*given)
        first, once = (given, result) if step == 1 else (first, once)
        with kept_nothing(answer, *given):
            size = f"with learning_rate {rate:g}, weight_decay {decay:g} and {told_size(gradient)}"
            compared(result, wanted, step, (1 - rate * decay) * state[0], rate, size)
        state = wanted
    expect(same_behaviour(answer(*first), once), KEPT)
    arguments = state[0], gradients[0], *state[1:], len(gradients) + 1, rate, decay
    leaves_alone(answer, ("parameter", "gradient", "mean", "square"), *arguments)


def resumed(answer: Answer, rng: random.Random, step: int, scale: float, rate: float, decay: float) -> None:
    """Raise NotYet unless the answer agrees with torch in this one step, from averages of earlier ones."""
    parameter, gradient, mean = (
        1.0 + draw(rng, 2, 3),
        draw(rng, 2, 3, scale=scale),
        draw(rng, 2, 3, scale=scale),
    )
    square = mean.square() + draw(rng, 2, 3, scale=scale).square()
    leaf = parameter.clone().requires_grad_()
    leaf.grad = gradient.clone()
    optimizer = torch.optim.AdamW([leaf], lr=rate, weight_decay=decay)
    state = {"step": torch.tensor(step - 1.0), "exp_avg": mean.clone(), "exp_avg_sq": square.clone()}
    optimizer.state[leaf] = state
    optimizer.step()
    result = answer(parameter, gradient, mean, square, step, rate, decay)
    wanted = leaf.detach(), state["exp_avg"], state["exp_avg_sq"]
    found = tensors_of(result, NAMES, parameter)
    # the parameter last: it follows from the two averages
    for name, one, other in reversed(list(zip(NAMES, found, wanted, strict=True))):
        if apart(one, other) > 1.0:
            said = (
                f"in step {step}, with gradients of about {scale:g}, learning_rate {rate:g} and weight_decay"
            )
            raise NotYet(f"{said} {decay:g}, {name} is not what AdamW makes it: {difference(one, other)}")


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Three steps, with decay; three with tiny gradients, one of them zero; another rate, another decay;
    later steps.
    """
    walked(answer, 1.0 + draw(rng, 4), [draw(rng, 4) for _ in range(3)], 0.1, 0.2)
    walked(
        answer,
        1.0 + draw(rng, 4),
        [torch.tensor([0.0, 1.0, 1.0, 1.0]) * draw(rng, 4, scale=1e-7) for _ in range(3)],
        0.1,
        0.2,
    )
    walked(answer, 1.0 + draw(rng, 4), [draw(rng, 4)], 0.9, 0.2)
    walked(answer, 1.0 + draw(rng, 4), [draw(rng, 4)], 0.1, 1.5)
    for step, scale, rate, decay in LATE:
        resumed(answer, rng, step, scale, rate, decay)
    return right("the same steps as torch's own AdamW, for gradients that are tiny or zero, too")


EXERCISE = Exercise(
    id="adamw_step",
    title="One step of AdamW",
    order=15,
    points=3,
    difficulty=3,
    importance=4,
    minutes=20,
    source="Kingma and Ba 2015, algorithm 1; Loshchilov and Hutter 2019, algorithm 2",
    hints=(
        (
            "Both averages begin at 0. How large is the mean after one step, if the gradient is 1? How large"
            " should it be?"
        ),
        (
            "Update both averages. For the step, divide each by the share of it that is filled by now, 1 − β"
            " to the power of `step`; return the averages themselves. The decay multiplies the parameter by 1"
            " − ηλ and does not enter the averages."
        ),
        (
            "Step 1, gradient 2: mean 0.2, over 1 − 0.9 that is 2; square 0.004, over 1 − 0.999 that is 4,"
            " its root 2. So the parameter becomes (1 − rate · decay) times itself, minus rate · 2 / (2 +"
            " 1e-8)."
        ),
    ),
    check=check,
)
