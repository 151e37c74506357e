"""Which cells of a notebook are submitted, and whether an answer needs a name that no such cell defines.

- The grader runs setup cells, answer cells and the student's own cells. It runs no check cell, and no
  demonstration of the course's unless the student changed it. So an answer that uses a demonstration's
  helper is right in the kernel, and stops in the grader: `missing_name` finds it through the functions that
  the answer calls.
- Cells are read from the notebook's file. A cell that was run and is not saved yet counts as the student's
  own, and the check says so: nobody can tell it from a cell that was deleted.
- The grader runs the cells from top to bottom, so what a cell needs while it runs must be defined above it,
  and a cell that was not run here may change the result there.
- Names that only a text holds are not seen, as in `eval("linear")`.
"""

from __future__ import annotations

import ast
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

from kqa_core.check.cell_names import (
    changed,
    defined,
    imported,
    outside_functions,
    program_of,
    read_in,
    same_code,
    squeezed,
    used_names,
)

HANDED_OUT = "kqa_handed_out"  # the key in the metadata of a released cell that holds its original text
SETUP_ID = re.compile(r"setup_\d+")
COURSE_ID = re.compile(r"(.+)-\d+")  # of a cell without a grade id: `build.source` counts from the last one
STUB = re.compile(r"^\s*raise NotImplementedError\(.*replace this line with your answer", re.MULTILINE)
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
    anchors = _anchors(content)
    return [Cell(_role(cell, anchors), text_of(cell), marks_of(cell).get("grade_id")) for cell in raw]


def _anchors(content: Any) -> set[str]:
    """The beginnings of the ids of the course's cells that have no grade id themselves."""
    return {"start"} | {str(marks_of(cell).get("grade_id"))[:56] for cell in content["cells"]}


def with_marks(content: Any, exercises: Iterable[str]) -> Any:
    """A notebook's JSON in which cells that lost nbgrader's metadata have it again, as far as `kqa check`
    needs it: found by their id, and an answer cell also by the function that it defines. A cell of the course
    that is not submitted may define a function of an exercise's name, and is no answer.
    """
    cells, names = content["cells"], set(exercises)
    lost = [cell for cell in cells if cell["cell_type"] == "code" and not marks_of(cell)]
    there = {marks_of(cell).get("grade_id") for cell in cells}
    for cell in lost:
        identity = str(cell.get("id"))
        if identity in names - there:
            _mark(cell, identity, solution=True)
            there.add(identity)
        elif SETUP_ID.fullmatch(identity):
            _mark(cell, identity, locked=True)
        elif identity.removeprefix("check_") in names:
            _mark(cell, identity, grade=True)
    anchors = _anchors(content)
    lost = [cell for cell in lost if not marks_of(cell) and _role(cell, anchors) == "own"]
    for name in names - there:
        defining = [cell for cell in lost if not marks_of(cell) and name in defined(text_of(cell))]
        if defining:
            _mark(defining[-1], name, solution=True)
    return content


def _mark(cell: dict[str, Any], grade_id: str, **marks: bool) -> None:
    cell.setdefault("metadata", {})["nbgrader"] = {"grade_id": grade_id, **marks}


