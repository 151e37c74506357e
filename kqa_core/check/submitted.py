"""Which cells of a notebook are submitted, and whether an answer needs a name that no such cell defines.

- The grader runs setup cells, answer cells and the student's own cells. It runs no check cell, and no
  demonstration of the course's unless the student changed it. So an answer that uses a demonstration's
  helper is right in the kernel, and stops in the grader: `missing_name` finds it through the functions that
  the answer calls.
- Cells are read from the notebook's file. A cell that was run and is not saved yet counts as the student's
  own.
- The grader runs the cells from top to bottom, so what a cell needs while it runs must be defined above it.
"""

from __future__ import annotations

import ast
import dis
import functools
import json
import os
import re
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PLACEHOLDER = "YOUR ANSWER HERE"  # in the cell of a written answer
HANDED_OUT = "kqa_handed_out"  # the key in the metadata of a released cell that holds its original text
SETUP_ID = re.compile(r"setup_\d+")
COURSE_ID = re.compile(r"(.+)-\d+")  # of a cell without a grade id: `build.source` counts from the last one
DEFINE = "define it in an answer cell, or in a cell of your own, and run that cell"


@dataclass(frozen=True)
class Cell:
    """A code cell. Its role is "setup", "solution", "own", or "course" for one that is not submitted."""

    role: str
    source: str
    grade_id: str | None = None


def code_cells(content: Any) -> list[Cell]:
    """The code cells of a notebook's JSON, in order. Raises what a file that is no notebook leads to:
    KeyError, TypeError or AttributeError.
    """
    raw = [cell for cell in content["cells"] if cell["cell_type"] == "code"]
    anchors = {"start"} | {str(_marks(cell).get("grade_id"))[:56] for cell in content["cells"]}
    return [Cell(_role(cell, anchors), _text(cell), _marks(cell).get("grade_id")) for cell in raw]


def with_marks(content: Any, exercises: Iterable[str]) -> Any:
    """A notebook's JSON in which cells that lost nbgrader's metadata have it again, as far as `kqa check`
    needs it: found by their id, and an answer cell also by the function that it defines.
    """
    cells, names = content["cells"], set(exercises)
    lost = [cell for cell in cells if cell["cell_type"] == "code" and not _marks(cell)]
    there = {_marks(cell).get("grade_id") for cell in cells}
    for cell in lost:
        identity = str(cell.get("id"))
        if identity in names - there:
            _mark(cell, identity, solution=True)
            there.add(identity)
        elif SETUP_ID.fullmatch(identity):
            _mark(cell, identity, locked=True)
        elif identity.removeprefix("check_") in names:
            _mark(cell, identity, grade=True)
    for name in names - there:
        defining = [cell for cell in lost if not _marks(cell) and name in defined(_text(cell))]
        if defining:
            _mark(defining[-1], name, solution=True)
    return content


def _mark(cell: dict[str, Any], grade_id: str, **marks: bool) -> None:
    cell.setdefault("metadata", {})["nbgrader"] = {"grade_id": grade_id, **marks}


def needed(cells: Sequence[Cell]) -> list[Cell]:
    """The cells that are submitted, without those of the student's own that no other one of them needs."""
    wanted = [cell for cell in cells if cell.role in ("setup", "solution")]
    answers = {cell.grade_id for cell in wanted}
    while True:
        words = {word for cell in wanted for word in re.findall(r"\w+", cell.source)}
        more = [
            cell
            for cell in cells
            if cell.role == "own" and cell not in wanted and defined(cell.source) & (words | answers)
        ]
        if not more:
            return [cell for cell in cells if cell in wanted]
        wanted += more


