"""The helper that calls an answer many times with the same arguments."""

from __future__ import annotations

import itertools

import pytest

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import NotYet, expect
from kqa_core.check.helpers.repeated import TIMES, every_time
from kqa_core.check.local import LocalAnswer


def is_multiple(answer: Answer) -> None:
    found = answer(3)
    expect(isinstance(found, int) and found % 3 == 0, f"{found} is no multiple of 3")


def test_other_results_are_right_if_each_of_them_is():
    count = itertools.count()
    every_time(LocalAnswer(lambda x: x * next(count)), (3,), is_multiple)
    assert next(count) == TIMES


@pytest.mark.parametrize("wrong_at", [1, TIMES - 1])
def test_one_wrong_result_is_found_and_named(wrong_at):
    count = itertools.count()
    with pytest.raises(
        NotYet, match="not right at every call with the same arguments: 7 is no multiple of 3"
    ):
        every_time(LocalAnswer(lambda x: 7 if next(count) == wrong_at else x), (3,), is_multiple)


def test_a_result_that_is_always_wrong_is_told_as_the_check_tells_it():
    with pytest.raises(NotYet, match=r"^7 is no multiple of 3$"):
        every_time(LocalAnswer(lambda x: 7), (3,), is_multiple)
