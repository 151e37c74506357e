"""Reset one exercise: restore its cell as you received it, and set its record to unattempted.

- Nothing is lost: the text of the cell is first saved in `.kqa/kept/`, in a new file.
- A released answer cell keeps its original text in its metadata, so a notebook needs no other file.
- The notebook's file is read, one cell changed, and the file written whole. If anything does not match,
  nothing is changed.
- JupyterLab does not notice the change in an open notebook: save it before, and reload it from disk after.
  The message says so.
"""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any

from kqa_core.check.exercise import Exercise
from kqa_core.check.progress_store import ProgressStore
from kqa_core.check.registry import find
from kqa_core.check.submitted import HANDED_OUT
from kqa_core.errors import UserError
from kqa_core.files import write_whole

KEPT = "kept"


def reset_exercise(name: str) -> list[str]:
    """Restore the exercise's cell as the student received it, and save its text;
    returns one line for each change.

    Raises UserError, and changes nothing, for an unknown exercise, and if the notebook is missing or damaged.
    """
    exercise = find(name)
    store = ProgressStore()
    notebook = _notebook(exercise, store.place)
    content = _read(notebook)
    # several if the student copied it
    mine = [cell for cell in content["cells"] if _grade_id(cell) == exercise.id]
    if not mine:
        again = "undo the deletion in JupyterLab (Edit, Undo Cell Operation), or get the notebook again"
        raise UserError(f"reset: {notebook} has no cell for {exercise.id} any more; {again}")
    stub = next(
        (cell["metadata"][HANDED_OUT] for cell in mine if isinstance(cell["metadata"].get(HANDED_OUT), str)),
        None,
    )
    if stub is None:
        raise UserError(
            f"reset: the cell of {exercise.id} in {notebook} does not hold its original text; get the"
            " notebook again"
        )
    said = []
    for cell in mine:
        if (text := _text(cell)).strip() != stub.strip():
            aside = _put_aside(store.place, exercise, text)
            said.append(f"{exercise.id}: what you had written is kept in {_shown(aside)}")
        cell["source"] = stub.splitlines(keepends=True)
    for cell in content["cells"]:
        if _grade_id(cell) in (exercise.id, f"check_{exercise.id}") and cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
    _write(notebook, content)
    store.forget(exercise.id)
    said.append(f"{exercise.id}: unattempted again, as you received it, in {_shown(notebook)}")
    said.append("If that notebook is open: File, Reload Notebook from Disk; then run the cell.")
    return [*said, *store.notices]


def _notebook(exercise: Exercise, store: Path) -> Path:
    """The student's own notebook that holds the exercise: in the working copy, or in the current folder."""
    name, here = exercise.notebook, Path.cwd()
    for place in (store.resolve().parent / name, here, here / name, here.parent / name):
        if (place / f"{name}.ipynb").is_file():
            return place / f"{name}.ipynb"
    raise UserError(
        f"reset: {name}.ipynb, which holds {exercise.id}, is not in {here}; run this in the folder with your"
        " notebooks"
    )


def _read(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
        for cell in content["cells"]:
            _grade_id(cell), _text(cell), cell["cell_type"]
    except OSError as problem:
        raise UserError(f"reset: {path} cannot be read ({problem.strerror}); nothing was changed") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UserError(f"reset: {path} is not a notebook as Jupyter saves it; nothing was changed") from None
    return dict(content)


def _grade_id(cell: dict[str, Any]) -> str | None:
    return cell.get("metadata", {}).get("nbgrader", {}).get("grade_id")  # type: ignore[no-any-return]


def _text(cell: dict[str, Any]) -> str:
    source = cell["source"]
    return source if isinstance(source, str) else "".join(source)


def _put_aside(store: Path, exercise: Exercise, text: str) -> Path:
    """Write the text to a new file; returns its path."""
    ending, number = "md" if exercise.written else "py", 1
    try:
        (store / KEPT).mkdir(parents=True, exist_ok=True)
        while True:
            path = store / KEPT / f"{exercise.id}-{number}.{ending}"
            with contextlib.suppress(FileExistsError), path.open("x", encoding="utf-8") as file:
                file.write(text if text.endswith("\n") else f"{text}\n")
                return path
            number += 1
    except OSError as problem:
        raise UserError(
            f"reset: your text cannot be kept in {store / KEPT} ({problem.strerror}); nothing was changed"
        ) from None


def _write(path: Path, content: dict[str, Any]) -> None:
    """Write a notebook as Jupyter does, whole or not at all."""
    try:
        write_whole(path, json.dumps(content, indent=1, ensure_ascii=False) + "\n", path.stat().st_mode)
    except OSError as problem:
        raise UserError(
            f"reset: {path} cannot be written ({problem.strerror}); nothing was changed"
        ) from None


def _shown(path: Path) -> str:
    """The path relative to the current folder, if that is shorter."""
    there = os.path.relpath(path, Path.cwd()) if path.is_absolute() else str(path)
    return min(there, str(path), key=len)
