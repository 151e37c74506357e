"""Answer key of identity_map. An exact answer exists for every draw, so there is no false alarm."""

from __future__ import annotations

import random

import torch

from autograder.key import AnswerKey
from autograder.lookup_draws import key_sets
from kqa_core.check.answer import Answer
from kqa_core.check.exercises.identity_map import judge
from kqa_core.check.facts import Verdict, right


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Other keys, some short, some with a longer key beside the first."""
    for (keys,) in key_sets(rng):
        judge(keys, answer(keys))
    return right()


def identity_map(K):
    """The reference."""
    augmented = torch.cat((K, torch.ones(4, 1, dtype=K.dtype)), dim=1)  # (4, 4): [K 1]
    return torch.linalg.solve(augmented, 20 * torch.eye(4, dtype=K.dtype))[:3].T


def row_by_row(K):
    """One system of differences a row."""
    rows = []
    for i in range(4):
        others = torch.cat((K[:i], K[i + 1 :]))
        rows.append(torch.linalg.solve(K[i] - others, torch.full((3,), 12.0, dtype=K.dtype)))
    return torch.stack(rows)


def barycentric(K):
    """Gradients of the barycentric coordinates of the tetrahedron that the keys span."""
    edges = torch.linalg.inv(K[1:] - K[0])  # (3, 3): columns are the gradients for keys 1 … 3
    return 25 * torch.cat((-edges.sum(dim=1, keepdim=True), edges), dim=1).T


def centred_pseudoinverse(K):
    """Logits of a centred identity, reached exactly by the pseudoinverse of the centred keys."""
    centred = K - K.mean(0)
    return 40 * (torch.linalg.pinv(centred) @ (torch.eye(4, dtype=K.dtype) - 0.25)).T


def in_numpy(K):
    """numpy, and queries of unequal lengths."""
    import numpy as np

    inverse = np.linalg.inv(np.c_[K.numpy(), np.ones(4)])[:3].T  # (4, 3)
    return inverse * np.array([[14.0], [18.0], [22.0], [30.0]])


def transposed(K):
    """Your Q holds one query a column; one a row was asked for, shape (4, 3)."""
    augmented = torch.cat((K, torch.ones(4, 1, dtype=K.dtype)), dim=1)
    return torch.linalg.solve(augmented, 20 * torch.eye(4, dtype=K.dtype))[:3]


def reshaped(K):
    """You reshaped where you should transpose: the numbers of different queries got mixed."""
    augmented = torch.cat((K, torch.ones(4, 1, dtype=K.dtype)), dim=1)
    return torch.linalg.solve(augmented, 20 * torch.eye(4, dtype=K.dtype))[:3].reshape(4, 3)


def keys_as_queries(K):
    """Keys are not their own best queries: a longer key nearby wins. Only differences of logits count."""
    return 100 * K


def bare_keys(K):
    """Keys as queries give soft weights, and a longer key nearby beats the right one."""
    return K.clone()


def pseudoinverse_of_k(K):
    """The pseudoinverse of K alone misses: Q Kᵀ has rank 3 and cannot be the identity. Give softmax's free shift an unknown."""
    return 20 * torch.linalg.pinv(K).T


def with_the_shift(K):
    """You left the shift in as a fourth column; a query has three numbers."""
    augmented = torch.cat((K, torch.ones(4, 1, dtype=K.dtype)), dim=1)
    return torch.linalg.solve(augmented, 20 * torch.eye(4, dtype=K.dtype)).T


def rows_of_the_inverse(K):
    """You drop the last row after turning the inverse: the shift stays in, and the fourth query is lost."""
    augmented = torch.cat((K, torch.ones(4, 1, dtype=K.dtype)), dim=1)
    return torch.linalg.solve(augmented, 20 * torch.eye(4, dtype=K.dtype)).T[:3]


def too_soft(K):
    """The directions are right, the queries too short: the largest weight is well below 0.99."""
    augmented = torch.cat((K, torch.ones(4, 1, dtype=K.dtype)), dim=1)
    return torch.linalg.solve(augmented, 2 * torch.eye(4, dtype=K.dtype))[:3].T


def off_by_one(K):
    """Query i selects row i + 1: the rows of Q are shifted by one."""
    augmented = torch.cat((K, torch.ones(4, 1, dtype=K.dtype)), dim=1)
    return torch.linalg.solve(augmented, 20 * torch.eye(4, dtype=K.dtype))[:3].T.roll(-1, 0)


def away(K):
    """Your queries give their own row the least weight: the sign is wrong."""
    augmented = torch.cat((K, torch.ones(4, 1, dtype=K.dtype)), dim=1)
    return -torch.linalg.solve(augmented, 20 * torch.eye(4, dtype=K.dtype))[:3].T


KEY = AnswerKey(
    id="identity_map",
    hidden=hidden,
    reference=identity_map,
    accepted=(row_by_row, barycentric, centred_pseudoinverse, in_numpy),
    rejected=(
        *(transposed, reshaped, keys_as_queries, bare_keys, pseudoinverse_of_k, with_the_shift, rows_of_the_inverse, too_soft),
        *(off_by_one, away),
    ),
    fingerprint=key_sets,
)
