"""What people see of a judged submission: the autograded notebook for formgrader, and the student's feedback page.

- Both are made from the skeleton and the student's sources. Outputs hold our sentences and nothing that a student's code printed;
  there is no hidden test and no solution in either.
- A student's text is shown in an instructor's browser: what stands in a Markdown cell goes through
  `autograder.gradebook.sanitize`.
- The feedback page is self-contained: no script, no link, everything escaped.
"""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import Any

from autograder.answer_key import WrittenKey, find_key
from autograder.gradebook.sanitize import harmless_markdown, plain_text
from autograder.judge.results import ExerciseResult, Judged, ShownCell, Status

RUBRIC_TAG = "kqa-rubric"  # autograder.gradebook.rubric.TAG, which loads nbgrader
METADATA = {  # of every notebook that we make; no version of Python: it differs by machine
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"file_extension": ".py", "mimetype": "text/x-python", "name": "python"},
}
STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}
h1{font-size:1.4rem}h2{font-size:1.05rem;margin:0}section{border-top:1px solid #ccc;padding:1rem 0;break-inside:avoid}
pre{background:#f4f4f4;padding:.6rem;overflow-x:auto;white-space:pre-wrap;font-size:.85rem}
.marks{float:right}.status{font-weight:600}.right{color:#0a5c2b}.wrong{color:#8a1c1c}.other{color:#444}
@media print{body{margin:0;max-width:none}}
"""


def autograded_notebook(judged: Judged) -> str:
    """The JSON of the notebook that formgrader shows: the graft, with our sentence as the output of each check cell."""
    results = {f"check_{each.exercise}": each for each in judged.result.exercises}
    cells: list[dict[str, Any]] = []
    for number, cell in enumerate(judged.cells):
        cells.append(_cell(cell, number, results))
        rubric = _rubric(cell.grade_id) if cell.role == "written" else None
        if rubric is not None:
            cells.append(
                {"cell_type": "markdown", "id": f"rubric-{number}", "metadata": {"tags": [RUBRIC_TAG]}, "source": rubric}
            )
    metadata = {**METADATA, "kqa": {"sha256": judged.result.sha256}}
    notebook = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def submission_digest(path: Path) -> str | None:
    """The digest of the submission that an autograded notebook was made from; None where the file does not say."""
    try:
        digest = json.loads(path.read_text(encoding="utf-8"))["metadata"]["kqa"]["sha256"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return digest if isinstance(digest, str) else None


def feedback_page(judged: Judged, manual: dict[str, tuple[float | None, str | None]], penalty: float = 0.0) -> str:
    """The student's page, as HTML. `manual` holds what a person gave: exercise → (mark, comment); `penalty` is for lateness."""
    result = judged.result
    sources = {cell.grade_id: cell.source for cell in judged.cells}
    title = html.escape(f"{result.assignment}: {result.student}")
    body = [f"<h1>{title}</h1>"]
    if result.reason:
        body.append(f'<p class="wrong">{html.escape(str(result.status))}: {html.escape(result.reason)}</p>')
    if result.exercises:
        body.append(f"<p>{result.marks:g} of {result.points} points from the checks.</p>")
    if penalty:
        body.append(f'<p class="wrong">Handed in late: {penalty:g} points are taken off.</p>')
    for note in result.notes:
        body.append(f"<p>{html.escape(note)}</p>")
    for each in result.exercises:
        mark, comment = manual.get(each.exercise, (None, None))
        body.append(_section(each, sources.get(each.exercise, ""), mark, comment))
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{STYLE}</style></head><body>{''.join(body)}</body></html>\n"
    )


def _cell(cell: ShownCell, number: int, results: dict[str, ExerciseResult]) -> dict[str, Any]:
    kind = "code" if cell.kind == "code" else "markdown"  # a raw cell would reach the page as it stands
    source = cell.source
    if kind == "markdown" and cell.role in ("written", "extra"):
        source = harmless_markdown(source) if cell.role == "written" else plain_text(source)
    shown: dict[str, Any] = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}, "source": source}
    result = results.get(cell.grade_id or "")
    if cell.grade_id is not None:
        shown["metadata"] = {"nbgrader": _nbgrader(cell, results)}
    if kind == "code":
        text = f"{result.exercise}: {result.outcome}: {result.sentence}\n" if result is not None else ""
        shown["outputs"] = [{"output_type": "stream", "name": "stdout", "text": text}] if text else []
        shown["execution_count"] = None
    return shown


def _nbgrader(cell: ShownCell, results: dict[str, ExerciseResult]) -> dict[str, Any]:
    grade, solution = cell.role in ("check", "written"), cell.role in ("solution", "written")
    marks: dict[str, Any] = {"cell_type": cell.kind, "grade": grade, "grade_id": cell.grade_id, "locked": not solution}
    marks |= {"schema_version": 3, "solution": solution, "task": False}
    if grade:
        name = cell.grade_id if cell.role == "check" else f"check_{cell.grade_id}"
        marks["points"] = results[str(name)].points
    return marks


def _rubric(exercise: str | None) -> str | None:
    key = find_key(str(exercise))
    if not isinstance(key, WrittenKey):
        return None
    lines = ["**Rubric** (for the grader; the student does not see this)", ""]
    lines += [f"- {points:g}: {idea}" for points, idea in key.rubric]
    if key.misconceptions:
        lines += ["", "Common misconceptions:", "", *(f"- {each}" for each in key.misconceptions)]
    return "\n".join([*lines, "", "A model answer:", "", *(f"> {line}" for line in key.model_answer.strip().splitlines())])


def _section(result: ExerciseResult, source: str, mark: float | None, comment: str | None) -> str:
    given = mark if mark is not None else result.marks
    colour = "right" if result.outcome == "right" else "wrong" if result.outcome in ("not yet", "error") else "other"
    marks = f"{given:g} of {result.points}" if given is not None else f"– of {result.points}"
    said = html.escape(result.sentence)
    parts = [
        f'<section><span class="marks">{marks}{" extra" if result.extra else ""}</span><h2>{html.escape(result.exercise)}</h2>',
        f'<p><span class="status {colour}">{html.escape(result.outcome)}</span>: {said}</p>',
    ]
    if comment:
        parts.append(f"<p>Your grader: {html.escape(comment)}</p>")
    if source and result.status is not Status.UNATTEMPTED:
        parts.append(f"<pre>{html.escape(source)}</pre>")
    return "".join([*parts, "</section>"])
