"""Probes find what is there, say nothing of what is not, and refuse to judge what they cannot."""

from __future__ import annotations

import copy
import dataclasses

import pytest
import torch
from course_exercises.is_it_active import PRETENDING, built
from torch import Tensor

from kqa_core.errors import UserError
from kqa_core.evaluation.probes import SEED, influence, reads_the_future
from kqa_core.experiments import suspect
from kqa_core.model.attention import CausalSelfAttention, attention
from kqa_core.model.config import GPTConfig
from kqa_core.model.gpt import GPT
from kqa_core.model.variant_registry import variant_names

CONFIG = GPTConfig(
    11,
    block_size=10,
    n_layer=3,
    n_head=2,
    d_model=8,
    bigbird_window=2,
    bigbird_global=1,
    bigbird_random=1,
    bottleneck_dim=4,
    linformer_rank=3,
)
TOKENS = torch.randint(11, (2, 9), generator=torch.Generator().manual_seed(0))
X = torch.randn(2, 7, 8, generator=torch.Generator().manual_seed(1))
LOWER = torch.ones(7, 7).tril().bool()


def shift(x: Tensor, by: int) -> Tensor:
    return x.roll(by, dims=1)


@pytest.mark.parametrize(
    ("forward", "leaks"),
    [
        (lambda x: x, False),
        (lambda x: torch.relu(x - 2.0), False),
        (lambda x: attention(x, x, x, LOWER), False),
        (lambda x: x.cumsum(dim=1), False),
        (lambda x: attention(x, x, x), True),
        (lambda x: attention(x, x, x, torch.ones(7, 7).tril(1).bool()), True),  # the mask one too far
        (lambda x: x + 1e-6 * x.mean(dim=1, keepdim=True), True),
        (lambda x: shift(x, -1), True),  # reads exactly one position ahead
        (lambda x: x.argmax(dim=1, keepdim=True).float() + torch.zeros_like(x), True),
        (lambda x: torch.relu(shift(x, -3) - 3.0) + x, True),  # a leak that is mostly shut
    ],
)
def test_a_leak_is_found_and_only_a_leak(forward, leaks: bool) -> None:  # type: ignore[no-untyped-def]
    assert reads_the_future(forward, X) == leaks
    assert influence(forward, X).triu(1).any() == leaks


def test_a_tolerance_forgives_what_is_smaller() -> None:
    def nearly(x: Tensor) -> Tensor:
        return x + 1e-5 * x.mean(dim=1, keepdim=True)

    assert reads_the_future(nearly, X)
    assert not reads_the_future(nearly, X, tolerance=1e-3)


def test_influence_tells_who_reads_whom() -> None:
    every_second = torch.tensor([[s <= t and (t - s) % 2 == 0 for s in range(7)] for t in range(7)])
    assert torch.equal(influence(lambda x: attention(x, x, x, every_second), X), every_second)
    assert torch.equal(influence(lambda x: shift(x, 2), X), torch.eye(7).roll(-2, dims=1).bool())


@pytest.mark.parametrize("variant", variant_names())
def test_both_published_leaks_are_caught_in_a_fresh_model(variant: str) -> None:
    for fusion in ("concat", "norm-reweight", "norm-reweight-causal"):
        torch.manual_seed(0)
        model = GPT(dataclasses.replace(CONFIG, variant=variant, fusion=fusion)).eval()
        assert reads_the_future(model, TOKENS) == (variant == "linformer" or fusion == "norm-reweight"), (
            fusion
        )


def test_a_row_of_one_position_has_no_future() -> None:
    assert not reads_the_future(lambda x: attention(x, x, x), X[:, :1])


def test_probes_leave_input_model_and_random_numbers_as_they_were() -> None:
    model = GPT(CONFIG).train()
    weights, x = copy.deepcopy(model.state_dict()), X.clone()
    torch.manual_seed(5)
    expected = torch.rand(1)
    torch.manual_seed(5)
    assert is_active(model)
    reads_the_future(lambda x: x, x)
    assert torch.equal(torch.rand(1), expected)
    assert torch.equal(x, X) and model.training
    assert all(torch.equal(weights[name], tensor) for name, tensor in model.state_dict().items())
    assert {module.p for module in model.modules() if isinstance(module, torch.nn.Dropout)} == {0.1}


def test_what_cannot_be_judged_is_refused_in_one_sentence() -> None:
    for probe in (influence, reads_the_future):
        with pytest.raises(
            UserError, match=r"two outputs for one input: turn dropout off \(model\.eval\(\)\)"
        ):
            probe(torch.nn.Dropout(0.5).train(), X)
        with pytest.raises(UserError, match="nan or infinite"):
            probe(lambda x: x / 0.0, X)
        with pytest.raises(
            UserError, match=r"of shape \(2, 7, …\) were expected, one per position, not \(2, 8\)"
        ):
            probe(lambda x: x.sum(dim=1), X)
        with pytest.raises(UserError, match="not NoneType"):
            probe(lambda x: None, X)
        with pytest.raises(UserError, match=r"x must be a tensor \(B, T, C\)"):
            probe(lambda x: x, X[0, 0])
        with pytest.raises(UserError, match=r"x must be a tensor .* not NoneType"):
            probe(lambda x: x, None)
    with pytest.raises(UserError, match="every token of x is the same"):
        reads_the_future(GPT(CONFIG).eval(), torch.full((2, 5), 3))


