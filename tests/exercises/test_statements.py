"""The statement of an exercise names only what a grader's runner has too:
demonstration cells are not run there.
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.paths import ROOT
from autograder.submissions.skeleton import Skeleton, load_skeleton

NOTEBOOKS = sorted((ROOT / "notebooks" / "source").glob("*/*.ipynb"))
QUOTED = re.compile(r"`([A-Za-z_]\w*)[(`.]")


def defined(source: str) -> set[str]:
    """The functions, classes and imported names that a cell defines; none if it is no plain Python."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return set()
    names = {node.name for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    imports = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    return names | {(alias.asname or alias.name).split(".")[0] for node in imports for alias in node.names}


def missing(skeleton: Skeleton) -> dict[str, set[str]]:
    """For each exercise, what its statement names, demonstration cells define,
    and neither setup nor solution cell mentions.
    """
    roles = ("demonstration", "setup")
    shown, ready = (
        {name for cell in skeleton.cells if cell.role == role for name in defined(cell.source)}
        for role in roles
    )
    exercises = {exercise.id for exercise in skeleton.exercises}
    solutions = {cell.grade_id: cell.source for cell in skeleton.cells if cell.role == "solution"}
    found = {}
    for cell in skeleton.cells:
        if cell.role == "statement" and cell.exercise is not None and not cell.exercise.written:
            absent = set(QUOTED.findall(cell.source)) & shown - ready - exercises
            absent -= set(re.findall(r"\w+", solutions[cell.exercise.id]))
            found |= {cell.exercise.id: absent} if absent else {}
    return found


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_what_a_statement_names_is_defined_where_the_answer_is_graded(path: Path) -> None:
    assert missing(load_skeleton(path)) == {}


def test_a_function_that_only_a_demonstration_cell_defines_is_found() -> None:
    skeleton = load_skeleton(NOTEBOOKS[1])
    more = {"demonstration": "\ndef shown_only(): pass", "statement": " Use `shown_only(x)`."}
    cells = tuple(replace(cell, source=cell.source + more.get(cell.role, "")) for cell in skeleton.cells)
    assert set().union(*missing(replace(skeleton, cells=cells)).values()) == {"shown_only"}
