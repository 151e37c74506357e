"""A world to train on, tiny recipes, and sentences and an encoder small enough for a test."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kqa_core.text.world.generator import make_world

if TYPE_CHECKING:
    from kqa_core.encoder.sentiment import Sentiment


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tiny one, made for each file of tests."""
    path = tmp_path_factory.mktemp("world")
    make_world("tiny").write(path)
    return path


@pytest.fixture
def tiny_recipes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tiny recipes of the tests of training, under the names of the real ones."""
    from tiny_runs import TINY  # beside those tests

    from kqa_core.training.recipes import RECIPES

    for name, recipe in TINY.items():
        monkeypatch.setitem(RECIPES, name, recipe)


@pytest.fixture(scope="session")
def corpus() -> Sentiment:
    """The generated sentences of the shipped seed, made anew."""
    from kqa_core.encoder.sentiment import make_sentiment

    return make_sentiment()


@pytest.fixture(scope="session")
def few(corpus: Sentiment) -> Sentiment:
    """A few sentences of each split."""
    return corpus.part(48, 24, 24)


@pytest.fixture(scope="session")
def tiny_encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an encoder that has hardly read anything."""
    from test_pretrain import TINY  # beside the tests of the encoder

    from kqa_core.encoder.pretrain import pretrain

    return pretrain(tmp_path_factory.mktemp("encoders") / "tiny", TINY, show=False)
