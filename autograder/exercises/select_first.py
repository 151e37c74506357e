"""Answer key of select_first.

Every one of 12 random sets of keys must be answered. For affinely independent keys an exact answer exists (the 4 × 4
system), so a
right answer never fails; there is no false alarm.
"""

from __future__ import annotations

import random

import torch

from autograder.key import AnswerKey
from autograder.lookup_draws import key_sets
from kqa_core.check.answer import Answer
from kqa_core.check.exercises.select_first import judge
from kqa_core.check.facts import Verdict, right


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Other keys, some short, some with a longer key beside the first."""
    for (keys,) in key_sets(rng):
        judge(keys, answer(keys))
    return right()


def select_first(K):
    """The reference."""
    ones = torch.ones(4, 1, dtype=K.dtype)
    logits = torch.tensor([20.0, 0.0, 0.0, 0.0], dtype=K.dtype)
    return torch.linalg.solve(torch.cat((K, ones), dim=1), logits)[:3]


def by_differences(K):
    """Three differences of keys, three unknowns: (k_0 − k_i)·q = 12."""
    return torch.linalg.solve(K[0] - K[1:], torch.full((3,), 12.0, dtype=K.dtype))


def normal_of_the_plane(K):
    """Across the plane through the other three keys, towards the first."""
    normal = torch.linalg.cross(K[2] - K[1], K[3] - K[1])
    margin = normal @ (K[0] - K[1])
    return normal / margin * 15


def learned(K):
    """Newton's steps on −log of the weight, slightly regularised."""
    q = torch.zeros(3, dtype=K.dtype)
    for _ in range(60):
        weights = torch.softmax(K @ q, 0)
        gradient = weights @ K - K[0] + 1e-6 * q
        curvature = K.T @ (torch.diag(weights) - torch.outer(weights, weights)) @ K + 1e-6 * torch.eye(3, dtype=K.dtype)
        step = torch.linalg.solve(curvature, gradient)
        q = q - step / max(1.0, float((K @ step).abs().max()) / 2)
    return q


def inverse_by_hand(K):
    """The first column of the inverse of [K 1], in numpy, as a list."""
    import numpy as np

    inverse = np.linalg.inv(np.hstack([K.numpy(), np.ones((4, 1))]))
    return (30 * inverse[:3, 0]).tolist()


def least_squares_on_k(K):
    """Least squares on K alone misses: three unknowns cannot reach four logits. Give softmax's free shift an unknown
    of its own.
    """
    logits = torch.tensor([[20.0], [0.0], [0.0], [0.0]], dtype=K.dtype)
    return torch.linalg.lstsq(K, logits).solution[:, 0]


def along_the_key(K):
    """Along k_0 a longer key nearby wins: what must be large is the *difference* (k_0 − k_i)·q for every other i."""
    return 100 * K[0]


def key_itself(K):
    """k_0 itself is too short a query, and a longer key nearby beats it: make every difference (k_0 − k_i)·q large."""
    return K[0].clone()


def away_from_the_mean(K):
    """Away from the mean of the others is the right idea and not always enough: the nearest of the others may still win."""
    return 100 * (K[0] - K[1:].mean(0))


def away_from_the_first(K):
    """Your query avoids row 0: its sign is wrong."""
    return -torch.linalg.solve(K[0] - K[1:], torch.full((3,), 12.0, dtype=K.dtype))


def second_row(K):
    """Your query selects row 1: rows are counted from 0."""
    others = torch.stack((K[0], K[2], K[3]))
    return torch.linalg.solve(K[1] - others, torch.full((3,), 12.0, dtype=K.dtype))


def last_row(K):
    """Your query selects the last row; row 0 was asked for."""
    return torch.linalg.solve(K[3] - K[:3], torch.full((3,), 12.0, dtype=K.dtype))


def too_soft(K):
    """The direction is right, but the query is too short: the margin over each other row must exceed ln(0.99/0.01) or so."""
    return torch.linalg.solve(K[0] - K[1:], torch.full((3,), 2.0, dtype=K.dtype))


def first_axis(K):
    """A unit vector of the coordinates knows nothing of the keys."""
    return torch.tensor([100.0, 0.0, 0.0], dtype=K.dtype)


def weights_for_a_query(K):
    """A query has as many numbers as a key has, three; you return four, the weights that it should produce."""
    return torch.tensor([1.0, 0.0, 0.0, 0.0], dtype=K.dtype)


def only_these_keys(K):
    """This query answers the notebook's keys only: compute it from K."""
    return torch.tensor([-44.4444, -81.4815, -118.5185], dtype=K.dtype)


KEY = AnswerKey(
    id="select_first",
    hidden=hidden,
    reference=select_first,
    accepted=(by_differences, normal_of_the_plane, learned, inverse_by_hand),
    rejected=(
        *(least_squares_on_k, along_the_key, key_itself, away_from_the_mean, away_from_the_first, second_row, last_row, too_soft),
        *(first_axis, weights_for_a_query, only_these_keys),
    ),
    fingerprint=key_sets,
)
