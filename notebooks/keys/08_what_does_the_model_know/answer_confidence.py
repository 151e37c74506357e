"""Answer key of answer_confidence."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import numpy as np
import torch
from course_exercises.answer_confidence import agrees, dealt

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Many lengths and vocabularies, both dtypes; then logits of a size at which exp overflows, or is 0."""
    for length in (1, 2, 9, 32):
        for dtype in (torch.float32, torch.float64):
            shares = [rng.uniform(0.7, 0.999) for _ in range(length)]
            shares[rng.randrange(length)] = rng.uniform(0.01, 0.4)
            agrees(
                answer, dealt(shares, rng.randint(20, 70), rng, dtype), math.prod(shares), off(shares, dtype)
            )
    for small in (1e-6, 1e-13, 1e-24):
        agrees(answer, dealt([0.9, small, 0.8], 30, rng), 0.72 * small, off([0.9, small, 0.8]))
    shares = [rng.uniform(0.94, 0.999) for _ in range(120)]
    agrees(answer, dealt(shares, 250, rng), math.prod(shares), off(shares))
    shares = [rng.uniform(0.05, 0.2) for _ in range(3)]  # of 4 characters another is then likelier
    agrees(answer, dealt(shares, 4, rng), math.prod(shares), off(shares))
    shares = [rng.uniform(0.3, 0.6), *(rng.uniform(0.9, 0.99) for _ in range(4)), rng.uniform(0.3, 0.6)]
    # as many characters as there are to choose from
    agrees(answer, dealt(shares, 6, rng), math.prod(shares), off(shares))
    logits, tokens = dealt(shares, 12, rng)
    common = (
        "a number that is added to all logits of a row changes no probability, however large it is (here 1000"
        " or −1000{}): the confidence is {{wanted}}; yours is {{found}}"
    )
    for size in (1_000.0, -1_000.0):
        agrees(answer, (logits + size, tokens), math.prod(shares), common.format(""))
    by_row = torch.tensor([1_000.0 * (-1) ** t for t in range(len(shares))], dtype=logits.dtype)[:, None]
    agrees(answer, (logits + by_row, tokens), math.prod(shares), common.format(", in turn from row to row"))
    said = (
        "with one more character, whose logit of −2000 is far below all others and which is not written, the"
        " confidence is still {wanted}; yours is {found}"
    )
    agrees(answer, (beside_an_impossible_one(logits), tokens), math.prod(shares), said)
    steady(answer, *dealt([0.5, 0.8], 5, rng))
    return right()


def off(shares: Sequence[float], dtype: torch.dtype = torch.float64) -> str:
    """The sentence about an answer whose characters have these probabilities."""
    count = f"{len(shares)} character{'s' * (len(shares) > 1)}"
    least = f"the least likely with the probability {min(shares):.3g}"
    return f"for {count} and {dtype}, {least}, the confidence is {{wanted}}; yours is {{found}}"


def beside_an_impossible_one(logits: torch.Tensor) -> torch.Tensor:
    """The logits (T, V) with one more character, of probability 0: (T, V + 1)."""
    return torch.cat([logits, torch.full_like(logits[:, :1], -2_000.0)], dim=1)


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """One character, several, as many as the vocabulary has; and logits that overflow."""
    calls = [
        dealt([rng.uniform(0.2, 0.9) for _ in range(n)], width, rng)
        for n, width in ((1, 4), (3, 7), (6, 6), (9, 20))
    ]
    logits, tokens = dealt([0.6, 0.7, 0.4], 8, rng)
    rows_apart = torch.tensor([[1_000.0], [0.0], [-1_000.0]], dtype=logits.dtype)
    return [
        *calls,
        dealt([0.1, 0.2], 4, rng),
        (logits + 1_000, tokens),
        (logits.float(), tokens),
        (logits + rows_apart, tokens),
        (beside_an_impossible_one(logits), tokens),
    ]


def answer_confidence(logits, tokens):
    """The reference."""
    of_tokens = logits.log_softmax(dim=-1).gather(1, tokens[:, None])  # (T, 1)
    return float(of_tokens.sum().exp())


def by_product(logits, tokens):
    """Multiplies probabilities."""
    shares = torch.softmax(logits, dim=1)
    return shares[torch.arange(len(tokens)), tokens].prod().item()


def by_cross_entropy(logits, tokens):
    """The loss is the mean of minus the logarithms."""
    loss = torch.nn.functional.cross_entropy(logits, tokens, reduction="sum")
    return math.exp(-loss)


def by_hand(logits, tokens):
    """Plain Python, the largest logit of each row taken off first."""
    probability = 1.0
    for row, token in zip(logits.tolist(), tokens.tolist(), strict=True):
        top = max(row)
        probability *= math.exp(row[token] - top) / sum(math.exp(logit - top) for logit in row)
    return probability


