"""Answer key of rekey_average_three."""

from __future__ import annotations

import random

import torch
from course_exercises._concrete_keys import Q_TWO, K
from course_exercises._drawn_keys import another, draw_keys_and_query
from course_exercises.rekey_average_three import WITH_ZEROS, averages_three

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.repeated import every_time


def judge(answer: Answer, keys: torch.Tensor, query: torch.Tensor) -> None:
    """Raise NotYet unless rows 0, 1 and 2 share the weight with the new key."""
    averages_three(answer, keys, query, another(keys, query=query))


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Three other sets of keys with a query: a key made for one pair works for a random other with
    0.8 %, for all with 5e-7.

    Then long and short keys, and one pair many times.
    """
    for _ in range(3):
        judge(answer, *draw_keys_and_query(rng))
    for scale in (10.0, 0.1):  # the same logits
        keys, query = draw_keys_and_query(rng)
        judge(answer, keys * scale, query / scale)
    pair = draw_keys_and_query(rng)
    every_time(answer, pair, lambda again: judge(again, *pair))
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """The notebook's keys and query, another pair, and one in which key 0 is the longest."""
    return [(K, Q_TWO), draw_keys_and_query(rng), WITH_ZEROS]


def rekey_average_three(K, q):
    """The reference."""
    return K[0].clone()


def middle_of_two(K, q):
    """Between keys 0 and 1, which have the same logit."""
    return (K[0] + K[1]) / 2


def along_the_query(K, q):
    """The shortest key with the logit of key 0."""
    return q * (q.dot(K[0]) / q.dot(q))


def nearest_change(K, q):
    """Key 2 moved as little as can be."""
    missing = q @ (K[1] - K[2])
    return K[2] + q * missing / q.square().sum()


def sideways(K, q):
    """A step perpendicular to q changes no logit."""
    return K[1] + 5 * torch.linalg.cross(q, K[3])


def one_entry_only(K, q):
    """Key 2 with one entry changed."""
    i = int(q.abs().argmax())
    key = K[2].clone()
    key[i] += (q @ K[0] - q @ K[2]) / q[i]
    return key


def unchanged(K, q):
    """Key 2 is as it was: its logit must rise to that of keys 0 and 1."""
    return K[2].clone()


def the_keys_added(K, q):
    """The new key is the sum of keys 0 and 1. Its logit is the sum of their logits, not their average."""
    return K[0] + K[1]


def mean_of_three(K, q):
    """The old key 2 is in the mean and pulls its logit below that of keys 0 and 1."""
    return K[:3].mean(dim=0)


def the_query(K, q):
    """The new key is the query itself. Its logit is q·q, far above the others: row 2 takes all the weight."""
    return q.clone()


def unit_query(K, q):
    """The new key is a unit key along q. Its logit is ‖q‖, not that of keys 0 and 1."""
    return q / q.norm()


def zero(K, q):
    """The new key is zero. Its logit is 0, which is not the logit of keys 0 and 1."""
    return torch.zeros(3, dtype=K.dtype)


def the_fourth_key(K, q):
    """The new key is key 3, which has next to no weight here; a copy of it in row 2 gets no more."""
    return K[3].clone()


def the_whole_matrix(K, q):
    """You return the whole of K. Return the new key alone, three numbers."""
    return torch.stack([K[0], K[1], K[0], K[3]])


def another_query(K, q):
    """The result is a query that averages three rows of the old K; here the query stays and key 2 changes."""
    with_ones = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    return torch.linalg.solve(with_ones, torch.tensor([20.0, 20, 20, 0], dtype=K.dtype))[:3]


def key_and_query(K, q):
    """You return the query as well. Return the new key alone: the query stays as it is."""
    return K[0].clone(), q


def wrong_sign(K, q):
    """The sign is wrong: this key has the opposite logit."""
    return -K[0]


def made_unit(K, q):
    """The new key has unit length, which changes its logit; here its length is free."""
    return K[0] / K[0].norm()


def for_this_k_only(K, q):
    """The new key is always key 0 of this notebook's K; it depends on the K that your
    function gets.
    """
    return torch.tensor([-0.1, 0.6, 0.2], dtype=K.dtype)


def the_notebooks_k(keys, q):
    """The new key is the mean of keys 0 and 1 of the notebook's K, whatever the argument K is."""
    return (K[0] + K[1]) / 2


def the_notebooks_logit(K, q):
    """The new key always has the logit 5.1, that of keys 0 and 1 in this notebook, for any K and q."""
    return 5.1 * q / q.dot(q)


KEY = AnswerKey(
    id="rekey_average_three",
    hidden=hidden,
    reference=rekey_average_three,
    accepted=(middle_of_two, along_the_query, nearest_change, sideways, one_entry_only),
    rejected=(
        *(
            unchanged,
            the_keys_added,
            mean_of_three,
            the_query,
            unit_query,
            zero,
            the_fourth_key,
            the_whole_matrix,
        ),
        *(
            another_query,
            key_and_query,
            wrong_sign,
            made_unit,
            for_this_k_only,
            the_notebooks_k,
            the_notebooks_logit,
        ),
    ),
    fingerprint=fingerprint,
    commentary=r"""
    Only the dot product with $q$ counts. Keys 0 and 1 have the same logit, so a copy of key 0 in row 2 gets
    the same weight as they do. Every point of the plane $k \cdot q = k_0 \cdot q$ is right as well, for
    example the midpoint of keys 0 and 1. The common mistake is to return the sum of keys 0 and 1: its logit
    is the sum of theirs, which is twice as large.
    """,
)
