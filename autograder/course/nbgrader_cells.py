"""The cells of an assignment for nbgrader, and the code in them: which names it defines and needs, and its
tests as those of a check.
"""

from __future__ import annotations

import ast
import builtins
import json
import re
from dataclasses import dataclass
from pathlib import Path

from kqa_core.errors import UserError, first_line

HIDDEN = re.compile(
    r"^[ \t]*#+ ?BEGIN HIDDEN TESTS.*?#+ ?END HIDDEN TESTS[^\n]*\n?", re.DOTALL | re.MULTILINE
)
MARKERS = re.compile(r"^[ \t]*#+ ?(?:BEGIN|END) (?:SOLUTION|HIDDEN TESTS)[^\n]*\n?", re.MULTILINE)


@dataclass
class Cell:
    """A cell of the assignment, and what nbgrader's metadata say of it."""

    kind: str
    text: str
    name: str  # nbgrader's id of it; empty if it has none
    graded: bool
    solution: bool
    task: bool
    points: float

    @property
    def tests(self) -> bool:
        """Whether it holds tests."""
        return self.kind == "code" and self.graded and not self.solution


def read_assignment(path: Path) -> list[Cell]:
    """Its cells. Raises UserError for a file that is no notebook."""
    try:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        raws = [(cell["cell_type"], cell["source"], cell["metadata"]) for cell in notebook["cells"]]
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise UserError(
            f"{path}: is not a notebook ({first_line(problem)}); give one as Jupyter saves it"
        ) from None
    cells = []
    for kind, source, metadata in raws:
        marks = metadata.get("nbgrader") or {}
        cells.append(
            Cell(
                kind,
                ("".join(source) if isinstance(source, list) else source).strip("\n"),
                str(marks.get("grade_id") or ""),
                bool(marks.get("grade")),
                bool(marks.get("solution")),
                bool(marks.get("task")),
                float(marks.get("points") or 0),
            )
        )
    return cells


def parsed(code: str) -> ast.Module | None:
    """Its syntax tree; None if it is not plain Python."""
    try:
        return ast.parse(code)
    except SyntaxError:
        return None


def without_magics(code: str) -> str:
    """The code without lines that only Jupyter understands."""
    return re.sub(r"^[ \t]*[%!][^\n]*\n?", "", code, flags=re.MULTILINE)


def bound_names(node: ast.AST) -> set[str]:
    """The names that a statement binds where it stands."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.AnnAssign | ast.AugAssign | ast.For):
        targets = [node.target]
    return {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}


def read_names(tree: ast.AST) -> set[str]:
    """The names that are read anywhere in it."""
    return {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }


def free_names(tree: ast.AST) -> set[str]:
    """The names that are read and that it does not define itself."""
    own = {name for node in ast.walk(tree) for name in bound_names(node)}
    own |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    own |= {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    own |= {node.name for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler) and node.name}
    return read_names(tree) - own - set(dir(builtins))


class _Explained(ast.NodeTransformer):
    """Assertions say what they tested; those of nose, which is no more, become those of unittest."""

    def visit_Assert(self, node: ast.Assert) -> ast.Assert:
        if node.msg is None:
            node.msg = ast.Constant(f"this should hold: {ast.unparse(node.test)}")
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | list[ast.stmt]:
        if node.module != "nose.tools":
            return node
        lines = ["import unittest"]
        for alias in node.names:
            camel = re.sub(r"_(\w)", lambda letter: letter[1].upper(), alias.name)
            lines.append(f"{alias.asname or alias.name} = unittest.TestCase().{camel}")
        return ast.parse("\n".join(lines)).body


def test_code(tree: ast.Module, others: set[str]) -> str:
    """The statements that call none of these functions, as code whose assertions say what they tested. What a
    test prints is left out.
    """
    kept = [node for node in tree.body if not read_names(node) & others and not _says_nothing(node)]
    copy = ast.parse(ast.unparse(ast.Module(kept, [])))
    return ast.unparse(ast.fix_missing_locations(_Explained().visit(copy)))


def _says_nothing(node: ast.stmt) -> bool:
    """Whether it is a text by itself, or prints."""
    if not isinstance(node, ast.Expr):
        return False
    call = node.value
    prints = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "print"
    return prints or isinstance(call, ast.Constant)
