"""Answer key of exact_logits."""

from __future__ import annotations

import random

import torch
from course_exercises._concrete_keys import K
from course_exercises._drawn_keys import another, draw_keys, draw_weights, scaled
from course_exercises.exact_logits import reaches

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.repeated import every_time


def tiny_first(weights: torch.Tensor, tiny: float) -> torch.Tensor:
    """`weights` with the first one changed to `tiny`; they still add up to 1."""
    return torch.cat([weights.new_tensor([tiny]), weights[1:] * (1 - tiny) / weights[1:].sum()])


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Other keys, other weights, tiny ones among them; long and short keys; one pair many times."""
    for number in range(6):
        keys, weights = draw_keys(rng), draw_weights(rng)
        tiny = 10 ** rng.uniform(-9, -5)
        reaches(answer, keys, weights if number < 4 else tiny_first(weights, tiny), another(keys))
    for scale in (20.0, 0.02):
        weights = draw_weights(rng)
        for case, keys in scaled(scale, rng):
            reaches(answer, keys, weights, case)
    keys, weights = draw_keys(rng), draw_weights(rng)
    every_time(answer, (keys, weights), lambda again: reaches(again, keys, weights, another(keys)))
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """The notebook's keys and another set."""
    return [(K, draw_weights(rng)), (draw_keys(rng), draw_weights(rng))]


def exact_logits(K, weights):
    """The reference."""
    with_ones = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)  # (4, 4)
    solution = torch.linalg.solve(with_ones, weights.log())
    return solution[:3]  # without the shift


def differences(K, weights):
    """Only the differences of logits count: three equations for three unknowns."""
    logits = torch.log(weights)
    return torch.linalg.solve(K[1:] - K[0], logits[1:] - logits[0])


def centred_least_squares(K, weights):
    """Both sides without their mean: then least squares is exact."""
    logits = weights.log() - weights.log().mean()
    return torch.linalg.lstsq(K - K.mean(dim=0), logits[:, None]).solution[:, 0]


def inverse_of_the_whole(K, weights):
    """An inverse of [1 K], the shift in front."""
    inverse = torch.linalg.inv(torch.hstack([torch.ones(4, 1, dtype=torch.float64), K]))
    return (inverse @ weights.log())[1:]


def by_newton(K, weights):
    """Newton's method, damped at first, on the cross entropy between the wanted weights and the softmax."""
    q = torch.zeros(3, dtype=torch.float64)
    for _ in range(60):
        p = torch.softmax(K @ q, dim=0)
        hessian = K.T @ (torch.diag(p) - torch.outer(p, p)) @ K
        step = torch.linalg.solve(hessian, K.T @ (p - weights))
        q = q - step / max(1.0, float((K @ step).abs().max()))
    return q


def cramers_rule(K, weights):
    """Ratios of determinants."""
    with_ones = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    whole = torch.linalg.det(with_ones)
    q = []
    for i in range(3):
        replaced = with_ones.clone()
        replaced[:, i] = torch.log(weights)
        q.append(torch.linalg.det(replaced) / whole)
    return torch.stack(q)


def least_squares_on_k_alone(K, weights):
    """q is from least squares on K alone, which comes close at best: all logits may be shifted by one number,
    which is a fourth unknown.
    """
    return torch.linalg.lstsq(K, weights.log()[:, None]).solution[:, 0]


def centres_one_side_only(K, weights):
    """The mean is taken off the logits but not off the keys; the softmax ignores a shift only if it is the
    same for all logits.
    """
    logits = weights.log() - weights.log().mean()
    return torch.linalg.pinv(K) @ logits


def first_three_rows(K, weights):
    """q solves for the first three rows only, so nothing controls the fourth weight."""
    return torch.linalg.solve(K[:3], weights.log()[:3])


def weights_for_logits(K, weights):
    """The weights are used as logits: the softmax takes exponentials, so the logits must be logarithms."""
    with_ones = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    return torch.linalg.solve(with_ones, weights)[:3]


def wrong_base(K, weights):
    """The logarithm has base 10. The softmax has e as its base, which needs the natural logarithm."""
    with_ones = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    return torch.linalg.solve(with_ones, weights.log10())[:3]


def base_two(K, weights):
    """The logarithm has base 2. The softmax has e as its base, which needs the natural logarithm."""
    with_ones = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    return torch.linalg.solve(with_ones, weights.log2())[:3]


def log_odds(K, weights):
    """The logits are log(p / (1 − p)), which undoes a sigmoid; a softmax is undone by log(p) alone."""
    with_ones = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    return torch.linalg.solve(with_ones, weights.logit())[:3]


def wrong_sign(K, weights):
    """The sign is wrong: the largest logit must belong to the largest weight."""
    with_ones = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    return -torch.linalg.solve(with_ones, weights.log())[:3]


def with_the_shift(K, weights):
    """The shift is returned as well: the query is the first three numbers of the solution."""
    with_ones = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    return torch.linalg.solve(with_ones, weights.log())


def in_single_precision(K, weights):
    """The weights agree to seven digits or so, as with float32, or with something small that is added or
    rounded on the way. K is float64.
    """
    with_ones = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1).float()
    return torch.linalg.solve(with_ones, weights.log().float())[:3]


def shift_in_the_wrong_place(K, weights):
    """q begins with the shift. If the column of ones stands in front of K, the shift is the first number of
    the solution: drop the first, not the last.
    """
    return torch.linalg.solve(torch.hstack([torch.ones(4, 1, dtype=K.dtype), K]), weights.log())[:3]


def average_of_the_keys(K, weights):
    """The result is the average of the keys with these weights: that is an output of attention, not the query
    that leads to it.
    """
    return weights @ K


def the_notebooks_k(keys, weights):
    """q is the one for the K of the notebook, whatever the argument K is. It must be computed from the
    argument in every call.
    """
    with_ones = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    return torch.linalg.solve(with_ones, weights.log())[:3]


def for_the_weights_of_the_example(K, weights):
    """q always has the weights 10, 20, 30 and 40 percent; it must have the weights that your function
    gets.
    """
    with_ones = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    return torch.linalg.solve(with_ones, torch.tensor([0.1, 0.2, 0.3, 0.4], dtype=K.dtype).log())[:3]


KEY = AnswerKey(
    id="exact_logits",
    hidden=hidden,
    reference=exact_logits,
    accepted=(differences, centred_least_squares, inverse_of_the_whole, by_newton, cramers_rule),
    rejected=(
        *(
            least_squares_on_k_alone,
            centres_one_side_only,
            first_three_rows,
            weights_for_logits,
            wrong_base,
            base_two,
            log_odds,
        ),
        *(wrong_sign, with_the_shift, in_single_precision, shift_in_the_wrong_place, average_of_the_keys),
        *(the_notebooks_k, for_the_weights_of_the_example),
    ),
    fingerprint=fingerprint,
    commentary=r"""
    The logits $\log \alpha_i$ have the softmax $\alpha_i$, and so do the logits $\log \alpha_i + b$ for every
    $b$. So we solve $[K\ \mathbf 1] (q, b) = \log \alpha$, where $[K\ \mathbf 1]$ is $K$ with a column of
    ones. These are four equations for four unknowns, and we drop $b$. The matrix has an inverse because the
    four keys do not lie in one plane. Common mistakes are to return the shift as well, to use the weights
    themselves as logits, and to leave out the column of ones. Without it there are four equations for three
    unknowns, and least squares only comes close.
    """,
)
