"""What an answer changes, and the order of its arguments in memory."""

import pytest
import torch

from kqa_core.check.answer import AnswerRaised
from kqa_core.check.exercise import NotYet
from kqa_core.check.helpers.effects import TIMES, leaves_alone, steady
from kqa_core.check.helpers.layout import not_contiguous
from kqa_core.check.local import LocalAnswer

READS = (lambda x, y: x + y[0], lambda x, y: x.clone().add_(1), lambda x, y: x.numpy().sum(), lambda x, y: [*y, 1])
CHANGES = (
    (lambda x, y: x.add_(1), "x"),
    (lambda x, y: x.T.zero_(), "x"),
    (lambda x, y: x.numpy().fill(3.0), "x"),
    (lambda x, y: y.append(2.0), "y"),
    (lambda x, y: y.pop(), "y"),
)


def arguments():
    return torch.arange(6.0).reshape(2, 3), [1.0, 2.0]


@pytest.mark.parametrize("read", READS)
def test_an_answer_that_only_reads_passes(read):
    leaves_alone(LocalAnswer(read), ("x", "y"), *arguments())


@pytest.mark.parametrize(("change", "name"), CHANGES)
def test_an_argument_that_is_changed_is_named(change, name):
    with pytest.raises(NotYet, match=f"your code changes {name} in place"):
        leaves_alone(LocalAnswer(change), ("x", "y"), *arguments())


def test_an_error_of_the_answer_stays_an_error():
    with pytest.raises(AnswerRaised, match="ZeroDivisionError"):
        leaves_alone(LocalAnswer(lambda x, y: 1 / 0), ("x", "y"), *arguments())


def test_an_answer_is_steady_unless_one_call_of_many_differs():
    calls = []

    def rarely_wrong(x):
        calls.append(x)
        return x + (len(calls) == TIMES)

    steady(LocalAnswer(lambda x: x + 1), 3)
    with pytest.raises(NotYet, match="same result for the same arguments"):
        steady(LocalAnswer(rarely_wrong), 3)


def test_view_is_refused_only_where_the_axes_lie_apart_in_memory():
    x = torch.arange(24.0).reshape(2, 3, 2, 2)
    by_reshape, by_view = LocalAnswer(lambda x: x.reshape(6, 4)), LocalAnswer(lambda x: x.view(6, 4))
    assert torch.equal(by_view(x), x.reshape(6, 4)) and torch.equal(not_contiguous(by_reshape, x), x.reshape(6, 4))
    with pytest.raises(NotYet, match="use reshape"):
        not_contiguous(by_view, x)