@pytest.mark.parametrize("fusion", ["concat", "shuffle", "shift", "norm-reweight"])
@pytest.mark.parametrize("variant", variant_names())
def test_what_the_library_makes_is_what_it_says(variant: str, fusion: str) -> None:
    assert is_active(GPT(dataclasses.replace(CONFIG, variant=variant, fusion=fusion)))


@pytest.mark.parametrize(
    "variant", [name for name in variant_names() if name not in ("vanilla", "perceiver")]
)
@pytest.mark.parametrize("layer", [0, 1, 2])
def test_one_plain_layer_among_variants_gives_a_fresh_model_away(variant: str, layer: int) -> None:
    torch.manual_seed(0)
    config = dataclasses.replace(CONFIG, variant=variant)
    model = GPT(config)
    plain = CausalSelfAttention(config)
    plain.load_state_dict(model.blocks[layer].attention.state_dict(), strict=False)
    for name, part in [
        *model.blocks[layer].attention.named_parameters(),
        *model.blocks[layer].attention.named_buffers(),
    ]:
        if "." not in name and not hasattr(plain, name):
            plain.register_buffer(name, part.detach())  # dressed up: every tensor of the variant is there
    model.blocks[layer].attention = plain
    assert not is_active(model)


@pytest.mark.parametrize("what", PRETENDING)
@pytest.mark.parametrize("variant", ["rope", "synthesizer"])
def test_the_pretenders_of_notebook_07_are_seen_through(variant: str, what: str) -> None:
    assert not is_active(suspect(*built(variant, what), seed=3))


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize("variant", ["vanilla", "rope", "synthesizer"])
def test_honest_models_pass_with_spare_parts_and_in_training_mode(variant: str, training: bool) -> None:
    for dress in ("library", "spare"):
        assert is_active(suspect(variant, (variant, variant), dress, seed=4, training=training))


@pytest.mark.parametrize(
    ("says", "does"),
    [
        ({"fusion": "shift"}, {}),
        ({"fusion": "shuffle"}, {}),
        ({"fusion": "norm-reweight"}, {"fusion": "norm-reweight-causal"}),
        ({"positions": "rotary"}, {"positions": "none"}),
        ({"positions": "sinusoidal"}, {"positions": "none"}),
        ({"positions": "learned"}, {"positions": "none"}),
        ({"variant": "bigbird", "bigbird_window": 3}, {"variant": "bigbird"}),
        ({"variant": "perceiver"}, {}),
        ({"block_size": 12}, {}),
    ],
)
def test_a_config_that_says_something_else_is_found_out(
    says: dict[str, object], does: dict[str, object]
) -> None:
    torch.manual_seed(0)
    model = GPT(dataclasses.replace(CONFIG, **does))  # type: ignore[arg-type]
    assert is_active(model)
    model.config = dataclasses.replace(CONFIG, **says)  # type: ignore[arg-type]
    assert not is_active(model)


@torch.no_grad()
def is_active(model: GPT, tolerance: float = 1e-9) -> bool:
    """Whether the model computes what its config says: variant, positions and fusion, in every layer.

    A new model is built from the config and gets the weights of this one. Both then process the same rows in
    float64, and their logits must agree within `tolerance`, relative to the largest. Names are not compared:
    a class may have any name, and unused parts do not matter. Shuffled heads are off in evaluation, so these
    models are compared in training mode, without dropout and with the same seed. The model itself is not
    changed.
    """
    with torch.random.fork_rng(devices=[]):
        trusted = GPT(model.config).double()
    suspect = copy.deepcopy(model).cpu().double()
    theirs, ours = suspect.state_dict(), trusted.state_dict()
    if any(name not in theirs or theirs[name].shape != tensor.shape for name, tensor in ours.items()):
        return False
    trusted.load_state_dict({name: theirs[name] for name in ours})
    training = model.config.fusion == "shuffle"
    for each in (trusted, suspect):
        each.train(training)
        _without_dropout(each)
    generator = torch.Generator().manual_seed(SEED)
    length = model.config.block_size
    for T in sorted({1, (length + 1) // 2, length}):
        tokens = torch.randint(model.config.vocab_size, (4, T), generator=generator)
        expected, logits = (_seeded(gpt, tokens) for gpt in (trusted, suspect))
        if not (logits - expected).abs().max() <= tolerance * expected.abs().max():
            return False
    return True


def _without_dropout(model: torch.nn.Module) -> None:
    for module in model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
        if hasattr(module, "attention_dropout"):
            setattr(module, "attention_dropout", 0.0)  # noqa: B010  # an attribute of our variants, unknown to nn.Module


def _seeded(model: GPT, tokens: Tensor) -> Tensor:
    """The logits, computed with the same random numbers for every model."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(SEED)
        return model(tokens)[0]  # type: ignore[no-any-return]
