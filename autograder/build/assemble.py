"""From text cells to the instructor's notebook: headings, solutions, hidden tests, nbgrader's metadata.

- A statement gets a heading made from the facts, so points and difficulty are written down once.
- A solution cell gets the reference's body between nbgrader's BEGIN and END SOLUTION. Its signature must
  equal the reference's. Of a class, `__init__` comes last in the cell and holds the stub. The reference's
  `__init__` comes first, and the solution goes on from its body to the end of the class.
- A check cell gets the hidden-tests region for plain nbgrader, and the tag `raises-exception`, so that Run
  All in JupyterLab continues after an exercise that is not done yet. nbgrader and nbval still see the
  failure.
- A written cell holds the model answer, which nbgrader removes from the release. The rubric is not in the
  notebook at all.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from typing import Any

import nbformat.v4

from autograder.answer_key import Function, WrittenKey, find_checked, find_key
from autograder.build.source import Cell
from autograder.gradebook.cell_metadata import METADATA, nbgrader_marks
from kqa_core.check.display import points_text
from kqa_core.check.exercise import Exercise
from kqa_core.errors import UserError

V4: Any = nbformat.v4  # its functions carry no types


def assemble(cells: list[Cell]) -> Any:
    """The notebook, not yet executed. Raises UserError where a solution cell and its reference differ."""
    notebook_cells = [_cell(cell) for cell in cells]
    return V4.new_notebook(cells=notebook_cells, metadata=METADATA, nbformat_minor=5)


def heading(exercise: Exercise) -> str:
    """The lines above an exercise's text: number, title and id; points, ratings, minutes and source."""
    kind = "a person reads it" if exercise.written else "checked"
    minutes = f"about {exercise.minutes} minute{'' if exercise.minutes == 1 else 's'}"
    facts = [
        points_text(exercise) if exercise.points else "no points",
        *([f"core ({exercise.path})" if exercise.core else "optional"] if exercise.path else []),
        f"difficulty {exercise.difficulty} of 5" if exercise.difficulty else "",
        f"importance {exercise.importance} of 5" if exercise.importance else "",
        minutes if exercise.minutes else "",
        kind,
        exercise.source,
    ]
    rule = " and ".join(f"`{name.replace(':', '.')}`" for name in exercise.reserved)
    write = f"\n\nWrite this function yourself: an answer that calls {rule} gets no points." if rule else ""
    return f"### {exercise.heading}\n\n*{' · '.join(filter(None, facts))}*{write}"


def hidden_tests(exercise: str) -> str:
    """The region that nbgrader removes from the release and restores when it grades."""
    return (
        "### BEGIN HIDDEN TESTS\n"
        "from autograder.build.nbgrader_check import hidden\n\n"
        f'hidden("{exercise}", {exercise})\n'
        "### END HIDDEN TESTS"
    )


def with_solution(cell_text: str, exercise: Exercise, reference: Function) -> str:
    """The solution cell with the reference's body in place of the line that raises the stub."""
    where = f"exercise {exercise.id}"
    try:
        outer = next(
            node
            for node in ast.parse(cell_text).body
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == exercise.id
        )
    except StopIteration:
        raise UserError(
            f"{where}: its solution cell defines no function of that name; add `def {exercise.id}(…)`"
        ) from None
    except SyntaxError as problem:
        raise UserError(
            f"{where}: its solution cell is not valid Python ({problem.msg}, line {problem.lineno})"
        ) from None
    function = outer.body[-1] if isinstance(outer, ast.ClassDef) else outer
    if not isinstance(function, ast.FunctionDef):
        raise UserError(
            f"{where}: in its solution cell, class {exercise.id} must end in def __init__(self, …)"
        )
    stub = function.body[-1]
    if ast.unparse(stub) != f"raise NotImplementedError({exercise.stub_message!r})":
        raise UserError(
            f'{where}: its solution cell must end in raise NotImplementedError("{exercise.stub_message}")'
        )
    source = textwrap.dedent(inspect.getsource(reference))
    definition = ast.parse(source).body[0]
    ours, theirs = _header(outer), _header(definition)
    if ours != theirs:
        raise UserError(
            f"{where}: the solution cell's signature is {ours}, the reference's {theirs}; make them agree"
        )
    lines, indent = cell_text.splitlines(), " " * stub.col_offset
    if isinstance(definition, ast.ClassDef):
        whole, method = source.splitlines(), _first_method(definition)
        start = method.body[0].lineno  # its place in the class is that of the stub in the cell's
        while whole[start - 2].lstrip().startswith("#"):
            start -= 1
        solution = whole[start - 1 : definition.end_lineno]
    else:
        assert isinstance(definition, ast.FunctionDef)
        solution = [(indent + line).rstrip() for line in _body(source, definition)]
    lines[stub.lineno - 1 : stub.end_lineno] = [
        f"{indent}### BEGIN SOLUTION",
        *solution,
        f"{indent}### END SOLUTION",
    ]
    return "\n".join(lines)


