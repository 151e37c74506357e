"""Recognise a copy of an answer's code, whatever its layout, comments and names.

- Code is compared as syntax trees. Docstrings, annotations and comments are removed; every name that is not a
  builtin is replaced by a number in order of appearance. So renaming changes nothing, while attributes,
  keywords and constants still count.
- A copy is found as a run of statements anywhere (a function's body pasted into a cell), a one-line answer
  also as an expression.
- Different people write short code in the same way, so code with fewer than `MIN_NODES` nodes is no evidence
  of copying. Where an exercise is explained, short code is searched as text, with its names (`squeezed`): see
  `autograder.build.leak_scan`.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import textwrap
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

MIN_NODES = 16  # `return (weights[:, None] * values).sum(dim=0)` has 13
MIN_TEXT_NODES = 8  # `return beta * keys[j]` has 7
BUILTINS = frozenset(dir(builtins))


def tree_of(source: str) -> ast.Module | None:
    """The syntax tree of Python code, without a warning; None for any text that is not valid Python."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(source)
        except (SyntaxError, ValueError):
            return None


class Forbidden:
    """Named pieces of code that must not occur elsewhere. Add bodies, then search other code for them."""

    def __init__(self) -> None:
        # node counts -> (canonical form, name)
        self._by_sizes: dict[tuple[int, ...], list[tuple[str, str]]] = defaultdict(list)

    def add(self, name: str, function: Callable[..., Any]) -> None:
        """Forbid copies of this function's body."""
        body = body_of(function)
        self._add(name, body)
        if len(body) > 1:
            self._add(name, body[:-1])  # pasted without its return
        elif isinstance(body[0], ast.Return) and body[0].value is not None:
            self._add(name, [body[0].value])  # the expression alone

    def _add(self, name: str, nodes: list[Any]) -> None:
        sizes = tuple(size(node) for node in nodes)
        if sum(sizes) >= MIN_NODES:
            self._by_sizes[sizes].append((canonical(nodes), name))

    def found_in(self, source: str) -> list[str]:
        """The names of the forbidden bodies that occur in `source`; none if it is not valid Python."""
        parsed = tree_of(source)
        if parsed is None:
            return []
        tree = _bare(parsed)
        lengths = {len(sizes) for sizes in self._by_sizes}
        names: dict[str, None] = {}
        for run in _runs(tree):
            sizes = [size(node) for node in run]
            for length in lengths:
                for start in range(len(run) - length + 1):
                    candidates = self._by_sizes.get(tuple(sizes[start : start + length]), ())
                    form = canonical(run[start : start + length]) if candidates else ""
                    names.update((name, None) for body, name in candidates if body == form)
        return list(names)


def body_of(function: Callable[..., Any]) -> list[ast.stmt]:
    """The statements of a function or a class, without docstring and annotations."""
    tree = _bare(ast.parse(textwrap.dedent(inspect.getsource(function))))
    definition = tree.body[0]
    assert isinstance(definition, ast.FunctionDef | ast.ClassDef), f"{function} is no function or class"
    return definition.body


def squeezed(text: str) -> str:
    """Text without any white space and with its names unchanged, to compare code that may occur in prose."""
    return "".join(text.split())


def squeezed_body(function: Callable[..., Any]) -> str | None:
    """The body as `squeezed` text, without a lone `return`; None if anybody might write it."""
    body = body_of(function)
    if sum(size(node) for node in body) < MIN_TEXT_NODES:
        return None
    last = body[-1]
    if len(body) == 1 and isinstance(last, ast.Return) and last.value is not None:
        body = [ast.Expr(last.value)]
    return squeezed("\n".join(ast.unparse(node) for node in body))


def size(node: ast.AST) -> int:
    """The nodes of a tree, except those that only say load or store."""
    return sum(not isinstance(child, ast.expr_context) for child in ast.walk(node))


def canonical(nodes: list[Any]) -> str:
    """The shape of some statements or expressions, names replaced by numbers in order of appearance."""
    numbers: dict[str, str] = {}

    def number(name: str) -> str:
        return name if name in BUILTINS else numbers.setdefault(name, f"name{len(numbers)}")

    def shape(value: Any) -> Any:
        if isinstance(value, ast.expr_context):
            return None
        if isinstance(value, ast.Name):
            return number(value.id)
        if isinstance(value, ast.arg):
            return number(value.arg)
        if isinstance(value, ast.AST):
            fields = [
                (field, shape(part))
                for field, part in ast.iter_fields(value)
                if field not in ("type_comment", "kind")
            ]
            if isinstance(value, ast.FunctionDef | ast.ClassDef):
                fields = [(field, number(part) if field == "name" else part) for field, part in fields]
            return (type(value).__name__, *fields)
        if isinstance(value, list):
            return [shape(item) for item in value]
        return value

    return repr(shape(nodes))


def _bare(tree: ast.Module) -> ast.Module:
    """The tree without docstrings and annotations."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(
            node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
        ) and isinstance(body, list):
            first = body[0] if body else None
            if (
                isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and isinstance(first.value.value, str)
            ):
                body[:1] = [] if len(body) > 1 else [ast.Pass()]
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
        if isinstance(node, ast.arg):
            node.annotation = None
    return ast.fix_missing_locations(_Unannotated().visit(tree))  # type: ignore[no-any-return]


class _Unannotated(ast.NodeTransformer):
    """`x: int = 3` becomes `x = 3`."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is None:
            return ast.Pass()
        return ast.Assign(targets=[node.target], value=self.visit(node.value))


def _runs(tree: ast.AST) -> Iterator[list[Any]]:
    """Every list of statements in the tree, and every expression on its own."""
    for node in ast.walk(tree):
        for _, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                yield value
        if isinstance(node, ast.expr) and not isinstance(node, ast.Name | ast.Constant | ast.Attribute):
            yield [node]
