"""Answer key of next_token_loss."""

from __future__ import annotations

import math
import random

import torch
import torch.nn.functional as F
from course_exercises.next_token_loss import PAD, case, expected, judge, renumbered, sure

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.transformer_parts import again, gradients_agree


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Rows with much and with little padding, another number for padding,
    large logits, float32; gradients; steady.
    """
    for lengths, T in (([7, 7, 7], 7), ([2, 9, 5, 1], 9), ([3], 3), ([2, 2], 6), ([8, 1], 8)):
        logits, tokens = case(rng, lengths, T, 11)
        tokens[0, 1 : T - 1 : 3] = tokens[-1, 0] = PAD  # padding may stand anywhere
        judge(again(answer, logits, tokens, PAD), logits, tokens)
    logits, tokens = case(rng, [4, 6, 3], 6, 8, 700.0)
    judge(answer(logits, tokens, PAD), logits, tokens)
    for logits, tokens in (
        sure(*case(rng, [5, 5, 5], 5, 9)),
        case(rng, [2], 2, 2),
        case(rng, [40, 7], 40, 1000),
        case(rng, [6, 2], 6, 9, 1e-4),
    ):
        judge(again(answer, logits, tokens, PAD), logits, tokens)
    logits, tokens = case(rng, [4, 6, 3], 6, 8)
    judge(answer(logits.float(), tokens, PAD), logits.float(), tokens)
    other = renumbered(tokens, 7)
    judge(answer(logits, other, 7), logits, other, 7)
    gradients_agree(answer, expected, {"logits": logits, "tokens": tokens, "pad": PAD})
    steady(answer, logits, tokens, PAD)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Without padding, and with padding of two kinds."""
    logits, tokens = case(rng, [4, 6, 3], 6, 8)
    return [
        *((*case(rng, lengths, 5, 7), PAD) for lengths in ([5, 5], [4, 2])),
        *((logits, tokens, PAD), (logits, renumbered(tokens, 7), 7)),
    ]


def next_token_loss(logits, tokens, pad):
    """The reference."""
    predictions, targets = logits[:, :-1], tokens[:, 1:]  # (B, T - 1, n_vocab), (B, T - 1)
    return F.cross_entropy(predictions.flatten(0, 1), targets.flatten(), ignore_index=pad)


def picked_by_gather(logits, tokens, pad):
    """The log-probability of each target, gathered."""
    targets = tokens[:, 1:]
    logs = torch.log_softmax(logits[:, :-1], dim=-1).gather(-1, targets[..., None])[..., 0]
    real = targets != pad
    return -(logs * real).sum() / real.sum()


def selected_first(logits, tokens, pad):
    """Chooses the positions that count, and then averages."""
    targets = tokens[:, 1:]
    kept = logits[:, :-1][targets != pad]
    return F.nll_loss(kept.log_softmax(-1), targets[targets != pad])


def from_the_definition(logits, tokens, pad):
    """Log of the sum of exponentials minus the target's logit."""
    logits, targets = logits[:, :-1], tokens[:, 1:]
    each = torch.logsumexp(logits, dim=-1) - (logits * F.one_hot(targets, logits.shape[-1])).sum(-1)
    return torch.masked_select(each, targets.ne(pad)).mean()


def row_by_row(logits, tokens, pad):
    """Sums row by row, divided by the number of targets at the end."""
    total, count = logits.new_zeros(()), 0
    for row, row_tokens in zip(logits, tokens, strict=True):
        real = row_tokens[1:] != pad
        total = total + F.cross_entropy(row[:-1][real], row_tokens[1:][real], reduction="sum")
        count += int(real.sum())
    return total / count


def not_shifted(logits, tokens, pad):
    """You compare each position with its own token.
    Position t predicts token t + 1: a model that only copies would look perfect.
    """
    return F.cross_entropy(logits.flatten(0, 1), tokens.flatten(), ignore_index=pad)


def shifted_backwards(logits, tokens, pad):
    """You shift the wrong way: position t is compared with token t − 1, which the model has already seen."""
    return F.cross_entropy(logits[:, 1:].flatten(0, 1), tokens[:, :-1].flatten(), ignore_index=pad)


def shifted_by_two(logits, tokens, pad):
    """You shift by two: position t predicts token t + 1, not t + 2."""
    return F.cross_entropy(logits[:, :-2].flatten(0, 1), tokens[:, 2:].flatten(), ignore_index=pad)


