"""Exercise next_token_loss: cross-entropy against the next token, without padding."""

from __future__ import annotations

import math
import random
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.exercise_helpers.named_mistakes import Mistakes, agree_or_name
from kqa_core.exercise_helpers.transformer_parts import draw, gradients_agree, in_turn, tensor_of

PAD = 0
NAMES = ("logits", "tokens")


def case(
    rng: random.Random, lengths: list[int], T: int, vocab_size: int, scale: float = 2.0
) -> tuple[Tensor, Tensor]:
    """Logits (B, T, vocab_size) and tokens (B, T) of which row b has lengths[b] real tokens;
    the rest is padding, 0.
    """
    tokens = torch.zeros(len(lengths), T, dtype=torch.long)
    for b, length in enumerate(lengths):
        tokens[b, :length] = torch.tensor([rng.randrange(1, vocab_size) for _ in range(length)])
    return draw(rng, len(lengths), T, vocab_size, scale=scale), tokens


def renumbered(tokens: Tensor, pad: int) -> Tensor:
    """The tokens with 0 and `pad` exchanged: now padding is `pad`, and 0 is a token."""
    return torch.where(tokens == PAD, pad, torch.where(tokens == pad, PAD, tokens))


def sure(logits: Tensor, tokens: Tensor) -> tuple[Tensor, Tensor]:
    """The same, but the first row is certain of its targets, whose losses are exactly 0; the others are
    sure of a wrong one, whose losses are near 50,000. All logits of one position are far below the others.
    """
    logits, rows = logits.clone(), torch.arange(len(tokens))[:, None]
    places, targets = torch.arange(tokens.shape[1] - 1), tokens[:, 1:]
    logits[rows, places, torch.where(rows == 0, targets, targets - 1)] += 5e4
    logits[0, 0] -= 3e5
    return logits, tokens


def expected(logits: Tensor, tokens: Tensor, pad: int) -> Tensor:
    """torch's cross-entropy on the shifted targets."""
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten(), ignore_index=pad)


def mistakes(logits: Tensor, tokens: Tensor, pad: int) -> Mistakes:
    """The losses that common mistakes give."""
    loss, count = partial(expected, logits, tokens, pad), (tokens[:, 1:] != pad).sum()
    rows = zip(logits[:, None], tokens[:, None], strict=True)  # each (1, T, vocab_size) and (1, T)

    def against(predictions: Tensor, targets: Tensor) -> Tensor:
        """The loss without a shift: logits (B, n, vocab_size), targets (B, n)."""
        return F.cross_entropy(predictions.flatten(0, 1), targets.flatten(), ignore_index=pad)

    return {
        "position t is compared with its own token: it predicts token t + 1": lambda: against(logits, tokens),
        "position t is compared with token t − 1: shift the other way": lambda: against(
            logits[:, 1:], tokens[:, :-1]
        ),
        "position t is compared with token t + 2: shift by one": lambda: against(
            logits[:, :-2], tokens[:, 2:]
        ),
        "the last position is compared with the first token: it has no target": lambda: against(
            logits, tokens.roll(-1, 1)
        ),
        f"targets equal to 0 are left out: leave out those equal to pad, here {pad}": partial(
            expected, logits, tokens, 0
        ),
        "pad is used as an index of the vocabulary (−1 is its last token): compare the targets with pad": (
            lambda: expected(logits, tokens, pad % logits.shape[-1])
        ),
        "the last position of a row is compared with the first token of the next row: it has no target": (
            lambda: F.cross_entropy(logits.flatten(0, 1)[:-1], tokens.flatten()[1:], ignore_index=pad)
        ),
        "targets that are padding count": partial(expected, logits, tokens, -100),
        (
            "the mean is over the targets of each row first, and then over the rows:"
            " take it over all targets at once"
        ): lambda: torch.stack([expected(*row, pad) for row in rows]).nanmean(),
        "the sum is divided by the number of all targets: leave out the padding there too": lambda: (
            loss() * count / tokens[:, 1:].numel()
        ),
        "positions are left out whose input is padding: leave out those whose target is padding": lambda: (
            F.cross_entropy(logits[:, :-1][tokens[:, :-1] != pad], tokens[:, 1:][tokens[:, :-1] != pad])
        ),
        "it is the sum of the losses: return their mean": lambda: loss() * count,
        "the sign is wrong: the loss is minus the mean log-probability": lambda: -loss(),
        "it is in bits: use the natural logarithm": lambda: loss() / math.log(2),
        "it is e to the power of the loss": lambda: loss().exp(),
        "the softmax is applied twice: F.cross_entropy wants logits": lambda: expected(
            logits.softmax(-1), tokens, pad
        ),
    }


