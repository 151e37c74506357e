"""A world to train on."""

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
