"""Exercise planted_agreement: how the agreement of guesses and regions follows from two rates."""

from __future__ import annotations

import random

from kqa_core.check.answer import Answer, AnswerRaised
from kqa_core.check.exercise import POSSIBLE, Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.read_values import kind_of, number, told


def hit_rate(follow: float, agreement: float, k: int) -> float:
    """How often a guess is in the right region. Either the guess follows the name and the name is true, or
    neither holds and the guess happens to be the right one of the k − 1 other regions.
    """
    return follow * agreement + (1 - follow) * (1 - agreement) / (k - 1)


def agrees(answer: Answer, follow: float, agreement: float, k: int) -> None:
    """Raise NotYet unless the answer gives this agreement."""
    hit = hit_rate(follow, agreement, k)
    shown = f"for hit = {hit:.8g}, follow = {follow:.8g} and k = {k}"
    try:
        value = answer(hit, follow, k)
    except AnswerRaised as raised:
        if raised.kind != "ValueError" or raised.stub:
            raise
        which = f" (here hit is 1/{k})" if abs(hit - 1 / k) < 1e-9 else ""
        raise NotYet(
            f"{shown}, follow is not 1/{k}{which}, so the share can be computed; yours raises ValueError"
        ) from None
    found = number(value, "the agreement")
    mine, yours = told(agreement, found)
    expect(
        abs(found - agreement) <= 1e-6,
        f"{shown} the share is {mine}; yours is {yours}{named(hit, follow, k, found)}",
    )


def named(hit: float, follow: float, k: int, found: float) -> str:
    """The mistake that gives this share, if it is a common one."""
    if abs(found * (2 * follow - 1) - (hit - (1 - follow))) < 1e-9:
        return (
            f". {POSSIBLE}the formula for two regions, which gives this. With more of them, and a name that"
            " is not true, a guess that does not follow it meets the region of birth in 1 of k − 1 cases only"
        )
    if abs(found * (follow - (1 - follow) / k) - (hit - (1 - follow) / k)) < 1e-9:
        return (
            f". {POSSIBLE}a division by k, or another k than the given one; a guess that does not follow the"
            " name is in one of the k − 1 other regions"
        )
    return ""


def refuses(answer: Answer, hit: float, follow: float, k: int) -> None:
    """Raise NotYet unless the answer raises ValueError."""
    given = f"for hit = {hit:g}, follow = {follow:g} and k = {k}, follow is 1/k"
    try:
        value = answer(hit, follow, k)
    except AnswerRaised as raised:
        if raised.stub:
            raise
        expect(raised.kind == "ValueError", f"{given}: raise ValueError; yours raises {raised.kind}")
        return
    shown = f"{value:.4g}" if type(value) is float else "None" if value is None else kind_of(value)
    raise NotYet(
        f"{given}, so these guesses say nothing about the share: raise ValueError; yours returns {shown}"
    )


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Guesses that always follow the name; that often do; that avoid it; that nearly say nothing;
    two regions and many; shares of 0 and 1; guesses that are uninformative.
    """
    k, agreement = rng.choice([3, 4, 5]), rng.uniform(0.3, 0.9)
    agrees(answer, 1.0, agreement, k)
    agrees(answer, rng.uniform(0.5, 0.8), agreement, k)
    agrees(answer, rng.uniform(0.02, 0.1), agreement, k)
    for gap in (0.05, 0.001, -0.0001):
        agrees(answer, 1 / k + gap, agreement, k)
    agrees(answer, 0.0, agreement, k)
    agrees(answer, 0.0, 1.0, k)
    agrees(answer, 1.0, 0.25, 4)
    agrees(answer, 0.5, agreement, 3)
    agrees(answer, 0.3, agreement, 60)
    agrees(answer, 0.8, agreement, 2)
    for share in (0.0, 0.01, 0.99, 1.0):
        agrees(answer, 0.9, share, k)
    for few in (4, 2, 8):
        refuses(answer, 0.25, 1 / few, few)
    return right("your formula recovers the share that was planted")


EXERCISE = Exercise(
    id="planted_agreement",
    title="Recover the planted agreement",
    order=16,
    points=3,
    difficulty=4,
    importance=3,
    minutes=25,
    source="ours",
    hints=(
        "Draw the table of the example for k regions. In which two of its four cells can a guess be right?",
        (
            "A guess that follows the name is right with probability a. A guess that does not follow it is"
            " right if name and birth disagree *and* it meets the right one of the k − 1 other regions. Write"
            " hit with a, and solve for a."
        ),
        (
            "hit = follow · a + (1 − follow) · (1 − a)/(k − 1). Multiply by k − 1 and collect the terms with"
            " a: (k − 1)·hit = (1 − follow) + a·(k·follow − 1). If the bracket is 0, there is no solution to"
            " compute."
        ),
    ),
    check=check,
)
