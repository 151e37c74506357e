"""The outputs that a reader of the site may see: those that do not depend on an answer.

- The reading site shows released notebooks, whose cells have no outputs. The instructor's notebooks have
  outputs, made with the solutions.
- We copy an output only if nothing in its cell depends on an answer. We follow names: the names that a
  solution cell sets are answers. A cell that uses an answer is withheld, and all names that it sets or passes
  on are answers from there on. Checks and cells that show progress are withheld too.
- A cell that is not valid Python is withheld. So the site may show too little, but never the result of a
  student's answer.
"""

from __future__ import annotations

import ast
from typing import Any

# they show an answer, or the reader's own work
CHECKS = {"check", "solution", "progress", "cockpit", "reset"}
PICTURES = ("image/png", "image/jpeg")


def add_safe_outputs(released: Any, stored: Any) -> tuple[Any, list[str]]:
    """Copy outputs that readers may see from the instructor's notebook `stored` into `released`.

    Returns `released`, and the ids of the cells whose outputs are withheld.
    """
    outputs = {cell.id: cell.outputs for cell in stored.cells if cell.cell_type == "code"}
    free = independent(released)
    withheld = []
    for cell in released.cells:
        if cell.cell_type != "code":
            continue
        stored_outputs = outputs.get(cell.id, [])
        if cell.id in free:
            cell.outputs = [described(output) for output in stored_outputs if output.output_type != "error"]
        elif stored_outputs and not cell.metadata.get("nbgrader", {}).get("solution"):
            withheld.append(cell.id)
    return released, withheld


def independent(notebook: Any) -> set[str]:
    """The ids of the code cells that depend on no answer."""
    answers, defined = set(CHECKS), set[str]()  # defined: the names that the notebook's cells have set so far
    free = set()
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        used, sets, imports = names(cell.source)
        defined |= sets
        marks = cell.metadata.get("nbgrader", {})
        if used is None or marks.get("solution") or marks.get("grade") or used & answers:
            answers |= sets | ((used or set()) & defined) - imports
        else:
            answers -= sets
            free.add(cell.id)
    return free


def parsed(source: str) -> ast.Module | None:
    """A cell's syntax tree, without its magics and shell commands; None if it is not valid Python."""
    try:
        return ast.parse("\n".join(line for line in source.splitlines() if not line.startswith(("%", "!"))))
    except SyntaxError:
        return None


def names(source: str) -> tuple[set[str] | None, set[str], set[str]]:
    """The names that a cell uses (None if it is not valid Python), sets anywhere, and imports."""
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
    """The output, whose picture gets the output's text as its alt text if it has none."""
    data = output.get("data", {})
    words = str(data.get("text/plain", ""))
    for kind in PICTURES:
        if kind in data:
            facts = output.metadata.setdefault(kind, {})
            facts.setdefault(
                "alt",
                words if words and not words.startswith("<") else "A figure, described in the text around it",
            )
    return output
