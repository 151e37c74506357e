"""Exercise insert_sorted: insert one number into a sorted list."""

from __future__ import annotations

import random

from course_exercises._lists import expect_sorted

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, right


def check(answer: Answer, rng: random.Random) -> Verdict:
    """In the middle, at both ends, a number that is there already, and an empty list."""
    for numbers, x in (([2, 5, 9], 6), ([2, 5, 9], 1), ([2, 5, 9], 10), ([2, 5, 5, 9], 5), ([], 3)):
        expect_sorted(answer(numbers, x), [*numbers, x], f"insert_sorted({numbers}, {x})")
    return right("the number is in its place, at both ends and between")


EXERCISE = Exercise(
    id="insert_sorted",
    order=1,
    points=2,
    difficulty=1,
    importance=5,
    minutes=5,
    source="written for this course",
    hints=(
        "Which numbers of the list must stand before x, and which after it?",
        "Go through the list until you meet the first number that is larger than x. That is the place of x.",
        (
            "Split the list into the numbers up to x and the numbers larger than x, and put x between the two"
            " parts."
        ),
    ),
    check=check,
)
