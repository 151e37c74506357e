"""Mutants: one small change in one function, put into the running module in the function's place.

- What is changed is what can turn a verdict round: comparisons, `and`/`or`/`not`, conditions, the constants
  0, 1, True and False, `min`/`max`, `any`/`all`, plus/minus, the last of a list for the first, a `raise` that
  is left out, and the members of `Outcome` and `Status`. Text is left alone: no mark depends on it.
- A mutant takes the place of its function's code object, so every module that imported the function by name
  runs it, too.
- A mutant is named by what it changes and not by a line number, so that a list of them outlives edits
  elsewhere in the file.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CodeType
from typing import Any

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
}
MEMBERS = {
    "Outcome": {
        "RIGHT": ("NOT_YET", "ERROR"),
        "NOT_YET": ("RIGHT", "ERROR"),
        "ERROR": ("RIGHT", "UNATTEMPTED", "NOT_YET"),
        "UNATTEMPTED": ("RIGHT", "NOT_YET"),
    },
    "Status": {
        "GRADED": ("INCIDENT", "UNATTEMPTED"),
        "INCIDENT": ("GRADED", "BROKEN"),
        "UNATTEMPTED": ("GRADED", "PERSON"),
        "PERSON": ("GRADED", "BROKEN"),
        "REFUSED": ("MISSING", "BROKEN"),
        "MISSING": ("REFUSED", "BROKEN"),
        "BROKEN": ("GRADED", "MISSING"),
    },
}
CALLED = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True)
class Mutant:
    """One change. `lines` are those of the file in which a test must pass to meet it."""

    module: str
    function: str
    change: str
    lines: range
    make: Callable[[], CodeType]  # the code of the changed function; called once, in a process of its own

    @property
    def name(self) -> str:
        """What stands in lists of mutants."""
        return f"{self.module}.{self.function}: {self.change}"

    def put_in(self) -> None:
        """Put the changed code in the function's place."""
        target: Any = importlib.import_module(self.module)
        for part in self.function.split("."):
            target = vars(target)[part]
        target = target.fget if isinstance(target, property) else getattr(target, "__func__", target)
        inspect.unwrap(target).__code__ = self.make()


def by_rule(module: str, functions: str) -> list[Mutant]:
    """Every mutant that the rules make of some functions of a module."""
    tree = _tree(module)
    found = [mutant for name in functions.split() for mutant in _of_function(module, tree, name)]
    return _numbered(found)


def by_hand(module: str, function: str, was: str, now: str) -> Mutant:
    """The mutant in which the text `was`, which must stand once in the function, reads `now`."""
    text = inspect.getsource(importlib.import_module(module))
    node = _function(ast.parse(text), function)
    lines = text.splitlines(keepends=True)
    before, within, after = (
        lines[: node.lineno - 1],
        lines[node.lineno - 1 : node.end_lineno],
        lines[node.end_lineno :],
    )
    body = "".join(within)
    if body.count(was) != 1:
        raise ValueError(f"{module}.{function}: {was!r} stands in it {body.count(was)} times, expected once")
    first = node.lineno + body[: body.index(was)].count("\n")
    changed = "".join((*before, body.replace(was, now), *after))
    change = f"{' '.join(was.split())} → {' '.join(now.split()) or 'nothing'}"
    return Mutant(
        module,
        function,
        change,
        range(first, first + was.count("\n") + 1),
        lambda: _code(module, changed, function),
    )


def _numbered(mutants: list[Mutant]) -> list[Mutant]:
    """The second of two changes that read the same gets a 2."""
    seen: Counter[str] = Counter()
    made = []
    for each in mutants:
        seen[each.name] += 1
        count = seen[each.name]
        change = each.change if count == 1 else f"{each.change} ({count})"
        made.append(Mutant(each.module, each.function, change, each.lines, each.make))
    return made


def _tree(module: str) -> ast.Module:
    return ast.parse(inspect.getsource(importlib.import_module(module)))


def _function(tree: ast.Module, name: str) -> ast.FunctionDef:
    node: Any = tree
    for part in name.split("."):
        kinds = (ast.FunctionDef, ast.ClassDef)
        node = next(each for each in node.body if isinstance(each, kinds) and each.name == part)
    return node


