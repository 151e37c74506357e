"""A corpus and an encoder small enough for a test."""

from __future__ import annotations

import pytest

from kqa_core.encoder.pretrain import pretrain
from kqa_core.encoder.sentiment import make_sentiment


@pytest.fixture(scope="session")
def corpus():
    """The corpus of the shipped seed, made anew."""
    return make_sentiment()


@pytest.fixture(scope="session")
def few(corpus):
    """A few sentences of each split."""
    return corpus.part(48, 24, 24)


@pytest.fixture(scope="session")
def tiny_encoder(tmp_path_factory):
    """The folder of an encoder that has hardly read anything."""
    from test_pretrain import TINY

    return pretrain(tmp_path_factory.mktemp("encoders") / "tiny", TINY, show=False)
