"""Muon and AdamW as one torch optimizer take the steps of the course's own `Optimizer`."""

import copy
import math

import pytest
import torch

from kqa_core.model.config import GPTConfig
from kqa_core.model.gpt import GPT
from kqa_core.training.muon import StackedMuon
from kqa_core.training.optimizer import MuonAdamW, Optimizer, OptimizerConfig, hidden_matrices
from kqa_core.training.recipes import SMALL


def model():
    torch.manual_seed(0)
    return GPT(
        GPTConfig(12, block_size=10, n_layer=2, n_head=2, d_model=8, embedding_dropout=0, attention_dropout=0)
    )


def batches(count):
    generator = torch.Generator().manual_seed(1)
    return [torch.randint(2, 12, (3, 10), generator=generator) for _ in range(count)]


def test_its_steps_are_those_of_adamw_and_of_muon_at_ten_times_the_rate():
    ours, theirs = model().eval(), model().eval()
    one, other = (
        MuonAdamW(ours),
        Optimizer(theirs, OptimizerConfig(rate=1e-3, muon_rate=1e-2, clip=float("inf"))),
    )
    for codes, factor in zip(batches(4), (1.0, 0.5, 2.0, 0.1), strict=True):
        for group in one.param_groups:
            group["lr"] = 1e-3 * factor
        other.set_factor(factor)
        for network in (ours, theirs):
            network(codes[:, :-1], codes[:, 1:])[1].backward()
        one.step()
        one.zero_grad()
        other.step()
    for name, parameter in ours.named_parameters():
        assert torch.equal(parameter, theirs.get_parameter(name)), name


def test_it_has_every_parameter_once_and_leaves_its_rates_as_they_were():
    network = model()
    optimizer = MuonAdamW(network, rate=3e-3)
    held = [parameter for group in optimizer.param_groups for parameter in group["params"]]
    assert len(held) == len(set(held)) == len(list(network.parameters()))
    before = copy.deepcopy([group["lr"] for group in optimizer.param_groups])
    [codes] = batches(1)
    network(codes[:, :-1], codes[:, 1:])[1].backward()
    optimizer.step()
    after = [group["lr"] for group in optimizer.param_groups]
    assert all(abs(a - b) < 1e-12 for a, b in zip(before, after, strict=True)) and before == [3e-3] * len(
        before
    )
    optimizer.zero_grad()

    def closure():
        loss = network(codes[:, :-1], codes[:, 1:])[1]
        loss.backward()
        return loss

    weight = network.blocks[0].mlp[0].weight.detach().clone()
    assert optimizer.step(closure).item() > 0 and not torch.equal(weight, network.blocks[0].mlp[0].weight)
    optimizer.zero_grad()
    assert all(parameter.grad is None for parameter in network.parameters())


def test_its_state_is_saved_in_two_parts_and_never_lost_silently():
    optimizer = MuonAdamW(model())
    with pytest.raises(NotImplementedError, match=r"save optimizer\.adamw and optimizer\.muon"):
        optimizer.state_dict()
    with pytest.raises(NotImplementedError, match=r"load optimizer\.adamw and optimizer\.muon"):
        optimizer.load_state_dict({})


def test_what_decays_and_what_muon_takes() -> None:
    model = GPT(GPTConfig(30, n_layer=1, n_head=2, d_model=16))
    letter = Optimizer(model, OptimizerConfig(rate=1e-3, decay="assignment"))
    names = [[letter.names[p] for p in group["params"]] for group in letter.parts[0].param_groups]
    # 6 linear maps and 3 norms have one
    assert all(name.endswith("bias") for name in names[1]) and len(names[1]) == 9
    assert "blocks.0.norm_1.weight" in names[0] and "position_embedding" in names[0]
    ours = Optimizer(model, OptimizerConfig(rate=1e-3, muon_rate=0.02))
    assert {ours.names[p] for p in ours.parts[1].param_groups[0]["params"]} == set(hidden_matrices(model))
    decayed = {ours.names[p] for p in ours.parts[0].param_groups[0]["params"]}
    assert decayed == {"token_embedding.weight", "head.weight"}


def test_the_optimizer_clips_and_refuses_a_gradient_that_is_not_finite() -> None:
    model = GPT(GPTConfig(30, n_layer=1, n_head=2, d_model=16))
    optimizer = Optimizer(model, OptimizerConfig(rate=1e-3, muon_rate=0.02))
    before = {name: p.detach().clone() for name, p in model.named_parameters()}
    for p in model.parameters():
        p.grad = torch.full_like(p, math.nan)
    with pytest.raises(FloatingPointError):
        optimizer.step()
    assert all(torch.equal(p, before[name]) for name, p in model.named_parameters())


def test_muon_multiplies_in_float32_on_every_processor() -> None:
    model = GPT(GPTConfig(vocab_size=20, n_layer=1, n_head=2, d_model=16))
    _, muon = Optimizer(model, SMALL.pretrain.optimizer).parts
    assert isinstance(muon, StackedMuon) and muon.dtype == torch.float32
