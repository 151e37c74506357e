"""Ways to put heads together, against plain loops, and which of them keeps to the past."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor

from kqa_core.evaluation.probes import reads_the_future
from kqa_core.model.attention import CausalSelfAttention
from kqa_core.model.config import GPTConfig
from kqa_core.model.head_fusion import FUSIONS, fuse
from kqa_core.model.kv_cache import KVCache


def some_heads(B: int = 2, nh: int = 3, T: int = 5, hs: int = 4) -> Tensor:
    return torch.randn(B, nh, T, hs, dtype=torch.float64, generator=torch.Generator().manual_seed(0))


def plain_reweight(heads: Tensor, causal: bool) -> Tensor:
    """O_h · ‖O_h‖ / mean ‖O_g‖, one number at a time."""
    B, nh, T, hs = heads.shape
    out = torch.zeros_like(heads)
    for b in range(B):
        for t in range(T):
            upto = range(t + 1 if causal else T)
            norms = [
                math.sqrt(sum(float(heads[b, h, s, c]) ** 2 for s in upto for c in range(hs)))
                for h in range(nh)
            ]
            for h in range(nh):
                for c in range(hs):
                    out[b, h, t, c] = float(heads[b, h, t, c]) * norms[h] / (sum(norms) / nh)
    return out


@pytest.mark.parametrize(("B", "nh", "T", "hs"), [(2, 3, 5, 4), (1, 1, 1, 1), (3, 2, 1, 5), (1, 4, 7, 2)])
def test_each_is_what_its_line_says(B: int, nh: int, T: int, hs: int) -> None:
    heads = some_heads(B, nh, T, hs)
    assert torch.equal(fuse(heads, "concat"), heads)
    assert torch.equal(fuse(heads, "shift"), torch.stack([heads[:, (h - 1) % nh] for h in range(nh)], dim=1))
    torch.testing.assert_close(fuse(heads, "norm-reweight"), plain_reweight(heads, causal=False))
    torch.testing.assert_close(fuse(heads, "norm-reweight-causal"), plain_reweight(heads, causal=True))
    torch.testing.assert_close(
        fuse(heads, "norm-reweight-causal")[:, :, -1], fuse(heads, "norm-reweight")[:, :, -1]
    )


@pytest.mark.parametrize("fusion", FUSIONS)
def test_type_and_shape_are_kept_and_zeros_stay_zeros(fusion: str) -> None:
    for dtype in (torch.bfloat16, torch.float32, torch.float64):
        heads = some_heads().to(dtype)
        for training in (False, True):
            assert fuse(heads, fusion, training).dtype == dtype
            assert fuse(heads, fusion, training).shape == heads.shape
    zeros = torch.zeros(1, 2, 3, 4, requires_grad=True)
    out = fuse(zeros, fusion)
    out.sum().backward()
    assert out.eq(0).all()
    assert zeros.grad is not None and torch.isfinite(zeros.grad).all()


@pytest.mark.parametrize("fusion", FUSIONS)
def test_gradients_are_right(fusion: str) -> None:
    assert torch.autograd.gradcheck(
        lambda heads: fuse(heads, fusion), (some_heads(1, 2, 3, 2).requires_grad_(),)
    )


def test_heads_are_shuffled_anew_at_each_step_of_training_and_rest_in_evaluation() -> None:
    heads = some_heads(nh=6)
    torch.manual_seed(0)
    orders = set()
    for _ in range(20):
        out = fuse(heads, "shuffle", training=True)
        order = tuple(
            next(h for h in range(6) if torch.equal(out[:, place], heads[:, h])) for place in range(6)
        )
        assert sorted(order) == list(range(6)), "every head once, in the whole batch alike"
        orders.add(order)
    assert len(orders) > 10  # of 720
    assert torch.equal(fuse(heads, "shuffle"), heads)


def attention(fusion: str) -> CausalSelfAttention:
    torch.manual_seed(0)
    config = GPTConfig(
        11,
        block_size=16,
        n_layer=1,
        n_head=3,
        d_model=12,
        fusion=fusion,
        residual_dropout=0.0,
        attention_dropout=0.0,
    )
    module = CausalSelfAttention(config).double().eval()
    for parameter in module.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return module


@pytest.mark.parametrize("fusion", FUSIONS)
def test_the_probe_catches_the_leak_and_clears_its_repair(fusion: str) -> None:
    x = torch.randn(2, 9, 12, dtype=torch.float64)
    assert reads_the_future(attention(fusion), x) == (fusion == "norm-reweight")
    assert FUSIONS[fusion].causal == (fusion != "norm-reweight")


@torch.no_grad()
def test_a_projection_can_undo_the_shift() -> None:
    shifted, plain = attention("shift"), attention("concat")
    shifted.projection.weight.copy_(plain.projection.weight.view(12, 3, 4).roll(1, dims=1).reshape(12, 12))
    x = torch.randn(2, 9, 12, dtype=torch.float64)
    torch.testing.assert_close(shifted(x), plain(x))


@torch.no_grad()
def test_a_causal_norm_is_remembered_whatever_stands_in_the_padding() -> None:
    module = attention("norm-reweight-causal")
    x = torch.randn(2, 8, 12, dtype=torch.float64)
    cache = KVCache(1, capacity=8)
    cache.set_positions(torch.arange(5).expand(2, -1))
    # 3 and 4 are padding
    module(torch.cat((x[:, :3], 1e3 * torch.randn(2, 2, 12, dtype=torch.float64)), dim=1), cache.layers[0])
    for t in range(3, 8):
        cache.set_positions(torch.full((2, 1), t))
        newest = module(x[:, t : t + 1], cache.layers[0])
        torch.testing.assert_close(newest, module(x)[:, t : t + 1])
    with pytest.raises(ValueError, match="cannot decode with a KVCache"):
        attention("norm-reweight")(x[:, :1], cache.layers[0])
