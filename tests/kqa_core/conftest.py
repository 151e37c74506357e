"""A world to train on, and tiny recipes."""

from __future__ import annotations

from pathlib import Path

import pytest

from kqa_core.text.world.generator import make_world


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
