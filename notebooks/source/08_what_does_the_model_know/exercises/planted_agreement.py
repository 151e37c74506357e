"""Exercise planted_agreement: how the agreement of guesses and regions follows from two rates."""

from __future__ import annotations

import random

from kqa_core.check.answer import Answer, AnswerRaised
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.read_values import kind_of, number


def hit_rate(follow: float, agreement: float, k: int) -> float:
    """How often a guess is in the right region. Either the guess follows the name and the name is true, or neither holds and the
    guess happens to be the right one of the k − 1 other regions.
    """
    return follow * agreement + (1 - follow) * (1 - agreement) / (k - 1)


def agrees(answer: Answer, follow: float, agreement: float, k: int) -> None:
    """Raise NotYet unless the answer gives this agreement."""
    hit = hit_rate(follow, agreement, k)
    try:
        value = answer(hit, follow, k)
    except AnswerRaised as raised:
        if raised.kind != "ValueError" or raised.stub:
            raise
        told = f"{follow:.4f} is not 1/{k}, so these guesses do tell something"
        raise NotYet(f"{told}; yours raises ValueError") from None
    found = number(value, "the agreement")
    shown = f"{hit:.4f} of the guesses in the right one of {k} regions, {follow:.4f} in the name's"
    expect(abs(found - agreement) <= 1e-6, f"{shown}: then names and births agree for {agreement:.4f}; yours is {found:.4g}")


def refuses(answer: Answer, *args: object) -> None:
    """Raise NotYet unless the answer raises ValueError."""
    try:
        value = answer(*args)
    except AnswerRaised as raised:
        if raised.stub:
            raise
        expect(raised.kind == "ValueError", f"where nothing can be told raise ValueError; yours raises {raised.kind}")
        return
    shown = f"{value:.4g}" if type(value) is float else kind_of(value)
    raise NotYet(f"if the guesses fall in the name's region as often as in any other, they tell nothing: raise ValueError; yours "
                 f"returns {shown}")  # fmt: skip


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Guesses that always follow the name; that often do; that are uninformative."""
    k, agreement = rng.choice([3, 4, 5]), rng.uniform(0.3, 0.9)
    agrees(answer, 1.0, agreement, k)
    agrees(answer, rng.uniform(0.5, 0.8), agreement, k)
    refuses(answer, 0.25, 0.25, 4)
    return right("the agreement that was planted comes back")


EXERCISE = Exercise(
    id="planted_agreement",
    title="Recover the planted agreement",
    order=9,
    points=3,
    difficulty=4,
    importance=3,
    minutes=25,
    source="ours",
    hints=(
        "There are two ways for a guess to be in the right region. In one of them it is the name's region. Which is the other?",
        "Say the regions of name and birth agree with probability a. A guess that follows the name is right with probability a. "
        "One that does not is right if name and birth disagree, and if it meets the right one of the k − 1 other regions.",
        "hit = follow · a + (1 − follow) · (1 − a)/(k − 1) is linear in a. Multiply by k − 1 and gather: (k − 1)·hit = "
        "(1 − follow) + a·(…). The bracket is k·follow − 1; when it is nothing, a is anything.",
    ),
    check=check,
)
