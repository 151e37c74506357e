"""Answer key of half_losses."""

from __future__ import annotations

import math
import random

import numpy as np
import torch
import torch.nn.functional as F
from course_exercises.half_losses import case, judge, of_half

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.transformer_parts import again


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Other sizes, float32, large logits; one call many times."""
    any_tokens = of_half(rng, [[rng.randrange(4) for _ in range(8)] for _ in range(3)], 4)
    for sizes in ((5, 3, 4), (1, 12, 30), (2, 2, 3), (3, 7, 11)):
        given = case(rng, *sizes)
        judge(again(answer, *given), given)
    judge(answer(*any_tokens), any_tokens)
    logits, tokens = case(rng, 2, 5, 6)
    judge(answer(logits.float(), tokens), (logits.float(), tokens))
    judge(answer(400 * logits, tokens), (400 * logits, tokens))
    steady(answer, logits, tokens)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Rows of several lengths."""
    return [case(rng, 3, 4, 9), case(rng, 2, 6, 5), case(rng, 1, 3, 7)]


def half_losses(logits, tokens):
    """The reference."""
    n = tokens.shape[1] // 2
    # entry t: the loss of token t + 1 (B, 2n − 1)
    losses = F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
    return losses[:, : n - 1].mean(dim=1), losses[:, n:].mean(dim=1)


def by_gather(logits, tokens):
    """The log-probability of each next token."""
    n = tokens.shape[1] // 2
    chosen = logits.log_softmax(-1)[:, :-1].gather(-1, tokens[:, 1:, None]).squeeze(-1)
    return -chosen[:, : n - 1].mean(1), -chosen[:, -(n - 1) :].mean(1)


def at_the_tokens_place(logits, tokens):
    """The losses are moved to the place of the token that they belong to."""
    B, T = tokens.shape
    n = T // 2
    losses = torch.zeros(B, T, dtype=logits.dtype)
    for t in range(1, T):
        losses[:, t] = F.cross_entropy(logits[:, t - 1], tokens[:, t], reduction="none")
    return losses[:, 1:n].mean(1), losses[:, n + 1 :].mean(1)


def row_by_row(logits, tokens):
    """A loop over rows, with torch's mean."""
    n, first, second = tokens.size(1) // 2, [], []
    for row, ids in zip(logits, tokens, strict=True):
        first.append(F.cross_entropy(row[: n - 1], ids[1:n]))
        second.append(F.cross_entropy(row[n:-1], ids[n + 1 :]))
    return torch.stack(first), torch.stack(second)


def flattened(logits, tokens):
    """All predictions in one list, and back."""
    B, T, V = logits.shape
    losses = F.cross_entropy(logits[:, : T - 1].reshape(-1, V), tokens[:, 1:].reshape(-1), reduction="none")
    losses = losses.reshape(B, T - 1)
    middle = T // 2 - 1
    return losses[:, :middle].sum(1) / middle, losses[:, middle + 1 :].sum(1) / middle


def with_weights(logits, tokens):
    """A matrix of weights says which losses belong to which half."""
    T = tokens.shape[1]
    n = T // 2
    losses = (
        torch.logsumexp(logits[:, :-1], -1) - logits[:, :-1].gather(2, tokens[:, 1:].unsqueeze(2))[..., 0]
    )
    t = torch.arange(1, T)
    first, second = ((t < n).to(losses) / (n - 1), (t > n).to(losses) / (n - 1))
    return losses @ first, losses @ second


def with_numpy(logits, tokens):
    """numpy, with the largest logit taken out of the exponentials."""
    z, ids = logits.numpy()[:, :-1], tokens.numpy()[:, 1:]
    top = z.max(axis=-1, keepdims=True)
    total = top[..., 0] + np.log(np.exp(z - top).sum(-1))
    losses = total - np.take_along_axis(z, ids[..., None], axis=-1)[..., 0]
    n = tokens.shape[1] // 2
    pair = losses[:, : n - 1].mean(1), losses[:, n:].mean(1)
    return tuple(torch.from_numpy(each.astype(z.dtype)) for each in pair)


def not_shifted(logits, tokens):
    """You compare the logits at a position with the token at the same position. They predict the next one."""
    n = tokens.shape[1] // 2
    losses = F.cross_entropy(logits.transpose(1, 2), tokens, reduction="none")
    return losses[:, 1:n].mean(1), losses[:, n + 1 :].mean(1)


