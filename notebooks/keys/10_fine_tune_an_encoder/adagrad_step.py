"""Answer key of adagrad_step.

Tolerance: 0.4·√eps of the dtype, relative to the largest entry. Each step starts from where torch's own
Adagrad is.
"""

from __future__ import annotations

import random

import numpy as np
import torch
from course_exercises._encoder_parts import given_twice
from course_exercises.adagrad_step import rare, walked

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.exercise_helpers.transformer_parts import draw


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Other shapes, float32, gradients of different sizes, and numbers whose gradient is zero."""
    for shape, rate in (((3, 5), 0.01), ((1,), 0.5), ((2, 3, 2), 0.1)):
        walked(answer, draw(rng, *shape), [draw(rng, *shape, scale=10.0**i) for i in (0, -1, 1, 0)], rate)
    seldom = [draw(rng, 6) for _ in range(4)]
    for i, gradient in enumerate(seldom):
        gradient[: i + 2] = 0.0
    walked(answer, draw(rng, 6), seldom[::-1], 0.3)
    walked(answer, draw(rng, 6), seldom, 0.3)
    walked(answer, draw(rng, 4), rare(rng), 0.2)
    walked(answer, draw(rng, 4).float(), [draw(rng, 4).float() for _ in range(3)], 0.1)
    walked(answer, draw(rng, 4), [draw(rng, 4, scale=10.0**i) for i in (4, -2, 5)], 3.0)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Totals that are there already, two shapes, a gradient of zero."""
    calls: list[tuple[object, ...]] = []
    for shape, rate in (((3, 5), 0.01), ((4,), 0.5), ((2, 2), 0.1)):
        parameter, gradient, past = draw(rng, *shape), draw(rng, *shape), draw(rng, *shape).square()
        calls.append((parameter, gradient, past, rate))
    parameter, gradient = draw(rng, 4), draw(rng, 4)
    gradient[0] = 0.0
    calls.append((parameter, gradient, torch.zeros(4, dtype=torch.float64), 0.1))
    calls.append((draw(rng, 4), rare(rng)[1], torch.zeros(4, dtype=torch.float64), 0.1))
    return [*calls, *given_twice(draw(rng, 3), draw(rng, 3), torch.zeros(3, dtype=torch.float64), 0.1)]


def adagrad_step(parameter, gradient, total, learning_rate):
    """The reference."""
    total = total + gradient**2
    return parameter - learning_rate * gradient / (total.sqrt() + 1e-10), total


def torchs_own(parameter, gradient, total, learning_rate):
    """Puts the state into torch's optimiser."""
    leaf = torch.nn.Parameter(parameter.clone())
    optimizer = torch.optim.Adagrad([leaf], lr=learning_rate)
    optimizer.state[leaf]["sum"].copy_(total)
    leaf.grad = gradient
    optimizer.step()
    return leaf.detach(), optimizer.state[leaf]["sum"]


def in_numpy(parameter, gradient, total, learning_rate):
    """In numpy, and back."""
    p, g, s = (np.array(each) for each in (parameter, gradient, total))
    s += np.square(g)
    p -= np.multiply(learning_rate, g) / (np.sqrt(s) + 1e-10)
    return torch.from_numpy(p), torch.from_numpy(s)


def own_rates(parameter, gradient, total, learning_rate):
    """First the rate of each number, then a step with it."""
    grown = torch.addcmul(total, gradient, gradient)
    rates = learning_rate * (grown.pow(0.5) + 1e-10).reciprocal()
    return torch.addcmul(parameter, rates, gradient, value=-1), grown


def number_by_number(parameter, gradient, total, learning_rate):
    """One number after the other."""
    moved, grown = torch.empty_like(parameter), torch.empty_like(total)
    for i in range(parameter.numel()):
        slope = gradient.reshape(-1)[i].item()
        grown.view(-1)[i] = total.reshape(-1)[i].item() + slope * slope
        scale = grown.view(-1)[i].item() ** 0.5
        moved.view(-1)[i] = parameter.reshape(-1)[i].item() - learning_rate * slope / (scale + 1e-10)
    return [moved, grown]


def plain_descent(parameter, gradient, total, learning_rate):
    """Your step is that of plain SGD. Divide the gradient by the root of the total."""
    return parameter - learning_rate * gradient, total + gradient**2


