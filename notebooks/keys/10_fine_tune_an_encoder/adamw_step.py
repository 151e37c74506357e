"""Answer key of adamw_step.

Tolerance: 0.4·√eps of the dtype, relative to the largest entry (6e-9 in float64). Each step starts from where
torch's own AdamW is. Rate and decay are large, so that decay before and after the step differ in the third
digit.
"""

from __future__ import annotations

import random

import numpy as np
import torch
from course_exercises._encoder_parts import given_twice
from course_exercises.adamw_step import LATE, resumed, walked

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.exercise_helpers.transformer_parts import draw


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Other shapes, no decay, tiny gradients, gradients of zero, and float32."""
    for shape, rate, decay in (((3, 5), 0.2, 0.3), ((1,), 0.05, 0.0), ((2, 3, 2), 0.1, 0.1)):
        walked(answer, 1.0 + draw(rng, *shape), [draw(rng, *shape) for _ in range(5)], rate, decay)
    walked(answer, 1.0 + draw(rng, 4), [draw(rng, 4, scale=1e-7) for _ in range(3)], 0.1, 0.2)
    walked(answer, 1.0 + draw(rng, 4), [torch.zeros(4, dtype=torch.float64)] * 2, 0.1, 0.2)
    walked(answer, 1.0 + draw(rng, 4).float(), [draw(rng, 4).float() for _ in range(3)], 0.1, 0.2)
    for step, scale, rate, decay in (*LATE, (100_000, 1.0, 0.01, 0.1), (40, 1e4, 1.5, 0.3)):
        resumed(answer, rng, step, scale, rate, decay)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """First steps, and later ones from averages that are there already; ordinary gradients and tiny ones."""
    calls: list[tuple[object, ...]] = []
    for step, scale, rate, decay in (
        (1, 1.0, 0.2, 0.3),
        (2, 1.0, 0.1, 0.1),
        (5, 1.0, 0.1, 0.2),
        (3, 1e-7, 0.1, 0.2),
    ):
        parameter, gradient, mean = (
            1.0 + draw(rng, 2, 3),
            draw(rng, 2, 3, scale=scale),
            draw(rng, 2, 3, scale=0.3 * scale),
        )
        square = draw(rng, 2, 3, scale=scale).square()
        first = torch.zeros_like(mean)
        calls.append(
            (parameter, gradient, *((first, first) if step == 1 else (mean, square)), step, rate, decay)
        )
    zeros = torch.zeros(3, dtype=torch.float64)
    return [*calls, *given_twice(draw(rng, 3), draw(rng, 3), zeros, zeros, 1, 0.1, 0.2)]


def adamw_step(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    """The reference."""
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.999 * square + 0.001 * gradient**2
    unbiased_mean, unbiased_square = mean / (1 - 0.9**step), square / (1 - 0.999**step)
    shrunk = parameter * (1 - learning_rate * weight_decay)
    return shrunk - learning_rate * unbiased_mean / (unbiased_square.sqrt() + 1e-8), mean, square


def torchs_own(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    """Puts the state into torch's optimiser."""
    leaf = torch.nn.Parameter(parameter.clone())
    leaf.grad = gradient
    optimizer = torch.optim.AdamW([leaf], lr=learning_rate, weight_decay=weight_decay)
    state = {"step": torch.tensor(float(step - 1)), "exp_avg": mean.clone(), "exp_avg_sq": square.clone()}
    optimizer.state[leaf] = state
    optimizer.step()
    return leaf.detach(), state["exp_avg"], state["exp_avg_sq"]


