"""Answer key of rekey_average_three. The given query already averages rows 0 and 1, so k_2 = k_0 is always right: no
false alarm.
"""

from __future__ import annotations

import random

import torch

from autograder.key import AnswerKey
from autograder.lookup_draws import rekeyed_sets
from kqa_core.check.answer import Answer
from kqa_core.check.exercises.rekey_average_three import judge
from kqa_core.check.facts import Verdict, right


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Other keys, and the queries that average their first two rows."""
    for keys, query in rekeyed_sets(rng):
        assert isinstance(keys, torch.Tensor) and isinstance(query, torch.Tensor)
        judge(keys, query, answer(keys, query))
    return right()


def rekey_average_three(K, q):
    """The reference."""
    return K[2] + q * ((K[0] - K[2]) @ q) / (q @ q)


def copy_of_the_first(K, q):
    """The point of the plane that is already there."""
    return K[0].clone()


def midpoint(K, q):
    """Anywhere on the line through k_0 and k_1."""
    return (K[0] + K[1]) / 2


def beyond(K, q):
    """Further along that line, as a list."""
    return (3 * K[1] - 2 * K[0]).tolist()


def along_the_query(K, q):
    """The multiple of q with the right dot product."""
    return q * (K[0] @ q) / (q @ q)


def with_something_orthogonal(K, q):
    """Adding what q cannot see changes nothing."""
    unseen = torch.linalg.cross(q, K[3])
    return K[1] + unseen / unseen.norm()


def unchanged(K, q):
    """You return the old k_2, and the query still averages two values."""
    return K[2].clone()


def query_as_key(K, q):
    """q as a key takes all the weight: k_2·q should equal k_0·q, not exceed it."""
    return q.clone()


def unit_query(K, q):
    """q/‖q‖ as a key takes all the weight; that is the next exercise. Here k_2·q should equal k_0·q."""
    return q / q.norm()


def third_row_joins(K, q):
    """The last row's key: row 2 gets as little as row 3 does."""
    return K[3].clone()


def mean_of_all(K, q):
    """The mean of the four keys has a dot product with q between theirs, below k_0·q."""
    return K.mean(0)


def mean_of_three(K, q):
    """You average in the old k_2, which pulls k_2·q below k_0·q."""
    return K[:3].mean(0)


def sum_of_two(K, q):
    """k_0 + k_1 has *twice* the dot product with q; take their mean, or either."""
    return K[0] + K[1]


def zero(K, q):
    """The zero key has dot product 0 with q, which is not k_0·q."""
    return torch.zeros(3, dtype=K.dtype)


def opposite(K, q):
    """The sign is wrong: −k_0 has the dot product −k_0·q."""
    return -K[0]


def half_way(K, q):
    """You go half of the way from k_2·q to k_0·q; go all of it."""
    return K[2] + q * ((K[0] - K[2]) @ q) / (2 * (q @ q))


def length_not_squared(K, q):
    """A step along q changes k·q by ‖q‖² times its factor: divide by q·q, not by ‖q‖."""
    return K[2] + q * ((K[0] - K[2]) @ q) / q.norm()


def whole_matrix(K, q):
    """Return the new k_2 alone, three numbers; you return all four keys."""
    new = K.clone()
    new[2] = K[0]
    return new


KEY = AnswerKey(
    id="rekey_average_three",
    hidden=hidden,
    reference=rekey_average_three,
    accepted=(copy_of_the_first, midpoint, beyond, along_the_query, with_something_orthogonal),
    rejected=(
        *(unchanged, query_as_key, unit_query, third_row_joins, mean_of_all, mean_of_three, sum_of_two, zero, opposite, half_way),
        *(length_not_squared, whole_matrix),
    ),
    fingerprint=rekeyed_sets,
)