def cells_for(exercise: str, cells: Sequence[Cell]) -> list[Cell]:
    """The cells that the answer to one exercise needs: the setup cells, its own, and of the other submitted
    cells those that define a name which these read and do not define.
    """
    wanted = [cell for cell in cells if cell.role == "setup" or cell.grade_id == exercise]
    while True:
        read = {exercise}.union(*(_read_in(cell.source) for cell in wanted))
        read -= set[str]().union(*(defined(cell.source) for cell in wanted))
        more = [
            cell
            for cell in cells
            if cell.role in ("solution", "own") and cell not in wanted and defined(cell.source) & read
        ]
        if not more:
            return [cell for cell in cells if cell in wanted]
        wanted += more


def _read_in(source: str) -> set[str]:
    """The global names that a cell reads."""
    tree = program_of(source)
    return set() if tree is None else set(_globals_in(compile(tree, "<cell>", "exec")))


def missing_name(function: Callable[..., object], notebook: str) -> str | None:
    """The sentence about a name that an answer in this kernel needs, and that its notebook does not submit;
    None if there is none, or no way to know: outside a notebook's kernel, or without the notebook's file.
    """
    names = _kernel_names()
    path = saved_file(notebook)
    if names is None or path is None:
        return None
    try:
        cells = code_cells(json.loads(path.read_text(encoding="utf-8-sig")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    submitted = [cell for cell in cells if cell.role != "course"]
    course = {_squeezed(cell.source) for cell in cells if cell.role == "course"}
    ran = [source for source in names.get("In", ()) if _squeezed(source) not in course]
    saved = set[str]().union(*(defined(cell.source) for cell in submitted))
    here = set[str]().union(*(defined(source) for source in ran))
    for name, user in used_names(function, names).items():
        if name not in saved and name not in here:
            by = "" if user == function.__name__ else f", which {user} needs,"
            return f"`{name}`{by} is defined in a cell that is not submitted: {DEFINE}"
        if name in saved and (late := _defined_below(name, submitted)):
            return late
    return None


def is_empty(exercise: str, notebook: str) -> bool | None:
    """Whether a written answer is empty, or still the placeholder, in the notebook's file; None if that
    cannot be known.
    """
    path = saved_file(notebook)
    if path is None:
        return None
    try:
        cells = json.loads(path.read_text(encoding="utf-8-sig"))["cells"]
        texts = [_text(cell) for cell in cells if _marks(cell).get("grade_id") == exercise]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    words = [re.findall(r"\w+", text.casefold()) for text in texts]
    return all(each in ([], PLACEHOLDER.casefold().split()) for each in words) if words else None


def mark_given(exercise: str, notebook: str) -> str | None:
    """A person's mark of a written answer, such as "3 of 4 points", from the newest feedback page in the
    notebook's folder (nbgrader fetches it to `feedback/TIME/`); None if there is no page or no mark.
    """
    path = saved_file(notebook)
    pages = () if path is None else path.resolve().parent.rglob(f"{notebook}.html")
    try:
        text = max(pages, key=lambda page: page.stat().st_mtime).read_text(encoding="utf-8")
    except (OSError, ValueError):  # ValueError: there is none, or it is not UTF-8
        return None
    own = text.partition(f'id="of-{exercise}">')[2].partition("</section>")[0]
    found = re.search(r'<p class="facts">(\d[^<]*)</p>', own)
    return found[1] if found else None


def used_names(function: Callable[..., object], names: dict[str, Any]) -> dict[str, str]:
    """The names of the notebook that a function uses, directly or through functions and classes of the
    notebook: each with the name of the function that uses it first.
    """
    found: dict[str, str] = {}
    waiting, seen = [function], set[int]()
    while waiting:
        for one in _functions_of(waiting.pop(0), names):
            if id(one) in seen:
                continue
            seen.add(id(one))
            for name in _globals_in(one.__code__):
                if name in names and name not in found:
                    found[name] = one.__name__
                    waiting.append(names[name])
            waiting += [cell.cell_contents for cell in one.__closure__ or () if _filled(cell)]
    return found


@functools.lru_cache(maxsize=512)
def defined(source: str) -> frozenset[str]:
    """The names that a cell gives a value at its top level. A cell that cannot be read may define any word
    in it.
    """
    tree = program_of(source)
    if tree is None:
        return frozenset(re.findall(r"\w+", source))
    names: set[str] = set()
    for node in _outside_functions(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names):
            names |= set(vars(sys.modules.get(node.module or "", types)))
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
    return frozenset(names)


def _defined_below(name: str, submitted: Sequence[Cell]) -> str | None:
    """The sentence if the cell that defines `name` needs, while it runs, what only cells below it define."""
    place = max(number for number, cell in enumerate(submitted) if name in defined(submitted[number].source))
    tree = program_of(submitted[place].source)
    if tree is None:
        return None
    above = set[str]().union(*(defined(cell.source) for cell in submitted[: place + 1]))
    below = set[str]().union(*(defined(cell.source) for cell in submitted[place + 1 :]))
    for node in _outside_functions(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in below - above:
            return (
                f"the cell that defines `{name}` needs `{node.id}`, which the saved notebook defines only"
                " below it: the grader runs the cells from top to bottom, so move that cell up"
            )
    return None


def _outside_functions(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes that run when a cell runs: all but the bodies of functions."""
    for child in ast.iter_child_nodes(tree):
        yield child
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            for part in (*child.decorator_list, *child.args.defaults, *child.args.kw_defaults):
                if part is not None:
                    yield from (part, *_outside_functions(part))
        elif isinstance(child, ast.ClassDef):  # its own names stay inside
            for part in (*child.decorator_list, *child.bases):
                yield from (part, *_outside_functions(part))
        elif not isinstance(child, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            yield from _outside_functions(child)


def _functions_of(value: object, names: dict[str, Any]) -> Iterator[types.FunctionType]:
    """The functions of the notebook behind a value: itself, a wrapped one, or a class's methods."""
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


def _kernel_names() -> dict[str, Any] | None:
    """The names of this process's notebook; None outside IPython."""
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module is not None else None
    return shell.user_ns if shell is not None else None


def saved_file(notebook: str) -> Path | None:
    """The notebook's file: what the server says, or the file of that name in the working directory or in the
    folder beside it.
    """
    name = f"{notebook}.ipynb"
    said = Path(os.environ.get("JPY_SESSION_NAME", ""))
    here = [said] if said.stem == notebook else []
    for path in (*here, Path(name), Path("..") / notebook / name, Path(notebook) / name):
        if path.suffix == ".ipynb" and path.is_file():
            return path
    return None


def program_of(source: str) -> ast.Module | None:
    """A cell's program, with IPython's magics as Python; None if it cannot be read."""
    try:
        if any(mark in source for mark in "%!?"):
            from IPython.core.inputtransformer2 import TransformerManager

            manager = TransformerManager()  # type: ignore[no-untyped-call]  # IPython has no annotations
            source = manager.transform_cell(source)
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _role(cell: dict[str, Any], anchors: set[str]) -> str:
    marks = _marks(cell)
    if marks.get("grade_id"):
        if marks.get("solution"):
            return "solution"
        return "setup" if marks.get("locked") and not marks.get("grade") else "course"
    of_the_course = COURSE_ID.fullmatch(str(cell.get("id")))
    if of_the_course is None or of_the_course[1] not in anchors:
        return "own"
    original = cell.get("metadata", {}).get(HANDED_OUT)
    changed = isinstance(original, str) and not _same_code(original, _text(cell))
    return "own" if changed else "course"


def _same_code(one: str, other: str) -> bool:
    first, second = program_of(one), program_of(other)
    if first is None or second is None:
        return _squeezed(one) == _squeezed(other)
    return ast.dump(first) == ast.dump(second)


def _squeezed(source: str) -> str:
    return "".join(source.split())


def _marks(cell: dict[str, Any]) -> dict[str, Any]:
    return cell.get("metadata", {}).get("nbgrader") or {}


def _text(cell: dict[str, Any]) -> str:
    source = cell["source"]
    return source if isinstance(source, str) else "".join(source)
