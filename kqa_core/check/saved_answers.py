"""An answer of an earlier notebook: `kept("MyGPT", instead)` takes it from that notebook's saved file.

- Of the notebook's cells only the setup cells run, the answer's own, and those that define a name which these
  need, in a namespace of their own. Nothing of this notebook changes, and what the cells print is not shown.
- The answer must be right in the visible check. Otherwise one line says what is missing, and `instead` is
  used: a later notebook never stops because an exercise of an earlier one is not done.
"""

from __future__ import annotations

import contextlib
import io
import json
from typing import Any, TypeVar

from kqa_core.check.cell_names import program_of
from kqa_core.check.exercise import Exercise, JudgeError, Outcome
from kqa_core.check.registry import find
from kqa_core.check.submitted import Cell, cells_for, code_cells, saved_file, with_marks
from kqa_core.errors import UserError

Value = TypeVar("Value")


class _NotThere(Exception):
    """The answer cannot be used; the message says why."""


def kept(name: str, instead: Value) -> Value:
    """The student's answer to the exercise `name`, from its saved notebook, if it is right there; else
    `instead`, and a line that says why.
    """
    try:
        return _right_answer(name)  # type: ignore[no-any-return]  # the check has tried it
    except _NotThere as reason:
        print(f"{name}: {reason}; the library's is used here")
        return instead


def _right_answer(name: str) -> Any:
    from kqa_core.check.api import visible_seed
    from kqa_core.check.local import LocalAnswer, generators_kept
    from kqa_core.check.run import run_check

    try:
        exercise = find(name)
    except UserError:
        raise _NotThere("its notebook is not beside this one") from None
    with generators_kept(), contextlib.redirect_stdout(io.StringIO()):
        answer = _run(name, _cells_of(exercise))
        assert exercise.check is not None
        try:
            verdict = run_check(exercise.check, LocalAnswer(answer), visible_seed(name), name)
        except (JudgeError, MemoryError) as problem:
            raise _NotThere(f"its check stopped ({problem})") from None
    if verdict.outcome is Outcome.UNATTEMPTED:
        raise _NotThere(f"it is not written yet in {exercise.notebook}")
    if verdict.outcome is not Outcome.RIGHT:
        raise _NotThere(f"it is not right yet in {exercise.notebook} ({verdict.sentence})")
    return answer


def _cells_of(exercise: Exercise) -> list[Cell]:
    """The cells that the answer needs, in order."""
    path = saved_file(exercise.notebook)
    if path is None:
        raise _NotThere(f"there is no {exercise.notebook}.ipynb beside this notebook")
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
        cells = cells_for(exercise.id, code_cells(with_marks(content, [exercise.id])))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise _NotThere(f"{path} cannot be read; save the notebook with Jupyter") from None
    if not any(cell.grade_id == exercise.id for cell in cells):
        raise _NotThere(f"{path} has no cell for it; fetch the notebook again")
    return cells


def _run(name: str, cells: list[Cell]) -> Any:
    """The value of `name` after these cells, which run in a namespace of their own."""
    names: dict[str, Any] = {"__name__": f"kept_{name}"}
    for cell in cells:
        program = program_of(cell.source)
        try:
            if program is None:
                raise SyntaxError("it is not valid Python")
            exec(compile(program, f"<the cell of {cell.grade_id or 'your own'}>", "exec"), names)
        except Exception as problem:
            if cell.grade_id == name:
                raise _NotThere(f"its cell stops with {type(problem).__name__}: {problem}") from None
    if not callable(names.get(name)):
        raise _NotThere(f"its cell defines no {name}")
    return names[name]
