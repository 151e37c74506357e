"""Exercise next_token_loss: cross-entropy against the next token, without padding."""

from __future__ import annotations

import random

import torch
import torch.nn.functional as F
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, right
from kqa_core.check.helpers.transformer_parts import agree, draw, in_turn, tensor_of

PAD = 0


def case(rng: random.Random, lengths: list[int], T: int, vocab_size: int, scale: float = 2.0) -> tuple[Tensor, Tensor]:
    """Logits (B, T, vocab_size) and tokens (B, T) of which row b has lengths[b] real tokens; the rest is padding, 0."""
    tokens = torch.zeros(len(lengths), T, dtype=torch.long)
    for b, length in enumerate(lengths):
        tokens[b, :length] = torch.tensor([rng.randrange(1, vocab_size) for _ in range(length)])
    return draw(rng, len(lengths), T, vocab_size, scale=scale), tokens


def expected(logits: Tensor, tokens: Tensor, pad: int) -> Tensor:
    """torch's cross-entropy on the shifted targets."""
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten(), ignore_index=pad)


def judge(answered: object, logits: Tensor, tokens: Tensor, pad: int = PAD) -> None:
    """Raise NotYet unless `answered` is the mean loss."""
    found = tensor_of(answered, (), logits.dtype, "the loss")
    wanted = expected(logits, tokens, pad)
    said = f"for logits {tuple(logits.shape)} and {int((tokens[:, 1:] != pad).sum())} targets that are not padding"
    agree(found, wanted, f"{said} the mean loss is {float(wanted):.4f} nats; yours is {float(found):.4f}")


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Rows without padding, rows with padding, and logits so large that their exponentials overflow."""
    lengths_and_scales = (([5, 5], 2.0), ([6, 3, 4], 2.0), ([4, 2], 900.0))
    cases = [(*case(rng, lengths, max(lengths), 7, scale), PAD) for lengths, scale in lengths_and_scales]
    for (logits, tokens, _), result in in_turn(answer, cases):
        judge(result, logits, tokens)
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
        "Write the tokens of one row on paper, and below each the token that the model should predict there. Which position "
        "has no target, and which token is never a target?",
        "Logits of positions 0 … T − 2 belong to the tokens 1 … T − 1. Take log_softmax of the logits over the last axis, "
        "pick the entry of each target, and average minus that entry over the targets that are not padding.",
        "F.cross_entropy wants logits of shape (N, n_vocab) and targets of shape (N,): join the batch axis and the time axis of "
        "both with flatten. Its argument ignore_index leaves out targets with a given number, and it averages over the "
        "others.",
    ),
    check=check,
)
