"""Exercise answer_confidence: the probability that a model gives to its answer."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import torch

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, expect, right
from kqa_core.check.helpers.read_values import fraction

Call = tuple[torch.Tensor, torch.Tensor]


def dealt(shares: Sequence[float], width: int, rng: random.Random, dtype: torch.dtype = torch.float64) -> Call:
    """Logits and tokens of an answer whose characters have exactly these probabilities; the other characters share the rest."""
    tokens = [rng.randrange(width) for _ in shares]
    logits = []
    for share, token in zip(shares, tokens, strict=True):
        rest = [rng.uniform(0.1, 1.0) for _ in range(width)]
        rest[token] = 0.0
        scale = (1 - share) / sum(rest)
        shift = rng.uniform(-3.0, 3.0)  # a constant added to all logits of a row changes nothing
        logits.append([shift + math.log(share if k == token else scale * rest[k]) for k in range(width)])
    return torch.tensor(logits, dtype=dtype), torch.tensor(tokens)


def agrees(answer: Answer, call: Call, wanted: float, sentence: str) -> None:
    """Raise NotYet with `sentence` unless the answer's probability is the wanted one, within 1e-4 of it."""
    found = fraction(answer(*call), "the probability")
    expect(abs(found - wanted) <= 1e-4 * wanted + 1e-12, sentence.format(found=found, wanted=wanted))


def check(answer: Answer, rng: random.Random) -> Verdict:
    """One character; two characters; several."""
    share = rng.uniform(0.2, 0.4)
    agrees(
        answer,
        dealt([share], 5, rng),
        share,
        "an answer of one character of probability {wanted:.3f}; yours comes to {found:.3f}",
    )
    agrees(
        answer,
        dealt([0.5, 0.5], 6, rng),
        0.25,
        "two characters of probability 1/2 each: the model writes both with probability {wanted}; yours comes to {found:.3f}",
    )
    shares = [rng.uniform(0.5, 0.99) for _ in range(6)]
    agrees(
        answer,
        dealt(shares, 9, rng),
        math.prod(shares),
        "six characters, the last of them the closing ⁇, come out together with probability {wanted:.4f}; yours is {found:.4f}",
    )
    return right("that is the probability of the whole answer")


EXERCISE = Exercise(
    id="answer_confidence",
    title="The probability of an answer",
    order=1,
    points=2,
    difficulty=2,
    importance=5,
    minutes=10,
    source="ours",
    hints=(
        "Row t of the logits says how likely each character was to come as the t-th of the answer. Which entry of that row is "
        "about the character that came?",
        "A softmax over each row gives probabilities. Pick the one of the character that came, row by row. All characters have "
        "to come out, one after the other: what happens to their probabilities?",
        "With two rows, the first giving its character 0.9 and the second 0.5, the answer has 0.9 · 0.5 = 0.45. Adding "
        "logarithms (log_softmax, then exp of the sum) does the same without ever overflowing.",
    ),
    check=check,
)
