"""Faults that one right value does not show:
no gradient, arguments that are changed, a result that is only mostly right.
"""

import numpy as np
import pytest
import torch
from judged_keys import verdict

from autograder.answer_key import find_key
from kqa_core.check.exercise import Outcome
from kqa_core.check.helpers.effects import CHANGED
from kqa_core.check.local import LocalAnswer
from kqa_core.check.registry import find
from kqa_core.check.run import run_check
from kqa_core.exercise_helpers.transformer_parts import DETACHED

TRAINABLE = (
    *(
        "linformer_attention",
        "random_synthesizer",
        "perceiver_down_up",
        "synthesizer_attention",
        "synthesizer_layer",
    ),
    "masked_mean",
)


@pytest.mark.parametrize("exercise", TRAINABLE)
def test_the_visible_check_refuses_what_cannot_be_trained(exercise):
    reference = find_key(exercise).reference

    def in_numpy(*given):
        with torch.no_grad():
            found = reference(*(each.detach() if isinstance(each, torch.Tensor) else each for each in given))
        parts = found if isinstance(found, tuple) else (found,)
        parts = tuple(torch.from_numpy(np.array(part)) for part in parts)
        return parts if isinstance(found, tuple) else parts[0]

    found = run_check(find(exercise).check, LocalAnswer(in_numpy, 1), 1)
    said = found.sentence.removeprefix("For the output alone: ")  # of a pair
    assert found.outcome is Outcome.NOT_YET and said.lower() == DETACHED.lower()


@pytest.mark.parametrize("exercise", TRAINABLE)
def test_an_answer_that_is_wrong_once_in_fifty_calls_is_refused(exercise):
    key, calls = find_key(exercise), []

    def mostly(*given):
        calls.append(1)
        right = key.reference(*given)
        return (
            right
            if len(calls) % 50
            else torch.zeros_like(right)
            if isinstance(right, torch.Tensor)
            else right[::-1]
        )

    assert verdict(key, mostly, 1).outcome is Outcome.NOT_YET


@pytest.mark.parametrize(
    ("exercise", "place", "name"),
    [
        ("london_baseline", 0, "the list `pairs`"),
        ("bag_ceiling", 0, "the list `sentences`"),
        ("bag_ceiling", 1, "the list `labels`"),
        ("paired_difference", 0, "first"),
        ("paired_difference", 1, "second"),
        ("masked_mean", 0, "hidden"),
        ("masked_mean", 1, "mask"),
    ],
)
def test_an_argument_that_is_changed_is_named(exercise, place, name):
    key = find_key(exercise)

    def changes(*given):
        found = key.reference(*given)
        given[place].zero_() if isinstance(given[place], torch.Tensor) else given[place].append(
            given[place][0]
        )
        return found

    found = verdict(key, changes, 1)
    assert (found.outcome, found.sentence) == (Outcome.NOT_YET, CHANGED.format(name))
