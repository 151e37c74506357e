"""Which outputs a reader may see: those that say nothing about an answer.

- The reading site shows released notebooks, whose cells have no outputs. The instructor's have: made with the solutions in place.
- An output is taken over only where nothing in its cell depends on an answer, by name: a solution cell's names are answers; a
  cell that uses one is kept back, and all names that it sets or hands on are answers from there on. A check, and whatever tells
  of progress, is kept back too.
- What cannot be read as Python is kept back. So too little may be shown, and never what a student's answer gives.
"""

from __future__ import annotations

import ast
from typing import Any

OWN = {"check", "progress", "cockpit", "reset"}  # they tell of the reader's own work
PICTURES = ("image/png", "image/jpeg")


def shown_outputs(released: Any, stored: Any) -> tuple[Any, list[str]]:
    """The released notebook with the outputs of the instructor's that may be seen, and the ids of the cells kept back."""
    outputs = {cell.id: cell.outputs for cell in stored.cells if cell.cell_type == "code"}
    free = independent(released)
    back = []
    for cell in released.cells:
        if cell.cell_type != "code":
            continue
        found = outputs.get(cell.id, [])
        if cell.id in free:
            cell.outputs = [described(each) for each in found if each.output_type != "error"]
        elif found and not cell.metadata.get("nbgrader", {}).get("solution"):
            back.append(cell.id)
    return released, back


def independent(notebook: Any) -> set[str]:
    """The ids of the code cells that depend on no answer."""
    answers, own = set(OWN), set[str]()  # own: what the notebook's cells have set so far
    found = set()
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        used, sets, imports = names(cell.source)
        own |= sets
        marks = cell.metadata.get("nbgrader", {})
        if used is None or marks.get("solution") or marks.get("grade") or used & answers:
            answers |= sets | ((used or set()) & own) - imports
        else:
            answers -= sets
            found.add(cell.id)
    return found


def parsed(source: str) -> ast.Module | None:
    """A cell's Python, lines for the notebook itself aside; None where it is no Python."""
    try:
        return ast.parse("\n".join(line for line in source.splitlines() if not line.startswith(("%", "!"))))
    except SyntaxError:
        return None


def names(source: str) -> tuple[set[str] | None, set[str], set[str]]:
    """The names a cell uses (None where it is no Python), those it sets at its top or anywhere within, and those it imports."""
    tree = parsed(source)
    if tree is None:
        return None, set(), set()
    used, sets, imports = set[str](), set[str](), set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else sets).add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            sets.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            imports |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
    return used, sets, imports


def described(output: Any) -> Any:
    """A picture without words gets those that stand beside it as its text."""
    data = output.get("data", {})
    words = str(data.get("text/plain", ""))
    for kind in PICTURES:
        if kind in data:
            facts = output.metadata.setdefault(kind, {})
            facts.setdefault("alt", words if words and not words.startswith("<") else "A figure, described in the text around it")
    return output
