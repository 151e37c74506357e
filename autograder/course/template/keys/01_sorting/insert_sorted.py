"""Answer key of insert_sorted."""

from __future__ import annotations

import random

from course_exercises._lists import expect_sorted

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Random lists of several lengths, with numbers that occur twice."""
    for length in (1, 2, 5, 8, 13):
        numbers = sorted(rng.randint(-9, 9) for _ in range(length))
        x = rng.randint(-12, 12)
        expect_sorted(answer(numbers, x), [*numbers, x], f"insert_sorted({numbers}, {x})")
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """In the middle, at both ends, beside the last number, and twice."""
    return [([2, 5, 9], 6), ([2, 5, 9], 1), ([2, 5, 9], 10), ([2, 5, 5, 9], 5), ([1, 3], 2), ([4, 4], 7)]


def insert_sorted(numbers, x):
    """The reference."""
    smaller = [number for number in numbers if number <= x]
    return [*smaller, x, *numbers[len(smaller) :]]


def with_the_library(numbers, x):
    """Python's own sort."""
    return sorted([*numbers, x])


def with_bisection(numbers, x):
    """Find the place by halving, and insert into a copy."""
    import bisect

    copy = list(numbers)
    bisect.insort(copy, x)
    return copy


def from_the_end(numbers, x):
    """Go from the largest number down."""
    place = len(numbers)
    while place > 0 and numbers[place - 1] > x:
        place -= 1
    return [*numbers[:place], x, *numbers[place:]]


def with_recursion(numbers, x):
    """Compare with the first number, and leave the rest to the same function."""
    if not numbers or x <= numbers[0]:
        return [x, *numbers]
    return [numbers[0], *with_recursion(numbers[1:], x)]


def at_the_end(numbers, x):
    """You put x at the end. It belongs before the first number that is larger."""
    return [*numbers, x]


def at_the_front(numbers, x):
    """You put x at the front. It belongs after all numbers that are smaller."""
    return [x, *numbers]


def descending(numbers, x):
    """Your list is sorted from the largest number to the smallest."""
    return sorted([*numbers, x], reverse=True)


def as_a_set(numbers, x):
    """You lose numbers that occur twice: a set holds each number once."""
    return sorted({*numbers, x})


def not_twice(numbers, x):
    """You do not insert a number that is there already. It should then be there once more."""
    return list(numbers) if x in numbers else sorted([*numbers, x])


def only_the_place(numbers, x):
    """You return the position of x. Return the list with x in it."""
    return sum(number <= x for number in numbers)


def nothing_returned(numbers, x):
    """Your function returns nothing: `insert` changes a list and returns None. Return the list after it."""
    numbers = list(numbers)
    return numbers.insert(sum(number <= x for number in numbers), x)


def without_the_last(numbers, x):
    """You never compare x with the last number, so a number that belongs just before it goes to the end."""
    for place in range(len(numbers) - 1):
        if numbers[place] > x:
            return [*numbers[:place], x, *numbers[place:]]
    return [*numbers, x]


def overwritten(numbers, x):
    """You overwrite the first larger number with x. Move it, and all after it, one place to the right."""
    place = sum(number <= x for number in numbers)
    return [*numbers[:place], x, *numbers[place + 1 :]]


KEY = AnswerKey(
    id="insert_sorted",
    hidden=hidden,
    reference=insert_sorted,
    accepted=(with_the_library, with_bisection, from_the_end, with_recursion),
    rejected=(
        *(
            at_the_end,
            at_the_front,
            descending,
            as_a_set,
            not_twice,
            only_the_place,
            nothing_returned,
            without_the_last,
        ),
        overwritten,
    ),
    fingerprint=fingerprint,
    commentary="""
The list comprehension takes every number that is not larger than `x`. Because `numbers` is sorted, these are
its first ones, so their count is also the place of `x`. Compare with `<=`: then `x` comes after numbers equal
to it. A loop that starts at the end and stops early does less work, but the result is the same. The common
mistake is `numbers.insert(…)`, which changes the list of the caller and returns `None`.
""",
)
