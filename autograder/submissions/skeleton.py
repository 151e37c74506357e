"""The instructor's notebook as the judge sees it: its cells, each with a role, and solutions taken out.

The roles are read from nbgrader's ids: `average_two` (solution or written answer), `check_average_two`,
`statement_average_two`, `setup_1`. A cell without an id is prose or a demonstration. Solution regions and
hidden-tests regions are removed first, so nothing that is made from the skeleton can hold them.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kqa_core.check.exercise import Exercise
from kqa_core.check.registry import find
from kqa_core.errors import UserError

WRITTEN_STUB = "YOUR ANSWER HERE"
SOLUTION = re.compile(r"^[ \t]*### BEGIN SOLUTION.*?### END SOLUTION[^\n]*\n?", re.MULTILINE | re.DOTALL)
HIDDEN = re.compile(r"\n?[ \t]*### BEGIN HIDDEN TESTS.*?### END HIDDEN TESTS[^\n]*", re.DOTALL)


@dataclass(frozen=True)
class SkeletonCell:
    """One cell of the course's notebook, without solution or hidden tests."""

    role: str  # setup, solution, check, statement, written, demonstration or prose
    kind: str  # code or markdown
    source: str
    grade_id: str | None = None
    exercise: Exercise | None = None
    id: str | None = None
    former: frozenset[str] = frozenset()  # digests of what a text of ours said in earlier builds


@dataclass(frozen=True)
class Skeleton:
    """A notebook of the course: the frame into which a student's answers are set."""

    name: str
    cells: tuple[SkeletonCell, ...]

    @property
    def exercises(self) -> tuple[Exercise, ...]:
        """Its exercises, in order."""
        return tuple(
            cell.exercise for cell in self.cells if cell.exercise and cell.role in ("solution", "written")
        )

    def stub(self, exercise: str) -> str:
        """The source of the untouched answer cell of an exercise."""
        return next(cell.source for cell in self.cells if cell.grade_id == exercise)


def load_skeleton(path: Path) -> Skeleton:
    """The skeleton of the instructor's notebook at `path`.
    Raises UserError if it is missing or its cells fit no exercise.
    """
    return read_skeleton(path, None)


def read_skeleton(path: Path, text: str | None) -> Skeleton:
    """The skeleton in the text of the instructor's notebook `path`."""
    tree = notebook_tree(path, text)
    former = tree.get("metadata", {}).get("kqa", {}).get("former", {})
    return Skeleton(
        path.stem,
        tuple(
            replace(_cell(cell), former=frozenset(former.get(cell.get("id"), ())))
            for cell in tree.get("cells", [])
        ),
    )


def tested_sources(path: Path) -> dict[str, str]:
    """The sources of the check cells of the instructor's notebook at `path` with their
    hidden tests, by nbgrader's id.

    nbgrader's gradebook keeps them, to put the tests back when it grades. They belong nowhere else. Raises
    UserError.
    """
    cells = (
        (cell.get("metadata", {}).get("nbgrader") or {}, cell)
        for cell in notebook_tree(path).get("cells", [])
    )
    return {
        str(marks["grade_id"]): _source(cell)
        for marks, cell in cells
        if marks.get("grade") and not marks.get("solution")
    }


def notebook_tree(path: Path, text: str | None = None) -> dict[str, Any]:
    """The instructor's notebook at `path` as JSON; `text`: its content, if known. Raises UserError."""
    try:
        tree: dict[str, Any] = json.loads(path.read_text(encoding="utf-8") if text is None else text)
    except FileNotFoundError:
        raise UserError(
            f"{path}: the instructor's notebook is missing; make it with `kqa course build`"
        ) from None
    except (OSError, ValueError) as error:
        raise UserError(f"{path}: cannot be read ({error}); make it again with `kqa course build`") from None
    return tree


def _cell(cell: dict[str, Any]) -> SkeletonCell:
    source = _source(cell)
    marks = cell.get("metadata", {}).get("nbgrader") or {}
    kind, grade_id, identity = cell["cell_type"], marks.get("grade_id"), cell.get("id")
    if grade_id is None:
        return SkeletonCell(
            "demonstration" if kind == "code" else "prose", kind, source, None, None, identity
        )
    if grade_id.startswith("setup_"):
        return SkeletonCell("setup", kind, source, grade_id, None, identity)
    if marks.get("solution"):
        exercise = find(grade_id)
        if exercise.written:
            return SkeletonCell("written", kind, WRITTEN_STUB, grade_id, exercise, identity)
        return SkeletonCell(
            "solution", kind, without_solution(source, exercise), grade_id, exercise, identity
        )
    role = "check" if grade_id.startswith("check_") else "statement"
    exercise = find(grade_id.removeprefix(f"{role}_"))
    return SkeletonCell(role, kind, HIDDEN.sub("", source), grade_id, exercise, identity)


def _source(cell: dict[str, Any]) -> str:
    return cell["source"] if isinstance(cell["source"], str) else "".join(cell["source"])


def without_solution(source: str, exercise: Exercise) -> str:
    """The solution cell as the student receives it:
    one line that raises replaces the region between BEGIN and END SOLUTION.
    """

    def stub(region: re.Match[str]) -> str:
        indent = region.group()[: len(region.group()) - len(region.group().lstrip())]
        return f"{indent}raise NotImplementedError({exercise.stub_message!r})\n".replace("'", '"')

    return SOLUTION.sub(stub, source).rstrip("\n")
