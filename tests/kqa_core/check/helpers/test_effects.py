"""Effects of an answer: an argument that it changes in place is named,
and a result that is not always the same is found.
"""

import random

import pytest
import sympy
import torch

from kqa_core.check.answer import AnswerRaised
from kqa_core.check.exercise import NotYet
from kqa_core.check.helpers.effects import leaves_alone, steady
from kqa_core.check.local import LocalAnswer

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
