"""Answers that are rounded, or computed in a coarse type."""

from __future__ import annotations

import re

import numpy as np
import pytest
import sympy
import torch
from judged_keys import checked, verdict
from portions import portion

from autograder.answer_key import find_key
from kqa_core.check.exercise import Outcome
from kqa_core.check.same_behaviour import same_behaviour

EXERCISES = (
    *(
        "perplexity",
        "london_baseline",
        "knowledge_ceiling",
        "lr_schedule",
        "train",
        "answer_confidence",
        "calibration_error",
    ),
    *(
        "risk_coverage",
        "abstention_threshold",
        "name_bias",
        "planted_agreement",
        "bag_ceiling",
        "evaluate_accuracy",
    ),
    *("train_epoch", "paired_difference"),
)
SENTENCE = re.compile(r"(?P<wanted>.*)\b(?:yours is|you say|and is|your first loss is) (?P<found>.*)")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")


def rounded(value):
    """The value with four digits after the point in all its numbers."""
    return type(value)(map(rounded, value)) if isinstance(value, (list, tuple)) else round(float(value), 4)


def two_texts(sentence):
    """The last numbers before "yours is", and those that follow it: one of each, or two."""
    parts = SENTENCE.fullmatch(sentence)
    assert parts, sentence
    theirs = re.sub(r" \(off by [^)]+\)", "", parts["found"])
    found = NUMBER.findall(re.match(r"[-\d.e]+(?:, [-\d.e]+)?", theirs)[0])
    return NUMBER.findall(parts["wanted"])[-len(found) :], found


@pytest.mark.parametrize("exercise", EXERCISES)
def test_the_sentence_about_a_rounded_answer_shows_two_different_numbers(exercise):
    key = find_key(exercise)
    found = verdict(key, lambda *given: rounded(key.reference(*given)), 1)
    assert found.outcome is Outcome.NOT_YET
    wanted, theirs = two_texts(found.sentence)
    assert wanted != theirs, found.sentence
    assert list(map(float, wanted)) == pytest.approx(list(map(float, theirs)), abs=1e-3), found.sentence


def test_a_rounded_standard_error_is_compared_with_the_nearer_of_the_two_that_are_right():
    key = find_key("paired_difference")
    found = verdict(key, lambda *given: rounded(key.accepted[0](*given)), 1)  # its deviation divides by n − 1
    wanted, theirs = two_texts(found.sentence)
    assert wanted != theirs and float(wanted[0]) == pytest.approx(float(theirs[0]), abs=1e-4)


BITS = {torch.bfloat16: 2, torch.float16: 8}  # of a sympy Float that stands for one of this type


def coarse(value, dtype):
    """A value with all its numbers in a coarse type."""
    if isinstance(value, torch.Tensor):
        return value.to(dtype) if value.is_floating_point() else value
    if isinstance(value, np.ndarray):
        return value.astype(np.float16) if value.dtype.kind == "f" else value
    if type(value) is float:
        return float(torch.tensor(value).to(dtype))
    if isinstance(value, sympy.Basic | sympy.MatrixBase):
        numbers = {n: sympy.Float(n, precision=BITS[dtype]) for n in value.atoms(sympy.Number) if n.is_finite}
        return value.xreplace(numbers)
    if isinstance(value, list | tuple):
        return type(value)(coarse(each, dtype) for each in value)
    return {name: coarse(each, dtype) for name, each in value.items()} if type(value) is dict else value


CASES = [(key, function) for key in checked() for function in key.rejected]


@pytest.mark.slow
@pytest.mark.parametrize("dtype", BITS, ids=str)
@pytest.mark.parametrize(
    ("key", "function"),
    [pytest.param(*each, id=f"{each[0].id}-{each[1].__name__}") for each in portion(CASES, 80, __file__)],
)
def test_no_rejected_answer_is_right_in_a_coarse_type(key, function, dtype):
    found = verdict(key, lambda *args, **more: coarse(function(*args, **more), dtype), 3)
    assert found.outcome is not Outcome.RIGHT
    assert found.right_parts <= verdict(key, function, 3).right_parts


def test_a_coarse_type_does_not_widen_the_tolerance_beyond_single_precision():
    right = torch.tensor([1.0, 0.5], dtype=torch.float64)
    for off, single, half in ((1e-5, True, True), (0.02, False, False)):
        near = right * (1 + off)
        assert same_behaviour(near.float(), right) is single
        assert same_behaviour(near.bfloat16().double().add(0.02 * (off > 1e-3)).bfloat16(), right) is half
    assert same_behaviour(right.bfloat16(), right)  # these numbers are the same in every type
    third = torch.tensor([1 / 3], dtype=torch.float64)
    assert not same_behaviour(third.bfloat16(), third) and same_behaviour(third.float(), third)
    assert same_behaviour(third.bfloat16(), (third * 1.004).bfloat16())  # both are as coarse
