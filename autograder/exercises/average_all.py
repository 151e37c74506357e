"""Answer key of average_all. The zero query is right for all keys, so there is no false alarm."""

from __future__ import annotations

import random

import torch

from autograder.key import AnswerKey
from autograder.lookup_draws import key_sets
from kqa_core.check.answer import Answer
from kqa_core.check.exercises.average_all import judge
from kqa_core.check.facts import Verdict, right


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Other keys, long and short."""
    for (keys,) in key_sets(rng):
        judge(keys, answer(keys))
    return right()


def average_all(K):
    """The reference."""
    return torch.zeros(3, dtype=K.dtype)


def as_a_list(K):
    """A plain list."""
    return [0.0, 0.0, 0.0]


def solved(K):
    """The solution of three homogeneous equations."""
    return torch.linalg.solve(K[1:] - K[0], torch.zeros(3, dtype=K.dtype))


def exact_even_weights(K):
    """The query of four equal weights, by the system with the shift."""
    even = torch.full((4,), 0.25, dtype=K.dtype)
    return torch.linalg.solve(torch.cat((K, torch.ones(4, 1, dtype=K.dtype)), dim=1), even.log())[:3]


def vanishing(K):
    """Any direction, so short that the weights cannot tell."""
    return 1e-6 * K[0]


def subtracted(K):
    """A query taken from itself."""
    q = K.sum(0)
    return q - q


def mean_key(K):
    """The mean of the keys is no query for the mean of the values: the keys near it get more weight."""
    return K.mean(0)


def sum_of_keys(K):
    """The sum of the keys gives more weight to long keys and to those near the sum."""
    return K.sum(0)


def long_mean(K):
    """The longer the query, the *less* even the weights."""
    return 100 * K.mean(0)


def ones(K):
    """Equal numbers in the query are not equal logits: k_i·(1, 1, 1) is the sum of the key's numbers."""
    return torch.ones(3, dtype=K.dtype)


def quarter(K):
    """The quarters are the weights you want, not the query; four numbers are one too many for a query."""
    return torch.full((4,), 0.25, dtype=K.dtype)


def quarters_in_three(K):
    """A quarter in each place of the query does not make a quarter of each weight."""
    return torch.full((3,), 0.25, dtype=K.dtype)


def orthogonal_to_two(K):
    """You make three logits equal and forget the fourth key."""
    return torch.linalg.cross(K[1] - K[0], K[2] - K[0]) / torch.linalg.cross(K[1] - K[0], K[2] - K[0]).norm()


def first_key(K):
    """k_0 asks for what is like k_0: the first row gets more than its quarter."""
    return K[0].clone()


def least_squares(K):
    """Least squares for logits of one misses, since no query of these keys has four equal logits except zero: then all are 0."""
    return torch.linalg.lstsq(K, torch.ones(4, 1, dtype=K.dtype)).solution[:, 0]


KEY = AnswerKey(
    id="average_all",
    hidden=hidden,
    reference=average_all,
    accepted=(as_a_list, solved, exact_even_weights, vanishing, subtracted),
    rejected=(mean_key, sum_of_keys, long_mean, ones, quarter, quarters_in_three, orthogonal_to_two, first_key, least_squares),
    fingerprint=key_sets,
)
