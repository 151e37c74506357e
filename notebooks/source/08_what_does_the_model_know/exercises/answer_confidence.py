"""Exercise answer_confidence: the probability that a model gives to its answer."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import torch

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import POSSIBLE, Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone, names_changes
from kqa_core.check.helpers.read_values import fraction, told

Call = tuple[torch.Tensor, torch.Tensor]


def dealt(
    shares: Sequence[float],
    width: int,
    rng: random.Random,
    dtype: torch.dtype = torch.float64,
    tokens: Sequence[int] = (),
) -> Call:
    """Logits and tokens of an answer whose characters have exactly these probabilities;
    the other characters share the rest. The tokens are drawn unless they are given.
    """
    tokens = tokens or [rng.randrange(width) for _ in shares]
    logits = []
    for share, token in zip(shares, tokens, strict=True):
        rest = [rng.uniform(0.1, 1.0) for _ in range(width)]
        rest[token] = 0.0
        scale = (1 - share) / sum(rest)
        shift = rng.uniform(-3.0, 3.0)  # a constant added to all logits of a row changes nothing
        logits.append([shift + math.log(share if k == token else scale * rest[k]) for k in range(width)])
    return torch.tensor(logits, dtype=dtype), torch.tensor(tokens)


def agrees(answer: Answer, call: Call, wanted: float, sentence: str) -> None:
    """Raise NotYet with `sentence` unless the probability is the wanted one, within 1e-4 of it."""
    result = answer(*call)
    try:
        found = fraction(result, "the confidence")
    except NotYet as wrong:
        given = sentence.partition("; yours")[0].format(wanted=f"{wanted:.4g}")
        raise NotYet(f"{wrong} ({given})") from None
    mine, yours = told(wanted, found)
    shown = sentence.format(found=yours, wanted=mine)
    shares = call[0].softmax(dim=1)
    of_tokens = shares.gather(1, call[1][:, None])
    if len(call[1]) > 1 and found > 0 and abs(found - float(shares.diagonal().prod())) <= 1e-6 * found:
        shown += (
            f". {POSSIBLE}the entries [t, t] of the softmax are read, whose product is the same; character t"
            " has the number tokens[t]"
        )
    elif float(of_tokens.max() - of_tokens.min()) > 1e-6 and (
        abs(found - wanted ** (1 / len(call[1]))) <= 1e-6
    ):
        shown += (
            f". {POSSIBLE}the geometric mean of the characters' probabilities is taken, which is the same;"
            " the whole answer needs their product"
        )
    with names_changes(answer, ("logits", "tokens"), *call):
        expect(abs(found - wanted) <= 1e-4 * wanted, shown)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """One character; two characters; several; large logits."""
    share = rng.uniform(0.2, 0.4)
    agrees(
        answer,
        dealt([share], 5, rng, tokens=[rng.randrange(1, 5)]),
        share,
        "one character with the probability {wanted} has the confidence {wanted}; yours is {found}",
    )
    agrees(
        answer,
        dealt([0.5, 0.5], 6, rng, tokens=rng.sample(range(2, 6), 2)),
        0.25,
        "two characters with the probability 1/2 each: the confidence is {wanted}; yours is {found}",
    )
    shares = [0.1, *(round(rng.uniform(0.5, 0.99), 2) for _ in range(5))]
    agrees(
        answer,
        dealt(shares, 9, rng, tokens=rng.sample(range(1, 9), 6)),
        math.prod(shares),
        f"for six different characters with the probabilities {', '.join(map(str, shares))}, the"
        " confidence is"
        " {wanted}; yours is {found}",
    )
    for given in ([3, 4, 3], [0, 2, 1]):
        agrees(
            answer,
            dealt([0.5, 0.6, 0.7], 6, rng, tokens=given),
            0.21,
            f"for the tokens {given} with the probabilities 0.5, 0.6 and 0.7, the confidence is {{wanted}};"
            " yours is {found}",
        )
    agrees(
        answer,
        dealt([0.9, 1e-7, 0.8], 7, rng),
        0.72e-7,
        "for three characters, of which the second has the probability 1e-7, the confidence is {wanted};"
        " yours is {found}",
    )
    agrees(
        answer,
        dealt([0.99] * 73, 90, rng),
        0.99**73,
        "for 73 characters with the probability 0.99 each, the confidence is {wanted}; yours is {found}",
    )
    agrees(
        answer,
        dealt([0.9, 1e-20, 0.8, *[0.99] * 70], 90, rng),
        0.72e-20 * 0.99**70,
        "for 73 characters, of which the second has the probability 1e-20, the confidence is {wanted}; yours"
        " is {found}",
    )
    logits, tokens = dealt([0.5, 0.6], 6, rng)
    agrees(
        answer,
        (logits + 1_000.0, tokens),
        0.3,
        "for the probabilities 0.5 and 0.6, and 1000 added to all logits, the confidence is still {wanted};"
        " yours is {found}",
    )
    logits = logits + torch.tensor([[1_000.0], [-1_000.0]])
    agrees(
        answer,
        (logits, tokens),
        0.3,
        "for the probabilities 0.5 and 0.6, and 1000 added to the logits of the first character and taken off"
        " those of the second, the confidence is still {wanted}; yours is {found}",
    )
    apart = torch.tensor([[0.0, 0.0, -2_000.0], [-2_000.0, 0.0, -3_000.0]], dtype=torch.float64)
    agrees(
        answer,
        (apart, torch.tensor([1, 1])),
        0.5,
        "for the logits (0, 0, −2000) and (−2000, 0, −3000), and the token 1 in both, the confidence is"
        " {wanted}; yours is {found}",
    )
    leaves_alone(answer, ("logits", "tokens"), logits, tokens)
    return right("this is the probability of the whole answer")


EXERCISE = Exercise(
    id="answer_confidence",
    title="The probability of an answer",
    order=7,
    points=2,
    difficulty=2,
    importance=5,
    minutes=6,
    source="ours",
    hints=(
        (
            "Row t of the logits is about character t of the answer. Which of its entries belongs to the"
            " character that was written?"
        ),
        (
            "A softmax over each row gives probabilities. Take the probability of the written character from"
            " each row. The whole answer needs all of them, one after the other: what do you do with the"
            " probabilities?"
        ),
        (
            "Two rows that give their characters the probabilities 0.9 and 0.5 make 0.9 · 0.5 = 0.45. It is"
            " safer to add logarithms: `log_softmax`, then `exp` of the sum. It cannot overflow."
        ),
    ),
    check=check,
)
