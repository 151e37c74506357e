"""Read a notebook's text source: `source/NN_name/NN_name.py` in percent format, the file that people edit.

- A cell's header gives its role: `# %% exercise="average_two" role="solution"`. A cell without a role is
  prose, or a demonstration that runs in the student's notebook and nowhere else.
- Every cell's id stays the same when other cells are added or removed. It is the nbgrader id if the cell has
  one, else the id of the last such cell above it and a count.
- The nbgrader ids: `average_two` (solution, or written answer), `check_average_two`, `statement_average_two`,
  `setup_1`.
- A source may hold its exercises with their keys, too (`autograder.build.one_file`).
- A source that does not match the facts (an exercise without its check, a cell of an unknown exercise) raises
  UserError.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from autograder.build.one_file import plain_cells, read_cells
from kqa_core.check.exercise import Exercise
from kqa_core.check.registry import find, of_notebook
from kqa_core.errors import UserError

ROLES = {
    "prose": "markdown",
    "demonstration": "code",
    "setup": "code",
    "statement": "markdown",
    "solution": "code",
    "check": "code",
    "written": "markdown",
}


@dataclass(frozen=True)
class Cell:
    """One cell of the text source."""

    id: str  # of the notebook cell
    role: str  # a key of ROLES
    text: str
    exercise: Exercise | None = None
    grade_id: str | None = None  # nbgrader's id; None for prose and demonstrations
    tags: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """Either "code" or "markdown"."""
        return ROLES[self.role]


def read_source(path: Path) -> list[Cell]:
    """The cells of a text source. Raises UserError if the file and the exercises' facts disagree."""
    raws = plain_cells(path, read_cells(path))
    cells: list[Cell] = []
    anchor, since, setups = "start", 0, 0
    for raw in raws:
        role, exercise = _role(path, raw)
        grade_id = None
        if exercise is not None:
            grade_id = f"{role}_{exercise.id}" if role in ("statement", "check") else exercise.id
            if any(cell.grade_id == grade_id for cell in cells):
                raise UserError(f"{path}: two {role} cells for exercise {exercise.id}; keep one")
        elif role == "setup":
            setups += 1
            grade_id = f"setup_{setups}"
        if grade_id is not None:
            anchor, since = grade_id, 0
        else:
            since += 1
        identity = grade_id or f"{anchor[:56]}-{since}"  # nbformat allows 64 characters
        cells.append(
            Cell(
                identity,
                role,
                raw.source.strip("\n"),
                exercise,
                grade_id,
                tuple(raw.metadata.get("tags", ())),
            )
        )
    _complete(path, cells)
    return cells


def _role(path: Path, raw: object) -> tuple[str, Exercise | None]:
    metadata, kind = raw.metadata, raw.cell_type  # type: ignore[attr-defined]  # nbformat's nodes are untyped
    start = raw.source.strip().partition("\n")[0][:60]  # type: ignore[attr-defined]
    role = metadata.get("role", "prose" if kind == "markdown" else "demonstration")
    if role not in ROLES or kind not in ("code", "markdown"):
        raise UserError(f"{path}: the cell {start!r} has role {role!r}; expected one of {', '.join(ROLES)}")
    if ROLES[role] != kind:
        raise UserError(f"{path}: the cell {start!r} is {kind}, but a cell of role {role!r} is {ROLES[role]}")
    name = metadata.get("exercise")
    if (name is None) != (role in ("prose", "demonstration", "setup")):
        need = (
            "names an exercise, which only statement, solution, check and written cells do"
            if name
            else 'needs exercise="…"'
        )
        raise UserError(f"{path}: the cell {start!r} of role {role!r} {need}")
    if name is None:
        return role, None
    exercise = find(name)
    if exercise.notebook != path.stem:
        raise UserError(f"{path}: exercise {name} belongs to notebook {exercise.notebook}, by its facts")
    if exercise.written and role in ("solution", "check"):
        raise UserError(f"{path}: exercise {name} is written (it has no check), so it has no {role} cell")
    if not exercise.written and role == "written":
        raise UserError(f"{path}: exercise {name} is checked, so its cell is of role solution, not written")
    return role, exercise


def _complete(path: Path, cells: list[Cell]) -> None:
    """Each exercise has its cells, in order: statement, then solution and check, or the written cell."""
    place = {cell.grade_id: number for number, cell in enumerate(cells)}
    last = -1
    for exercise in of_notebook(path.stem):
        needed = [f"statement_{exercise.id}", exercise.id]
        if not exercise.written:
            needed.append(f"check_{exercise.id}")
        for grade_id in needed:
            if grade_id not in place:
                role = "written" if exercise.written else "solution"
                missing = role if grade_id == exercise.id else grade_id.removesuffix(f"_{exercise.id}")
                raise UserError(
                    f"{path}: exercise {exercise.id} has no {missing} cell; add one, or remove its facts"
                )
            if place[grade_id] < last:
                raise UserError(
                    f"{path}: cell {grade_id} comes too early; the order is statement, answer, check;"
                    " exercises follow `order`"
                )
            last = place[grade_id]
