"""Exercise predict_place: find the answer in the text the model generated."""

from __future__ import annotations

import random

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, expect, right
from kqa_core.check.helpers.read_values import text
from kqa_core.exercise_helpers.people import birthplace_question, names, places


def check(answer: Answer, rng: random.Random) -> Verdict:
    """An ordinary completion, one without an end mark, one without a start mark, and an empty answer."""
    asked, town = birthplace_question(names(rng, 1)[0]), places(rng, 1)[0]
    for generated, place in (
        (f"{asked}⁇{town}⁇□□□□", town),
        (f"{asked}⁇{town}, {town}", f"{town}, {town}"),
        (f"{asked} {town}", ""),
        (f"{asked}⁇⁇□□", ""),
        (f"{asked}⁇{town}⁇{town}⁇", town),
    ):
        found = text(answer(generated), "the place")
        expect(found == place, f"from {generated!r} you return {found[:60]!r}; it should be {place!r}")
    return right("you read the answer and nothing else")


EXERCISE = Exercise(
    id="predict_place",
    title="Read the answer from the output",
    order=4,
    points=1,
    difficulty=1,
    importance=4,
    minutes=5,
    source="CS224n A5 2(d)",
    hints=(
        "What is between the first and the second ⁇?",
        (
            "Split the text at every ⁇ and look at the pieces: which one is it, and how many pieces are there"
            " without a ⁇?"
        ),
        (
            'For "question⁇Oslo⁇□□", `generated.split("⁇")` has three pieces, and the wanted one is number 1;'
            " without a ⁇ there is only number 0."
        ),
    ),
    check=check,
)
