"""The order of arguments in memory."""

import pytest
import torch

from kqa_core.check.exercise import NotYet
from kqa_core.check.helpers.layout import not_contiguous
from kqa_core.check.local import LocalAnswer


def test_view_is_refused_only_where_the_axes_lie_apart_in_memory():
    x = torch.arange(24.0).reshape(2, 3, 2, 2)
    by_reshape, by_view = LocalAnswer(lambda x: x.reshape(6, 4)), LocalAnswer(lambda x: x.view(6, 4))
    assert torch.equal(by_view(x), x.reshape(6, 4)) and torch.equal(not_contiguous(by_reshape, x), x.reshape(6, 4))
    with pytest.raises(NotYet, match="use reshape"):
        not_contiguous(by_view, x)
