"""Answer key of average_all."""

from __future__ import annotations

import random

import torch
from course_exercises._concrete_keys import K, shares, tensor_like, weights_of
from course_exercises._drawn_keys import another, draw_keys, scaled

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.repeated import every_time


def judge(answer: Answer, keys: torch.Tensor, case: str = "") -> None:
    """Raise NotYet unless the four weights are equal."""
    case = case or another(keys)
    shares(weights_of(keys, tensor_like(answer(keys), (3,), "q", case)), 4, case)


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Other sets of keys, some of them much longer, and one of them many times."""
    for _ in range(2):
        judge(answer, draw_keys(rng))
    for scale in (20, 1000):
        for case, keys in scaled(scale, rng):
            judge(answer, keys, case)
    keys = draw_keys(rng)
    every_time(answer, (keys,), lambda again: judge(again, keys))
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """The notebook's keys and another set."""
    return [(K,), (draw_keys(rng),)]


def average_all(K):
    """The reference."""
    return torch.zeros(3, dtype=K.dtype)


def equal_logits(K):
    """Ask for equal logits and solve."""
    with_ones = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    return torch.linalg.solve(with_ones, torch.full((4,), 2.5, dtype=K.dtype))[:3]


def a_key_minus_itself(K):
    """Zero, by another name."""
    return K[2] - K[2]


def tiny(K):
    """Nearly zero: the weights differ in the tenth digit."""
    return 1e-10 * K.sum(dim=0)


def single_precision(K):
    """The default dtype will do."""
    return torch.zeros(3)


def entropy_ascent(K):
    """Walk until the weights are as even as they get."""
    q = K[0].clone()
    for _ in range(3000):
        p = torch.softmax(K @ q, dim=0)
        q = q - 0.2 * (K.T @ (p - 0.25)) / (1 + K.square().mean())
    return q if float(K.abs().max()) < 3 else 0 * q


def mean_key(K):
    """q is the mean of the keys, and its logits with them differ."""
    return K.mean(dim=0)


def sum_of_keys(K):
    """q is the sum of the keys, which raises some logits more than others: for orthonormal keys it would
    average, for these it does not.
    """
    return K.sum(dim=0)


def ones(K):
    """q is made of ones. Its logits are the sums of each key's entries, and these differ."""
    return torch.ones(3, dtype=K.dtype)


def least_squares_for_equal_logits(K):
    """q solves for equal logits other than 0 by least squares, which does not reach them: 4 equations, 3
    unknowns. Which logits need no solving?
    """
    return torch.linalg.pinv(K) @ torch.ones(4, dtype=K.dtype)


def the_weights(K):
    """You return the four weights; the query has three numbers, as many as a key."""
    return torch.full((4,), 0.25, dtype=K.dtype)


def a_zero_for_each_key(K):
    """You return four zeros: the logits, or a query with a shift behind it. The query has three numbers, as
    many as a key.
    """
    return torch.zeros(4, dtype=K.dtype)


def quarters(K):
    """Each entry of q is ¼, the wanted weight; what matters are the dot products of q with the keys."""
    return torch.full((3,), 0.25, dtype=K.dtype)


def only_the_first(K):
    """Your query selects row 0; all four should count the same."""
    return torch.linalg.solve(K[0] - K[1:], torch.full((3,), 15.0, dtype=K.dtype))


def only_two(K):
    """Your query averages rows 0 and 1; all four should count the same."""
    with_ones = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    return torch.linalg.solve(with_ones, torch.tensor([15.0, 15, 0, 0], dtype=K.dtype))[:3]


def large_mean(K):
    """q is a long multiple of the mean key. A long query sharpens the weights instead of evening them out."""
    return 100 * K.mean(dim=0)


def small_enough_for_this_k(K):
    """q is small but not 0: with longer keys the weights are not equal. Which query gives equal logits for
    keys of every length?
    """
    return 0.01 * K.sum(dim=0)


def for_this_k_only(K):
    """q is a fixed vector that is small enough for the K of this notebook; with longer keys its logits
    differ.
    """
    return torch.tensor([0.01, 0.0, 0.0], dtype=K.dtype)


KEY = AnswerKey(
    id="average_all",
    hidden=hidden,
    reference=average_all,
    accepted=(equal_logits, a_key_minus_itself, tiny, single_precision, entropy_ascent),
    rejected=(
        *(
            mean_key,
            sum_of_keys,
            ones,
            least_squares_for_equal_logits,
            the_weights,
            a_zero_for_each_key,
            quarters,
        ),
        *(only_the_first, only_two, large_mean, small_enough_for_this_k, for_this_k_only),
    ),
    fingerprint=fingerprint,
    commentary="""
    The zero vector has the dot product 0 with every key. All logits are equal, so all weights are ¼, for
    every `K`. If the four keys do not lie in one plane, it is the only query with equal logits. The common
    mistake is the mean or the sum of the keys. This works for orthonormal keys, where each key has the same
    dot product with the sum. In general, keys in the direction of the mean get more weight.
    """,
)
