"""The model is written to be read: short, and without what only makes training fast."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

import kqa_core.model
from kqa_core.model.block import Block
from kqa_core.model.gpt import GPT

FOLDER = Path(kqa_core.model.__file__).parent


def lines_of_code(function: Callable[..., object]) -> int:
    """The lines of a function without docstring, comments and empty lines; the signature counts."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    definition = tree.body[0]
    assert isinstance(definition, ast.FunctionDef)
    if ast.get_docstring(definition):
        del definition.body[0]
    numbers = {
        line
        for node in ast.walk(definition)
        if isinstance(node, ast.stmt | ast.expr | ast.arg)
        for line in (node.lineno, *([node.end_lineno] if isinstance(node, ast.expr) else []))
    }
    return len(numbers)


@pytest.mark.parametrize(("function", "most"), [(Block.forward, 6), (GPT.forward, 25)])
def test_the_forward_pass_is_short(function: Callable[..., object], most: int) -> None:
    assert lines_of_code(function) <= most


def test_the_model_knows_nothing_of_packed_rows_and_inspects_no_signature() -> None:
    sources = {path.name: path.read_text(encoding="utf-8").lower() for path in FOLDER.rglob("*.py")}
    assert len(sources) > 10
    for name, source in sources.items():
        assert "packing" not in source and "inspect.signature" not in source, name