def by_lerp(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    """Both averages are a tenth, or a thousandth, of the way to what is new."""
    m, v = torch.lerp(mean, gradient, 0.1), torch.lerp(square, gradient.square(), 0.001)
    rate = learning_rate / (1 - 0.9**step)
    scale = v.sqrt().div((1 - 0.999**step) ** 0.5).add(1e-8)
    return torch.addcdiv(parameter.mul(1 - learning_rate * weight_decay), m, scale, value=-rate), m, v


def in_numpy(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    """In numpy, in place, in float64."""
    p, g, m, v = (np.array(each, dtype=np.float64) for each in (parameter, gradient, mean, square))
    m += (1 - 0.9) * (g - m)
    v += (1 - 0.999) * (g * g - v)
    direction = (m / -np.expm1(step * np.log(0.9))) / (np.sqrt(v / -np.expm1(step * np.log(0.999))) + 1e-8)
    p -= learning_rate * (direction + weight_decay * p)
    return tuple(torch.from_numpy(each).to(parameter.dtype) for each in (p, m, v))


def as_one_average(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    """One function for both averages, which gives the average and what it is without its bias."""

    def average(old, new, beta):
        now = old * beta + new * (1 - beta)
        filled = sum((1 - beta) * beta**i for i in range(step))
        return now, now / filled

    mean, m = average(mean, gradient, 0.9)
    square, v = average(square, gradient * gradient, 0.999)
    change = m / (v**0.5 + 1e-8) + weight_decay * parameter
    return [parameter - learning_rate * change, mean, square]


def decay_in_the_gradient(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    """The decay is in the gradient. That is Adam with an L2 penalty, where the decay is divided by √v
    too. Shrink the parameter instead.
    """
    gradient = gradient + weight_decay * parameter
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.999 * square + 0.001 * gradient**2
    unbiased_mean, unbiased_square = mean / (1 - 0.9**step), square / (1 - 0.999**step)
    return parameter - learning_rate * unbiased_mean / (unbiased_square.sqrt() + 1e-8), mean, square


def no_decay(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    """The weight decay is missing: this is Adam without the W."""
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.999 * square + 0.001 * gradient**2
    unbiased_mean, unbiased_square = mean / (1 - 0.9**step), square / (1 - 0.999**step)
    return parameter - learning_rate * unbiased_mean / (unbiased_square.sqrt() + 1e-8), mean, square


def decay_without_rate(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    """Your decay does not depend on the learning rate.
    The parameter is multiplied by 1 − learning_rate · weight_decay.
    """
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.999 * square + 0.001 * gradient**2
    unbiased_mean, unbiased_square = mean / (1 - 0.9**step), square / (1 - 0.999**step)
    shrunk = parameter * (1 - weight_decay)
    return shrunk - learning_rate * unbiased_mean / (unbiased_square.sqrt() + 1e-8), mean, square


def decay_last(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    """You shrink the parameter after the step. Shrink it first, then step."""
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.999 * square + 0.001 * gradient**2
    unbiased_mean, unbiased_square = mean / (1 - 0.9**step), square / (1 - 0.999**step)
    stepped = parameter - learning_rate * unbiased_mean / (unbiased_square.sqrt() + 1e-8)
    return stepped * (1 - learning_rate * weight_decay), mean, square


def growing(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    """Your decay lets the parameter grow. It has to shrink towards zero."""
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.999 * square + 0.001 * gradient**2
    unbiased_mean, unbiased_square = mean / (1 - 0.9**step), square / (1 - 0.999**step)
    grown = parameter * (1 + learning_rate * weight_decay)
    return grown - learning_rate * unbiased_mean / (unbiased_square.sqrt() + 1e-8), mean, square


def biased(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    """The bias correction is missing. The averages begin at zero."""
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.999 * square + 0.001 * gradient**2
    shrunk = parameter * (1 - learning_rate * weight_decay)
    return shrunk - learning_rate * mean / (square.sqrt() + 1e-8), mean, square


def one_bias(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    """The mean is corrected, but not the square.
    Correct both.
    """
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.999 * square + 0.001 * gradient**2
    shrunk = parameter * (1 - learning_rate * weight_decay)
    return shrunk - learning_rate * mean / (1 - 0.9**step) / (square.sqrt() + 1e-8), mean, square


def counted_from_nought(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    """The exponents in your bias correction are one too large. Steps are counted from 1."""
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.999 * square + 0.001 * gradient**2
    unbiased_mean, unbiased_square = mean / (1 - 0.9 ** (step + 1)), square / (1 - 0.999 ** (step + 1))
    shrunk = parameter * (1 - learning_rate * weight_decay)
    return shrunk - learning_rate * unbiased_mean / (unbiased_square.sqrt() + 1e-8), mean, square


def corrected_is_kept(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    """You return the corrected averages, so the next step would correct them again.
    Return m and v themselves.
    """
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.999 * square + 0.001 * gradient**2
    mean, square = mean / (1 - 0.9**step), square / (1 - 0.999**step)
    shrunk = parameter * (1 - learning_rate * weight_decay)
    return shrunk - learning_rate * mean / (square.sqrt() + 1e-8), mean, square


def no_root(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    """You divide by the square itself. Divide by its root."""
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.999 * square + 0.001 * gradient**2
    unbiased_mean, unbiased_square = mean / (1 - 0.9**step), square / (1 - 0.999**step)
    shrunk = parameter * (1 - learning_rate * weight_decay)
    return shrunk - learning_rate * unbiased_mean / (unbiased_square + 1e-8), mean, square


def epsilon_inside(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    """Your ε is under the root. Add it after the root."""
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.999 * square + 0.001 * gradient**2
    unbiased_mean, unbiased_square = mean / (1 - 0.9**step), square / (1 - 0.999**step)
    shrunk = parameter * (1 - learning_rate * weight_decay)
    return shrunk - learning_rate * unbiased_mean / (unbiased_square + 1e-8).sqrt(), mean, square


def betas_exchanged(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    """The betas are exchanged: 0.9 belongs to the mean, 0.999 to the square."""
    mean = 0.999 * mean + 0.001 * gradient
    square = 0.9 * square + 0.1 * gradient**2
    unbiased_mean, unbiased_square = mean / (1 - 0.999**step), square / (1 - 0.9**step)
    shrunk = parameter * (1 - learning_rate * weight_decay)
    return shrunk - learning_rate * unbiased_mean / (unbiased_square.sqrt() + 1e-8), mean, square


def square_of_the_mean(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    """You average the square of the mean. Average the square of the gradient."""
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.999 * square + 0.001 * mean**2
    unbiased_mean, unbiased_square = mean / (1 - 0.9**step), square / (1 - 0.999**step)
    shrunk = parameter * (1 - learning_rate * weight_decay)
    return shrunk - learning_rate * unbiased_mean / (unbiased_square.sqrt() + 1e-8), mean, square


def no_memory(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    """You step along the gradient of this batch. Step along the mean of the gradients so far."""
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.999 * square + 0.001 * gradient**2
    unbiased_square = square / (1 - 0.999**step)
    shrunk = parameter * (1 - learning_rate * weight_decay)
    return shrunk - learning_rate * gradient / (unbiased_square.sqrt() + 1e-8), mean, square


def changes_its_inputs(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    """You change at least one of the tensors that you were given. Make new ones."""
    mean.mul_(0.9).add_(gradient, alpha=0.1)
    square.mul_(0.999).addcmul_(gradient, gradient, value=0.001)
    shrunk = parameter * (1 - learning_rate * weight_decay)
    return (
        shrunk - learning_rate * mean / (1 - 0.9**step) / ((square / (1 - 0.999**step)).sqrt() + 1e-8),
        mean,
        square,
    )


KEY = AnswerKey(
    id="adamw_step",
    hidden=hidden,
    reference=adamw_step,
    accepted=(torchs_own, by_lerp, in_numpy, as_one_average),
    rejected=(
        *(
            decay_in_the_gradient,
            no_decay,
            decay_without_rate,
            decay_last,
            growing,
            biased,
            one_bias,
            counted_from_nought,
        ),
        *(
            corrected_is_kept,
            no_root,
            epsilon_inside,
            betas_exchanged,
            square_of_the_mean,
            no_memory,
            changes_its_inputs,
        ),
    ),
    fingerprint=fingerprint,
    commentary=(
        "Two averages, two corrections, one shrinking. The correction divides by the share of an average that"
        " is filled after t steps; it is used for the step only, and m and v themselves are returned, because"
        " the next step corrects them with its own t. The decay multiplies the parameter before the step and"
        " never enters the averages: this is the W. The most common mistakes are to return the corrected"
        " averages, and to put ε under the root, where it has another size."
    ),
)
