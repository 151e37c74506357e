"""Small models: heads, continuations, comparisons layer by layer, a model of own parts, a second rounding;
and answers about the people of data/people.
"""

from __future__ import annotations

from collections import Counter

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from kqa_core.model.kv_cache import KVCache
from kqa_core.pretrained.birthplaces import among, place_in, plain, read_famous, read_invented, sound_alike
from kqa_core.pretrained.compare import compare_states, first_difference, states_of
from kqa_core.pretrained.continuations import BATCH, continuations
from kqa_core.pretrained.heads import attention_weights, without_heads
from kqa_core.pretrained.llama import Llama, LlamaConfig
from kqa_core.pretrained.own_parts import OwnModel
from kqa_core.pretrained.rounding import rounded, rounded_model

CONFIG = LlamaConfig(
    vocab_size=19, n_layer=3, d_model=24, d_mlp=32, n_head=6, n_key_head=2, theta=100.0, epsilon=1e-5,
    block_size=32,
)  # fmt: skip
TOKENS = torch.tensor([[3, 1, 4, 1, 5, 9, 2, 6], [5, 3, 5, 8, 9, 7, 9, 3]])


@pytest.fixture(scope="module")
def model() -> Llama:
    torch.manual_seed(0)
    return Llama(CONFIG).requires_grad_(False).eval()


def test_weights_are_causal_add_up_to_1_and_give_the_output_of_attention(model: Llama) -> None:
    weights = attention_weights(model, TOKENS)
    assert weights.shape == (2, 3, 6, 8, 8)
    assert torch.equal(weights, weights.tril())
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, 3, 6, 8))
    block = model.blocks[0]
    x = block.norm_1(model.token_embedding(TOKENS))
    value = block.attention.value(x).unflatten(-1, (2, 4)).transpose(1, 2).repeat_interleave(3, 1)
    merged = (weights[:, 0] @ value).transpose(1, 2).flatten(2)
    seen: list[Tensor] = []
    with block.attention.projection.register_forward_pre_hook(lambda _, inputs: seen.append(inputs[0])):
        model(TOKENS)
    torch.testing.assert_close(merged, seen[0])


def test_a_model_without_heads_is_one_whose_projection_has_zeros_there(model: Llama) -> None:
    intact = model(TOKENS)
    with without_heads(model, [(0, 1), (0, 5), (2, 0)]):
        ablated = model(TOKENS)
    assert torch.equal(model(TOKENS), intact)
    other = Llama(CONFIG).eval()
    other.load_state_dict(model.state_dict())
    with torch.no_grad():
        for layer, head in ((0, 1), (0, 5), (2, 0)):
            other.blocks[layer].attention.projection.weight[:, head * 4 : head * 4 + 4] = 0
        torch.testing.assert_close(ablated, other(TOKENS))
    assert not torch.allclose(ablated, intact)


@pytest.mark.parametrize("head", [(3, 0), (0, 6), (-1, 0)])
def test_a_head_that_is_not_there_is_named(model: Llama, head: tuple[int, int]) -> None:
    with pytest.raises(IndexError, match=r"3 layers of 6 heads"), without_heads(model, [head]):
        pass


@pytest.mark.slow
def test_continuations_are_those_of_the_whole_row_computed_anew(model: Llama) -> None:
    prompts = [[3, 1, 4], [1, 5], [9, 2, 6], [7] * 5, *([[n % 19, 2] for n in range(BATCH + 1)])]
    for prompt, written in zip(prompts, continuations(model, prompts, 4), strict=True):
        row = list(prompt)
        for token, probability in zip(written.tokens, written.probabilities, strict=True):
            shares = model(torch.tensor([row]))[0, -1].softmax(-1)
            assert token == int(shares.argmax())
            assert probability == pytest.approx(float(shares.max()), rel=1e-4)
            row.append(token)


def test_the_first_layer_that_differs_is_named(model: Llama) -> None:
    right = states_of(model, TOKENS)
    torch.testing.assert_close(right[-1], model(TOKENS))
    assert len(right) == 5 and first_difference(compare_states(right, right)) is None
    wrong = [state.clone() for state in right]
    wrong[2][0, 3, 1] += 0.5
    wrong[4] += 1.0
    first = first_difference(compare_states(wrong, right))
    assert first is not None and first.name == "block 1" and first.difference == pytest.approx(0.5)
    assert first_difference(compare_states([*right[:4], right[4] * torch.nan], right)) is not None
    with pytest.raises(ValueError, match="4 tensors; the model's has 5"):
        compare_states(right[:4], right)
    with pytest.raises(ValueError, match="block 0: shape"):
        compare_states([right[0], right[1][:1], *right[2:]], right)


def rms_norm(x: Tensor, gain: Tensor) -> Tensor:
    return F.rms_norm(x, gain.shape, gain, 1e-5)


def swiglu(x: Tensor, w_gate: Tensor, w_up: Tensor, w_down: Tensor) -> Tensor:
    return F.linear(F.silu(F.linear(x, w_gate)) * F.linear(x, w_up), w_down)


def attention(
    q: Tensor, k: Tensor, v: Tensor, past: tuple[Tensor, Tensor] | None
) -> tuple[Tensor, tuple[Tensor, Tensor]]:
    if past is not None:
        k, v = torch.cat((past[0], k), 2), torch.cat((past[1], v), 2)
    n, length = q.shape[2], k.shape[2]
    allowed = torch.ones(n, length).tril(length - n).bool()
    group = q.shape[1] // k.shape[1]
    wide = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)
    return F.scaled_dot_product_attention(q, *wide, attn_mask=allowed), (k, v)


