"""Every variant against itself in plain loops, for lengths from one position to a whole block."""

from __future__ import annotations

import dataclasses

import pytest
import torch
from plain_attention import WEIGHTS, crossed, read_plainly

from kqa_core.model.config import ROTARY, GPTConfig
from kqa_core.model.gpt import GPT
from kqa_core.model.variant_registry import find_variant, variant_names

BLOCK = 12
CONFIG = GPTConfig(
    vocab_size=11,
    block_size=BLOCK,
    n_layer=3,
    n_head=2,
    d_model=8,
    embedding_dropout=0.0,
    attention_dropout=0.0,
    residual_dropout=0.0,
    synthesizer_rank=3,
    linformer_rank=4,
    bigbird_window=2,
    bigbird_global=1,
    bigbird_random=2,
    bottleneck_dim=5,
)
# float64 sums of a dozen terms agree to 1e-12; RoPE's angles are float32: one of size ≤ 12 has a sine off by
# ≤ 12 · 2⁻²⁴ < 1e-6
TOLERANCE = {"rope": 1e-5}


def make(variant: str, **changes: object) -> torch.nn.Module:
    """Its attention in float64, with weights large enough that a mistake shows."""
    torch.manual_seed(0)
    module = find_variant(variant).attention(dataclasses.replace(CONFIG, variant=variant, **changes)).double()  # type: ignore[arg-type]
    for parameter in module.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return module


@pytest.mark.parametrize("variant", sorted({*WEIGHTS, "linformer"}))
@torch.no_grad()
def test_a_variant_is_what_its_paper_says(variant: str) -> None:
    module = make(variant)
    for T in (1, 2, 3, 7, BLOCK):
        x = torch.randn(2, T, 8, dtype=torch.float64)
        expected = module.projection(read_plainly(module, x, variant, n_head=2))
        torch.testing.assert_close(module(x), expected, rtol=0, atol=TOLERANCE.get(variant, 1e-11))


@pytest.mark.parametrize(("C", "n_head", "block"), [(6, 3, 7), (4, 1, 9), (12, 2, 12)])
@pytest.mark.parametrize("variant", sorted({*WEIGHTS, "linformer"}))
@torch.no_grad()
def test_it_holds_for_other_numbers_of_heads_and_channels_and_for_blocks_of_prime_length(
    variant: str, C: int, n_head: int, block: int
) -> None:
    module = make(variant, d_model=C, n_head=n_head, block_size=block)
    x = torch.randn(1, block, C, dtype=torch.float64)
    expected = module.projection(read_plainly(module, x, variant, n_head))
    torch.testing.assert_close(module(x), expected, rtol=0, atol=TOLERANCE.get(variant, 1e-11))


def test_no_variant_is_left_out() -> None:
    assert {*WEIGHTS, "linformer", "perceiver"} == set(variant_names())


@torch.no_grad()
def test_vanilla_with_rotary_positions_is_rope() -> None:
    plain, rope = make("vanilla", positions=ROTARY), make("rope")
    plain.load_state_dict(rope.state_dict())
    x = torch.randn(2, BLOCK, 8, dtype=torch.float64)
    assert torch.equal(plain(x), rope(x))
    bare = make("vanilla")
    bare.load_state_dict(rope.state_dict())
    assert not torch.allclose(bare(x), rope(x), atol=1e-3)


@torch.no_grad()
def test_a_perceiver_goes_down_through_the_blocks_and_up_again() -> None:
    torch.manual_seed(0)
    model = GPT(dataclasses.replace(CONFIG, variant="perceiver")).double().eval()
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    [stack] = model.blocks
    for T in (1, 4, 5, 6, BLOCK):
        x = torch.randn(2, T, 8, dtype=torch.float64)
        n = min(T, 5)  # rows of the bottleneck that a position below T may read
        y = crossed(
            stack.down.attention, stack.down.norm_1(stack.down.basis[:, :n]).expand(2, n, 8), x, n_head=2
        )
        y = y + stack.down.mlp(stack.down.norm_2(y))
        for block in stack.middle:
            normed = block.norm_1(y)
            y = y + block.attention.projection(read_plainly(block.attention, normed, "vanilla", n_head=2))
            y = y + block.mlp(block.norm_2(y))
        up = x + crossed(stack.up.attention, x, stack.up.norm_1(y), n_head=2)
        expected = up + stack.up.mlp(stack.up.norm_2(up))
        torch.testing.assert_close(stack(x), expected, rtol=0, atol=1e-10)
