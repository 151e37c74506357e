"""Answer key of exact_logits. The draws keep cond [K 1] < 30, so float64 answers are within 1e-12 of exact: no false alarm."""

from __future__ import annotations

import random

import torch

from autograder.key import AnswerKey
from autograder.lookup_draws import SETS, draw_keys
from kqa_core.check.answer import Answer
from kqa_core.check.exercises.exact_logits import judge
from kqa_core.check.facts import Verdict, right


def draws(rng: random.Random) -> list[tuple[object, ...]]:
    """Keys (4, 3) and positive weights (4,) that sum to 1, from nearly even to very uneven."""
    found: list[tuple[object, ...]] = []
    for _ in range(SETS):
        logits = torch.tensor([rng.gauss(0, rng.choice((0.3, 1.0, 2.5))) for _ in range(4)], dtype=torch.float64)
        found.append((draw_keys(rng), torch.softmax(logits, 0)))
    return found


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Other keys and other weights."""
    for keys, wanted in draws(rng):
        assert isinstance(keys, torch.Tensor) and isinstance(wanted, torch.Tensor)
        judge(keys, wanted, answer(keys, wanted))
    return right()


def exact_logits(K, weights):
    """The reference."""
    augmented = torch.cat((K, torch.ones(4, 1, dtype=K.dtype)), dim=1)  # (4, 4): [K 1]
    return torch.linalg.solve(augmented, weights.log())[:3]


def by_differences(K, weights):
    """Ratios of weights fix differences of logits: (k_i − k_0)·q = ln(w_i / w_0)."""
    return torch.linalg.solve(K[1:] - K[0], torch.log(weights[1:] / weights[0]))


def centred(K, weights):
    """Least squares is exact once keys and logits are centred."""
    logits = weights.log()
    return torch.linalg.lstsq(K - K.mean(0), (logits - logits.mean())[:, None]).solution[:, 0]


def cramer(K, weights):
    """Cramer's rule on the differences."""
    A, b = K[:3] - K[3], torch.log(weights[:3]) - torch.log(weights[3])
    q = torch.empty(3, dtype=K.dtype)
    for j in range(3):
        column = A.clone()
        column[:, j] = b
        q[j] = torch.det(column) / torch.det(A)
    return q


def fourth_key_as_reference(K, weights):
    """The inverse of the differences, in numpy."""
    import numpy as np

    k, w = K.numpy(), weights.numpy()
    return torch.from_numpy(np.linalg.inv(k[:3] - k[3]) @ (np.log(w[:3]) - np.log(w[3])))


def k_alone(K, weights):
    """K alone cannot reach four logits with three unknowns: softmax ignores a common shift, so solve with [K 1]."""
    return torch.linalg.lstsq(K, weights.log()[:, None]).solution[:, 0]


def first_three_rows(K, weights):
    """Three equations of the four: the first three logits are right, the fourth weight is whatever it is."""
    return torch.linalg.solve(K[:3], weights[:3].log())


def without_log(K, weights):
    """You ask the logits to equal the weights; softmax takes the exponential, so they must equal the weights' logarithms."""
    augmented = torch.cat((K, torch.ones(4, 1, dtype=K.dtype)), dim=1)
    return torch.linalg.solve(augmented, weights)[:3]


def odds(K, weights):
    """log(w/(1 − w)) belongs to a sigmoid; for a softmax the logits are log w."""
    augmented = torch.cat((K, torch.ones(4, 1, dtype=K.dtype)), dim=1)
    return torch.linalg.solve(augmented, torch.logit(weights))[:3]


def base_two(K, weights):
    """softmax uses e, not 2: take the natural logarithm."""
    augmented = torch.cat((K, torch.ones(4, 1, dtype=K.dtype)), dim=1)
    return torch.linalg.solve(augmented, weights.log2())[:3]


def scaled(K, weights):
    """The 1/√3 of scaled attention is not in this exercise: the logits are k_i·q as they are."""
    augmented = torch.cat((K, torch.ones(4, 1, dtype=K.dtype)), dim=1)
    return torch.linalg.solve(augmented, weights.log())[:3] * 3**0.5


def single_precision(K, weights):
    """Right to seven digits: somewhere you went through float32. Keep K's own dtype, float64."""
    augmented = torch.cat((K, torch.ones(4, 1, dtype=K.dtype)), dim=1).float()
    return torch.linalg.solve(augmented, weights.float().log())[:3]


def negated(K, weights):
    """The sign is wrong: your query gives the most weight where the least was asked for."""
    augmented = torch.cat((K, torch.ones(4, 1, dtype=K.dtype)), dim=1)
    return -torch.linalg.solve(augmented, weights.log())[:3]


def mean_of_keys(K, weights):
    """The weighted mean of the keys is where attention would read, not what to ask."""
    return weights @ K


def with_the_shift(K, weights):
    """You return the shift as well; the query is the first three unknowns."""
    augmented = torch.cat((K, torch.ones(4, 1, dtype=K.dtype)), dim=1)
    return torch.linalg.solve(augmented, weights.log())


KEY = AnswerKey(
    id="exact_logits",
    hidden=hidden,
    reference=exact_logits,
    accepted=(by_differences, centred, cramer, fourth_key_as_reference),
    rejected=(
        *(k_alone, first_three_rows, without_log, odds, base_two, scaled, single_precision, negated, mean_of_keys),
        with_the_shift,
    ),
    fingerprint=draws,
)
