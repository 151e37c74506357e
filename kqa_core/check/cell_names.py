"""Names in the code of a notebook: those that a cell defines or changes, and those that a function uses."""

from __future__ import annotations

import ast
import builtins
import dis
import functools
import re
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

RUNS_THE_REST = re.compile(r"\A\s*%%(time|capture|prun)\b.*\n?")  # magics that run their cell in the notebook
MOST_ITEMS = 1000  # of a table in which functions are looked for


def used_names(function: Callable[..., object], names: dict[str, Any]) -> dict[str, str]:
    """The names of the notebook and of Python that a function uses, directly or through functions and classes
    of the notebook: each with the name of the function that uses it first.
    """
    found: dict[str, str] = {}
    waiting: list[Any] = [function]
    seen = set[int]()
    while waiting:
        for one in _functions_of(waiting.pop(0), names):
            if id(one) in seen:
                continue
            seen.add(id(one))
            for name in _globals_in(one.__code__):
                if name not in found and (name in names or hasattr(builtins, name)):
                    found[name] = one.__name__
                    waiting.append(names.get(name))
            waiting += [cell.cell_contents for cell in one.__closure__ or () if _filled(cell)]
    return found


@functools.lru_cache(maxsize=512)
def defined(source: str) -> frozenset[str]:
    """The names that a cell gives a value at its top level. One that cannot be read may define any word."""
    tree = program_of(source)
    if tree is None:
        return frozenset(re.findall(r"\w+", source))
    names: set[str] = set()
    for node in outside_functions(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names):
            names |= set(vars(sys.modules.get(node.module or "", types)))
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
    return frozenset(names)


def read_in(source: str) -> set[str]:
    """The global names that a cell reads."""
    tree = program_of(source)
    return set() if tree is None else set(_globals_in(compile(tree, "<cell>", "exec")))


def imported(source: str) -> frozenset[str]:
    """The names that a cell defines by importing them."""
    imports = [
        node
        for node in outside_functions(program_of(source) or ast.Module([], []))
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    return defined("\n".join(map(ast.unparse, imports)))


@functools.lru_cache(maxsize=512)
def changed(source: str) -> frozenset[str]:
    """The names that a cell deletes, or whose object it may change, at its top level: by an assignment to a
    part of it, or by a method that is called as a statement, such as `torch.set_default_dtype(…)`.
    """
    names: set[str] = set()
    for node in outside_functions(program_of(source) or ast.Module([], [])):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del):
            names.add(node.id)
        part: ast.AST = node
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            part = node.value.func
        stored = part is not node or not isinstance(getattr(part, "ctx", None), ast.Load)
        if stored and isinstance(part, ast.Attribute | ast.Subscript):
            while isinstance(part, ast.Attribute | ast.Subscript | ast.Call):
                part = part.func if isinstance(part, ast.Call) else part.value
            names |= {part.id} if isinstance(part, ast.Name) else set()
    return frozenset(names)


def same_code(one: str, other: str) -> bool:
    """Whether two cells have the same code, comments and spacing aside."""
    first, second = program_of(one), program_of(other)
    if first is None or second is None:
        return squeezed(one) == squeezed(other)
    return ast.dump(first) == ast.dump(second)


def program_of(source: str) -> ast.Module | None:
    """A cell's program, with IPython's magics as Python; None if it cannot be read."""
    source = RUNS_THE_REST.sub("", source)
    try:
        if any(mark in source for mark in "%!?"):
            from IPython.core.inputtransformer2 import TransformerManager

            manager = TransformerManager()  # type: ignore[no-untyped-call]  # IPython has no annotations
            source = manager.transform_cell(source)
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def outside_functions(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes that run when a cell runs: all but the bodies of functions."""
    for child in ast.iter_child_nodes(tree):
        yield child
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            for part in (*child.decorator_list, *child.args.defaults, *child.args.kw_defaults):
                if part is not None:
                    yield from (part, *outside_functions(part))
        elif isinstance(child, ast.ClassDef):  # its own names stay inside
            for part in (*child.decorator_list, *child.bases):
                yield from (part, *outside_functions(part))
        elif not isinstance(child, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            yield from outside_functions(child)


def _functions_of(value: object, names: dict[str, Any]) -> Iterator[types.FunctionType]:
    """The functions of the notebook behind a value: itself, a wrapped one, a class's methods, or the items of
    a table.
    """
    if isinstance(value, dict | list | tuple | set):
        for one in list(value.values() if isinstance(value, dict) else value)[:MOST_ITEMS]:
            if callable(one):
                yield from _functions_of(one, names)
        return
    if isinstance(value, functools.partial):
        value = value.func
    value = getattr(value, "__func__", value)
    if isinstance(value, types.FunctionType):
        if value.__globals__ is names:
            yield value
        inner = getattr(value, "__wrapped__", None)
        if inner is not None:
            yield from _functions_of(inner, names)
        return
    kind = value if isinstance(value, type) else type(value)
    for one in kind.__mro__:
        if one.__module__ == names.get("__name__"):
            for part in vars(one).values():
                method = getattr(part, "fget", None) or getattr(part, "__func__", part)
                if isinstance(method, types.FunctionType) and method.__globals__ is names:
                    yield method


def _globals_in(code: types.CodeType) -> Iterator[str]:
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield str(step.argval)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _globals_in(constant)


def _filled(cell: types.CellType) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def squeezed(source: str) -> str:
    """A text without white space."""
    return "".join(source.split())
