"""Exercise merge_sorted: merge two sorted lists into one."""

from __future__ import annotations

import random

from course_exercises._lists import expect_sorted

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, right


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Lists of the same and of different lengths, equal numbers, and empty lists."""
    for left, right_list in (
        ([1, 4], [2, 4, 7]),
        ([3], [1, 2]),
        ([1, 2, 8, 9], [5]),
        ([], [1, 2]),
        ([6], []),
        ([], []),
    ):
        expect_sorted(answer(left, right_list), [*left, *right_list], f"merge_sorted({left}, {right_list})")
    return right("the merged list is sorted, and no number is lost")


EXERCISE = Exercise(
    id="merge_sorted",
    order=2,
    points=3,
    difficulty=2,
    importance=4,
    minutes=10,
    source="written for this course",
    hints=(
        "The smallest number of all is the first number of one of the two lists.",
        "Compare the first numbers of both lists, move the smaller one to the result, and repeat.",
        "Stop when one list is empty. What remains of the other list is sorted and goes to the end as it is.",
    ),
    check=check,
)
