"""What is peculiar to BigBird, Linformer, the Perceiver and the factorised Synthesizers."""

from __future__ import annotations

import pytest
import torch

from kqa_core.evaluation.probes import influence, reads_the_future
from kqa_core.model.config import GPTConfig
from kqa_core.model.gpt import GPT
from kqa_core.model.variants.bigbird import BigBirdAttention, RotaryBigBirdAttention, draw_links
from kqa_core.model.variants.factorised_synthesizer import even_factors
from kqa_core.model.variants.linformer import LinformerAttention


def config(variant: str, **changes: object) -> GPTConfig:
    shape = {"n_layer": 3, "n_head": 2, "d_model": 8, "block_size": 32} | changes
    return GPTConfig(vocab_size=20, variant=variant, embedding_dropout=0.0, **shape)  # type: ignore[arg-type]


def strong(module: torch.nn.Module) -> torch.nn.Module:
    torch.manual_seed(0)
    for parameter in module.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return module.double().eval()


@pytest.mark.parametrize(
    ("window", "n_global", "n_random"), [(1, 0, 0), (3, 2, 4), (1, 0, 5), (40, 2, 3), (4, 40, 3)]
)
def test_links_are_different_positions_between_the_first_ones_and_the_window(
    window: int, n_global: int, n_random: int
) -> None:
    torch.manual_seed(0)
    links = draw_links(32, window, n_global, n_random)
    assert links.shape == (32, n_random)
    for t, row in enumerate(links.tolist()):
        there = [s for s in row if s >= 0]
        between = range(n_global, max(n_global, t - window + 1))
        assert len(there) == len(set(there)) == min(n_random, len(between))
        assert set(there) <= set(between)


@pytest.mark.parametrize("kind", [BigBirdAttention, RotaryBigBirdAttention])
@pytest.mark.parametrize(
    ("window", "n_global", "n_random"), [(1, 0, 0), (2, 1, 1), (3, 4, 0), (1, 0, 3), (40, 0, 0), (2, 40, 1)]
)
@torch.no_grad()
def test_gathering_what_is_read_equals_masking_what_is_not(
    kind: type[BigBirdAttention], window: int, n_global: int, n_random: int
) -> None:
    module = kind(config("bigbird", bigbird_window=window, bigbird_global=n_global, bigbird_random=n_random))
    strong(module)
    query, key, value = (torch.randn(2, 2, 32, 4, dtype=torch.float64) for _ in range(3))
    for T in (1, 2, 5, 32):
        allowed = module.mask(torch.arange(T), T)
        listed, counts = module.attended(T)
        for t in range(T):
            # each exactly once
            assert sorted(listed[t][counts[t]].tolist()) == allowed[t].nonzero().flatten().tolist()
        part = [each[:, :, :T] for each in (query, key, value)]
        torch.testing.assert_close(module.gathered_attention(*part), module.masked_attention(*part, allowed))


@torch.no_grad()
def test_a_long_row_of_bigbird_is_gathered_and_drops_weights_in_training_only() -> None:
    module = strong(BigBirdAttention(config("bigbird", bigbird_window=1, bigbird_global=1, bigbird_random=1)))
    x = torch.randn(2, 32, 8, dtype=torch.float64)  # 32 ≥ 8 · 3
    calls = []
    gathered = module.gathered_attention
    module.gathered_attention = lambda *args: calls.append(1) or gathered(*args)  # type: ignore[method-assign]
    whole = module(x)
    torch.testing.assert_close(module(x[:, :23]), whole[:, :23])  # 23 < 24: by the mask
    assert calls == [1]
    module.train()
    assert not torch.equal(module(x), module(x))


@torch.no_grad()
def test_one_layer_of_bigbird_reads_its_window_the_first_positions_and_its_links_and_nothing_else() -> None:
    model = strong(GPT(config("bigbird", n_layer=1, bigbird_window=3, bigbird_global=2, bigbird_random=2)))
    links = model.blocks[0].attention.links
    tokens = torch.randint(20, (2, 16), generator=torch.Generator().manual_seed(0))
    found = influence(model, tokens)
    for t in range(16):
        assert {s for s in range(16) if found[t, s]} == {
            *range(max(0, t - 2), t + 1),
            *range(min(2, t + 1)),
            *(s for s in links[t].tolist() if s >= 0),
        }


@torch.no_grad()
def test_a_perceivers_rows_read_the_first_inputs_only() -> None:
    model = strong(GPT(config("perceiver", bottleneck_dim=5)))
    tokens = torch.randint(20, (2, 12), generator=torch.Generator().manual_seed(0))
    expected = torch.tensor([[s <= t if t < 5 else s < 5 or s == t for s in range(12)] for t in range(12)])
    assert torch.equal(influence(model, tokens), expected)


def test_a_perceiver_needs_no_rows_beyond_its_input() -> None:
    model = GPT(config("perceiver", bottleneck_dim=5, n_layer=2))
    [stack] = model.blocks
    assert stack.down.basis.shape == (1, 5, 8)
    assert len(stack.middle) == 0
    assert stack.down(torch.randn(2, 3, 8)).shape == (2, 3, 8)
    assert stack.down(torch.randn(2, 30, 8)).shape == (2, 5, 8)


@torch.no_grad()
def test_linformer_leaks_in_one_layer_and_from_padding() -> None:
    module = strong(LinformerAttention(config("linformer", linformer_rank=4)))
    assert reads_the_future(module, torch.randn(1, 6, 8, dtype=torch.float64))
    x = torch.randn(1, 6, 8, dtype=torch.float64)
    padded = torch.cat((x, torch.zeros(1, 4, 8, dtype=torch.float64)), dim=1)
    assert not torch.allclose(module(padded)[:, :6], module(x), atol=1e-3)


@torch.no_grad()
def test_linformer_of_full_rank_is_attention_without_a_mask() -> None:
    module = strong(LinformerAttention(config("linformer", linformer_rank=32)))
    identity = torch.eye(32, dtype=torch.float64)
    module.mix_keys.copy_(identity)
    module.mix_values.copy_(identity)
    theirs = torch.nn.MultiheadAttention(8, 2, batch_first=True).double()
    theirs.in_proj_weight.copy_(torch.cat([module.query.weight, module.key.weight, module.value.weight]))
    theirs.in_proj_bias.copy_(torch.cat([module.query.bias, module.key.bias, module.value.bias]))
    theirs.out_proj.load_state_dict(module.projection.state_dict())
    x = torch.randn(2, 32, 8, dtype=torch.float64)
    torch.testing.assert_close(module(x), theirs(x, x, x, need_weights=False)[0])


def test_a_block_factorises_as_evenly_as_it_can() -> None:
    assert [even_factors(n) for n in (1, 2, 9, 12, 13, 128)] == [
        (1, 1),
        (1, 2),
        (3, 3),
        (3, 4),
        (1, 13),
        (8, 16),
    ]


@torch.no_grad()
def test_a_random_synthesizer_weighs_alike_whatever_it_reads() -> None:
    module = strong(GPT(config("random_synthesizer", n_layer=1))).blocks[0].attention
    x, y = torch.randn(2, 1, 9, 8, dtype=torch.float64)
    # the weights are constants, so the map is affine: what x + y gives is what x and y give, less what
    # nothing gives
    zero = torch.zeros(1, 9, 8, dtype=torch.float64)
    torch.testing.assert_close(module(x + y), module(x) + module(y) - module(zero))
