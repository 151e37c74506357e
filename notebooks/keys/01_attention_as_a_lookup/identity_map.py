"""Answer key of identity_map."""

from __future__ import annotations

import random

import torch
from course_exercises._concrete_keys import K
from course_exercises._drawn_keys import another, draw_keys, scaled
from course_exercises.identity_map import maps_to_itself

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.repeated import every_time


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Three other sets of keys: queries made for one K work for a random other with 0.03 %.
    Then one set many times.
    """
    for _ in range(3):
        keys = draw_keys(rng)
        maps_to_itself(answer, keys, another(keys))
    keys = draw_keys(rng)
    every_time(answer, (keys,), lambda again: maps_to_itself(again, keys, another(keys)))
    for scale in (200.0, 20.0, 0.2):
        for case, keys in scaled(scale, rng):
            maps_to_itself(answer, keys, case)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """The notebook's keys and another set."""
    return [(K,), (draw_keys(rng),)]


def identity_map(K):
    """The reference."""
    with_ones = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)  # (4, 4)
    logits = 20 * torch.eye(4, dtype=K.dtype)
    solution = torch.linalg.solve(with_ones, logits)  # (4, 4): column i holds query i, then its shift
    return solution[:3].T  # (4, 3)


def centred_pseudo_inverse(K):
    """Taking the mean off the keys shifts all logits of a query alike."""
    return 20 * torch.linalg.pinv(K - K.mean(dim=0)).T


def row_by_row(K):
    """Each query from its three leads."""
    rows = []
    for i in range(4):
        others = torch.stack([K[k] for k in range(4) if k != i])
        rows.append(torch.linalg.solve(K[i] - others, torch.full((3,), 12.0, dtype=K.dtype)))
    return torch.stack(rows)


def normals_of_the_planes(K):
    """Query i is perpendicular to the plane through the other three keys."""
    rows = []
    for i in range(4):
        a, b, c = (K[k] for k in range(4) if k != i)
        normal = torch.linalg.cross(b - a, c - a)
        rows.append(10 * normal / normal.dot(K[i] - a))
    return torch.stack(rows)


def perceptrons(K):
    """Towards the own key and away from the strongest rival."""
    Q = torch.zeros(4, 3, dtype=torch.float64)
    for i in range(4):
        for _ in range(100_000):
            logits = K @ Q[i]
            logits[i] -= 7
            rival = int(logits.argmax())
            if rival == i:
                break
            Q[i] += K[i] - K[rival]
    return Q


def in_single_precision(K):
    """Least squares with the column of ones, in float32."""
    with_ones = torch.nn.functional.pad(K.float(), (0, 1), value=1.0)
    return (15 * torch.linalg.pinv(with_ones))[:3].T.contiguous()


def transposed(K):
    """Your Q is transposed: it must have a row for each query, so shape (4, 3)."""
    with_ones = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    return torch.linalg.solve(with_ones, 20 * torch.eye(4, dtype=K.dtype))[:3]


def with_the_shifts(K):
    """The shifts are returned as well: a query has three numbers, and the softmax ignores the shift."""
    with_ones = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    return torch.linalg.solve(with_ones, 20 * torch.eye(4, dtype=K.dtype)).T


def the_keys_made_long(K):
    """Q holds long multiples of the keys. Such a query does not always select its own key: here a longer key
    points in a similar direction as key 0, so row 0 selects that key.
    """
    return 100 * K


def pseudo_inverse_of_k(K):
    """Q is from the pseudo-inverse of K alone. It cannot make Q @ K.T a multiple of the identity, which has
    rank 4 and not 3. A shift in each row is free.
    """
    return 20 * torch.linalg.pinv(K).T


def pseudo_inverse_and_large(K):
    """Q is a large multiple of the pseudo-inverse of K alone, which does not help: row 0 still selects
    another key.
    """
    return 1000 * torch.linalg.pinv(K).T


def too_small(K):
    """The directions are right, but the leads are too small:
    for a weight above 0.99 each query needs a lead of about 6.
    """
    with_ones = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    return torch.linalg.solve(with_ones, torch.eye(4, dtype=K.dtype))[:3].T


def wrong_sign(K):
    """The sign is wrong: each query gives its own key the smallest logit."""
    return -20 * torch.linalg.pinv(K - K.mean(dim=0)).T


def one_row_on(K):
    """Query i selects key i + 1: the rows of Q are one place off."""
    return 20 * torch.linalg.pinv(K - K.mean(dim=0)).T.roll(-1, dims=0)


def all_the_same(K):
    """All four queries are the one that selects row 0; each needs its own."""
    return 20 * torch.linalg.pinv(K - K.mean(dim=0)).T[:1].expand(4, 3)


def the_logits(K):
    """You return the logits, 4 by 4; return the queries that produce them."""
    return 20 * torch.eye(4, dtype=K.dtype)


def a_cut_identity(K):
    """Your Q does not depend on K: it is the identity without its last column.
    The right queries depend on the keys.
    """
    return 20 * torch.eye(4, 3, dtype=K.dtype)


def for_this_k_only(K):
    """Q is the same for every K: it is made of numbers that were worked out for the K of this notebook."""
    return torch.tensor(
        [[-17.6, 2.2, 5.1], [12.4, 10.2, -9.5], [1.6, -3.7, -8.7], [3.6, -8.7, 13.1]], dtype=K.dtype
    )


def the_notebooks_k(keys):
    """Q is the one for the K of the notebook, whatever the argument K is. It must be computed from the
    argument in every call.
    """
    return 20 * torch.linalg.pinv(K - K.mean(dim=0)).T


KEY = AnswerKey(
    id="identity_map",
    hidden=hidden,
    reference=identity_map,
    accepted=(centred_pseudo_inverse, row_by_row, normals_of_the_planes, perceptrons, in_single_precision),
    rejected=(
        *(
            transposed,
            with_the_shifts,
            the_keys_made_long,
            pseudo_inverse_of_k,
            pseudo_inverse_and_large,
            too_small,
            wrong_sign,
        ),
        *(one_row_on, all_the_same, the_logits, a_cut_identity, for_this_k_only, the_notebooks_k),
    ),
    fingerprint=fingerprint,
    commentary=r"""
    Row $i$ wants its own key ahead, so the logits wanted are 20 times the identity. `torch.linalg.solve`
    takes the four right-hand sides at once, as columns. Column $i$ of the solution holds query $i$ and its
    shift, so we drop the last row and transpose. With `exact_logits` you can also stack four queries, for
    weights such as $(0.997, 0.001, 0.001, 0.001)$. Common mistakes are to forget the transposition, and to
    ask for a weight of exactly 0, whose logarithm is $-\infty$.
    """,
)
