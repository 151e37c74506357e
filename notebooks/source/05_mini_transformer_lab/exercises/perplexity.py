"""Exercise perplexity: from logits and targets to a perplexity."""

from __future__ import annotations

import math
import random

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from kqa_core.check.answer import Answer, AnswerRaised
from kqa_core.check.exercise import POSSIBLE, Exercise, NotYet, Question, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.helpers.read_values import number, told
from kqa_core.exercise_helpers.transformer_parts import draw

TOLERANCE = 1e-6  # relative, for logits in float64 and losses of a few nats
CUT = ". The perplexity has no upper limit"


def drawn(
    rng: random.Random, rows: int, length: int, words: int, padded: int, scale: float = 2.0
) -> tuple[Tensor, Tensor]:
    """Logits (rows, length, words), and targets of which the last `padded` of the first row are padding."""
    logits = draw(rng, rows, length, words, scale=scale)
    generator = torch.Generator().manual_seed(rng.getrandbits(48))
    targets = torch.randint(1, words, (rows, length), generator=generator)
    if padded:
        targets[0, -padded:] = 0
    return logits, targets


def expected(logits: Tensor, targets: Tensor) -> float:
    """By torch's own cross-entropy."""
    return math.exp(float(F.cross_entropy(logits.double().flatten(0, 1), targets.flatten(), ignore_index=0)))


def close(found: float, wanted: float, tolerance: float = TOLERANCE) -> bool:
    """Whether two perplexities are the same to rounding."""
    return abs(found - wanted) <= tolerance * wanted


def certain_and_wrong(answer: Answer, gap: float) -> None:
    """Raise NotYet if a perplexity is too small: a word whose logit is `gap` below that of another one has a
    loss of `gap`.
    """
    logits = torch.zeros(1, 1, 7, dtype=torch.float64)
    logits[0, 0, 4] = gap
    targets = torch.tensor([[2]])
    wanted = expected(logits, targets)
    found = number(answer(logits, targets), "the perplexity")
    mine, yours = told(wanted, found)
    expect(
        close(found, wanted),
        f"for one word, whose logit is {gap:g} below another word's, the perplexity should be {mine}; yours"
        f" is {yours}{CUT if found < wanted and gap > 10 else ''}",
    )


def confident_among_others(answer: Answer, gap: float) -> None:
    """The same for one of eight words, whose probability e^-gap may be too small for a float: then infinity,
    or an error of a division by 0, will do.
    """
    logits = torch.zeros(2, 4, 7, dtype=torch.float64)
    logits[1, 2, 4] = gap
    targets = torch.tensor([[2, 3, 1, 4], [5, 6, 2, 1]])
    try:
        value = answer(logits, targets)
    except AnswerRaised:
        return
    if isinstance(value, (float, Tensor, np.generic)) and np.asarray(value).reshape(-1).tolist() == [
        math.inf
    ]:
        return
    said = f"for eight words, of which one has a logit {gap:g} below another word's, the perplexity"
    found, wanted = number(value, said), expected(logits, targets)
    mine, yours = told(wanted, found)
    why = CUT if found < wanted else ""
    expect(close(found, wanted, 1e-4), f"{said} should be {mine}; yours is {yours}{why}")


def certain_and_right(answer: Answer) -> None:
    """Raise NotYet unless a word whose loss is 0, to the last bit, counts as the others do."""
    logits, targets = torch.zeros(1, 3, 7, dtype=torch.float64), torch.tensor([[2, 3, 1]])
    logits[0, 1, 3] = 80.0
    found, wanted = number(answer(logits, targets), "the perplexity"), expected(logits, targets)
    mine, yours = told(wanted, found)
    expect(
        close(found, wanted),
        f"for three words, of which one has the probability 1, the perplexity should be {mine}; yours is"
        f" {yours}{f'. {POSSIBLE}this one is not counted' if close(found, 7.0) else ''}",
    )


def levels_differ(answer: Answer, rng: random.Random) -> None:
    """Raise NotYet if the perplexity depends on what is added to all logits of a position."""
    logits, targets = drawn(rng, 3, 4, 6, 1)
    wanted = expected(logits, targets)
    found = number(answer(logits, targets), "the perplexity")
    mine, yours = told(wanted, found)
    expect(
        close(found, wanted, 1e-3),
        "for random logits (3, 4, 6), and one padded target in the first row, the perplexity should be"
        f" {mine}; yours is {yours}",
    )
    levels = draw(rng, 3, 4, 1, scale=3_000.0)
    for added, what in (
        (2_000.0, "2000 is added to every logit"),
        (-2_000.0, "−2000 is added to every logit"),
        (levels, "another number at each position, some beyond ±3000, is added to its logits"),
    ):
        said = f"where {what}, no probability changes, so the perplexity"
        value = answer(logits + added, targets)
        if isinstance(value, (float, Tensor, np.generic)) and not np.isfinite(np.asarray(value)).all():
            raise NotYet(
                f"{said} should be the same as before, {wanted:.4g}; yours is"
                f" {float(np.asarray(value).reshape(-1)[0])}. {POSSIBLE}exponentials overflow, or all become"
                " 0. log_softmax subtracts the largest logit of each position first"
            )
        mine, yours = told(wanted, found := number(value, said))
        expect(close(found, wanted, 1e-3), f"{said} should be the same as before, {mine}; yours is {yours}")