def judge(answered: object, logits: Tensor, tokens: Tensor, pad: int = PAD) -> None:
    """Raise NotYet unless `answered` is the mean loss."""
    large = float(logits.abs().max())
    entries = f" with entries up to ±{large:,.0f}" if large > 100 else ""
    found = tensor_of(answered, (), logits.dtype, f"for logits {tuple(logits.shape)}{entries} the loss")
    wanted = expected(logits, tokens, pad)
    real = tokens != pad
    count = int(real[:, 1:].sum())
    entries += f", tokens up to {int(tokens.max())}" if int(tokens.max()) > 100 else ""
    entries += ", padding before a token" if bool((real[:, 1:] & ~real[:, :-1]).any()) else ""
    zero = " (pad = 0 was right in the calls before)" if pad else ""
    said = f"for logits {tuple(logits.shape)}{entries}, pad = {pad}{zero} and {count} targets that are not"
    digits = next((n for n in (4, 6, 8) if f"{float(found):.{n}f}" != f"{float(wanted):.{n}f}"), 12)
    said += f" padding the mean loss is {float(wanted):.{digits}f} nats; yours is {float(found):.{digits}f}"
    agree_or_name(found, wanted, said, mistakes(logits, tokens, pad))


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Padding at the end and within a row, logits whose exponentials overflow, losses of 0 and large ones,
    a single target, many tokens, float32, another pad, −1; arguments unchanged, gradients.
    """
    kinds = (([5, 5], 5, 2.0), ([6, 3, 4], 8, 2.0), ([4, 2], 4, 900.0))
    cases = [(*case(rng, lengths, T, 7, scale), PAD) for lengths, T, scale in kinds]
    logits, tokens = case(rng, [6, 3, 4], 6, 7)
    tokens[0, 2] = tokens[1, 0] = PAD
    cases.append((logits, tokens, PAD))
    cases.append((*sure(*case(rng, [4, 4], 4, 7)), PAD))
    cases.append((*case(rng, [2], 3, 5), PAD))
    cases.append((*case(rng, [6, 4], 6, 300), PAD))
    single, few = case(rng, [6, 3, 4], 6, 7)
    cases.append((single.float(), few, PAD))
    cases.append((logits, renumbered(tokens, 3), 3))
    whole, real = case(rng, [5, 5], 5, 7)
    real[0, 2] = real[1, 4] = 6  # the last token of the vocabulary, and no padding
    for given, result in in_turn(answer, [*cases, (whole, real, -1)]):
        judge(result, *given)
    leaves_alone(answer, NAMES, logits, tokens, PAD)
    gradients_agree(answer, expected, {"logits": logits, "tokens": tokens, "pad": PAD})
    return right()


EXERCISE = Exercise(
    id="next_token_loss",
    title="The next-token loss",
    order=16,
    points=2,
    difficulty=2,
    importance=5,
    minutes=18,
    source="CS224n A5 2(a): mingpt/model.py, the loss",
    hints=(
        (
            "Write the tokens of one row on paper, and below each the token that the model should predict"
            " there. Which position has no target, and which token is never a target?"
        ),
        (
            "Logits of positions 0 … T − 2 belong to the tokens 1 … T − 1. Take log_softmax of the logits"
            " over the last axis, pick the entry of each target, and average minus that entry over the"
            " targets that are not padding."
        ),
        (
            "F.cross_entropy wants logits of shape (N, n_vocab) and targets of shape (N,): join the batch"
            " axis and the token axis of both with flatten. Its argument ignore_index leaves out targets with"
            " a given number, and it averages over the others."
        ),
    ),
    check=check,
)
