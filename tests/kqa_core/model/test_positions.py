"""How positions are told to a model, and that a model told nothing cannot tell an order."""

from __future__ import annotations

import math

import pytest
import torch

from kqa_core.errors import UserError
from kqa_core.model.config import POSITIONS, GPTConfig
from kqa_core.model.gpt import GPT
from kqa_core.model.positions import positions_of, sinusoidal_positions
from kqa_core.model.variant_registry import variant_names


def config(**changes: object) -> GPTConfig:
    shape = {"vocab_size": 11, "block_size": 12, "n_layer": 2, "n_head": 2, "d_model": 8}
    return GPTConfig(**(shape | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(("length", "d"), [(1, 1), (1, 8), (7, 5), (128, 256), (50, 6)])
def test_sines_and_cosines_are_those_of_the_paper(length: int, d: int) -> None:
    table = sinusoidal_positions(length, d)
    assert (table.shape, table.dtype) == ((length, d), torch.float32)
    for t in range(length):
        for column in range(d):
            m = column // 2
            angle = t / 10_000 ** (2 * m / d)
            expected = math.sin(angle) if column == 2 * m else math.cos(angle)
            # a float32 below 1 is off by ≤ 2⁻²⁵
            assert abs(float(table[t, column]) - expected) < 1e-7, (t, column)


def test_a_step_of_any_size_is_a_rotation_of_the_waves() -> None:
    table = sinusoidal_positions(40, 16).double()
    products = table @ table.T  # Σ cos((t − s) ω_m): depends on the distance alone
    for distance in range(40):
        torch.testing.assert_close(
            products.diagonal(distance), products[0, distance].expand(40 - distance), atol=1e-5, rtol=0
        )


@pytest.mark.parametrize("variant", variant_names())
def test_a_variant_brings_its_own_positions_unless_told_otherwise(variant: str) -> None:
    assert positions_of(config(variant=variant)) == ("rotary" if variant == "rope" else "learned")
    for positions in POSITIONS:
        if positions == "rotary" and variant not in ("vanilla", "rope", "bigbird"):
            with pytest.raises(UserError, match="does not support"):
                positions_of(config(variant=variant, positions=positions))
        elif variant == "rope" and positions != "rotary":
            with pytest.raises(UserError, match="use vanilla to choose others"):
                positions_of(config(variant=variant, positions=positions))
        else:
            assert positions_of(config(variant=variant, positions=positions)) == positions


def test_only_learned_positions_are_parameters() -> None:
    counts = {positions: GPT(config(positions=positions)).count_parameters() for positions in POSITIONS}
    assert counts["learned"] == counts["none"] + 12 * 8
    assert counts["sinusoidal"] == counts["rotary"] == counts["none"]
    names = set(GPT(config(positions="none")).state_dict())
    assert set(GPT(config(positions="sinusoidal")).state_dict()) == names, (
        "the waves are no part of a checkpoint"
    )


@torch.no_grad()
def test_sines_are_added_to_the_embedding_times_the_root_of_its_width() -> None:
    model = GPT(config(positions="sinusoidal")).eval()
    seen = []
    model.blocks[0].register_forward_pre_hook(lambda module, args: seen.append(args[0]))
    tokens = torch.randint(11, (2, 7))
    model(tokens)
    expected = math.sqrt(8) * model.token_embedding(tokens) + sinusoidal_positions(7, 8)
    torch.testing.assert_close(seen[0], expected)


@torch.no_grad()
def test_without_positions_the_last_output_knows_no_order_in_one_layer() -> None:
    """The last position reads a set: any order of what stands before it gives the same.
    Told positions, it does not.
    """
    tokens = torch.randint(11, (1, 9), generator=torch.Generator().manual_seed(0))
    other = torch.cat((tokens[:, :8].flip(1), tokens[:, 8:]), dim=1)
    for positions in POSITIONS:
        torch.manual_seed(0)
        model = GPT(config(positions=positions, n_layer=1)).double().eval()
        for parameter in model.parameters():
            torch.nn.init.normal_(parameter, std=0.5)
        same = torch.allclose(model(tokens)[0][:, -1], model(other)[0][:, -1], atol=1e-9)
        assert same == (positions == "none"), positions
