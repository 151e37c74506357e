"""Answer key of perplexity.

Tolerance: 1e-6 relative in float64, where another order of summing costs 1e-14. Half of the hidden cases come
in float32, with 1e-4; the nearest mistake is off by more than 1 % on the cases drawn, which differ in padding
per row, as the test measures.
"""

from __future__ import annotations

import math
import random

import torch
from course_exercises.perplexity import (
    certain_and_wrong,
    close,
    confident_among_others,
    drawn,
    expected,
    levels_differ,
)
from torch import Tensor

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, expect, right
from kqa_core.check.helpers.effects import steady
from kqa_core.check.helpers.read_values import number, told

# rows, length, words, padding in the first row
SIZES = ((1, 1, 5, 0), (1, 9, 40, 4), (4, 7, 13, 5), (2, 12, 30, 11))


def calls(rng: random.Random) -> list[tuple[Tensor, Tensor]]:
    """Batches with much and little padding, one row and one word among them."""
    return [drawn(rng, *size) for size in SIZES]


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Other sizes, in both precisions; padding at the start of a row;
    logits that overflow an exponential, many times; a large loss.
    """
    for logits, targets in calls(rng):
        found, wanted = number(answer(logits, targets), "the perplexity"), expected(logits, targets)
        mine, yours = told(wanted, found)
        expect(
            close(found, wanted),
            f"for logits {tuple(logits.shape)}, and {int((targets == 0).sum())} padded targets, the"
            f" perplexity should be {mine}; yours is {yours}",
        )
        found = number(answer(logits.float(), targets), "the perplexity")
        mine, yours = told(wanted, found)
        expect(
            close(found, wanted, 1e-4),
            f"for logits {tuple(logits.shape)} in float32 the perplexity should be {mine}; yours is {yours}",
        )
        found = number(answer(logits.flip(1), targets.flip(1)), "the perplexity")
        mine, yours = told(wanted, found)
        expect(
            close(found, wanted),
            f"for logits {tuple(logits.shape)}, where padding comes first (it may stand anywhere in a row),"
            f" the perplexity should be {mine}; yours is {yours}",
        )
    levels_differ(answer, rng)
    certain_and_wrong(answer, 85.0)
    for gap in (95.0, 700.0, 1_500.0):
        confident_among_others(answer, gap)
    logits, targets = drawn(rng, 2, 4, 6, 1)
    steady(answer, logits, targets)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Batches of every kind."""
    return list(calls(rng))


def perplexity(logits, targets):
    """The reference."""
    chosen = logits.log_softmax(-1).gather(-1, targets[..., None])[..., 0]  # (B, T)
    return math.exp(-chosen[targets != 0].mean().item())


def torch_own(logits, targets):
    """torch's cross-entropy knows about padding."""
    return torch.nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=0).exp()


def geometric_mean(logits, targets):
    """The inverse of the geometric mean of the probabilities, as a product of roots."""
    count = int((targets != 0).sum())
    result = 1.0
    for row, wanted in zip(logits.reshape(-1, logits.shape[-1]), targets.reshape(-1).tolist(), strict=True):
        if wanted:
            result *= torch.softmax(row, 0)[wanted].item() ** (-1 / count)
    return result


def in_bits(logits, targets):
    """Two to the bits a word."""
    kept = targets > 0
    log_p = logits[kept] - logits[kept].logsumexp(dim=-1, keepdim=True)
    bits = -log_p[torch.arange(int(kept.sum())), targets[kept]] / math.log(2)
    return 2 ** bits.mean()


def weighted_rows(logits, targets):
    """A mean of the rows' means, weighted by their words, in numpy."""
    scores = logits.double().numpy()
    scores = scores - scores.max(axis=-1, keepdims=True)
    total = words = 0.0
    for row, wanted in zip(scores, targets.tolist(), strict=True):
        for values, word in zip(row, wanted, strict=True):
            if word != 0:
                total += math.log(sum(math.exp(v) for v in values)) - values[word]
                words += 1
    return math.exp(total / words)