def _code(module: str, source: str | ast.Module, function: str) -> CodeType:
    file = str(sys.modules[module].__file__)
    found = [compile(source, file, "exec", dont_inherit=True)]
    for code in found:
        found += [each for each in code.co_consts if isinstance(each, CodeType)]
    return next(code for code in found if code.co_qualname == function)


def _of_function(module: str, tree: ast.Module, name: str) -> Iterator[Mutant]:
    function = _function(tree, name)
    for parent, field, at, node in _places(function):
        for new in _changed(node):
            met = node.test if isinstance(node, ast.If | ast.While) else node
            lines = range(met.lineno, (met.end_lineno or met.lineno) + 1)
            change = f"{_short(node)} → {_short(new)}"

            def make(
                parent: ast.AST = parent, field: str = field, at: int | None = at, new: ast.AST = new
            ) -> CodeType:
                if at is None:
                    setattr(parent, field, new)
                else:
                    getattr(parent, field)[at] = new
                return _code(module, ast.fix_missing_locations(tree), name)

            yield Mutant(module, name, change, lines, make)


def _places(node: ast.AST) -> Iterator[tuple[ast.AST, str, int | None, Any]]:
    """Every expression and statement below a node, with where it hangs;
    texts, annotations and decorators left out.
    """
    for field, value in ast.iter_fields(node):
        if field in (
            "annotation",
            "returns",
            "decorator_list",
            "args" if isinstance(node, ast.FunctionDef) else "",
        ):
            continue
        for at, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(child, ast.expr | ast.stmt) and not isinstance(child, ast.JoinedStr):
                yield node, field, at, child
            if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr):
                yield from _places(child)


def _changed(node: Any) -> Iterator[ast.AST]:
    """The changes of one expression or statement."""
    if isinstance(node, ast.Compare):
        for at, operator in enumerate(node.ops):
            for other in COMPARISONS[type(operator)]:
                yield ast.Compare(node.left, [*node.ops[:at], other(), *node.ops[at + 1 :]], node.comparators)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        for at in range(len(node.values)):
            rest = [*node.values[:at], *node.values[at + 1 :]]
            yield rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand
    elif isinstance(node, ast.Constant):
        yield from _constant(node.value)
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        for other in MEMBERS.get(node.value.id, {}).get(node.attr, ()):
            yield ast.Attribute(node.value, other, ast.Load())
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLED:
        yield ast.Call(ast.Name(CALLED[node.func.id], ast.Load()), node.args, node.keywords)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        yield ast.BinOp(node.left, ast.Sub() if isinstance(node.op, ast.Add) else ast.Add(), node.right)
    elif isinstance(node, ast.Subscript) and ast.unparse(node.slice) == "-1":
        yield ast.Subscript(node.value, ast.Constant(0), ast.Load())
    elif isinstance(node, ast.Raise):
        yield ast.Pass()
    if isinstance(node, ast.If | ast.IfExp | ast.While) and _plain(node.test):
        kept = [node.body, node.orelse]
        yield type(node)(ast.UnaryOp(ast.Not(), node.test), *kept)
    elif isinstance(node, ast.GeneratorExp | ast.ListComp | ast.SetComp):
        yield from _without_conditions(node)
    elif isinstance(node, ast.DictComp) and any(each.ifs for each in node.generators):
        yield ast.DictComp(node.key, node.value, [_unconditional(each) for each in node.generators])


def _plain(test: ast.expr) -> bool:
    """Whether no other rule negates a condition, or decides it."""
    decided = isinstance(test, ast.Constant) or (
        isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
    )
    return not decided and not (isinstance(test, ast.Compare) and len(test.ops) == 1)


def _without_conditions(node: Any) -> Iterator[ast.AST]:
    if any(each.ifs for each in node.generators):
        yield type(node)(node.elt, [_unconditional(each) for each in node.generators])


def _unconditional(each: ast.comprehension) -> ast.comprehension:
    return ast.comprehension(each.target, each.iter, [], each.is_async)


def _constant(value: object) -> Iterator[ast.AST]:
    if type(value) is bool:
        yield ast.Constant(not value)
    elif type(value) in (int, float) and value in (0, 1):
        yield ast.Constant(type(value)(1 - value))  # type: ignore[call-overload, operator]


def _short(node: ast.AST, longest: int = 110) -> str:
    text = "nothing" if isinstance(node, ast.Pass) else " ".join(ast.unparse(node).split())
    if isinstance(node, ast.If | ast.While):
        text = " ".join(ast.unparse(node).splitlines()[0].split())
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