def test_a_model_of_own_parts_gives_the_librarys_logits_piece_by_piece(model: Llama) -> None:
    own = OwnModel(model.state_dict(), CONFIG, rms_norm, swiglu, attention)
    whole = model(TOKENS)
    for start, end in ((0, 3), (3, 4), (4, 8)):
        torch.testing.assert_close(own.read(TOKENS[:, start:end]), whole[:, end - 1], atol=1e-5, rtol=1e-5)
    assert own.length == 8 and all(past is not None and past[0].shape == (2, 2, 8, 4) for past in own.past)


def test_rounding_keeps_the_ends_of_each_block_and_moves_weights_by_half_a_step_at_most() -> None:
    weight = torch.randn(4, 32, generator=torch.Generator().manual_seed(1))
    for bits in (2, 4, 8):
        new = rounded(weight, bits)
        old_blocks, new_blocks = (each.flatten().roll(-16).view(-1, 32) for each in (weight, new))
        step = (old_blocks.amax(1) - old_blocks.amin(1)) / (2**bits - 1)
        assert ((new_blocks - old_blocks).abs().amax(1) <= step / 2 + 1e-6).all()
        torch.testing.assert_close(new_blocks.amin(1), old_blocks.amin(1))
        torch.testing.assert_close(new_blocks.amax(1), old_blocks.amax(1))
        assert all(len(block.unique()) <= 2**bits for block in new_blocks)
        torch.testing.assert_close(rounded(new, bits), new)
    assert torch.equal(rounded(torch.ones(2, 32), 4), torch.ones(2, 32))


def test_only_the_matrices_of_the_blocks_are_rounded(model: Llama) -> None:
    weights = model.state_dict()
    new = rounded_model(weights, 2)
    changed = {name for name in weights if not torch.equal(new[name], weights[name])}
    assert changed == {name for name in weights if name.startswith("blocks.") and "norm" not in name}


def test_the_cache_of_the_library_is_what_continuations_use(model: Llama) -> None:
    cache = KVCache(CONFIG.n_layer, 8)
    cache.set_positions(torch.arange(8).expand(2, 8))
    torch.testing.assert_close(model(TOKENS, cache), model(TOKENS), atol=1e-5, rtol=1e-5)


REGIONS = {"Africa", "Asia", "Europe", "North America", "Oceania", "South America"}


def test_the_list_has_people_of_all_continents_and_times() -> None:
    people = read_famous()
    assert len(people) >= 150 and len({person.name for person in people}) == len(people)
    regions = Counter(person.region for person in people)
    assert regions.keys() == REGIONS and min(regions.values()) >= 10
    assert sum(person.born < 1500 for person in people) >= 15
    assert all(person.cities and -700 < person.born < 2000 for person in people)


def test_no_place_that_goes_with_a_person_is_the_city_of_birth() -> None:
    assert not [
        person.name for person in read_famous() if any(among(p, person.cities) for p in person.places)
    ]


def test_the_invented_names_are_not_in_the_list() -> None:
    invented = read_invented()
    assert len(set(invented)) == len(invented) == 50
    assert not set(map(plain, invented)) & {plain(person.name) for person in read_famous()}


@pytest.mark.parametrize(
    ("continuation", "place"),
    [
        (" Salzburg, Austria, in 1", "Salzburg"),
        (" Newton, Massachusetts, on January 4", "Newton"),
        (" St. Petersburg, Russia, and is", "St. Petersburg"),
        (" Mexico City. He was born in", "Mexico City"),
        (" Rio de Janeiro in 1907", "Rio de Janeiro"),
        (" the Hague, in the", "Hague"),
        (" Stratford-upon-Avon. He", "Stratford-upon-Avon"),
        (" Karl-Marx, Germany. He was", "Karl-Marx"),
        (" Athens, and he was a philosopher who", "Athens"),
        (" a small village in", ""),
        (" Ashwood, but he was born in", "Ashwood"),
        (" Xi'an, China, in ", "Xi'an"),
        ("", ""),
    ],
)
def test_the_place_is_the_first_run_of_capitalised_words(continuation: str, place: str) -> None:
    assert place_in(continuation) == place


def test_a_place_is_compared_without_accents_capitals_and_punctuation() -> None:
    assert among("Sao Paulo", ["São Paulo"]) and among("new york city", ["New York"])
    assert among("St Louis", ["St. Louis"]) and among("Gdansk", ["Danzig", "Gdańsk"])
    assert not among("Vienna", ["Bonn"]) and not among("", ["Bonn", ""])
    assert among("Hague", ["The Hague"]) and not among("York", ["New York"])


@pytest.mark.parametrize(
    ("name", "place", "alike"),
    [
        ("Isaac Newton", "Newton", True),
        ("Charles Darwin", "Darwin", True),
        ("Inés Valdeñas", "Valdez", True),
        ("Ludwig van Beethoven", "Bonn", False),
        ("C. S. Lewis", "Calais", False),
        ("Albrecht Dürer", "Durban", True),
        ("Socrates", "", False),
    ],
)
def test_two_words_that_begin_with_the_same_three_letters_sound_alike(
    name: str, place: str, alike: bool
) -> None:
    assert sound_alike(name, place) is alike
