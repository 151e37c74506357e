"""Exercise exposures: in how many epochs is a fact entirely inside the masked span?"""

from __future__ import annotations

import random

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.helpers.read_values import number

TOLERANCE = 1e-5  # relative: float32 is good enough, a wrong formula is off by far more


def judge(
    law: dict[tuple[int, int], float], start: int, stop: int, epochs: int, wanted: float, value: object
) -> None:
    """Raise NotYet unless `value` is `wanted`."""
    found = number(value, "the number of epochs")
    about = f"for characters {start} … {stop - 1} and {epochs} epochs"
    shown = f"law = {law}" if len(law) < 4 else f"a distribution of {len(law)} pairs (L, m)"
    said = f"{about}, with {shown}, you expect {found:.6g}; it should be {wanted:.6g}"
    expect(abs(found - wanted) <= TOLERANCE * max(abs(wanted), 1e-3), said)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Distributions small enough to count on paper."""
    # One pair (L, m) = (8, 5): the span starts at 0, 1, 2 or 3. Each of the four covers the characters 3 and
    # 4.
    judge({(8, 5): 1.0}, 3, 5, 4, 4.0, answer({(8, 5): 1.0}, 3, 5, 4))
    # The same distribution and the characters 5 … 6: only the spans that start at 2 and 3 reach the end of 6.
    judge({(8, 5): 1.0}, 5, 7, 100, 50.0, answer({(8, 5): 1.0}, 5, 7, 100))
    # Cut to 6 characters, character 6 is gone: only the first pair shows it.
    law = {(8, 5): 0.5, (6, 4): 0.5}
    judge(law, 5, 7, 100, 25.0, answer(law, 5, 7, 100))
    # (6, 4): starts 0 … 2. Characters 0 and 1 are covered by start 0 alone; every start below 0 would be too
    # early.
    judge({(6, 4): 1.0}, 0, 2, 30, 10.0, answer({(6, 4): 1.0}, 0, 2, 30))
    # (10, 6): starts 0 … 4, all five of which cover characters 4 … 5. (10, 2): starts 0 … 8, one of which
    # does.
    law = {(10, 6): 0.9, (10, 2): 0.1}
    judge(law, 4, 6, 90, 82.0, answer(law, 4, 6, 90))
    # (5, 3): starts 0 … 2, one of which covers characters 0 … 1: one epoch in three, no whole number.
    judge({(5, 3): 1.0}, 0, 2, 1, 1 / 3, answer({(5, 3): 1.0}, 0, 2, 1))
    # (8, 2) is too short for 3 characters, and (6, 5) ends before character 7: no start covers them.
    # (12, 4): starts 0 … 8, of which 4 and 5 cover 5 … 7.
    law = {(8, 2): 0.25, (6, 5): 0.25, (12, 4): 0.5}
    judge(law, 5, 8, 9, 1.0, answer(law, 5, 8, 9))
    # (12, 2): one start of eleven covers the characters 10 and 11, which end where the kept text does.
    judge({(12, 2): 1.0}, 10, 12, 11, 1.0, answer({(12, 2): 1.0}, 10, 12, 11))
    # (40, 25): starts 0 … 15, of which 5, 6 … 10 cover the twenty characters 10 … 29.
    judge({(40, 25): 1.0}, 10, 30, 16, 6.0, answer({(40, 25): 1.0}, 10, 30, 16))
    # The same two pairs with other probabilities: 0.1·90 + 0.9·90/9.
    other = {(10, 6): 0.1, (10, 2): 0.9}
    judge(other, 4, 6, 90, 18.0, answer(other, 4, 6, 90))
    # (4, 2) is over before character 5, and (12, 2) is too short; of (8, 5), one start of four covers 5 … 7.
    gone = {(12, 2): 0.25, (4, 2): 0.25, (8, 5): 0.5}
    judge(gone, 5, 8, 16, 2.0, answer(gone, 5, 8, 16))
    # (700, 400): starts 0 … 300, of which 0 … 200 cover the characters 200 … 299.
    judge({(700, 400): 1.0}, 200, 300, 301, 201.0, answer({(700, 400): 1.0}, 200, 300, 301))
    # A rare pair, and many epochs or one: of (5, 3), one start of three covers the characters 0 … 2.
    rare = {(9, 2): 0.9998, (5, 3): 0.0002}
    for epochs in (1, 30_000):
        judge(rare, 0, 3, epochs, 0.0002 * epochs / 3, answer(rare, 0, 3, epochs))
    leaves_alone(answer, ("law",), gone, 5, 8, 16)
    return right("your result agrees with fourteen that were counted by hand")


EXERCISE = Exercise(
    id="exposures",
    title="How often a fact is masked",
    order=4,
    points=2,
    difficulty=3,
    importance=4,
    minutes=20,
    source="the question behind CS224n A5 2(e): how often is a place masked?",
    hints=(
        (
            "Take one pair (L, m) first. How many starts are there, and for which of them are all the"
            " characters inside the span?"
        ),
        (
            "The span covers s to s + m − 1. It covers the characters if s ≤ start and s + m ≥ stop. Besides,"
            " s is between 0 and L − m. Count the whole numbers s that satisfy all four conditions, and"
            " divide by the number of starts."
        ),
        (
            "For L = 8, m = 5, start = 5 and stop = 7 the conditions are s ≤ 5, s ≥ 2 and 0 ≤ s ≤ 3. So s is"
            " 2 or 3: two of four starts. A loop over all starts works, too. Multiply by the probability of"
            " the pair, add up, and multiply by epochs. What if no s is left?"
        ),
    ),
    check=check,
)
