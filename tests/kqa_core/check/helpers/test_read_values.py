"""Values that came back, read as plain numbers, texts and truths."""

import math
import random

import numpy as np
import pytest
import sympy
import torch

from kqa_core.check.answer import Handle
from kqa_core.check.exercise import NotYet
from kqa_core.check.helpers.read_values import fraction, number, text, told, truth
from kqa_core.exercise_helpers.people import birthplace_question, names, places


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
        (5 / 12, 0.4167, ("0.41667", "0.4167")),
        (0.7, 0.700002, ("0.7", "0.700002")),
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
