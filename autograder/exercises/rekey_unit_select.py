"""Answer key of rekey_unit_select.

The draws have ‖k_0‖, ‖k_1‖ ≤ 0.8 and (1 − 0.8)·‖q‖ ≥ 12, so k_2 = q/‖q‖ wins by at least 12: always feasible, no false alarm.
"""

from __future__ import annotations

import random

import torch

from autograder.key import AnswerKey
from autograder.lookup_draws import rekeyed_sets
from kqa_core.check.answer import Answer
from kqa_core.check.exercises.rekey_unit_select import judge
from kqa_core.check.facts import Verdict, right


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Other keys, and the queries that average their first two rows."""
    for keys, query in rekeyed_sets(rng):
        assert isinstance(keys, torch.Tensor) and isinstance(query, torch.Tensor)
        judge(keys, query, answer(keys, query))
    return right()


def rekey_unit_select(K, q):
    """The reference."""
    return q / q.norm()


def functional(K, q):
    """torch's own word for it."""
    return torch.nn.functional.normalize(q, dim=0)


def nearby(K, q):
    """Near that direction is near enough, as long as the length is one."""
    tilted = q / q.norm() + 0.05 * torch.tensor([1.0, -1.0, 0.5], dtype=K.dtype)
    return tilted / tilted.norm()


def by_hand(K, q):
    """Component by component, as a list."""
    length = sum(float(x) ** 2 for x in q) ** 0.5
    return [float(x) / length for x in q]


def by_projection(K, q):
    """The principal direction of q qᵀ, with the sign that makes its dot product positive."""
    direction = torch.linalg.eigh(torch.outer(q, q)).eigenvectors[:, -1]
    return direction * torch.sign(direction @ q)


def single_precision(K, q):
    """float32 is exact enough here."""
    return q.float() / q.float().norm()


def query_itself(K, q):
    """q itself is too long: the new key must have length 1."""
    return q.clone()


def scaled_first_key(K, q):
    """A longer k_0 wins too, but the new key must have length 1."""
    return 10 * K[0]


def unit_first_key(K, q):
    """k_0 at length 1 points along k_0; along q the dot product is larger, and only there it surely wins."""
    return K[0] / K[0].norm()


def unit_old_key(K, q):
    """Stretching the old k_2 to length 1 does not turn it towards q."""
    return K[2] / K[2].norm()


def opposite(K, q):
    """The sign is wrong: this is the unit key that q likes least."""
    return -q / q.norm()


def largest_component_one(K, q):
    """You divide by the largest component; length 1 means that the *squares* sum to one."""
    return q / q.abs().max()


def sums_to_one(K, q):
    """You divide by the sum of the components; length 1 means that the *squares* sum to one."""
    return q / q.sum()


def squared_length(K, q):
    """You divide by ‖q‖²: divide by ‖q‖."""
    return q / (q @ q)


def softmaxed(K, q):
    """softmax makes positive numbers that sum to one; a direction needs its signs, and squares that sum to one."""
    return torch.softmax(q, 0)


def equal_to_the_others(K, q):
    """This shares the weight among three rows, and has no length of 1."""
    return q * (K[0] @ q) / (q @ q)


def first_axis(K, q):
    """A unit vector, but of the coordinates: it must point along q."""
    return torch.tensor([1.0, 0.0, 0.0], dtype=K.dtype)


def unit_mean(K, q):
    """The mean of the first two keys, at length 1, is not the direction of q."""
    mean = (K[0] + K[1]) / 2
    return mean / mean.norm()


KEY = AnswerKey(
    id="rekey_unit_select",
    hidden=hidden,
    reference=rekey_unit_select,
    accepted=(functional, nearby, by_hand, by_projection, single_precision),
    rejected=(
        *(query_itself, scaled_first_key, unit_first_key, unit_old_key, opposite, largest_component_one, sums_to_one),
        *(squared_length, softmaxed, equal_to_the_others, first_axis, unit_mean),
    ),
    fingerprint=rekeyed_sets,
)
