"""Exercise sample_next: choose the next token at random, at a temperature."""

from __future__ import annotations

import math
import random

from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.read_values import kind_of, number
from kqa_core.check.helpers.transformer_parts import draw


def probabilities(logits: Tensor, temperature: float) -> list[float]:
    """softmax(logits / temperature), in plain Python; all on the largest logit at temperature 0."""
    values = [float(each) for each in logits]
    top = max(values)
    if temperature == 0:
        return [1.0 if i == values.index(top) else 0.0 for i in range(len(values))]
    powers = [math.exp((value - top) / temperature) for value in values]
    return [power / sum(powers) for power in powers]


def judge(answered: object, logits: Tensor, temperature: float, wanted: int, u: float) -> None:
    """Raise NotYet unless `answered` is the token `wanted`."""
    if isinstance(answered, Tensor) and answered.numel() != 1:
        raise NotYet(f"return one token, a whole number; yours is a tensor of shape {tuple(answered.shape)}")
    if answered is None or isinstance(answered, (str, list, tuple, dict)):
        raise NotYet(f"return one token, a whole number; yours is {kind_of(answered)}")
    found = number(answered, "the token")
    shares = ", ".join(f"{share:.3f}" for share in probabilities(logits, temperature))
    case = f"at temperature {temperature:g} the probabilities are ({shares}), so u = {u:.3f}"
    expect(found == wanted, f"{case} should give token {wanted}; yours is {found:g}")


def cases(rng: random.Random, vocab_size: int, temperature: float, scale: float = 1.5) -> list[tuple[Tensor, float, float, int]]:
    """Logits, temperature, a u inside the stretch of one token, and that token; for each token with a share of 1 % or more."""
    logits = draw(rng, vocab_size, scale=scale)
    found, start = [], 0.0
    for token, share in enumerate(probabilities(logits, temperature)):
        if share > 0.01:
            found.append((logits, temperature, start + share * rng.uniform(0.2, 0.8), token))
        start += share
    return found


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Several temperatures, among them 0 and one so low that exponentials overflow."""
    for temperature, scale in ((1.0, 1.5), (2.5, 1.5), (0.4, 1.5), (0.0, 1.5), (0.001, 30.0)):
        for logits, at, u, token in cases(rng, 5, temperature, scale):
            judge(answer(logits, at, u), logits, at, token, u)
    return right()


EXERCISE = Exercise(
    id="sample_next",
    title="Sample with a temperature",
    order=17,
    points=2,
    difficulty=2,
    importance=4,
    minutes=12,
    source="this course; Ackley et al. 1985",
    hints=(
        "Lay the probabilities side by side on the line from 0 to 1. Token 0 has the first stretch, token 1 the next one. In "
        "which stretch does u lie?",
        "Divide the logits by the temperature, take the softmax, then running sums: torch.cumsum. The answer is the first "
        "token whose running sum is greater than u. Temperature 0 needs a line of its own, because you cannot divide by 0.",
        "For probabilities (0.2, 0.5, 0.3) the running sums are (0.2, 0.7, 1.0). With u = 0.6, one sum is at most u, so the "
        "token is 1: count the sums that are at most u. Rounding can leave the last sum just below 1, so the result must not "
        "exceed n_vocab − 1.",
    ),
    check=check,
)
