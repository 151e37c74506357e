"""A finished fine-tuning run is read from its file, and any other run is trained."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
import torch
from torch import nn

from kqa_core.encoder import run_cache
from kqa_core.encoder.classifier import SentimentClassifier
from kqa_core.encoder.finetune import Curves, FineTune, FineTuned
from kqa_core.encoder.sentiment import Example, Sentiment

DATA = Sentiment(
    (Example("good .", 1), Example("bad .", 0)), (Example("fine .", 1),), (Example("dull .", 0),)
)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.config = SimpleNamespace(hidden_size=4)
        self.embedding = nn.Embedding(5, 4)

    def forward(self, input_ids, attention_mask):
        return SimpleNamespace(last_hidden_state=self.embedding(input_ids))


@pytest.fixture
def trained(monkeypatch, tmp_path):
    """The runs that were really trained; a folder with an encoder, and a place to keep them."""
    runs = []

    def fine_tune(config, data, source, prepare=None):
        runs.append(config)
        torch.manual_seed(len(runs))
        return FineTuned(
            SentimentClassifier(Encoder(), config.pooling),
            "tokenizer",
            Curves([0.5], [0.7, 0.4], [0.5, 1.0], 2.0),
            config,
        )

    monkeypatch.setattr(run_cache, "fine_tune", fine_tune)
    monkeypatch.setattr(run_cache, "load_encoder", lambda source: (Encoder(), "tokenizer"))
    for name in ("config.json", "model.safetensors"):
        (tmp_path / name).write_text(name)
    return SimpleNamespace(runs=runs, source=tmp_path, path=tmp_path / "run.safetensors")


def logits(tuned):
    tuned.model.eval()
    return tuned.model(torch.tensor([[1, 2, 3]]), torch.ones(1, 3, dtype=torch.int64))


def test_the_same_run_is_read_from_its_file_weights_curves_and_all(trained):
    first = run_cache.cached_run(trained.path, FineTune(), DATA, trained.source)
    again = run_cache.cached_run(trained.path, FineTune(), DATA, trained.source)
    assert len(trained.runs) == 1
    assert (
        torch.equal(logits(first), logits(again))
        and again.curves == first.curves
        and not again.model.training
    )


def test_the_test_split_is_no_part_of_a_run(trained):
    run_cache.cached_run(trained.path, FineTune(), DATA, trained.source)
    run_cache.cached_run(trained.path, FineTune(), replace(DATA, test=()), trained.source)
    assert len(trained.runs) == 1


@pytest.mark.parametrize("other", ["configuration", "sentences", "encoder", "preparation", "damage"])
def test_another_run_is_trained_and_takes_the_place_of_the_old_one(trained, other):
    run_cache.cached_run(trained.path, FineTune(), DATA, trained.source)
    config = FineTune(seed=1) if other == "configuration" else FineTune()
    data = DATA.part(1) if other == "sentences" else DATA
    prepare = (lambda model: None) if other == "preparation" else None
    if other == "encoder":
        (trained.source / "model.safetensors").write_text("another")
    if other == "damage":
        trained.path.write_bytes(trained.path.read_bytes()[:40])
    for _ in range(2):
        found = run_cache.cached_run(trained.path, config, data, trained.source, prepare)
    assert len(trained.runs) == 2 and found.config == config
