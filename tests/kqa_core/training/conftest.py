"""The tiny recipes under their names."""

from __future__ import annotations

import pytest
from tiny_runs import TINY

from kqa_core.training.recipes import RECIPES


@pytest.fixture
def tiny_recipes(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, recipe in TINY.items():
        monkeypatch.setitem(RECIPES, name, recipe)
