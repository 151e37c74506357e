"""Layers that are registered at run time: a student's own Synthesizer is a variant like any other."""

import pytest
import torch

from kqa_core.errors import UserError
from kqa_core.evaluation.generate import answer_questions
from kqa_core.model import variant_registry
from kqa_core.model.config import GPTConfig
from kqa_core.model.gpt import GPT
from kqa_core.model.variant_registry import find_variant, register_variant, shipped_names, variant_names
from kqa_core.text.vocabulary import Vocabulary


class RunningMean(torch.nn.Module):
    """Each position gets the mean of the positions up to its own."""

    def __init__(self, config):
        super().__init__()
        self.value = torch.nn.Linear(config.d_model, config.d_model)

    def forward(self, x, cache=None):
        assert cache is None
        return self.value(x).cumsum(dim=1) / torch.arange(1, x.shape[1] + 1)[:, None]


@pytest.fixture(autouse=True)
def nothing_registered(monkeypatch):
    monkeypatch.setattr(variant_registry, "_registered", {})


def small(variant, **fields):
    return GPTConfig(9, 12, n_layer=2, n_head=2, d_model=8, variant=variant, **fields)


def test_a_registered_layer_is_in_every_block_and_can_be_trained():
    register_variant("mine", RunningMean)
    model = GPT(small("mine"))
    assert [type(block.attention) for block in model.blocks] == [RunningMean, RunningMean]
    tokens = torch.randint(1, 9, (3, 12), generator=torch.Generator().manual_seed(0))
    model(tokens[:, :-1], tokens[:, 1:])[1].backward()
    assert all(parameter.grad is not None for parameter in model.blocks.parameters())
    assert "mine" in variant_names() and "mine" not in shipped_names()


def test_it_answers_questions_without_a_cache():
    register_variant("mine", RunningMean)
    vocabulary = Vocabulary.from_text("abc def?")
    model = GPT(GPTConfig(len(vocabulary), 48, n_layer=1, n_head=1, d_model=8, variant="mine"))
    assert len(answer_questions(model, vocabulary, ["abc?", "def?"])) == 2
    assert not model.supports_kv_cache and model.causal


def test_a_second_layer_of_that_name_replaces_the_first():
    register_variant("mine", RunningMean, "first")
    register_variant("mine", RunningMean, "second")
    assert find_variant("mine").summary == "second"


@pytest.mark.parametrize("name", ["synthesizer", "my layer", ""])
def test_a_name_that_is_taken_or_no_name_is_refused(name):
    with pytest.raises(UserError, match=r"a variant called|comes with the course"):
        register_variant(name, RunningMean)


def test_an_unknown_name_is_refused_with_similar_ones():
    register_variant("mine", RunningMean)
    with pytest.raises(UserError, match="mine"):
        find_variant("mne")
