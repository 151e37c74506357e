"""An answer that rounds to four digits is refused with a sentence that shows the difference:
its two numbers are not equal.
"""

import re

import pytest
from judged_keys import keys_of, verdict

from kqa_core.check.exercise import Outcome

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
    found = NUMBER.findall(re.match(r"[-\d.e]+(?:, [-\d.e]+)?", parts["found"])[0])
    return NUMBER.findall(parts["wanted"])[-len(found) :], found


@pytest.mark.parametrize("exercise", EXERCISES)
def test_the_sentence_about_a_rounded_answer_shows_two_different_numbers(exercise):
    key = keys_of()[exercise]
    found = verdict(key, lambda *given: rounded(key.reference(*given)), 1)
    assert found.outcome is Outcome.NOT_YET
    wanted, theirs = two_texts(found.sentence)
    assert wanted != theirs, found.sentence
    assert list(map(float, wanted)) == pytest.approx(list(map(float, theirs)), abs=1e-3), found.sentence


def test_a_rounded_standard_error_is_compared_with_the_nearer_of_the_two_that_are_right():
    key = keys_of()["paired_difference"]
    found = verdict(key, lambda *given: rounded(key.accepted[0](*given)), 1)  # its deviation divides by n − 1
    wanted, theirs = two_texts(found.sentence)
    assert wanted != theirs and float(wanted[0]) == pytest.approx(float(theirs[0]), abs=1e-4)
