"""Mutants of an answer: one operator, constant, argument, keyword,
slice, line or returned order of the function is changed.

Changes that cannot do anything are not made: the order of the arguments of `max`, the sign of 0.0,
`strict=True` of `zip`, which only guards against sequences that an exercise does not give, and `device=…`,
because the checks run on the CPU.
"""

from __future__ import annotations

import ast
import copy
import inspect
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from mutating import COMPARISONS, _places, _short

LEFT_ALONE = ("strict", "device")  # keywords
OPERATORS: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div, ast.Add),
    ast.Div: (ast.Mult, ast.FloorDiv),
    ast.FloorDiv: (ast.Div,),
    ast.Mod: (ast.FloorDiv,),
    ast.Pow: (ast.Mult,),
    ast.MatMult: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
}
SWAPPED = ("Sub", "Div", "MatMult", "Pow", "FloorDiv", "Mod")  # operators whose operands are exchanged
# f(a, b) is f(b, a)
EITHER_ORDER = ("min", "max", "minimum", "maximum", "equal", "transpose", "swapaxes", "dot", "logaddexp")
OTHERS = {  # functions and methods that are taken for one another
    **{
        "min": "max",
        "max": "min",
        "amin": "amax",
        "amax": "amin",
        "argmax": "argmin",
        "any": "all",
        "all": "any",
    },
    **{
        "sum": "mean",
        "mean": "sum",
        "tril": "triu",
        "triu": "tril",
        "cos": "sin",
        "sin": "cos",
        "log": "log1p",
        "exp": "expm1",
    },
    **{
        "softmax": "log_softmax",
        "log_softmax": "softmax",
        "rand": "randn",
        "randn": "rand",
        "ones": "zeros",
        "zeros": "ones",
    },
    **{
        "floor": "ceil",
        "ceil": "floor",
        "append": "extend",
        "sorted": "list",
        "cumsum": "cumprod",
        "std": "var",
        "var": "std",
    },
}


@dataclass(frozen=True)
class AnswerMutant:
    """One changed answer."""

    exercise: str
    function: str
    change: str
    source: str  # a solution cell
    of_reference: bool = False

    @property
    def name(self) -> str:
        """What stands in lists of mutants."""
        return f"{self.exercise}.{self.function}: {self.change}"


def mutants_of(
    exercise: str, answer: Callable[..., object], of_reference: bool = False
) -> Iterator[AnswerMutant]:
    """Every mutant of one answer to an exercise, a function or a class, each with another text."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(answer)))
    (function,) = tree.body
    assert isinstance(function, (ast.FunctionDef, ast.ClassDef))
    if ast.get_docstring(function) is not None:
        function.body = function.body[1:] or [ast.Pass()]
    alias = "" if function.name == exercise else f"\n{exercise} = {function.name}\n"
    seen = {ast.unparse(function)}
    counts: Counter[str] = Counter()
    for parent, field, at, node in list(_places(function)):
        if isinstance(parent, ast.keyword) and parent.arg in LEFT_ALONE:
            continue
        for new in _changed(node):
            text = _with(function, parent, field, at, node, new)
            if text in seen:
                continue
            seen.add(text)
            change = f"{_short(node)} → {_short(new)}"
            counts[change] += 1
            numbered = change if counts[change] == 1 else f"{change} ({counts[change]})"
            yield AnswerMutant(exercise, function.name, numbered, f"{text}\n{alias}", of_reference)


def _with(
    function: ast.FunctionDef | ast.ClassDef,
    parent: ast.AST,
    field: str,
    at: int | None,
    old: ast.AST,
    new: ast.AST,
) -> str:
    """The text of the function with `new` in the place of `old`, which is put back."""
    try:
        _put(parent, field, at, new)
        return ast.unparse(ast.fix_missing_locations(copy.deepcopy(function)))
    finally:
        _put(parent, field, at, old)


def _put(parent: Any, field: str, at: int | None, node: ast.AST) -> None:
    if at is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[at] = node


def _changed(node: Any) -> Iterator[ast.AST]:
    """The changes of one expression or statement."""
    if isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            for other in COMPARISONS[type(operator)]:
                yield ast.Compare(
                    node.left, [*node.ops[:place], other(), *node.ops[place + 1 :]], node.comparators
                )
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.BinOp):
        for other in OPERATORS.get(type(node.op), ()):
            yield ast.BinOp(node.left, other(), node.right)
        if type(node.op).__name__ in SWAPPED:
            yield ast.BinOp(node.right, node.op, node.left)
        yield node.left
    elif isinstance(node, ast.Constant):
        yield from _constants(node.value)
    elif isinstance(node, ast.Call):
        yield from _calls(node)
    elif isinstance(node, ast.Subscript):
        yield from _subscripts(node)
    elif isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple | ast.List):
        yield ast.Return(type(node.value)(node.value.elts[::-1], ast.Load()))
    elif isinstance(node, ast.IfExp):
        yield node.body
        yield node.orelse
    elif isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp) and any(
        each.ifs for each in node.generators
    ):
        yield type(node)(
            node.elt,
            [ast.comprehension(each.target, each.iter, [], each.is_async) for each in node.generators],
        )
    if isinstance(node, ast.If):
        yield ast.If(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)
    if isinstance(node, ast.stmt) and not isinstance(
        node, ast.Return | ast.Pass | ast.FunctionDef | ast.Import | ast.ImportFrom
    ):
        yield ast.Pass()


def _constants(value: object) -> Iterator[ast.AST]:
    if type(value) is bool:
        yield ast.Constant(not value)
    elif type(value) is int:
        yield ast.Constant(value + 1)
        yield ast.Constant(value - 1)
    elif type(value) is float:
        yield ast.Constant(value * 1.5 if value else 1.0)
        if value:
            yield ast.Constant(-value)
    elif type(value) is str and value:
        yield ast.Constant(value[:-1])


def _calls(node: ast.Call) -> Iterator[ast.AST]:
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    for place, keyword in enumerate(node.keywords):
        if keyword.arg not in LEFT_ALONE:
            yield ast.Call(node.func, node.args, [*node.keywords[:place], *node.keywords[place + 1 :]])
    if len(node.args) > 1:
        if len(node.args) > 2 or called not in EITHER_ORDER:
            yield ast.Call(node.func, [node.args[1], node.args[0], *node.args[2:]], node.keywords)
        yield ast.Call(node.func, node.args[:-1], node.keywords)
    if isinstance(node.func, ast.Name) and node.func.id in OTHERS:
        yield ast.Call(ast.Name(OTHERS[node.func.id], ast.Load()), node.args, node.keywords)
    if isinstance(node.func, ast.Attribute):
        if node.func.attr in OTHERS:
            yield ast.Call(
                ast.Attribute(node.func.value, OTHERS[node.func.attr], ast.Load()), node.args, node.keywords
            )
        yield node.func.value  # the method is not called


def _subscripts(node: ast.Subscript) -> Iterator[ast.AST]:
    yield node.value
    if isinstance(node.slice, ast.Slice):
        for end in ("lower", "upper"):
            was = getattr(node.slice, end)
            ends = {"lower": node.slice.lower, "upper": node.slice.upper, "step": node.slice.step}
            if was is not None:
                yield ast.Subscript(node.value, ast.Slice(**{**ends, end: None}), ast.Load())
                yield ast.Subscript(
                    node.value,
                    ast.Slice(**{**ends, end: ast.BinOp(was, ast.Add(), ast.Constant(1))}),
                    ast.Load(),
                )
