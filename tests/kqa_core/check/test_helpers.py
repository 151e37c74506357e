"""What checks share: side effects, values read from an answer, and answers that are asked again."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest
import sympy
import torch

from kqa_core.check.answer import Answer, AnswerRaised, Handle
from kqa_core.check.exercise import NotYet, expect
from kqa_core.check.helpers.effects import leaves_alone, steady
from kqa_core.check.helpers.read_values import fraction, number, text, told, truth
from kqa_core.check.helpers.repeated import TIMES, every_time
from kqa_core.check.local import LocalAnswer
from kqa_core.exercise_helpers.people import birthplace_question, names, places

LEAVES = (
    lambda x, table, words: x + 1,
    lambda x, table, words: x.clone().mul_(2),
    lambda x, table, words: sorted(words),
    lambda x, table, words: (table | {"a": x}).popitem(),
    lambda x, table, words: x.numpy().copy().sort(),
)
CHANGES = (
    ("x", lambda x, table, words: x.mul_(2)),
    ("x", lambda x, table, words: x.T.zero_()),
    ("x", lambda x, table, words: x.numpy().sort()),
    ("x", lambda x, table, words: x.unsqueeze_(0)),
    ("table", lambda x, table, words: table.pop("a")),
    ("table", lambda x, table, words: table["a"].add_(1)),
    ("words", lambda x, table, words: words.sort()),
    ("words", lambda x, table, words: words.append("d")),
)


def arguments():
    return torch.tensor([[3.0, 1.0], [2.0, 5.0]]), {"a": torch.ones(2), "b": sympy.Integer(1)}, ["c", "b"]


@pytest.mark.parametrize("leave", LEAVES)
def test_an_answer_that_only_reads_its_arguments_passes(leave):
    leaves_alone(LocalAnswer(leave), ("x", "table", "words"), *arguments())


@pytest.mark.parametrize(("name", "change"), CHANGES)
def test_the_argument_that_is_changed_in_place_is_named(name, change):
    with pytest.raises(NotYet, match=f"your code changes {name} in place"):
        leaves_alone(LocalAnswer(change), ("x", "table", "words"), *arguments())


def test_an_exception_of_the_answer_itself_stays_what_it_is():
    with pytest.raises(AnswerRaised, match="KeyError"):
        leaves_alone(LocalAnswer(lambda x, table, words: table["z"]), ("x", "table", "words"), *arguments())


def test_a_result_that_is_not_always_the_same_is_found():
    calls = iter(range(10**6))
    for function in (
        lambda x: x + torch.rand(()),
        # right in nine of ten calls: found with probability 1 − 0.9⁵⁹ > 0.99
        lambda x: random.random() < 0.9,
        lambda x: next(calls),
        lambda x: torch.nn.functional.dropout(x, 0.1),
    ):
        with pytest.raises(NotYet, match="does not always return the same result"):
            steady(LocalAnswer(function), torch.ones(20))
    steady(LocalAnswer(lambda x: (x + 1, [x.sum(), {"a": 1.0}])), torch.ones(2))


def test_an_exception_that_says_no_more_than_changed_is_the_answers_own():
    calls = iter(range(10))

    def third_call(x, table, words):
        if next(calls) == 2:
            raise Exception("I work only twice, and I change nothing")

    with pytest.raises(AnswerRaised, match="I work only twice"):
        leaves_alone(LocalAnswer(third_call), ("x", "table", "words"), *arguments())


@pytest.mark.parametrize(
    "value", [2, 2.0, np.float32(2), np.array([2]), torch.tensor(2.0), torch.tensor([[2]]), sympy.Integer(2)]
)
def test_a_number_may_come_from_any_library(value):
    assert number(value, "the loss") == 2.0


@pytest.mark.parametrize(
    "value",
    [
        None,
        "2",
        [2],
        True,
        torch.tensor(True),
        2j,
        torch.tensor(2j),
        torch.zeros(2),
        Handle(0, "Path"),
        sympy.Symbol("x"),
    ],
)
def test_what_is_no_number_is_refused_by_its_name(value):
    with pytest.raises(NotYet, match="the loss must be a number; yours is"):
        number(value, "the loss")


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 10**400, torch.tensor(math.nan), sympy.oo])
def test_a_number_must_be_finite(value):
    with pytest.raises(NotYet, match="the loss must be a"):
        number(value, "the loss")


def test_a_fraction_lies_between_nought_and_one():
    assert fraction(1, "the accuracy") == 1.0
    with pytest.raises(NotYet, match="between 0 and 1; yours is 95"):
        fraction(95, "the accuracy")


def test_a_text_is_a_str_and_a_truth_a_bool():
    assert text("Oslo", "the place") == "Oslo"
    assert truth(np.bool_(True), "the verdict") and not truth(torch.tensor(False), "the verdict")
    with pytest.raises(NotYet, match="the place must be a str; yours is nothing"):
        text(None, "the place")
    with pytest.raises(NotYet, match="must be True or False; yours is an int"):
        truth(1, "the verdict")


@pytest.mark.parametrize(
    ("wanted", "found", "texts"),
    [
        (5 / 12, 0.5, ("0.4167", "0.5")),
        (5 / 12, 0.4167, ("0.41667", "0.41670 (off by 3e-05)")),
        (0.1387981, 0.13883, ("0.13880", "0.13883 (off by 3e-05)")),
        (1_000_000, 1_000_001, ("1000000", "1000001 (off by 1e+00)")),
        (0.7, 0.700002, ("0.700000", "0.700002 (off by 2e-06)")),
        (0, 1e-7, ("0", "1e-07")),
        (0.25, 0.25 + 1e-15, ("0.25", "0.25")),
    ],
)
def test_two_numbers_that_differ_are_told_with_as_many_digits_as_it_takes(wanted, found, texts):
    assert told(wanted, found) == texts


def test_made_up_people_are_distinct_and_awkward():
    for seed in range(20):
        drawn = random.Random(seed)
        people, towns = names(drawn, 40), places(drawn, 40)
        assert len(set(people)) == len(set(towns)) == 40
        assert not any(a != b and b.startswith(a) for a in people for b in people)
        assert not any(a != b and a in b for a in towns for b in towns)
    assert any(". " in name for name in people) and any(" " in town for town in towns)
    assert birthplace_question("Ada Quill") == "Where was Ada Quill born?"


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