def _cell(cell: Cell) -> Any:
    text, tags = cell.text, list(cell.tags)
    exercise = cell.exercise
    if exercise is not None:
        if cell.role == "statement":
            text = f"{heading(exercise)}\n\n{text}"
        elif cell.role == "solution":
            text = with_solution(text, exercise, find_checked(exercise.id).reference)
        elif cell.role == "check":
            text = f"{text}\n{hidden_tests(exercise.id)}"
            tags.append("raises-exception")
        elif cell.role == "written":
            key = find_key(exercise.id)
            if not isinstance(key, WrittenKey):
                raise UserError(f"exercise {exercise.id}: is written, so its key should be a WrittenKey")
            text = textwrap.dedent(key.model_answer).strip()
    metadata: dict[str, Any] = {"tags": tags} if tags else {}
    if cell.grade_id is not None:
        metadata["nbgrader"] = nbgrader_marks(cell.kind, cell.role, cell.grade_id)
        if exercise is not None and metadata["nbgrader"]["grade"]:
            metadata["nbgrader"]["points"] = exercise.points
    make = V4.new_code_cell if cell.kind == "code" else V4.new_markdown_cell
    return make(source=text, metadata=metadata, id=cell.id)


def _header(node: ast.stmt) -> str:
    """The signature of a function, or a class with its bases and the signature of its first method."""
    if isinstance(node, ast.FunctionDef):
        return f"({_signature(node)})"
    if not isinstance(node, ast.ClassDef):
        return "no function"
    method = _first_method(node)
    bases = ", ".join(ast.unparse(base) for base in node.bases)
    return f"class ({bases}) with {method.name}({_signature(method)})"


def _first_method(node: ast.ClassDef) -> ast.FunctionDef:
    return next(part for part in node.body if isinstance(part, ast.FunctionDef))


def _signature(function: ast.FunctionDef) -> str:
    """Parameters and defaults, without annotations."""
    arguments = ast.parse(ast.unparse(function)).body[0].args  # type: ignore[attr-defined]  # a copy: the annotations go
    for argument in [
        *arguments.posonlyargs,
        *arguments.args,
        *arguments.kwonlyargs,
        arguments.vararg,
        arguments.kwarg,
    ]:
        if argument is not None:
            argument.annotation = None
    return ast.unparse(arguments)


def _body(source: str, definition: ast.FunctionDef) -> list[str]:
    """The lines of a function's body, dedented, comments included, without the docstring."""
    statements = definition.body
    lines = source.splitlines()
    first = statements[0]
    if first.lineno == definition.lineno:  # def f(x): return x
        return [(ast.get_source_segment(source, node) or "") for node in statements]
    start = first.lineno
    if (
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
    ):
        start = (first.end_lineno or first.lineno) + 1
    else:
        while lines[start - 2].lstrip().startswith("#"):  # comments above the first statement
            start -= 1
    return textwrap.dedent("\n".join(lines[start - 1 : definition.end_lineno])).strip("\n").splitlines()