def not_shifted_all(logits, tokens):
    """You compare the logits at a position with the token at the same position. They predict the next one, so
    there are 2n − 1 losses.
    """
    n = tokens.shape[1] // 2
    losses = F.cross_entropy(logits.transpose(1, 2), tokens, reduction="none")
    return losses[:, :n].mean(1), losses[:, n:].mean(1)


def shifted_back(logits, tokens):
    """The logits at a position are compared with the token before. They predict the token after."""
    n = tokens.shape[1] // 2
    losses = F.cross_entropy(logits[:, 1:].transpose(1, 2), tokens[:, :-1], reduction="none")
    return losses[:, : n - 1].mean(1), losses[:, n:].mean(1)


def token_n_in_second(logits, tokens):
    """Token n counts in the second half. Nothing announces that the row begins again, so it cannot be
    predicted. Leave it out.
    """
    n = tokens.shape[1] // 2
    losses = F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
    return losses[:, : n - 1].mean(1), losses[:, n - 1 :].mean(1)


def token_n_in_first(logits, tokens):
    """Token n counts in the first half. Leave it out."""
    n = tokens.shape[1] // 2
    losses = F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
    return losses[:, :n].mean(1), losses[:, n:].mean(1)


def one_more_left_out(logits, tokens):
    """Token n + 1 is left out, too. It is the first one that can be copied."""
    n = tokens.shape[1] // 2
    losses = F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
    return losses[:, : n - 1].mean(1), losses[:, min(n + 1, 2 * n - 2) :].mean(1)


def over_all_rows(logits, tokens):
    """The losses are averaged over the rows. Return one for each row: the test below pairs them."""
    n = tokens.shape[1] // 2
    losses = F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
    return losses[:, : n - 1].mean(), losses[:, n:].mean()


def summed(logits, tokens):
    """The losses are added up. Take their mean."""
    n = tokens.shape[1] // 2
    losses = F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
    return losses[:, : n - 1].sum(1), losses[:, n:].sum(1)


def exchanged(logits, tokens):
    """You return the second half before the first. Return the first half first."""
    n = tokens.shape[1] // 2
    losses = F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
    return losses[:, n:].mean(1), losses[:, : n - 1].mean(1)


def in_bits(logits, tokens):
    """Your losses are in bits. Use the natural logarithm."""
    n = tokens.shape[1] // 2
    losses = F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none") / math.log(2)
    return losses[:, : n - 1].mean(1), losses[:, n:].mean(1)


def probabilities(logits, tokens):
    """The means are those of probabilities. The loss of a token is the negative logarithm of its
    probability.
    """
    n = tokens.shape[1] // 2
    shares = logits.softmax(-1)[:, :-1].gather(-1, tokens[:, 1:, None])[..., 0]
    return shares[:, : n - 1].mean(1), shares[:, n:].mean(1)


def log_of_the_mean(logits, tokens):
    """Your result is the logarithm of a mean probability. Take the mean of the logarithms."""
    n = tokens.shape[1] // 2
    shares = logits.softmax(-1)[:, :-1].gather(-1, tokens[:, 1:, None])[..., 0]
    return -shares[:, : n - 1].mean(1).log(), -shares[:, n:].mean(1).log()


def positive_sign(logits, tokens):
    """Your losses are negative: the loss is the logarithm of the probability with a minus."""
    n = tokens.shape[1] // 2
    chosen = logits.log_softmax(-1)[:, :-1].gather(-1, tokens[:, 1:, None])[..., 0]
    return chosen[:, : n - 1].mean(1), chosen[:, n:].mean(1)


def whole_row_twice(logits, tokens):
    """Both means are over the whole row. Cut the losses into the two halves."""
    losses = F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
    return losses.mean(1), losses.mean(1)


KEY = AnswerKey(
    id="half_losses",
    hidden=hidden,
    reference=half_losses,
    accepted=(by_gather, at_the_tokens_place, row_by_row, flattened, with_weights, with_numpy),
    rejected=(
        not_shifted,
        not_shifted_all,
        shifted_back,
        token_n_in_second,
        token_n_in_first,
        one_more_left_out,
        over_all_rows,
        summed,
        exchanged,
        in_bits,
        probabilities,
        log_of_the_mean,
        positive_sign,
        whole_row_twice,
    ),
    fingerprint=fingerprint,
    commentary="""
The logits at position t predict token t + 1, so a row of 2n tokens has 2n − 1 losses. The first n − 1 belong
to the tokens 1 … n − 1, the next one to token n, and the last n − 1 to the tokens n + 1 … 2n − 1.

Token n is the first of the repetition. Nothing announces it, so it belongs to neither half. The commonest
mistake is to forget the shift by one position.
""",
)
