"""Answer key of adagrad_step.

Tolerance: 0.4·√eps of the dtype, relative to the largest entry. Each step starts from where torch's own Adagrad is.
"""

from __future__ import annotations

import random

import numpy as np
import torch
from course_exercises.adagrad_step import walked

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.transformer_parts import draw


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Other shapes, float32, gradients of different sizes, and numbers whose gradient is nought."""
    for shape, rate in (((3, 5), 0.01), ((1,), 0.5), ((2, 3, 2), 0.1)):
        walked(answer, draw(rng, *shape), [draw(rng, *shape, scale=10.0**i) for i in (0, -1, 1, 0)], rate)
    rare = [draw(rng, 6) for _ in range(4)]
    for i, gradient in enumerate(rare):
        gradient[: i + 2] = 0.0
    walked(answer, draw(rng, 6), rare[::-1], 0.3)
    walked(answer, draw(rng, 6), rare, 0.3)
    walked(answer, draw(rng, 4).float(), [draw(rng, 4).float() for _ in range(3)], 0.1)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Totals that are there already, two shapes, a gradient of nought."""
    calls = []
    for shape, rate in (((3, 5), 0.01), ((4,), 0.5), ((2, 2), 0.1)):
        parameter, gradient, past = draw(rng, *shape), draw(rng, *shape), draw(rng, *shape).square()
        calls.append((parameter, gradient, past, rate))
    parameter, gradient = draw(rng, 4), draw(rng, 4)
    gradient[0] = 0.0
    return [*calls, (parameter, gradient, torch.zeros(4, dtype=torch.float64), 0.1)]


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
        moved.view(-1)[i] = parameter.reshape(-1)[i].item() - (learning_rate * slope / scale if scale > 0 else 0.0)
    return [moved, grown]


def plain_descent(parameter, gradient, total, learning_rate):
    """That is a step of plain SGD: the total is kept, and nothing is divided by its root."""
    return parameter - learning_rate * gradient, total + gradient**2


def no_root(parameter, gradient, total, learning_rate):
    """You divide by the total itself; divide by its root, so that a step does not depend on the gradient's unit."""
    total = total + gradient**2
    return parameter - learning_rate * gradient / (total + 1e-10), total


def uphill(parameter, gradient, total, learning_rate):
    """You step along the gradient, uphill; the loss falls against it."""
    total = total + gradient**2
    return parameter + learning_rate * gradient / (total.sqrt() + 1e-10), total


def old_total(parameter, gradient, total, learning_rate):
    """You divide by the root of the old total; this step's gradient counts already, or the first would divide by nought."""
    return parameter - learning_rate * gradient / (total.sqrt() + 1e-10), total + gradient**2


def forgets_the_past(parameter, gradient, total, learning_rate):
    """You put the new square in the place of the total; it is a sum over all steps so far."""
    total = gradient**2
    return parameter - learning_rate * gradient / (total.sqrt() + 1e-10), total


def averages(parameter, gradient, total, learning_rate):
    """You average squares with a decay, which is RMSprop; Adagrad adds them up and forgets nothing."""
    total = 0.9 * total + 0.1 * gradient**2
    return parameter - learning_rate * gradient / (total.sqrt() + 1e-10), total


def one_for_all(parameter, gradient, total, learning_rate):
    """You use one total for the whole tensor; each number has its own, which is the point of it."""
    total = total + gradient.square().sum()
    return parameter - learning_rate * gradient / (total.sqrt() + 1e-10), total


def adds_gradients(parameter, gradient, total, learning_rate):
    """You add up gradients and not their squares, so those of opposite signs cancel."""
    total = total + gradient
    return parameter - learning_rate * gradient / (total.abs().sqrt() + 1e-10), total


def absolute(parameter, gradient, total, learning_rate):
    """You add up absolute values; Adagrad adds up squares and takes the root of the sum."""
    total = total + gradient.abs()
    return parameter - learning_rate * gradient / (total + 1e-10), total


def no_epsilon(parameter, gradient, total, learning_rate):
    """Where every gradient so far was nought you divide nought by nought: add ε = 1e-10 to the root."""
    total = total + gradient**2
    return parameter - learning_rate * gradient / total.sqrt(), total


def large_epsilon(parameter, gradient, total, learning_rate):
    """You add 1 in the place of a tiny ε, which makes the first steps smaller."""
    total = total + gradient**2
    return parameter - learning_rate * gradient / (total.sqrt() + 1), total


def signs(parameter, gradient, total, learning_rate):
    """You divide the gradient by its own size alone and keep its sign; the past has to count."""
    return parameter - learning_rate * gradient.sign(), total + gradient**2


KEY = AnswerKey(
    id="adagrad_step",
    hidden=hidden,
    reference=adagrad_step,
    accepted=(torchs_own, in_numpy, own_rates, number_by_number),
    rejected=(
        *(plain_descent, no_root, uphill, old_total, forgets_the_past, averages, one_for_all, adds_gradients, absolute),
        *(no_epsilon, large_epsilon, signs),
    ),
    fingerprint=fingerprint,
)