def level_call(rng: random.Random) -> tuple[tuple[Tensor, Tensor], dict[str, int]]:
    """A call whose result can be worked out without a computer, and the number of words."""
    words = rng.randint(11, 49)
    return (torch.zeros(1, 4, words, dtype=torch.float64), torch.tensor([[3, 1, 2, 0]])), {"words": words}


def check(answer: Answer, rng: random.Random) -> Verdict:
    """A model with uniform predictions, a random one, and one batch with padding."""
    words = rng.randint(20, 60)
    level = torch.zeros(2, 5, words, dtype=torch.float64)
    found = number(answer(level, drawn(rng, 2, 5, words, 0)[1]), "the perplexity")
    expect(
        close(found, float(words)),
        f"for logits (2, 5, {words}) that are all 0, so that each word has the same probability, the"
        f" perplexity should be {words}; yours is {told(words, found)[1]}",
    )
    before = math.nan
    for padded, what in (
        (0, "random logits (3, 6, 11)"),
        (0, "other random logits (3, 6, 11)"),
        (3, "random logits (3, 6, 11) and some padded targets in every row"),
    ):
        logits, targets = drawn(rng, 3, 6, 11, padded)
        if padded:
            targets[:, -1] = 0  # no row is full
        found = number(answer(logits, targets), f"for {what} the perplexity")
        wanted = expected(logits, targets)
        mine, yours = told(wanted, found)
        said = f"for {what} the perplexity should be {mine}; yours is {yours}"
        kept = f", that of the call before. {POSSIBLE}something of it is kept" * (found == before)
        before = found
        # both (3, 6)
        losses, real = F.cross_entropy(logits.transpose(1, 2), targets, reduction="none"), targets != 0
        for mean, mistake in (
            (losses.mean(), "the padded targets (0) are averaged too; they do not count"),
            (
                (losses * real).mean(),
                "the sum is divided by the number of all targets; padded ones (0) do not count",
            ),
            (
                ((losses * real).sum(1) / real.sum(1)).mean(),
                (
                    "each row is averaged and then the rows; the mean should be over all targets that are not"
                    " padding at once"
                ),
            ),
        ):
            fits = close(found, math.exp(mean)) and not close(found, wanted)
            expect(not fits, f"{said}. {POSSIBLE}{mistake}")
        if close(found, wanted, 1e-3) and not close(found, wanted):
            certain_and_wrong(answer, 40.0)  # a larger difference says more
        expect(close(found, wanted), f"{said}{kept}")
    for gap in (2.0, 40.0, 80.0):  # e to the power of 88 is still a float32
        certain_and_wrong(answer, gap)
    for gap in (2.0, 90.0, 600.0, 1_500.0):
        confident_among_others(answer, gap)
    certain_and_right(answer)
    levels_differ(answer, rng)
    logits, targets = drawn(rng, 20, 40, 11, 0)
    said = "for random logits (20, 40, 11)"
    for rows, more in (
        ((), ""),
        (([0, 0, 0, 0, 0, 3], [0, 1, 2, 3, 4, 0]), ", where two rows begin with padding"),
        ((5, slice(None)), ", where two rows begin with padding and a third one is padding only"),
    ):
        if rows:
            targets[rows] = 0
        found = number(answer(logits, targets.clone()), f"{said}{more}, the perplexity")
        mine, yours = told(wanted := expected(logits, targets), found)
        expect(close(found, wanted), f"{said}{more}, the perplexity should be {mine}; yours is {yours}")
    leaves_alone(answer, ("logits", "targets"), *drawn(rng, 3, 6, 11, 3))
    return right("a uniform guess among n words has perplexity n, and padding does not count")


EXERCISE = Exercise(
    id="perplexity",
    title="Compute the perplexity",
    order=1,
    points=1,
    difficulty=2,
    importance=4,
    minutes=10,
    source="Washington mini-Transformer lab, §2.2",
    hints=(
        (
            "Perplexity is the exponential of a mean. What is averaged over the words, if a uniform guess"
            " among n words gives n?"
        ),
        (
            "Perplexity is e to the mean loss in nats. The mean runs over all targets that are not padding,"
            " in the whole batch."
        ),
        (
            "Log-probabilities are logits.log_softmax(-1); gather picks those of the targets. Keep those"
            " where targets != 0, take minus their mean, and the exponential of that."
        ),
    ),
    check=check,
    questions=(
        Question(
            "All logits are 0, and there are {words} words. What does your code return?",
            draw=level_call,
            reads=lambda found, *arguments: float(found),
        ),
        Question(
            "What changes in the result of your line `{line}` if 5 is added to every logit?",
            find="softmax|cross_entropy|exp",
            words="Nothing: the softmax of logits with the same number added to all of them is the same.",
        ),
    ),
)