def needed(cells: Sequence[Cell]) -> list[Cell]:
    """The cells that are submitted, without those of the student's own that no other one of them needs. An
    untouched answer cell whose answer is in another cell is empty.
    """
    answered = [cell for cell in cells if cell.role in ("solution", "own") and not STUB.search(cell.source)]
    elsewhere = frozenset[str]().union(*(defined(cell.source) for cell in answered))
    cells = [
        replace(cell, source="") if STUB.search(cell.source) and cell.grade_id in elsewhere else cell
        for cell in cells
    ]
    wanted = [cell for cell in cells if cell.role in ("setup", "solution")]
    answers = {cell.grade_id for cell in wanted}
    while True:
        words = {word for cell in wanted for word in re.findall(r"\w+", cell.source)}
        more = [
            cell
            for cell in cells
            if cell.role == "own"
            and cell not in wanted
            and (defined(cell.source) | changed(cell.source)) & (words | answers)
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
        read = {exercise}.union(*(read_in(cell.source) for cell in wanted))
        read -= set[str]().union(*(defined(cell.source) for cell in wanted))
        more = [
            cell
            for cell in cells
            if cell.role in ("solution", "own") and cell not in wanted and defined(cell.source) & read
        ]
        if not more:
            return [cell for cell in cells if cell in wanted]
        wanted += more


@dataclass(frozen=True)
class Here:
    """What this kernel ran, beside the notebook as it is saved."""

    names: dict[str, Any]  # the kernel's
    submitted: list[Cell]  # of the saved notebook
    ran: list[str]  # the cells that were run, without those of the course
    saved: frozenset[str]  # the names that submitted cells define

    @staticmethod
    def of(notebook: str) -> Here | None:
        """None outside a notebook, if its file cannot be read, and where the kernel keeps no history, as with
        nbval: then nobody knows what it ran.
        """
        shell, path = _shell(), saved_file(notebook)
        if shell is None or path is None or not any(map(str.strip, shell.history_manager.input_hist_raw)):
            return None
        try:
            cells = code_cells(json.loads(path.read_text(encoding="utf-8-sig")))
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None
        submitted = [cell for cell in cells if cell.role != "course"]
        course = {squeezed(cell.source) for cell in cells if cell.role == "course"}
        ran = [source for source in shell.history_manager.input_hist_raw if squeezed(source) not in course]
        saved = frozenset[str]().union(*(defined(cell.source) for cell in submitted))
        return Here(shell.user_ns, submitted, ran, saved)


def missing_name(function: Callable[..., object], exercise: str, notebook: str) -> str | None:
    """Why an answer that is right in this kernel stops or changes where it is submitted: it needs a name that
    no submitted cell defines, or a cell that was not run here defines or changes what it needs. None if it is
    the same there, or if that cannot be known.
    """
    here = Here.of(notebook)
    if here is None:
        return None
    defined_here = frozenset[str]().union(*map(defined, here.ran))
    used = used_names(function, here.names)
    for name, user in used.items():
        if name in here.names and name not in here.saved | defined_here:
            by = "" if user == function.__name__ else f", which {user} needs,"
            return f"`{name}`{by} is defined in a cell that is not submitted: {DEFINE}"
    for name in (exercise, *used):
        if name in here.saved and (late := _defined_below(name, here.submitted)):
            return late
    return _not_run({exercise, *used}, here)


def unsaved_name(function: Callable[..., object], notebook: str) -> str | None:
    """A name that an answer needs and that only a cell defines which is not in the saved notebook: it was not
    saved yet, or is gone. None if there is none.
    """
    here = Here.of(notebook)
    used = used_names(function, here.names) if here is not None else {}
    return next((name for name in used if here and name in here.names and name not in here.saved), None)


def _is_lasting(value: object, cell: Cell) -> bool:
    """Whether a call may change what a name stands for: of a module's functions only those that set a default
    do, such as `torch.set_default_dtype`.
    """
    return not isinstance(value, ModuleType) or "set_default" in cell.source


def _not_run(names: set[str], here: Here) -> str | None:
    """The sentence if the saved notebook has a cell that was not run here, and it defines or changes one of
    these names. A cell of which a newer version was run is not meant.
    """
    ran, saved = set(map(squeezed, here.ran)), {squeezed(cell.source) for cell in here.submitted}
    newer = frozenset[str]().union(
        *(defined(source) | changed(source) for source in here.ran if squeezed(source) not in saved)
    )
    for cell in here.submitted:
        if squeezed(cell.source) not in ran and not STUB.search(cell.source):
            touched = {name for name in changed(cell.source) if _is_lasting(here.names.get(name), cell)}
            touched |= defined(cell.source) - imported(cell.source)
            for name in sorted(touched & names - newer):
                return (
                    f"the saved notebook has a cell that defines or changes `{name}`, and it was not run"
                    " here: run it, then check again"
                )
    return None


def _defined_below(name: str, submitted: Sequence[Cell]) -> str | None:
    """The sentence if the cell that defines `name` needs, while it runs, what only cells below it define."""
    place = max(number for number, cell in enumerate(submitted) if name in defined(submitted[number].source))
    tree = program_of(submitted[place].source)
    if tree is None:
        return None
    above = set[str]().union(*(defined(cell.source) for cell in submitted[: place + 1]))
    below = set[str]().union(*(defined(cell.source) for cell in submitted[place + 1 :]))
    for node in outside_functions(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in below - above:
            return (
                f"the cell that defines `{name}` needs `{node.id}`, which the saved notebook defines only"
                " below it: the grader runs the cells from top to bottom, so move that cell up"
            )
    return None


def _shell() -> Any:
    """The shell of this process's notebook; None outside IPython."""
    module = sys.modules.get("IPython")
    return module.get_ipython() if module is not None else None


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


def _role(cell: dict[str, Any], anchors: set[str]) -> str:
    marks = marks_of(cell)
    if marks.get("grade_id"):
        if marks.get("solution"):
            return "solution"
        return "setup" if marks.get("locked") and not marks.get("grade") else "course"
    of_the_course = COURSE_ID.fullmatch(str(cell.get("id")))
    if of_the_course is None or of_the_course[1] not in anchors:
        return "own"
    original = cell.get("metadata", {}).get(HANDED_OUT)
    changed = isinstance(original, str) and not same_code(original, text_of(cell))
    return "own" if changed else "course"


def marks_of(cell: dict[str, Any]) -> dict[str, Any]:
    """nbgrader's metadata of a cell of a notebook's JSON; empty if there is none."""
    return cell.get("metadata", {}).get("nbgrader") or {}


def text_of(cell: dict[str, Any]) -> str:
    """The source of a cell of a notebook's JSON."""
    source = cell["source"]
    return source if isinstance(source, str) else "".join(source)