def no_root(parameter, gradient, total, learning_rate):
    """You divide by the total itself. Divide by its root."""
    total = total + gradient**2
    return parameter - learning_rate * gradient / (total + 1e-10), total


def uphill(parameter, gradient, total, learning_rate):
    """Your step goes along the gradient. Subtract it."""
    total = total + gradient**2
    return parameter + learning_rate * gradient / (total.sqrt() + 1e-10), total


def old_total(parameter, gradient, total, learning_rate):
    """You divide by the root of the old total.
    Add this step's squared gradient first.
    """
    return parameter - learning_rate * gradient / (total.sqrt() + 1e-10), total + gradient**2


def forgets_the_past(parameter, gradient, total, learning_rate):
    """You replace the total by the new square. It is a sum over all steps so far."""
    total = gradient**2
    return parameter - learning_rate * gradient / (total.sqrt() + 1e-10), total


def averages(parameter, gradient, total, learning_rate):
    """Your total is an average of the squares with a decay, as in RMSprop. Adagrad adds them up and forgets
    nothing.
    """
    total = 0.9 * total + 0.1 * gradient**2
    return parameter - learning_rate * gradient / (total.sqrt() + 1e-10), total


def one_for_all(parameter, gradient, total, learning_rate):
    """You use one total for the whole tensor. Each number has its own; this is the idea of Adagrad."""
    total = total + gradient.square().sum()
    return parameter - learning_rate * gradient / (total.sqrt() + 1e-10), total


def adds_gradients(parameter, gradient, total, learning_rate):
    """You add up gradients instead of their squares."""
    total = total + gradient
    return parameter - learning_rate * gradient / (total.abs().sqrt() + 1e-10), total


def absolute(parameter, gradient, total, learning_rate):
    """You add up absolute values. Adagrad adds up squares and takes the root of the sum."""
    total = total + gradient.abs()
    return parameter - learning_rate * gradient / (total + 1e-10), total


def no_epsilon(parameter, gradient, total, learning_rate):
    """Where every gradient so far was zero, you divide zero by zero. Add ε = 1e-10 to the root."""
    total = total + gradient**2
    return parameter - learning_rate * gradient / total.sqrt(), total


def epsilon_inside(parameter, gradient, total, learning_rate):
    """Your ε is under the root. Add it after the root."""
    total = total + gradient**2
    return parameter - learning_rate * gradient / (total + 1e-10).sqrt(), total


def no_epsilon_where_it_matters(parameter, gradient, total, learning_rate):
    """Where every gradient so far was zero, your step is right. Along tiny gradients it is the step
    without ε: add ε = 1e-10 to the root everywhere.
    """
    total = total + gradient**2
    return parameter - learning_rate * torch.where(total > 0, gradient / total.sqrt(), 0.0), total


def large_epsilon(parameter, gradient, total, learning_rate):
    """You add 1 instead of ε = 1e-10."""
    total = total + gradient**2
    return parameter - learning_rate * gradient / (total.sqrt() + 1), total


def signs(parameter, gradient, total, learning_rate):
    """Your step depends on nothing but the sign of the gradient. The past gradients count too:
    divide by the root of the new total.
    """
    return parameter - learning_rate * gradient.sign(), total + gradient**2


def changes_its_inputs(parameter, gradient, total, learning_rate):
    """You change at least one of the tensors that you were given. Make new ones."""
    total += gradient**2
    parameter -= learning_rate * gradient / (total.sqrt() + 1e-10)
    return parameter, total


KEY = AnswerKey(
    id="adagrad_step",
    hidden=hidden,
    reference=adagrad_step,
    accepted=(torchs_own, in_numpy, own_rates, number_by_number),
    rejected=(
        *(
            plain_descent,
            no_root,
            uphill,
            old_total,
            forgets_the_past,
            averages,
            one_for_all,
            adds_gradients,
            absolute,
        ),
        *(no_epsilon, no_epsilon_where_it_matters, epsilon_inside, large_epsilon, signs, changes_its_inputs),
    ),
    fingerprint=fingerprint,
    commentary=(
        "The new total is computed first, because this step's gradient counts already; the step then divides"
        " by its root plus ε. Both lines make new tensors: `total += …` would change the caller's tensor."
        " After a first gradient of any size, the first step has the length of the rate, because the gradient"
        " is divided by its own size. The most common mistake is to divide by the old total, which is 0 in"
        " the first step."
    ),
)
