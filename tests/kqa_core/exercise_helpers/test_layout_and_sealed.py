"""The order of arguments in memory, arguments that are sealed against changes, and other symbols."""

import pytest
import sympy
import torch
import torch.nn.functional as F

from kqa_core.check.answer import AnswerRaised, Build
from kqa_core.check.exercise import NotYet
from kqa_core.check.local import LocalAnswer
from kqa_core.exercise_helpers.layout import not_contiguous
from kqa_core.exercise_helpers.queries import Renamed
from kqa_core.exercise_helpers.sealed import sealed
from kqa_core.exercise_helpers.transformer_parts import HERE, again
from kqa_core.symbolic.attention import BETA


def test_view_is_refused_only_where_the_axes_lie_apart_in_memory():
    x = torch.arange(24.0).reshape(2, 3, 2, 2)
    by_reshape, by_view = LocalAnswer(lambda x: x.reshape(6, 4)), LocalAnswer(lambda x: x.view(6, 4))
    assert torch.equal(by_view(x), x.reshape(6, 4)) and torch.equal(
        not_contiguous(by_reshape, x), x.reshape(6, 4)
    )
    with pytest.raises(NotYet, match="Possible cause: view cannot join axes there"):
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
    with pytest.raises(NotYet, match="Possible cause: view cannot join axes there"):
        not_contiguous(Hidden("line 2 of its cell: return x.view(6, 4)"), torch.ones(2, 2, 2, 2))
    with pytest.raises(AnswerRaised):
        not_contiguous(Hidden("line 2 of its cell: return x @ x"), torch.ones(2, 2, 2, 2))


READS = (
    lambda x: x + 1,
    lambda x: x.clone().add_(1),
    lambda x: torch.stack([x, x]).mul_(2),
    lambda x: x.numpy().sum(),
    lambda x: F.scaled_dot_product_attention(x[None], x[None], x[None]),
    lambda x: x.new_zeros(3).index_fill_(0, torch.tensor([1]), 2.0),
    lambda x: sum(map(float, x.flatten())),
    lambda x: x,
)
CHANGES = (
    lambda x: x.add_(1),
    lambda x: x[:, None].mul_(2),
    lambda x: x.__setitem__(0, 1.0),
    lambda x: x.__iadd__(1),
    lambda x: torch.exp(x, out=x),
    lambda x: x.view(-1).copy_(torch.zeros(6)),
    lambda x: x.T.zero_(),
)


@pytest.mark.parametrize("read", READS)
def test_reading_a_sealed_tensor_gives_what_a_plain_one_gives(read):
    plain = torch.arange(6.0).reshape(2, 3)
    found = LocalAnswer(read)(sealed(plain))
    torch.testing.assert_close(torch.as_tensor(found), torch.as_tensor(read(plain)), check_dtype=False)


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_in_place_is_an_error(change):
    with pytest.raises(AnswerRaised, match=r"RuntimeError: .*inference"):
        LocalAnswer(change)(sealed(torch.arange(6.0).reshape(2, 3)))


def test_views_share_their_numbers_so_a_change_by_numpy_shows_in_the_others():
    def by_numpy(pair):
        pair[0].numpy()[0] = 7.0
        return pair[1]

    found = LocalAnswer(by_numpy)(sealed(torch.ones(2), [[2], [2, 1]]))
    assert found.tolist() == [[7.0], [1.0]]


def test_an_answer_with_a_symbol_of_its_own_is_told_and_one_with_the_argument_is_not():
    column = sympy.Matrix([BETA, 1])
    called = Renamed(LocalAnswer(lambda keys, beta: (keys[0] * beta, 2)), BETA)
    assert called([column], BETA) == (BETA * column, 2)
    called = Renamed(LocalAnswer(lambda keys, beta: [BETA * keys[0]]), BETA)
    with pytest.raises(NotYet, match="beta_2"):
        called([column], BETA)
    called = Renamed(LocalAnswer(lambda beta: sympy.Integral(beta, (beta, 0, 1))), BETA)
    integral = called(BETA)
    assert called.attribute(integral, "function") == BETA
