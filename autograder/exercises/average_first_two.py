"""Answer key of average_first_two. An exact answer exists for every draw, so there is no false alarm."""

from __future__ import annotations

import random

import torch

from autograder.key import AnswerKey
from autograder.lookup_draws import key_sets
from kqa_core.check.answer import Answer
from kqa_core.check.exercises.average_first_two import judge
from kqa_core.check.facts import Verdict, right


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Other keys, some short, some with a longer key beside the first."""
    for (keys,) in key_sets(rng):
        judge(keys, answer(keys))
    return right()


def average_first_two(K):
    """The reference."""
    ones = torch.ones(4, 1, dtype=K.dtype)
    logits = torch.tensor([20.0, 20.0, 0.0, 0.0], dtype=K.dtype)
    return torch.linalg.solve(torch.cat((K, ones), dim=1), logits)[:3]


def by_differences(K):
    """No difference between rows 0 and 1, a large one to each other row."""
    A = torch.stack((K[0] - K[1], K[0] - K[2], K[0] - K[3]))
    return torch.linalg.solve(A, torch.tensor([0.0, 15.0, 15.0], dtype=K.dtype))


def uneven_rest(K):
    """The two rows that are left out need not agree."""
    A = torch.stack((K[0] - K[1], K[0] - K[2], K[0] - K[3]))
    return torch.linalg.solve(A, torch.tensor([0.0, 8.0, 40.0], dtype=K.dtype))


def sum_of_exact_selectors(K):
    """The sum of two queries, each of which raises one logit and leaves the other three alike."""
    inverse = torch.linalg.inv(torch.cat((K, torch.ones(4, 1, dtype=K.dtype)), dim=1))
    return 12 * inverse[:3, 0] + 12 * inverse[:3, 1]


def across_two_edges(K):
    """Orthogonal to k_0 − k_1 and to k_2 − k_3: the cross product, signed and stretched."""
    direction = torch.linalg.cross(K[0] - K[1], K[2] - K[3])
    return direction * (18 / ((K[0] - K[2]) @ direction))


def nearly_even(K):
    """Weights 0.497 and 0.497, prescribed."""
    wanted = torch.tensor([0.497, 0.497, 0.003, 0.003], dtype=K.dtype)
    return torch.linalg.solve(torch.cat((K, torch.ones(4, 1, dtype=K.dtype)), dim=1), wanted.log())[:3].numpy()


def sum_of_keys(K):
    """k_0 + k_1 works for orthonormal keys; these are not, and the longer of the two wins, or a third."""
    return 50 * (K[0] + K[1])


def short_sum(K):
    """k_0 + k_1 works for orthonormal keys, and even there only when it is long."""
    return K[0] + K[1]


def zero(K):
    """The zero query averages all four values; only the first two were asked for."""
    return torch.zeros(3, dtype=K.dtype)


def sum_of_rough_selectors(K):
    """Two queries that each select a row do not add up: the first one may sink the other's row."""
    first = torch.linalg.solve(K[0] - K[1:], torch.tensor([12.0, 30.0, 30.0], dtype=K.dtype))
    second = torch.linalg.solve(K[1] - torch.stack((K[0], K[2], K[3])), torch.tensor([20.0, 30.0, 30.0], dtype=K.dtype))
    return first + second


def difference(K):
    """k_0 − k_1 sets the two rows against each other: the query should be *orthogonal* to it."""
    return 50 * (K[0] - K[1])


def too_soft(K):
    """The direction is right, but the query is too short: the other two rows keep a noticeable share."""
    logits = torch.tensor([2.0, 2.0, 0.0, 0.0], dtype=K.dtype)
    return torch.linalg.solve(torch.cat((K, torch.ones(4, 1, dtype=K.dtype)), dim=1), logits)[:3]


def only_the_first(K):
    """Your query selects row 0 alone: rows 0 and 1 should share."""
    logits = torch.tensor([20.0, 0.0, 0.0, 0.0], dtype=K.dtype)
    return torch.linalg.solve(torch.cat((K, torch.ones(4, 1, dtype=K.dtype)), dim=1), logits)[:3]


def the_last_two(K):
    """Your query averages rows 2 and 3: the sign is wrong."""
    logits = torch.tensor([-20.0, -20.0, 0.0, 0.0], dtype=K.dtype)
    return torch.linalg.solve(torch.cat((K, torch.ones(4, 1, dtype=K.dtype)), dim=1), logits)[:3]


def three_of_four(K):
    """Your query averages the first three rows: the third should get nothing."""
    logits = torch.tensor([20.0, 20.0, 20.0, 0.0], dtype=K.dtype)
    return torch.linalg.solve(torch.cat((K, torch.ones(4, 1, dtype=K.dtype)), dim=1), logits)[:3]


def least_squares_on_k(K):
    """Least squares on K alone does not reach equal logits: give softmax's free shift an unknown of its own."""
    logits = torch.tensor([[20.0], [20.0], [0.0], [0.0]], dtype=K.dtype)
    return torch.linalg.lstsq(K, logits).solution[:, 0]


def only_these_keys(K):
    """This query answers the notebook's keys only: compute it from K."""
    return torch.tensor([-27.7778, -42.5926, -107.4074], dtype=K.dtype)


KEY = AnswerKey(
    id="average_first_two",
    hidden=hidden,
    reference=average_first_two,
    accepted=(by_differences, uneven_rest, sum_of_exact_selectors, across_two_edges, nearly_even),
    rejected=(
        *(sum_of_keys, short_sum, zero, sum_of_rough_selectors, difference, too_soft, only_the_first, the_last_two),
        *(three_of_four, least_squares_on_k, only_these_keys),
    ),
    fingerprint=key_sets,
)