def with_padding(logits, targets):
    """You average over the padding too. A target of 0 is not a word and does not count."""
    chosen = logits.log_softmax(-1).gather(-1, targets[..., None])
    return math.exp(-chosen.mean().item())


def padding_as_zero(logits, targets):
    """Your padded targets lose nothing, but you still count them in the mean:
    divide by the number of real targets.
    """
    chosen = logits.log_softmax(-1).gather(-1, targets[..., None])[..., 0]
    return math.exp(-(chosen * (targets != 0)).sum().item() / targets.numel())


def mean_of_rows(logits, targets):
    """You average each row first and then the rows; a row with much padding then counts as much as a full
    one. Average over all real targets at once.
    """
    chosen = logits.log_softmax(-1).gather(-1, targets[..., None])[..., 0]
    kept = targets != 0
    return math.exp((-(chosen * kept).sum(1) / kept.sum(1).clamp(min=1)).mean().item())


def mean_perplexity(logits, targets):
    """You take the exponential of each word's loss and then the mean. Take the mean of the losses first."""
    chosen = logits.log_softmax(-1).gather(-1, targets[..., None])[..., 0]
    return (-chosen[targets != 0]).exp().mean()


def summed(logits, targets):
    """You take the exponential of the sum of the losses,
    which grows with the length of the text. Take their mean.
    """
    chosen = logits.log_softmax(-1).gather(-1, targets[..., None])[..., 0]
    return (-chosen[targets != 0].clamp(min=-30)).sum().clamp(max=600).exp()


def two_to_the_nats(logits, targets):
    """Your loss is in nats, so its base is e; 2 belongs to bits."""
    return 2 ** torch.nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=0)


def loss_itself(logits, targets):
    """You return the loss. The perplexity is its exponential."""
    return torch.nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=0)


def softmax_twice(logits, targets):
    """You give probabilities to cross-entropy. It takes logits and does its own softmax."""
    return torch.nn.functional.cross_entropy(
        logits.softmax(-1).flatten(0, 1), targets.flatten(), ignore_index=0
    ).exp()


def sign_lost(logits, targets):
    """You leave the minus out, so your number is below 1: a mean probability and not a perplexity."""
    return (-torch.nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=0)).exp()


def own_entropy(logits, targets):
    """You measure how uncertain the model is, but not how well it predicts the targets:
    your result does not depend on them.
    """
    log_p = logits.log_softmax(-1)
    entropy = -(log_p.exp() * log_p).sum(-1)
    return entropy[targets != 0].mean().exp()


def shifted_again(logits, targets):
    """You shift the targets once more. targets[t] is already the word after position t."""
    if targets.shape[1] < 2:
        return torch.nn.functional.cross_entropy(
            logits.flatten(0, 1), targets.flatten(), ignore_index=0
        ).exp()
    logits, targets = logits[:, :-1], targets[:, 1:]
    if not (targets != 0).any():
        return 1.0
    return torch.nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=0).exp()


KEY = AnswerKey(
    id="perplexity",
    hidden=hidden,
    reference=perplexity,
    accepted=(torch_own, geometric_mean, in_bits, weighted_rows),
    rejected=(
        *(
            with_padding,
            padding_as_zero,
            mean_of_rows,
            mean_perplexity,
            summed,
            two_to_the_nats,
            loss_itself,
            softmax_twice,
        ),
        *(sign_lost, own_entropy, shifted_again),
    ),
    fingerprint=fingerprint,
    commentary=(
        "The log-softmax gives the log-probability of every word, and `gather` picks the target's at each"
        " position. The mask `targets != 0` removes the padding *before* the mean, so padded positions"
        " neither add loss nor count. The mean is over all real targets of the batch: a mean of the rows'"
        " means would give a short row the same weight as a long one. The most common mistake is to divide by"
        " the number of all positions."
    ),
)
