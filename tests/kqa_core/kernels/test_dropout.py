"""Dropout with few random bits: the right share of entries,
independent of one another, and the right gradient.

Statistical bounds are five standard errors: a false alarm in two million draws of the seed, which is fixed.
"""

from __future__ import annotations

import math

import pytest
import torch

from kqa_core import kernels
from kqa_core.kernels.dropout import Dropout, dropout
from kqa_core.model.attention import attention

N = 200_000


@pytest.mark.parametrize("p", [0.1, 0.5, 0.9])
def test_so_many_entries_are_dropped_and_the_others_keep_the_mean(p: float) -> None:
    torch.manual_seed(0)
    dropped = dropout(torch.ones(N), p)
    bound = 5 * math.sqrt(p * (1 - p) / N)
    assert abs(float((dropped == 0).double().mean()) - p) < bound
    torch.testing.assert_close(
        dropped[dropped != 0].unique(), torch.tensor([1 / (1 - p)]), rtol=2e-4, atol=0.0
    )
    assert abs(float(dropped.double().mean()) - 1) < bound / (1 - p)


def test_an_entry_says_nothing_about_its_neighbours() -> None:
    torch.manual_seed(0)
    kept = (dropout(torch.ones(N), 0.3) != 0).double()
    centred = (kept - kept.mean()) / kept.std()
    for lag in (1, 2, 3, 4, 5, 8):
        assert abs(float((centred[lag:] * centred[:-lag]).mean())) < 5 / math.sqrt(N)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_the_gradient_goes_where_the_entries_went(dtype: torch.dtype) -> None:
    # not contiguous, and no multiple of four
    x = torch.randn(7, 3, 5, dtype=dtype).transpose(0, 2).requires_grad_()
    torch.manual_seed(1)
    out = dropout(x, 0.4)
    out.backward(torch.ones_like(out))
    assert out.dtype is dtype and out.shape == x.shape and x.grad is not None
    torch.testing.assert_close(x.grad * x.detach(), out.detach())
    assert 0 < int((out == 0).sum()) < out.numel()


def test_a_seed_gives_its_mask_and_the_ends_are_exact() -> None:
    x = torch.randn(100)
    masks = []
    for seed in (2, 2, 3):
        torch.manual_seed(seed)
        masks.append(dropout(x, 0.5))
    assert torch.equal(masks[0], masks[1]) and not torch.equal(masks[0], masks[2])
    assert dropout(x, 0.0) is x
    assert torch.equal(dropout(x, 1.0), torch.zeros(100))
    module = Dropout(0.5).eval()
    assert module(x) is x and not torch.equal(module.train()(x), x)


@pytest.mark.slow
def test_attention_with_dropout_is_right_on_average_and_sees_no_later_position() -> None:
    torch.manual_seed(4)
    query, key, value = (torch.randn(2, 2, 6, 4, dtype=torch.float64) for _ in range(3))
    draws = torch.stack([kernels.causal_attention(query, key, value, 0.3) for _ in range(2000)])
    expected = attention(query, key, value, torch.ones(6, 6, dtype=torch.bool).tril())
    error = draws.std(dim=0) / math.sqrt(len(draws))
    assert bool(((draws.mean(dim=0) - expected).abs() < 5 * error + 1e-4).all())
    outcomes = []
    for later in (0.0, 100.0):
        torch.manual_seed(5)
        changed = [torch.cat((each[:, :, :4], each[:, :, 4:] + later), dim=2) for each in (query, key, value)]
        outcomes.append(kernels.causal_attention(*changed, 0.3)[:, :, :4])
    assert torch.equal(*outcomes)
