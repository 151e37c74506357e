"""Rewrites of a right answer that mean the same: what a student might type instead of the reference.

Each takes the references of a notebook, exercise → source, and returns a student's cells, (exercise or None,
source), in order.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Callable

Sources = dict[str, str]
Cells = list[tuple[str | None, str]]
Rewrite = Callable[[Sources], Cells]


class _Renamer(ast.NodeTransformer):
    """Gives every local name of a function another one."""

    def __init__(self, tree: ast.AST) -> None:
        kept = {keyword.arg for keyword in ast.walk(tree) if isinstance(keyword, ast.keyword)}
        kept |= {
            name
            for node in ast.walk(tree)
            if isinstance(node, (ast.Global, ast.Nonlocal))
            for name in node.names
        }
        bound = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
        bound |= {
            node.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        self.names = {name: f"own_{number}" for number, name in enumerate(sorted(bound - kept))}

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self.names.get(node.id, node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.arg = self.names.get(node.arg, node.arg)
        return node


def renamed(sources: Sources) -> Cells:
    """Every local variable and argument has another name."""
    cells: Cells = []
    for name, source in sources.items():
        tree = ast.parse(source)
        cells.append((name, ast.unparse(_Renamer(tree).visit(tree))))
    return cells


def commented(sources: Sources) -> Cells:
    """A comment at the end of each statement, a blank line after it."""
    return [(name, _with_comments(source)) for name, source in sources.items()]


def _with_comments(source: str) -> str:
    lines = source.splitlines()
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    taken = {token.start[0] for token in tokens if token.type == tokenize.COMMENT}
    for token in tokens:
        if (
            token.type == tokenize.NEWLINE
            and token.start[0] not in taken
            and lines[token.start[0] - 1].strip()
        ):
            lines[token.start[0] - 1] += "   # a remark: def x(): pass\n"
    return "# what I think\n\n" + "\n".join(lines) + "\n\n\n# the end\n"


def in_helper_cells(sources: Sources) -> Cells:
    """The work is done by a function of another name in a cell above; the answer calls it."""
    cells: Cells = []
    for name, source in sources.items():
        cells.append((None, source.replace(f"def {name}(", f"def my_{name}(")))
        cells.append((name, f"def {name}(*given, **named):\n    return my_{name}(*given, **named)\n"))
    return cells


def merged(sources: Sources) -> Cells:
    """Answer and experiments of a student's own stand in one cell."""
    before = "import os\nimport sys\n\nnotes = []\n\n\n"
    return [
        (name, f"{before}{source}\n\nnotes.append({name})\nprint(notes)\n")
        for name, source in sources.items()
    ]


def split(sources: Sources) -> Cells:
    """The imports and constants that an answer needs stand in cells of their own, and are there twice."""
    cells: Cells = []
    for name, source in sources.items():
        cells += [
            (None, "import math"),
            (None, "TOLERANCE = 1e-9\n"),
            (name, source),
            (None, f"print({name})"),
        ]
    return cells


def reordered(sources: Sources) -> Cells:
    """The cells were moved about: the last comes first."""
    return list(reversed(list(sources.items())))


def reprinted(sources: Sources) -> Cells:
    """Printed anew by a formatter: no comments, other spacing and quotes."""
    return [(name, ast.unparse(ast.parse(source))) for name, source in sources.items()]


def as_objects(sources: Sources) -> Cells:
    """Every answer is a callable object around the function."""
    after = "\n\nclass Answer:\n    def __init__(self, f):\n        self.f = f\n\n"
    after += "    def __call__(self, *given):\n        return self.f(*given)\n\n\n"
    return [(name, f"{source}{after}{name} = Answer({name})\n") for name, source in sources.items()]


def _both(first: Rewrite, second: Rewrite) -> Rewrite:
    """One rewrite after another. `first` must keep one cell for each exercise."""

    def rewrite(sources: Sources) -> Cells:
        return second({name: source for name, source in first(sources) if name is not None})

    rewrite.__name__ = f"{first.__name__}_and_{second.__name__}"
    return rewrite


EACH: tuple[Rewrite, ...] = (
    renamed,
    commented,
    in_helper_cells,
    merged,
    split,
    reordered,
    reprinted,
    as_objects,
)
# Two at a time, each once: one changes the text of an answer, the other where it stands. So half as many have
# to be judged.
ALL = (
    _both(renamed, reordered),
    _both(commented, in_helper_cells),
    _both(reprinted, split),
    _both(as_objects, merged),
)