def with_numpy(logits, tokens):
    """Log-sum-exp in numpy."""
    rows, picked = logits.detach().double().numpy(), tokens.numpy()
    total = np.logaddexp.reduce(rows, axis=1)
    return np.exp((rows[np.arange(len(picked)), picked] - total).sum())


def the_mean(logits, tokens):
    """You average the probabilities of the characters. The whole answer needs all of them, so multiply."""
    return float(logits.softmax(-1).gather(1, tokens[:, None]).mean())


def per_character(logits, tokens):
    """You take the mean of the logarithms, which is a confidence per character. A long answer is less likely
    than each of its characters: take the sum.
    """
    return float(logits.log_softmax(-1).gather(1, tokens[:, None]).mean().exp())


def the_least(logits, tokens):
    """You take the probability of the least likely character.
    The other characters have to be written too: multiply all of them.
    """
    return float(logits.softmax(-1).gather(1, tokens[:, None]).min())


def without_the_last(logits, tokens):
    """You leave out the last character. The ⁇ that ends the answer counts: without it, a longer answer could
    begin in the same way.
    """
    return float(logits.log_softmax(-1).gather(1, tokens[:, None])[:-1].sum().exp())


def without_the_first(logits, tokens):
    """You leave out the first character. Row 0 of the logits is already about it."""
    return float(logits.log_softmax(-1).gather(1, tokens[:, None])[1:].sum().exp())


def one_row_late(logits, tokens):
    """You compare each character with the row before its own. Row t is about character t."""
    return float(logits[:-1].log_softmax(-1).gather(1, tokens[1:, None]).sum().exp())


def only_the_last(logits, tokens):
    """You use the last character only. Multiply the probabilities of all characters."""
    return float(logits.softmax(-1)[-1, tokens[-1]])


def the_likeliest(logits, tokens):
    """You take the largest probability of each row, whatever was written. Take the probability of the
    character that was written.
    """
    return float(logits.softmax(-1).max(dim=-1).values.prod())


def over_time(logits, tokens):
    """Your softmax runs over the rows. It has to run over the characters of one row,
    which are the alternatives.
    """
    return float(logits.softmax(0).gather(1, tokens[:, None]).prod())


def a_logarithm(logits, tokens):
    """You return the logarithm of the probability. Take exp of it."""
    return float(logits.log_softmax(-1).gather(1, tokens[:, None]).sum())


def overflowing(logits, tokens):
    """You take exp of the logits as they are, which overflows for logits of several hundred. Subtract the
    largest logit of each row first, or use softmax.
    """
    powers = logits.exp()
    return float((powers.gather(1, tokens[:, None])[:, 0] / powers.sum(dim=1)).prod())


def one_maximum(logits, tokens):
    """You subtract one maximum from all rows. If another row is far below it, all its exponentials are 0.
    Subtract each row's own maximum.
    """
    powers = (logits - logits.max()).exp()
    return float((powers.gather(1, tokens[:, None])[:, 0] / powers.sum(dim=1)).nan_to_num().prod())


def one_maximum_and_nan(logits, tokens):
    """You subtract one maximum from all rows. If another row is far below it, all its exponentials are 0.
    Subtract each row's own maximum.
    """
    powers = (logits - logits.max()).exp()
    return float((powers.gather(1, tokens[:, None])[:, 0] / powers.sum(dim=1)).prod())


def by_sigmoid(logits, tokens):
    """You put each logit through a sigmoid, as if each character were written or not independently of the
    others. Exactly one of them is written: use softmax.
    """
    return float(logits.gather(1, tokens[:, None]).sigmoid().prod())


def smallest_taken_off(logits, tokens):
    """You take the smallest logit of a row off all others, so exp may overflow. Take the largest off."""
    powers = (logits - logits.amin(dim=1, keepdim=True)).exp()
    shares = powers / powers.sum(dim=1, keepdim=True)
    return float(shares[torch.arange(len(tokens)), tokens].prod())


KEY = AnswerKey(
    id="answer_confidence",
    hidden=hidden,
    reference=answer_confidence,
    accepted=(by_product, by_cross_entropy, by_hand, with_numpy),
    rejected=(
        *(
            the_mean,
            per_character,
            the_least,
            without_the_last,
            without_the_first,
            one_row_late,
            only_the_last,
            the_likeliest,
        ),
        *(
            over_time,
            a_logarithm,
            overflowing,
            by_sigmoid,
            one_maximum,
            one_maximum_and_nan,
            smallest_taken_off,
        ),
    ),
    fingerprint=fingerprint,
    commentary="""
A softmax over each row turns logits into probabilities, and `gather` picks the entry of the character that
was written. The product over the rows is the probability of the whole answer. We add logarithms, because a
product of many small numbers can underflow and `exp` of a large logit overflows.

The commonest mistakes are an average in place of the product, and a product without the closing ⁇. Without
the ⁇ it is the probability that the answer *begins* like this.
""",
)
