"""Answer key of rekey_unit_select."""

from __future__ import annotations

import random

import torch
from course_exercises._concrete_keys import Q_TWO, K
from course_exercises._drawn_keys import draw_keys_and_query
from course_exercises.rekey_unit_select import barely, takes_over

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.repeated import every_time


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Fourteen other sets of keys with a query:
    a key made for one q works for a random other with 36 %, for all with 6e-7.

    Then seven for which only keys that point very nearly in the best direction are good enough, and one pair
    many times.
    """
    for number in range(21):
        keys, query = draw_keys_and_query(rng)
        takes_over(answer, keys, query if number < 14 else barely(keys, query))
    pair = draw_keys_and_query(rng)
    every_time(answer, pair, lambda again: takes_over(again, *pair))
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """The notebook's keys and query, and another pair."""
    return [(K, Q_TWO), draw_keys_and_query(rng)]


def rekey_unit_select(K, q):
    """The reference."""
    return q / q.norm()


def library_call(K, q):
    """torch's own normalisation."""
    return torch.nn.functional.normalize(q, dim=0)


def near_it(K, q):
    """A direction close to the query's will do."""
    key = q / torch.linalg.vector_norm(q) + 0.02 * K[2]
    return key / torch.linalg.vector_norm(key)


def by_ascent(K, q):
    """Walk on the unit sphere towards larger logits."""
    key = torch.tensor([1.0, 0.1, 0.2], dtype=K.dtype)
    for _ in range(500):
        key = key + 0.05 * q
        key = key / key.dot(key).sqrt()
    return key


def by_search(K, q):
    """The best of many directions, on a spiral over the sphere."""
    i = torch.arange(20_000, dtype=K.dtype)
    z = 1 - (2 * i + 1) / len(i)
    angle = i * torch.pi * (3 - 5**0.5)
    radius = (1 - z**2).sqrt()
    points = torch.stack([radius * angle.cos(), radius * angle.sin(), z], dim=1)  # (20000, 3), on the sphere
    return points[(points @ q).argmax()]


def single_precision(K, q):
    """float32 is good enough for a unit length."""
    return (q / (q**2).sum() ** 0.5).float()


def first_key_made_unit(K, q):
    """The new key is key 0 at unit length. It does not point closely enough along q, so rows 0 and 1 keep too
    much weight.
    """
    return K[0] / K[0].norm()


def second_key_made_unit(K, q):
    """The new key is key 1 at unit length. It does not lean enough towards q."""
    return K[1] / K[1].norm()


def middle_made_unit(K, q):
    """The new key is the middle of keys 0 and 1 at unit length. It does not lean enough towards q."""
    return (K[0] + K[1]) / (K[0] + K[1]).norm()


def old_key_made_unit(K, q):
    """The new key is key 2 at unit length, which still points away from q."""
    return K[2] / K[2].norm()


def the_query(K, q):
    """The direction is right, the length is not: it is that of q, and not 1."""
    return q.clone()


def squared_length(K, q):
    """q is divided by q·q; the length of q is its root."""
    return q / q.dot(q)


def sum_of_entries(K, q):
    """q is divided by the sum of the entries' sizes: that makes them add up to 1, but the length is the root
    of the sum of squares.
    """
    return q / q.abs().sum()


def wrong_sign(K, q):
    """This unit key points away from q: it has the smallest logit of all unit keys."""
    return -q / q.norm()


def first_key_copied(K, q):
    """The new key is key 0 as it is. With it in row 2 three rows share the weight, and its length is
    not 1.
    """
    return K[0].clone()


def first_key_made_long(K, q):
    """The new key is a long multiple of key 0. A long key would do it, but the key must have length 1."""
    return 10 * K[0]


def zero(K, q):
    """The new key is zero. It does not have length 1, and its logit is 0."""
    return torch.zeros(3, dtype=K.dtype)


def the_whole_matrix(K, q):
    """You return the whole of K. Return the new key alone, three numbers."""
    return torch.stack([K[0], K[1], q / q.norm(), K[3]])


def at_right_angles(K, q):
    """This key is perpendicular to q: its logit is 0."""
    key = torch.linalg.cross(q, K[0])
    return key / key.norm()


def for_this_k_only(K, q):
    """The new key is the same for every q: it belongs to the q of this notebook."""
    return torch.tensor([-0.27196415, 0.65271395, -0.70710678], dtype=K.dtype)


def the_signs(K, q):
    """Only the signs of q are used. The best direction is that of q itself, with the sizes of its entries."""
    return q.sign() / 3**0.5


def the_largest_entry(K, q):
    """Only the largest entry of q is used. The best direction is that of q itself, with all its entries."""
    key = torch.zeros(3, dtype=K.dtype)
    i = q.abs().argmax()
    key[i] = q[i].sign()
    return key


KEY = AnswerKey(
    id="rekey_unit_select",
    hidden=hidden,
    reference=rekey_unit_select,
    accepted=(library_call, near_it, by_ascent, by_search, single_precision),
    rejected=(
        *(the_signs, the_largest_entry),
        *(
            first_key_made_unit,
            second_key_made_unit,
            middle_made_unit,
            old_key_made_unit,
            the_query,
            squared_length,
        ),
        *(
            sum_of_entries,
            wrong_sign,
            first_key_copied,
            first_key_made_long,
            zero,
            the_whole_matrix,
            at_right_angles,
            for_this_k_only,
        ),
    ),
    fingerprint=fingerprint,
    commentary=r"""
    The logit of a unit key is $\lVert q \rVert \cos\theta$. It is largest for $\theta = 0$, so the best unit
    key is $q / \lVert q \rVert$, with the logit $\lVert q \rVert$. Keys 0 and 1 may be longer, but they point
    in other directions, so their logits are smaller. The common mistake is to divide by $q \cdot q$ instead
    of its root, which gives the right direction and the wrong length.
    """,
)
