"""Attention and its variants against loops a reader can check,
against torch, and against what attention must never do.
"""

from __future__ import annotations

import math

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from kqa_core.errors import UserError
from kqa_core.model.attention import (
    CausalSelfAttention,
    attention,
    attention_weights,
    merge_heads,
    softmax,
    split_heads,
)
from kqa_core.model.config import GPTConfig
from kqa_core.model.variant_registry import find_variant, variant_names
from kqa_core.model.variants.rope import RotaryAttention, angles, rotate
from kqa_core.model.variants.synthesizer import SynthesizerAttention

SHAPES = [(1, 1, 8, 2), (2, 5, 12, 3), (3, 16, 16, 1), (2, 9, 24, 4)]  # B, T, C, nh


def config(C: int, nh: int, variant: str = "vanilla", block: int = 16) -> GPTConfig:
    return GPTConfig(
        vocab_size=11,
        block_size=block,
        n_layer=1,
        n_head=nh,
        d_model=C,
        variant=variant,
        embedding_dropout=0.0,
        attention_dropout=0.0,
        residual_dropout=0.0,
    )


def make(C: int, nh: int, variant: str) -> torch.nn.Module:
    """A variant's attention in float64 with weights large enough that a mistake shows."""
    module = find_variant(variant).attention(config(C, nh, variant)).double()
    for parameter in module.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return module


def plain_softmax(logits: list[float]) -> list[float]:
    exponentials = [math.exp(x) for x in logits]
    return [x / sum(exponentials) for x in exponentials]


