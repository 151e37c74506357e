"""Answer key of average_first_two."""

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
    """Raise NotYet unless rows 0 and 1 share the weight."""
    case = case or another(keys)
    shares(weights_of(keys, tensor_like(answer(keys), (3,), "q", case)), 2, case)


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Three other sets of keys: a query made for one K worked for none of 3,000 random others.
    Then one of them many times.
    """
    for _ in range(3):
        judge(answer, draw_keys(rng))
    keys = draw_keys(rng)
    every_time(answer, (keys,), lambda again: judge(again, keys))
    for scale in (0.1, 200.0):  # shorter keys, and longer ones
        for case, keys in scaled(scale, rng):
            judge(answer, keys, case)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """The notebook's keys and two others."""
    return [(K,), (draw_keys(rng),), (draw_keys(rng),)]


def average_first_two(K):
    """The reference."""
    leads = K[0] - K[1:]  # (3, 3): k_0 - k_1, k_0 - k_2 and k_0 - k_3, one in each row
    return torch.linalg.solve(leads, torch.tensor([0.0, 12, 12], dtype=K.dtype))


def sum_of_two_selections(K):
    """Logits are linear in the query."""
    select = torch.linalg.pinv(K - K.mean(dim=0))  # (3, 4): column i selects row i
    return 20 * (select[:, 0] + select[:, 1])


def column_of_ones(K):
    """The logits 20, 20, 0, 0 with a common shift as the fourth unknown."""
    with_ones = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)  # (4, 4)
    solution = torch.linalg.solve(with_ones, torch.tensor([20.0, 20, 0, 0], dtype=K.dtype))
    return solution[:3]  # without the shift


def logs_of_the_weights(K):
    """The exact query for nearly the weights that are wanted."""
    weights = torch.tensor([0.499, 0.499, 0.001, 0.001], dtype=K.dtype)
    with_ones = torch.nn.functional.pad(K, (0, 1), value=1.0)
    return (torch.linalg.inv(with_ones) @ weights.log())[:3]


def across_the_edge(K):
    """Perpendicular to the edges 0–1 and 2–3, which makes both pairs equal, and long enough."""
    normal = torch.linalg.cross(K[1] - K[0], K[3] - K[2])
    return 10 * normal / normal.dot(K[0] - K[2])


def descent(K):
    """Newton steps on the cross entropy with the wanted weights,
    a little of each row kept so that there is an optimum.
    """
    wanted = torch.tensor([0.4985, 0.4985, 0.0015, 0.0015], dtype=K.dtype)
    q = torch.zeros(3, dtype=K.dtype)
    for _ in range(400):
        p = torch.softmax(K @ q, dim=0)
        hessian = K.T @ (torch.diag(p) - torch.outer(p, p)) @ K + 1e-9 * torch.eye(3, dtype=K.dtype)
        q = q - 0.2 * torch.linalg.solve(hessian, K.T @ (p - wanted))
    return q


def the_keys_added(K):
    """q is a multiple of the sum of the two keys. It averages orthonormal keys; these are not: the two logits
    differ.
    """
    return 20 * (K[0] + K[1])


def the_mean_key(K):
    """q is the mean of the two keys. Its logits with them are neither equal nor far ahead."""
    return (K[0] + K[1]) / 2


def zero(K):
    """Your query is zero. It averages all four; rows 2 and 3 should get next to nothing."""
    return torch.zeros(3, dtype=K.dtype)


def only_the_first(K):
    """This query selects row 0; row 1 should have half of the weight."""
    return torch.linalg.solve(K[0] - K[1:], torch.full((3,), 15.0, dtype=K.dtype))


def only_the_second(K):
    """This query selects row 1; row 0 should have half of the weight."""
    return torch.linalg.solve(K[1] - K[torch.tensor([0, 2, 3])], torch.full((3,), 15.0, dtype=K.dtype))


def least_squares_on_k_alone(K):
    """q is from least squares on K alone, which cannot reach these logits: 4 equations, 3 unknowns. A common
    shift of all logits is free.
    """
    return torch.linalg.lstsq(K, torch.tensor([20.0, 20, 0, 0], dtype=K.dtype)[:, None]).solution[:, 0]


def too_small(K):
    """The direction is right, but the lead over rows 2 and 3 is too small: a lead of about 4 is needed."""
    with_ones = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    return torch.linalg.solve(with_ones, torch.tensor([1.0, 1, 0, 0], dtype=K.dtype))[:3]


def halves_as_logits(K):
    """The logits are one half, one half, 0, 0, up to a shift: these are the weights after the softmax, not
    the logits before it.
    """
    with_ones = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    return torch.linalg.solve(with_ones, torch.tensor([0.5, 0.5, 0, 0], dtype=K.dtype))[:3]


def the_last_two(K):
    """The sign is wrong: rows 2 and 3 share the weight."""
    with_ones = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    return torch.linalg.solve(with_ones, torch.tensor([-20.0, -20, 0, 0], dtype=K.dtype))[:3]


def the_first_three(K):
    """This query averages three rows, 0, 1 and 2."""
    with_ones = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    return torch.linalg.solve(with_ones, torch.tensor([20.0, 20, 20, 0], dtype=K.dtype))[:3]


def one_to_two(K):
    """q averages rows 1 and 2. The first two rows are 0 and 1: counting starts at 0."""
    with_ones = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    return torch.linalg.solve(with_ones, torch.tensor([0.0, 20, 20, 0], dtype=K.dtype))[:3]


def with_the_shift(K):
    """The shift is returned as well: the query is the first three numbers of the solution."""
    with_ones = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    return torch.linalg.solve(with_ones, torch.tensor([20.0, 20, 0, 0], dtype=K.dtype))


def for_this_k_only(K):
    """q is the same for every K: it is made of numbers that were worked out for the K of this notebook."""
    return torch.tensor([-5.2, 12.4, -4.4], dtype=K.dtype)


def the_notebooks_k(keys):
    """q is the one for the K of the notebook, whatever the argument K is. It must be computed from the
    argument in every call.
    """
    with_ones = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    return torch.linalg.solve(with_ones, torch.tensor([20.0, 20, 0, 0], dtype=K.dtype))[:3]


KEY = AnswerKey(
    id="average_first_two",
    hidden=hidden,
    reference=average_first_two,
    accepted=(sum_of_two_selections, column_of_ones, logs_of_the_weights, across_the_edge, descent),
    rejected=(
        *(
            the_keys_added,
            the_mean_key,
            zero,
            only_the_first,
            only_the_second,
            least_squares_on_k_alone,
            too_small,
        ),
        *(halves_as_logits, the_last_two, the_first_three, one_to_two, with_the_shift, for_this_k_only),
        the_notebooks_k,
    ),
    fingerprint=fingerprint,
    commentary="""
    The system is that of `select_first` with other leads on the right: row 0 leads row 1 by 0, so both have
    the same logit, and it leads rows 2 and 3 by 12. The common mistake is to add the two keys, as in
    `average_two`. There it worked because the keys were orthonormal. Here the two logits of the sum differ,
    so one row gets nearly all the weight.
    """,
)
