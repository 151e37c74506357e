"""The autograded notebook that formgrader shows.

- The notebook is made from the skeleton and the student's sources. Outputs hold our sentences and nothing
  that a student's code printed. It contains no hidden test and no solution.
- An instructor's browser shows the student's text, so Markdown cells go through
  `autograder.gradebook.sanitize`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from autograder.answer_key import WrittenKey, find_key
from autograder.gradebook.cell_metadata import METADATA, nbgrader_marks
from autograder.gradebook.sanitize import harmless_markdown, plain_text
from autograder.judge.results import ExerciseResult, Judged
from autograder.submissions.merge import GraftedCell
from kqa_core.check.registry import find

RUBRIC_TAG = "kqa-rubric"


def autograded_notebook(judged: Judged) -> str:
    """The JSON of the notebook that formgrader shows:
    the graft, with our sentence as the output of each check cell.
    """
    results = {f"check_{result.exercise}": result for result in judged.result.exercises}
    cells: list[dict[str, Any]] = []
    for number, cell in enumerate(judged.cells):
        cells.append(_cell(cell, number, results))
        result = results.get(f"check_{cell.grade_id}")
        rubric = (
            _rubric(cell.grade_id, result.look if result is not None else None)
            if cell.role == "written"
            else None
        )
        if rubric is not None:
            cells.append(
                {
                    "cell_type": "markdown",
                    "id": f"rubric-{number}",
                    "metadata": {"tags": [RUBRIC_TAG]},
                    "source": rubric,
                }
            )
    metadata = {**METADATA, "kqa": {"sha256": judged.result.sha256}}
    notebook = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def submission_digest(path: Path) -> str | None:
    """The digest of the submission that an autograded notebook was made from; None if it does not say."""
    try:
        digest = json.loads(path.read_text(encoding="utf-8"))["metadata"]["kqa"]["sha256"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return digest if isinstance(digest, str) else None


def changed_answers(path: Path, judged: Judged) -> frozenset[str] | None:
    """The exercises whose answers differ from those in the autograded copy at `path`; None where nobody can
    tell. Where any code differs, every answer in code does, because each can call the others.
    """
    try:
        before = _sources(json.loads(path.read_text(encoding="utf-8")))
        now = _sources(json.loads(autograded_notebook(judged)))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    same_code = [each for each in before if each[0] == "code"] == [each for each in now if each[0] == "code"]
    return frozenset(
        name
        for kind, name, source in now
        if name and not (same_code if kind == "code" else (kind, name, source) in before)
    )


def _sources(notebook: Any) -> list[tuple[str, str, str]]:
    """Kind, nbgrader's name and source of each cell that a student may have written in."""
    cells = [(each["cell_type"], each["metadata"].get("nbgrader") or {}, each) for each in notebook["cells"]]
    return [
        (kind, str(marks.get("grade_id") or ""), each["source"])
        for kind, marks, each in cells
        if not marks.get("locked") and RUBRIC_TAG not in each["metadata"].get("tags", [])
    ]


def _cell(cell: GraftedCell, number: int, results: dict[str, ExerciseResult]) -> dict[str, Any]:
    kind = "code" if cell.kind == "code" else "markdown"  # a raw cell would reach the page as it stands
    source = cell.source
    if kind == "markdown" and cell.role in ("written", "extra"):
        source = harmless_markdown(source) if cell.role == "written" else plain_text(source)
    shown: dict[str, Any] = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}, "source": source}
    result = results.get(cell.grade_id or "")
    if cell.grade_id is not None:
        shown["metadata"] = {"nbgrader": nbgrader_marks(cell.kind, cell.role, cell.grade_id)}
        if cell.role in ("check", "written"):
            graded = results.get(f"check_{cell.grade_id.removeprefix('check_')}")
            # of an unreadable submission there is no result
            points = (
                graded.points if graded is not None else find(cell.grade_id.removeprefix("check_")).points
            )
            shown["metadata"]["nbgrader"]["points"] = points
    if kind == "code":
        text = f"{result.exercise}: {result.outcome}: {result.sentence}\n" if result is not None else ""
        shown["outputs"] = [{"output_type": "stream", "name": "stdout", "text": text}] if text else []
        shown["execution_count"] = None
    return shown


def _rubric(exercise: str | None, look: str | None) -> str | None:
    key = find_key(str(exercise))
    if not isinstance(key, WrittenKey):
        return None
    lines = [f"**Look at this answer**: {look}.", ""] if look else []
    lines += ["**Rubric** (for the grader; the student does not see this)", ""]
    lines += [f"- {points:g}: {idea}" for points, idea in key.rubric]
    if key.misconceptions:
        lines += ["", "Common misconceptions:", "", *(f"- {mistake}" for mistake in key.misconceptions)]
    return "\n".join(
        [*lines, "", "A model answer:", "", *(f"> {line}" for line in key.model_answer.strip().splitlines())]
    )
