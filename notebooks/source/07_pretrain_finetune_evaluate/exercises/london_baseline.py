"""Exercise london_baseline: the accuracy of always answering London."""

from __future__ import annotations

import random

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.helpers.read_values import fraction, told
from kqa_core.exercise_helpers.people import birthplace_question, names, places


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Lists of pairs: London in some, in none, in all, and places that only look like London."""
    people = names(rng, 12)
    towns = places(rng, 12)
    for londoners in (rng.randint(2, 5), 0, 12):
        said = f"{londoners} of these 12 places are London"
        towns[-1], towns[-2] = (
            rng.choice(("London Bridge", "london", "New London")),
            rng.choice(("Lon", " London", "London ")),
        )
        pairs = [
            (birthplace_question(person), "London" if i < londoners else towns[i])
            for i, person in enumerate(people)
        ]
        rng.shuffle(pairs)
        accuracy = fraction(answer(pairs), "the accuracy")
        mine, yours = told(londoners / 12, accuracy)
        expect(
            abs(accuracy - londoners / 12) < 1e-6,
            (
                f"{said} (not {towns[-1]!r} or {towns[-2]!r}), and the accuracy is {mine}; yours is {yours}"
                if londoners < 12
                else f"{said}, and the accuracy is 1; yours is {yours}"
            ),
        )
    leaves_alone(answer, ("the list `pairs`",), pairs)
    return right("this is the accuracy of always answering London")


EXERCISE = Exercise(
    id="london_baseline",
    title="The London baseline",
    order=1,
    points=1,
    difficulty=1,
    importance=3,
    minutes=5,
    source="CS224n A5 2(c)",
    hints=(
        "A pair is (question, place). The answer is always London. For which pairs is it right?",
        "Count the pairs whose place is exactly London, and divide by the number of pairs.",
        (
            "Compare with == and not with `in`. For a list `places` of the second parts, `places.count(x)`"
            " counts exact matches of x."
        ),
    ),
    check=check,
)
