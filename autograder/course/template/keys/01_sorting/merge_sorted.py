"""Answer key of merge_sorted."""

from __future__ import annotations

import random

from course_exercises._lists import expect_sorted

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Random lists of several lengths; the shorter one is now on the left, now on the right."""
    for a, b in ((0, 4), (1, 1), (3, 5), (6, 2), (8, 8)):
        left, right_list = (sorted(rng.randint(-9, 9) for _ in range(length)) for length in (a, b))
        expect_sorted(answer(left, right_list), [*left, *right_list], f"merge_sorted({left}, {right_list})")
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Rests on both sides, equal numbers, and one list that ends before the other begins."""
    return [
        ([1, 4], [2, 4, 7]),
        ([3], [1, 2]),
        ([1, 2, 8, 9], [5]),
        ([2, 6], [1, 3]),
        ([1, 3, 5], [2]),
        ([2, 2], [3]),
    ]


def merge_sorted(left, right):
    """The reference."""
    merged = []
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            merged.append(left[i])
            i += 1
        else:
            merged.append(right[j])
            j += 1
    return merged + left[i:] + right[j:]


def sorted_together(left, right):
    """Python's own sort."""
    return sorted(left + right)


def with_heapq(left, right):
    """The library's own merge."""
    import heapq

    return list(heapq.merge(left, right))


def from_the_ends(left, right):
    """Take the largest number first, and reverse the list at the end."""
    left, right, merged = list(left), list(right), []
    while left or right:
        take = left if not right or (left and left[-1] > right[-1]) else right
        merged.append(take.pop())
    return merged[::-1]


def one_after_the_other(left, right):
    """Insert the numbers of one list into the other."""
    merged = list(left)
    for number in right:
        place = sum(each <= number for each in merged)
        merged.insert(place, number)
    return merged


def end_to_end(left, right):
    """You put one list behind the other: the numbers of both must be in order together."""
    return left + right


def in_turns(left, right):
    """You take numbers from both lists in turns. Compare them: the smaller one goes first."""
    return [number for pair in zip(left, right, strict=False) for number in pair]


def without_the_rest(left, right):
    """You stop when one list is empty and lose the rest of the other list."""
    merged, left, right = [], list(left), list(right)
    while left and right:
        merged.append(left.pop(0) if left[0] <= right[0] else right.pop(0))
    return merged


def rest_of_left_only(left, right):
    """When the left list is empty, you lose what remains of the right list."""
    merged, left, right = [], list(left), list(right)
    while left and right:
        merged.append(left.pop(0) if left[0] <= right[0] else right.pop(0))
    return merged + left


def rest_of_right_only(left, right):
    """When the right list is empty, you lose what remains of the left list."""
    merged, left, right = [], list(left), list(right)
    while left and right:
        merged.append(left.pop(0) if left[0] <= right[0] else right.pop(0))
    return merged + right


def as_a_set(left, right):
    """You lose numbers that are in both lists: a set holds each number once."""
    return sorted(set(left) | set(right))


def the_larger_first(left, right):
    """You take the larger of the two first numbers. Take the smaller one."""
    merged, left, right = [], list(left), list(right)
    while left and right:
        merged.append(left.pop(0) if left[0] > right[0] else right.pop(0))
    return merged + left + right


def descending(left, right):
    """Your list is sorted from the largest number to the smallest."""
    return sorted(left + right, reverse=True)


def equal_numbers_once(left, right):
    """If the two first numbers are equal, you move on in both lists but keep only one of them."""
    merged, left, right = [], list(left), list(right)
    while left and right:
        if left[0] == right[0]:
            right.pop(0)
        merged.append(left.pop(0) if not right or left[0] <= right[0] else right.pop(0))
    return merged + left + right


def the_smaller_of_each_pair(left, right):
    """You keep only the smaller number of each pair. All numbers of both lists belong in the result."""
    return [min(pair) for pair in zip(left, right, strict=False)]


KEY = AnswerKey(
    id="merge_sorted",
    hidden=hidden,
    reference=merge_sorted,
    accepted=(sorted_together, with_heapq, from_the_ends, one_after_the_other),
    rejected=(
        *(end_to_end, in_turns, without_the_rest, rest_of_left_only, rest_of_right_only, as_a_set),
        *(the_larger_first, descending, equal_numbers_once, the_smaller_of_each_pair),
    ),
    fingerprint=fingerprint,
    commentary="""
The two indices point at the smallest number of each list that is not yet merged, so the smaller of the two
comes next. When one list ends, the rest of the other is larger than everything so far and is sorted already.
One of the two slices in the last line is always empty. The common mistake is to forget that rest.
""",
)
