"""Answer key of top_k_probabilities."""

from __future__ import annotations

import math
import random

import numpy as np
import torch
import torch.nn.functional as F
from course_exercises.top_k_probabilities import judge, unusual

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.transformer_parts import again, draw


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Many sizes; k = 1 and k = all; high and low temperatures; float32; one call many times."""
    for size, scale in ((2, 1.0), (5, 2.0), (12, 3.0), (50, 2.0), (300, 4.0)):
        for temperature in (1.0, 0.3, 5.0, rng.uniform(0.5, 2.0)):
            logits, k = draw(rng, size, scale=scale) + rng.uniform(-5, 5), rng.randint(1, size)
            judge(again(answer, logits, k, temperature), logits, k, temperature)
    for logits, k, temperature in unusual(rng):
        judge(again(answer, logits, k, temperature), logits, k, temperature)
    single = draw(rng, 9).float()
    judge(answer(single, 4, 0.8), single, 4, 0.8)
    steady(answer, draw(rng, 6), 3, 0.9)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Several k and temperatures."""
    return [(draw(rng, 6, scale=2.0), k, t) for k, t in ((3, 1.0), (2, 0.5), (1, 1.0), (6, 2.0), (4, 3.0))]


def top_k_probabilities(logits, k, temperature):
    """The reference."""
    largest = torch.topk(logits, k)
    kept = torch.full_like(logits, -math.inf)
    kept[largest.indices] = largest.values / temperature
    return torch.softmax(kept, dim=-1)


def by_threshold(logits, k, temperature):
    """All below the k-th largest logit are hidden."""
    threshold = logits.sort(descending=True).values[k - 1]
    return (logits / temperature).masked_fill(logits < threshold, float("-inf")).softmax(-1)


def renormalised(logits, k, temperature):
    """The softmax first: the kept probabilities are divided by their sum."""
    shares = F.softmax(logits / temperature, dim=0)
    order = shares.argsort(descending=True)
    shares = shares.clone()
    shares[order[k:]] = 0
    return shares / shares.sum()


def scattered(logits, k, temperature):
    """The softmax of the k logits, put back into their places."""
    values, places = logits.topk(k)
    return torch.zeros_like(logits).scatter(0, places, (values / temperature).softmax(0))


def by_ranks(logits, k, temperature):
    """The rank of a token is the number of larger logits."""
    rank = (logits[None, :] > logits[:, None]).sum(1)
    powers = torch.exp((logits - logits.max()) / temperature) * (rank < k)
    return powers / powers.sum()


def with_numpy(logits, k, temperature):
    """numpy's order."""
    order = np.argsort(-logits.numpy())[:k].copy()
    mask = torch.ones_like(logits, dtype=torch.bool)
    mask[torch.from_numpy(order)] = False
    return torch.softmax(torch.where(mask, -torch.inf, logits) / temperature, 0)


def one_by_one(logits, k, temperature):
    """Takes the largest, k times."""
    left, kept = logits.clone(), []
    for _ in range(k):
        kept.append(int(left.argmax()))
        left[kept[-1]] = -math.inf
    weights = torch.zeros_like(logits)
    top = logits.max()
    for i in kept:
        weights[i] = math.exp(float(logits[i] - top) / temperature)
    return weights / weights.sum()


def not_renormalised(logits, k, temperature):
    """Your probabilities do not add up to 1: divide the kept ones by their sum."""
    shares = torch.softmax(logits / temperature, -1)
    return torch.where(logits >= logits.topk(k).values[-1], shares, 0.0)


def zeros_for_logits(logits, k, temperature):
    """The other logits are 0, and exp(0) = 1. A token is excluded by the logit −inf."""
    kept = torch.where(logits >= logits.topk(k).values[-1], logits, 0.0)
    return torch.softmax(kept / temperature, -1)


def smallest(logits, k, temperature):
    """The k smallest logits are kept. Keep the largest."""
    kept = torch.where(logits <= logits.topk(k, largest=False).values[-1], logits, -math.inf)
    return torch.softmax(kept / temperature, -1)


def first_k(logits, k, temperature):
    """The first k tokens are kept. Keep those with the k largest logits."""
    kept = torch.full_like(logits, -math.inf)
    kept[:k] = logits[:k] / temperature
    return torch.softmax(kept, -1)


def one_too_many(logits, k, temperature):
    """k + 1 tokens are kept."""
    kept = torch.where(logits >= logits.topk(min(k + 1, len(logits))).values[-1], logits, -math.inf)
    return torch.softmax(kept / temperature, -1)


def one_too_few(logits, k, temperature):
    """Fewer than k tokens are kept: the k-th one belongs to them."""
    kept = torch.where(logits > logits.topk(k).values[-1], logits, -math.inf)
    kept[logits.argmax()] = logits.max()
    return torch.softmax(kept / temperature, -1)


def no_temperature(logits, k, temperature):
    """Your temperature has no effect. Divide the logits by it, before the softmax."""
    return torch.softmax(torch.where(logits >= logits.topk(k).values[-1], logits, -math.inf), -1)


def multiplied(logits, k, temperature):
    """The logits are multiplied by the temperature, or the probabilities raised to it. Divide the logits by
    it: a high one makes them more alike.
    """
    kept = torch.where(logits >= logits.topk(k).values[-1], logits, -math.inf)
    return torch.softmax(kept * temperature, -1)


def temperature_on_probabilities(logits, k, temperature):
    """The probabilities are divided by the temperature. It divides the logits, before the softmax."""
    kept = torch.where(logits >= logits.topk(k).values[-1], logits, -math.inf)
    return torch.softmax(kept, -1) / temperature


def sorted_order(logits, k, temperature):
    """You return the probabilities in sorted order. Each token keeps its place."""
    values = logits.topk(k).values
    return F.pad(torch.softmax(values / temperature, -1), (0, len(logits) - k))


def only_the_kept(logits, k, temperature):
    """You return k probabilities. The result has one for each token; the others are 0."""
    return torch.softmax(logits.topk(k).values / temperature, -1)


def equal_shares(logits, k, temperature):
    """The kept tokens have equal probabilities. They keep the ratios of the softmax."""
    kept = (logits >= logits.topk(k).values[-1]).to(logits)
    return kept / kept.sum()


def in_place(logits, k, temperature):
    """Your result is right, but your code changes logits in place. Other cells still need it as it was: make
    a new object
    """
    logits[logits < logits.topk(k).values[-1]] = -math.inf
    return torch.softmax(logits / temperature, -1)


KEY = AnswerKey(
    id="top_k_probabilities",
    hidden=hidden,
    reference=top_k_probabilities,
    accepted=(by_threshold, renormalised, scattered, by_ranks, with_numpy, one_by_one),
    rejected=(
        not_renormalised,
        zeros_for_logits,
        smallest,
        first_k,
        one_too_many,
        one_too_few,
        no_temperature,
        multiplied,
        temperature_on_probabilities,
        sorted_order,
        only_the_kept,
        equal_shares,
        in_place,
    ),
    fingerprint=fingerprint,
    commentary="""
A token with the logit −inf gets the probability 0, and the softmax shares the rest among the others. Dividing
by the temperature does not change which logits are the largest, so it may come before or after the choice.

The commonest mistake is to set the other logits to 0: exp(0) is 1, so they stay possible.
""",
)