def plain_turn(row: list[float], position: int) -> list[float]:
    """RoPE of one head's channels at one position, in loops."""
    out = list(row)
    for i in range(len(row) // 2):
        angle = position * 10_000.0 ** (-2 * i / len(row))
        a, b = row[2 * i], row[2 * i + 1]
        out[2 * i] = a * math.cos(angle) - b * math.sin(angle)
        out[2 * i + 1] = a * math.sin(angle) + b * math.cos(angle)
    return out


def specification(module: torch.nn.Module, x: Tensor, variant: str, nh: int) -> Tensor:
    """What a variant's attention is, one number at a time."""
    B, T, C = x.shape
    hs = C // nh
    value = module.value(x)
    out = torch.zeros_like(x)
    for b in range(B):
        for h in range(nh):
            channels = slice(h * hs, (h + 1) * hs)
            for t in range(T):
                if variant == "synthesizer":
                    hidden = [max(0.0, float(z)) for z in module.hidden(x)[b, t, channels]]
                    logits = [
                        sum(hidden[c] * float(module.table[c, s]) for c in range(hs))
                        + float(module.offset[s])
                        for s in range(t + 1)
                    ]
                else:
                    query = [float(z) for z in module.query(x)[b, t, channels]]
                    keys = [[float(z) for z in module.key(x)[b, s, channels]] for s in range(t + 1)]
                    if variant == "rope":
                        query, keys = plain_turn(query, t), [plain_turn(key, s) for s, key in enumerate(keys)]
                    logits = [
                        sum(q * k for q, k in zip(query, key, strict=True)) / math.sqrt(hs) for key in keys
                    ]
                for s, weight in enumerate(plain_softmax(logits)):
                    out[b, t, channels] += weight * value[b, s, channels]
    return module.projection(out)


@pytest.mark.parametrize("variant", ["vanilla", "rope", "synthesizer"])
@pytest.mark.parametrize(("B", "T", "C", "nh"), [(1, 1, 4, 2), (2, 5, 12, 3), (1, 7, 8, 1)])
@torch.no_grad()
def test_a_variant_is_what_its_equation_says(variant: str, B: int, T: int, C: int, nh: int) -> None:
    torch.manual_seed(0)
    module = make(C, nh, variant)
    x = torch.randn(B, T, C, dtype=torch.float64)
    # float64 sums of at most 12 terms agree to 1e-12; RoPE's angles are float32, of size ≤ 6: their sine is
    # off by ≤ 6 · 2⁻²⁴
    torch.testing.assert_close(
        module(x), specification(module, x, variant, nh), rtol=0, atol=1e-5 if variant == "rope" else 1e-11
    )


@pytest.mark.parametrize(("B", "T", "C", "nh"), SHAPES)
def test_attention_equals_torchs_own(B: int, T: int, C: int, nh: int) -> None:
    torch.manual_seed(1)
    query, key, value = (torch.randn(B, nh, T + extra, C // nh, dtype=torch.float64) for extra in (0, 3, 3))
    torch.testing.assert_close(
        attention(query, key, value), F.scaled_dot_product_attention(query, key, value)
    )
    allowed = torch.rand(T, T + 3) < 0.5
    allowed[:, 0] = True
    expected = F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
    torch.testing.assert_close(attention(query, key, value, allowed), expected)


@pytest.mark.parametrize(("B", "T", "C", "nh"), SHAPES)
@torch.no_grad()
def test_causal_self_attention_equals_torchs_multihead_attention(B: int, T: int, C: int, nh: int) -> None:
    torch.manual_seed(2)
    ours = make(C, nh, "vanilla")
    theirs = torch.nn.MultiheadAttention(C, nh, batch_first=True).double()
    theirs.in_proj_weight.copy_(torch.cat([ours.query.weight, ours.key.weight, ours.value.weight]))
    theirs.in_proj_bias.copy_(torch.cat([ours.query.bias, ours.key.bias, ours.value.bias]))
    theirs.out_proj.load_state_dict(ours.projection.state_dict())
    x = torch.randn(B, T, C, dtype=torch.float64)
    forbidden = torch.ones(T, T, dtype=torch.bool).triu(1)
    torch.testing.assert_close(ours(x), theirs(x, x, x, attn_mask=forbidden, need_weights=False)[0])


@pytest.mark.parametrize("variant", [name for name in variant_names() if find_variant(name).causal])
@torch.no_grad()
def test_the_past_does_not_see_the_future(variant: str) -> None:
    torch.manual_seed(3)
    module = make(12, 3, variant)
    x = torch.randn(2, 10, 12, dtype=torch.float64)
    before = module(x)
    for t in range(10):
        changed = x.clone()
        changed[:, t:] = torch.randn_like(changed[:, t:]) * 100
        assert torch.equal(module(changed)[:, :t], before[:, :t])


@pytest.mark.parametrize("variant", variant_names())
def test_gradients_are_right_and_reach_every_parameter(variant: str) -> None:
    torch.manual_seed(4)
    module = make(8, 2, variant)
    x = torch.randn(2, 4, 8, dtype=torch.float64, requires_grad=True)
    module(x).square().sum().backward()
    for name, parameter in module.named_parameters():
        assert parameter.grad is not None, name
        # one shift of every logit: the softmax ignores it (up to rounding; RoPE turns it, so not there)
        if name == "key.bias":
            continue
        # columns of positions beyond T rest
        used = parameter.grad[..., :4] if name in ("table", "offset") else parameter.grad
        assert used.abs().max() > 1e-9, name
    # its angles are float32: finite differences in float64 still hold, but not to gradcheck's tolerance
    if variant != "rope":
        assert torch.autograd.gradcheck(module, (x.detach()[:1].requires_grad_(),), atol=1e-6)


@pytest.mark.parametrize("variant", variant_names())
@torch.no_grad()
def test_layout_and_type_are_kept(variant: str) -> None:
    module = make(12, 3, variant)
    x = torch.randn(12, 6, 2, dtype=torch.float64).permute(2, 1, 0)  # (B, T, C), not contiguous
    torch.testing.assert_close(module(x), module(x.contiguous()))
    assert module(x).dtype == torch.float64
    assert module.float()(x.float()).dtype == torch.float32


def test_softmax_survives_large_numbers_and_ignores_a_shift() -> None:
    x = torch.tensor([[1e4, 1e4 + 1.0, 1e4 - 2.0]], dtype=torch.float64)
    torch.testing.assert_close(
        softmax(x), torch.tensor([plain_softmax([0.0, 1.0, -2.0])], dtype=torch.float64)
    )


def test_weights_of_forbidden_keys_are_exactly_zero() -> None:
    weights = attention_weights(
        torch.randn(3, 4), torch.randn(5, 4), torch.tensor([True, False, True, True, False])
    )
    assert weights[:, [1, 4]].eq(0).all()
    torch.testing.assert_close(weights.sum(dim=-1), torch.ones(3))


def test_merging_undoes_splitting_and_heads_hold_neighbouring_channels() -> None:
    x = torch.arange(2 * 3 * 8).view(2, 3, 8)
    heads = split_heads(x, 4)
    assert heads.shape == (2, 4, 3, 2)
    assert torch.equal(heads[1, 2, 0], x[1, 0, 4:6])
    assert torch.equal(merge_heads(heads), x)


def test_rope_logits_depend_on_distance_alone() -> None:
    torch.manual_seed(5)
    query, key = torch.randn(16, dtype=torch.float64), torch.randn(16, dtype=torch.float64)

    def logit(t: int, s: int) -> float:
        at = [rotate(v[None], angles(torch.tensor([p]), 16))[0] for v, p in ((query, t), (key, s))]
        return float(at[0] @ at[1])

    assert logit(7, 3) == pytest.approx(logit(104, 100), abs=1e-4)  # float32 angles: 104 · 2⁻²⁴ each
    assert logit(7, 3) != pytest.approx(logit(7, 4), abs=1e-2)


def test_rope_turns_slower_pairs_further_on() -> None:
    angle = angles(torch.tensor([1]), 8)[0]
    assert torch.allclose(angle, torch.tensor([1.0, 0.1, 0.01, 0.001]))  # 10000^(−2i/8) = 10^(−i)


def test_rope_leaves_values_alone() -> None:
    module = make(8, 2, "rope")
    assert isinstance(module, RotaryAttention) and isinstance(module, CausalSelfAttention)
    x = torch.randn(1, 6, 8, dtype=torch.float64)
    with torch.no_grad():
        module.query.weight.zero_()
        module.query.bias.zero_()  # equal logits: each position averages the values so far
        value = module.value(x)
        mean = value.cumsum(dim=1) / torch.arange(1, 7, dtype=torch.float64)[:, None]
        torch.testing.assert_close(module(x), module.projection(mean))


def test_the_synthesizer_never_compares_positions() -> None:
    torch.manual_seed(6)
    module = make(8, 2, "synthesizer")
    assert isinstance(module, SynthesizerAttention)
    x = torch.randn(1, 6, 8, dtype=torch.float64)
    other = x.clone()
    other[:, 2] += 1.0  # position 5's weights stay; only the value read at 2 changes
    with torch.no_grad():
        hidden = F.relu(split_heads(module.hidden(x), 2))[:, :, 5]  # (1, nh, hs)
        weights = softmax((hidden @ module.table + module.offset)[..., :6])  # (1, nh, 6)
        moved = split_heads(module.value(other) - module.value(x), 2)[:, :, 2]  # (1, nh, hs)
        expected = (weights[..., 2:3] * moved).flatten(1) @ module.projection.weight.T
        torch.testing.assert_close((module(other) - module(x))[:, 5], expected)


def test_the_synthesizer_fills_a_whole_block() -> None:
    module = make(8, 2, "synthesizer")
    assert module(torch.randn(1, 16, 8, dtype=torch.float64)).shape == (1, 16, 8)


def test_a_file_is_all_a_variant_needs_and_a_misspelt_one_is_named() -> None:
    assert {"vanilla", "rope", "synthesizer"} <= set(variant_names())
    with pytest.raises(UserError, match="no variant is called 'synthesiser': did you mean synthesizer"):
        find_variant("synthesiser")
    with pytest.raises(UserError, match="choose from"):
        find_variant("zzz")