def rolled(logits, tokens, pad):
    """The last position is compared with the first token, as when the tokens are shifted in a circle. It has
    no target.
    """
    return F.cross_entropy(logits.flatten(0, 1), tokens.roll(-1, dims=1).flatten(), ignore_index=pad)


def padding_counted(logits, tokens, pad):
    """You count the padding. Leave out positions whose target is padding."""
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())


def divided_by_all(logits, tokens, pad):
    """You leave the padding out of the sum, but you divide by the number of all positions. Divide by the
    number of real targets.
    """
    targets = tokens[:, 1:]
    return (
        F.cross_entropy(logits[:, :-1].flatten(0, 1), targets.flatten(), ignore_index=pad, reduction="sum")
        / targets.numel()
    )


def zero_is_padding(logits, tokens, pad):
    """You always treat 0 as padding. The argument pad says which number it is."""
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten(), ignore_index=0)


def padded_inputs(logits, tokens, pad):
    """You leave out positions whose input is padding.
    Leave out those whose target is padding, one position earlier.
    """
    real = tokens[:, :-1] != pad
    return F.cross_entropy(logits[:, :-1][real], tokens[:, 1:][real])


def summed(logits, tokens, pad):
    """You return the sum. The loss is the mean over the targets that are not padding."""
    return F.cross_entropy(
        logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten(), ignore_index=pad, reduction="sum"
    )


def mean_of_rows(logits, tokens, pad):
    """You average within each row and then over the rows, so a token in a short row counts more.
    Average over all targets at once.
    """
    rows = [
        F.cross_entropy(row[:-1], own[1:], ignore_index=pad) for row, own in zip(logits, tokens, strict=True)
    ]
    return torch.stack([row for row in rows if not torch.isnan(row)]).mean()


def in_bits(logits, tokens, pad):
    """You measure in bits, with the logarithm to base 2. The loss uses the natural logarithm."""
    return F.cross_entropy(
        logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten(), ignore_index=pad
    ) / math.log(2)


def perplexity(logits, tokens, pad):
    """You return the perplexity, which is e to the power of the loss."""
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten(), ignore_index=pad).exp()


def wrong_sign(logits, tokens, pad):
    """Your sign is wrong: the loss is minus the mean log-probability."""
    return -F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten(), ignore_index=pad)


def softmax_twice(logits, tokens, pad):
    """The softmax is applied twice, as when its result is given to cross_entropy, which expects logits."""
    shares = logits[:, :-1].softmax(-1)
    return F.cross_entropy(shares.flatten(0, 1), tokens[:, 1:].flatten(), ignore_index=pad)


def last_position(logits, tokens, pad):
    """You use the last prediction of each row only.
    A causal model gives a prediction at every position, and all of them count.
    """
    real = (tokens != pad).sum(1)
    rows = [
        (row[n - 2], own[n - 1]) for row, own, n in zip(logits, tokens, real.tolist(), strict=True) if n > 1
    ]
    return F.cross_entropy(torch.stack([row for row, _ in rows]), torch.stack([own for _, own in rows]))


def into_the_next_row(logits, tokens, pad):
    """The last position of a row is compared with the first token of the next row, as when rows are joined
    before the shift. It has no target.
    """
    return F.cross_entropy(logits.flatten(0, 1)[:-1], tokens.flatten()[1:], ignore_index=pad)


def detached(logits, tokens, pad):
    """something cuts it off, such as detach, no_grad, .data, .item, numpy or a new Parameter."""
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten(), ignore_index=pad).detach()


KEY = AnswerKey(
    id="next_token_loss",
    hidden=hidden,
    reference=next_token_loss,
    accepted=(picked_by_gather, selected_first, from_the_definition, row_by_row),
    rejected=(
        *(
            not_shifted,
            shifted_backwards,
            shifted_by_two,
            rolled,
            padding_counted,
            divided_by_all,
            zero_is_padding,
            padded_inputs,
        ),
        *(
            summed,
            mean_of_rows,
            in_bits,
            perplexity,
            wrong_sign,
            softmax_twice,
            last_position,
            into_the_next_row,
            detached,
        ),
    ),
    fingerprint=fingerprint,
    commentary="""
    Position t predicts token t + 1, so the last position has no target and the first token is never one:
    `logits[:, :-1]` goes with `tokens[:, 1:]`. `F.cross_entropy` takes logits, applies log-softmax itself,
    and averages over the targets that are not `ignore_index`. Without the shift the loss rewards copying the
    input. The model then reaches a loss near 0 within minutes and cannot write a single word.
    """,
)
