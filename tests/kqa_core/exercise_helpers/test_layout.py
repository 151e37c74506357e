"""The order of arguments in memory."""

import pytest
import torch

from kqa_core.check.answer import AnswerRaised, Build
from kqa_core.check.exercise import NotYet
from kqa_core.check.local import LocalAnswer
from kqa_core.exercise_helpers.layout import not_contiguous
from kqa_core.exercise_helpers.transformer_parts import HERE, again


def test_view_is_refused_only_where_the_axes_lie_apart_in_memory():
    x = torch.arange(24.0).reshape(2, 3, 2, 2)
    by_reshape, by_view = LocalAnswer(lambda x: x.reshape(6, 4)), LocalAnswer(lambda x: x.view(6, 4))
    assert torch.equal(by_view(x), x.reshape(6, 4)) and torch.equal(
        not_contiguous(by_reshape, x), x.reshape(6, 4)
    )
    with pytest.raises(NotYet, match="use reshape"):
        not_contiguous(by_view, x)


class Hidden:
    """An answer of a hidden check: messages are left out, and the line is known."""

    def __init__(self, line):
        self.line = line

    def __call__(self, *args):
        raise AnswerRaised("RuntimeError", "", None, self.line)


@pytest.mark.parametrize("error", [ValueError, RuntimeError])
def test_any_other_exception_stays_what_it_is(error):
    def refuses(x):
        if not x.is_contiguous():
            raise error("no view here: I only refuse such input")
        return x

    for call in (not_contiguous, lambda answer, x: again(answer, Build(f"{HERE}:strided", (x,)))):
        with pytest.raises(AnswerRaised, match="I only refuse"):
            call(LocalAnswer(refuses), torch.ones(2, 3, 2, 2))


def test_a_hidden_check_goes_by_the_line():
    with pytest.raises(NotYet, match="use reshape"):
        not_contiguous(Hidden("line 2 of its cell: return x.view(6, 4)"), torch.ones(2, 2, 2, 2))
    with pytest.raises(AnswerRaised):
        not_contiguous(Hidden("line 2 of its cell: return x @ x"), torch.ones(2, 2, 2, 2))
