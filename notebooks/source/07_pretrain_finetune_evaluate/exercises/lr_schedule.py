"""Exercise lr_schedule: a warm-up, a cosine decay, and a constant end."""

from __future__ import annotations

import random

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, expect, right
from kqa_core.check.helpers.read_values import number, told


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Six points: the start, half-way up, the top, half-way down, the end, far beyond it;
    and a schedule without warm-up.
    """
    warmup = 2 * rng.randint(500, 5_000)
    final = warmup + 2 * rng.randint(20_000, 90_000)

    def rate(tokens: int, when: str, wanted: float, warmup: int = warmup) -> None:
        found = number(answer(tokens, warmup, final), "the multiplier")
        mine, yours = told(wanted, found)
        expect(
            abs(found - wanted) < 1e-6,
            f"{when} (token {tokens}, warm-up until {warmup}, end at {final}) the multiplier should be"
            f" {mine}; yours is {yours}",
        )

    rate(0, "at the start", 0.0)
    rate(warmup // 2, "half-way through the warm-up", 0.5)
    rate(warmup, "when the warm-up is over", 1.0)
    rate((warmup + final) // 2, "half-way down", 0.5)
    rate(final, "at the end", 0.1)
    rate((warmup + final) // 2, "half-way down, asked again after the end,", 0.5)
    rate(final // 2, "half-way down, without a warm-up", 0.5, warmup=0)
    rate(0, "at the start, without a warm-up", 1.0, warmup=0)
    rate(2 * final - warmup, "as far again after the end", 0.1)
    third = 3 * rng.randint(20_000, 90_000)  # cos 60° is ½, and cos 120° is −½

    def decays(tokens: int, when: str, wanted: float) -> None:
        found = number(answer(warmup + tokens, warmup, warmup + third), "the multiplier")
        mine, yours = told(wanted, found)
        expect(
            abs(found - wanted) < 1e-6,
            f"{when} (token {warmup + tokens}, warm-up until {warmup}, end at {warmup + third}) the"
            f" multiplier should be {mine}; yours is {yours}",
        )

    decays(third // 3, "a third of the way down", 0.75)
    decays(2 * third // 3, "two thirds of the way down", 0.25)
    decays(third * 9 // 10, "at nine tenths of the way, where the cosine is below the floor,", 0.1)
    for share in (1.05, 1.5, 2.25, 3.0, 4.0, 6.1, 30.2):
        decays(int(third * share), "after the end", 0.1)
    for tokens in (1, 7):
        found = number(answer(tokens, 512 * 20, 500_000), "the multiplier")
        mine, yours = told(tokens / (512 * 20), found)
        expect(
            abs(found - tokens / (512 * 20)) < 1e-6,
            f"at token {tokens} of a warm-up of {512 * 20} the multiplier is {mine}; yours is {yours}",
        )
    for tokens, wanted in ((0, 0.0), (1, 1.0), (6_000_001, 0.5), (8_000_001, 0.25), (12_000_001, 0.1)):
        found = number(answer(tokens, 1, 12_000_001), "the multiplier")
        mine, yours = told(wanted, found)
        expect(
            abs(found - wanted) < 1e-6,
            f"at token {tokens}, with a warm-up of one token and the end at 12000001, the multiplier is"
            f" {mine}; yours is {yours}",
        )
    for tokens, last, wanted in ((0, 10, 1.0), (1, 10, 0.1), (2, 10, 0.1), (1, 11, 0.5), (2, 11, 0.1)):
        found = number(answer(9 + tokens, 9, last), "the multiplier")
        expect(
            abs(found - wanted) < 1e-6,
            f"at token {9 + tokens} of a decay from token 9 to token {last} the multiplier is {wanted}; yours"
            f" is {told(wanted, found)[1]}",
        )
    rate(warmup // 2, "half-way through the warm-up, asked a second time", 0.5)
    return right("the rate falls to its floor and stays there")


EXERCISE = Exercise(
    id="lr_schedule",
    title="Fix the learning-rate schedule",
    order=7,
    points=2,
    difficulty=2,
    importance=4,
    minutes=15,
    source="CS224n A5 2(d): src/trainer.py",
    hints=(
        "A cosine is periodic. What does the formula give when `done` goes from 1 to 2?",
        (
            "Keep everything as it is up to the end, and make sure that the progress never becomes larger"
            " than 1."
        ),
        (
            "Compute the progress as before, then replace it by `min(1.0, progress)` before it goes into the"
            " cosine."
        ),
    ),
    check=check,
)
