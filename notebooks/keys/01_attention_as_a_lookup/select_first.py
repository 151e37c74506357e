"""Answer key of select_first."""

from __future__ import annotations

import random

import torch
from course_exercises._concrete_keys import K, selects, tensor_like, weights_of
from course_exercises._drawn_keys import another, draw_keys, scaled

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.repeated import every_time


def judge(answer: Answer, keys: torch.Tensor, case: str = "") -> None:
    """Raise NotYet unless row 0 has nearly all the weight."""
    case = case or another(keys)
    selects(weights_of(keys, tensor_like(answer(keys), (3,), "q", case)), 0, case)


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Five other sets of keys: a query made for one K works for a random other with 5 %,
    for all five with 2e-7.

    Then one set many times.
    """
    for _ in range(5):
        judge(answer, draw_keys(rng))
    keys = draw_keys(rng)
    every_time(answer, (keys,), lambda again: judge(again, keys))
    for scale in (20.0, 0.2, 100.0, 100.0, 100.0):  # long keys need short queries, which cannot be rounded
        for case, keys in scaled(scale, rng):
            judge(answer, keys, case)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """The notebook's keys and two others."""
    return [(K,), (draw_keys(rng),), (draw_keys(rng),)]


def select_first(K):
    """The reference."""
    leads = K[0] - K[1:]  # (3, 3): k_0 - k_1, k_0 - k_2 and k_0 - k_3, one in each row
    return torch.linalg.solve(leads, torch.full((3,), 15.0, dtype=K.dtype))


def column_of_ones(K):
    """The logits 20, 0, 0, 0 with a common shift as the fourth unknown."""
    with_ones = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)  # (4, 4)
    solution = torch.linalg.solve(with_ones, torch.tensor([20.0, 0, 0, 0], dtype=K.dtype))
    return solution[:3]  # without the shift


def normal_of_the_plane(K):
    """Perpendicular to the plane through the other three keys, and long enough."""
    normal = torch.linalg.cross(K[2] - K[1], K[3] - K[1])
    return 12 * normal / normal.dot(K[0] - K[1])


def perceptron(K):
    """Towards row 0 and away from the strongest rival, until the lead is large."""
    q = torch.zeros(3, dtype=torch.float64)
    for _ in range(100_000):
        logits = K @ q
        rival = 1 + int(logits[1:].argmax())
        if logits[0] - logits[rival] > 8:
            break
        q = q + (K[0] - K[rival])
    return q


def centred_least_squares(K):
    """Least squares after the mean is taken off keys and logits."""
    target = torch.tensor([30.0, 0, 0, 0], dtype=K.dtype)
    return torch.linalg.pinv(K - K.mean(dim=0)) @ (target - target.mean())


def barely_enough_in_float32(K):
    """A weight just above 0.99, in single precision."""
    return torch.linalg.solve(K[0] - K[1:], torch.full((3,), 6.0, dtype=K.dtype)).float()


def the_key_itself(K):
    """q is key 0 as it is: a longer key in a similar direction has the larger logit, and the scale is too
    small.
    """
    return K[0].clone()


def the_key_made_long(K):
    """q is a long multiple of key 0. It selects the key with the largest dot product with key 0, and here
    that is not row 0.
    """
    return 100 * K[0]


def least_squares_on_k_alone(K):
    """q is from least squares on K alone, which cannot reach these logits: 4 equations, 3 unknowns. A common
    shift of all logits is free.
    """
    return torch.linalg.lstsq(K, torch.tensor([20.0, 0, 0, 0], dtype=K.dtype)[:, None]).solution[:, 0]


def pseudo_inverse_and_large(K):
    """q is a large multiple of the pseudo-inverse of K, which is least squares on K alone: a larger scale
    does not change the direction.
    """
    return torch.linalg.pinv(K) @ torch.tensor([1000.0, 0, 0, 0], dtype=K.dtype)


def first_three_rows(K):
    """q solves for the first three rows only, so nothing controls the fourth logit."""
    return torch.linalg.solve(K[:3], torch.tensor([20.0, 0, 0], dtype=K.dtype))


def too_small(K):
    """The direction is right, but the lead is too small:
    for a weight above 0.99 row 0 needs a lead of about 6.
    """
    with_ones = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    return torch.linalg.solve(with_ones, torch.tensor([1.0, 0, 0, 0], dtype=K.dtype))[:3]


def wrong_sign(K):
    """The sign is wrong: row 0 gets the smallest logit."""
    return -torch.linalg.solve(K[0] - K[1:], torch.full((3,), 15.0, dtype=K.dtype))


def the_second_row(K):
    """q selects row 1. The first row is row 0: counting starts at 0."""
    others = K[torch.tensor([0, 2, 3])]
    return torch.linalg.solve(K[1] - others, torch.full((3,), 15.0, dtype=K.dtype))


def with_the_shift(K):
    """The shift is returned as well: the query is the first three numbers of the solution."""
    with_ones = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    return torch.linalg.solve(with_ones, torch.tensor([20.0, 0, 0, 0], dtype=K.dtype))


def the_weights(K):
    """The result has the four wanted weights, one for each key; the query has as many numbers as a key."""
    return torch.tensor([1.0, 0, 0, 0], dtype=K.dtype)


def away_from_the_mean(K):
    """q points from the middle of the keys to key 0, which is not far enough from every other key for a large
    lead.
    """
    return 5 * (K[0] - K.mean(dim=0))


def for_this_k_only(K):
    """q is the same for every K: it is made of numbers that were worked out for the K of this notebook."""
    return torch.tensor([-17.6, 2.2, 5.1], dtype=K.dtype)


def a_lucky_direction(K):
    """q is a fixed direction that happens to select row 0 of the notebook's K. It must depend on the K that
    your function gets.
    """
    return torch.tensor([-10.0, 0, 0], dtype=K.dtype)


def the_notebooks_k(keys):
    """q is the one for the K of the notebook, whatever the argument K is. It must be computed from the
    argument in every call.
    """
    return torch.linalg.solve(K[0] - K[1:], torch.full((3,), 15.0, dtype=K.dtype))


def from_a_random_start(K):
    """Another query at every call, and each of them selects row 0."""
    leads = torch.empty(3, dtype=K.dtype).uniform_(9, 10)
    return torch.linalg.solve(K[0] - K[1:], leads)


KEY = AnswerKey(
    id="select_first",
    hidden=hidden,
    reference=select_first,
    accepted=(
        column_of_ones,
        normal_of_the_plane,
        perceptron,
        centred_least_squares,
        barely_enough_in_float32,
        from_a_random_start,
    ),
    rejected=(
        *(
            the_key_itself,
            the_key_made_long,
            least_squares_on_k_alone,
            pseudo_inverse_and_large,
            first_three_rows,
            too_small,
        ),
        *(wrong_sign, the_second_row, with_the_shift, the_weights, away_from_the_mean, for_this_k_only),
        *(a_lucky_direction, the_notebooks_k),
    ),
    fingerprint=fingerprint,
    commentary=r"""
    We ask that row 0 leads each other row by 15. The lead over row $i$ is $(k_0 - k_i) \cdot q$, so these are
    three linear equations for the three entries of $q$. They have a solution because the four keys do not lie
    in one plane. A lead of 6 is enough for a weight above 0.99. The common mistake is to use key 0 itself as
    the query: a longer key in a similar direction has a larger logit. Least squares for the logits
    $(15, 0, 0, 0)$ on `K` alone fails too: four logits are too many for three numbers, but their three
    differences are not.
    """,
)
