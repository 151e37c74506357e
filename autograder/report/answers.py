"""What students wrote, read from the copies that grading leaves in `autograded/`, for reports.

- Only an answer's text is taken: the source of the cells with an exercise's id, and, under `OWN`, the code cells that the student
  added, which the course's notebook does not have. Outputs and metadata are not looked at.
- A written answer stands there as one block of harmless HTML (`autograder.gradebook.sanitize`). Its text is taken back out of it.
- A copy that is missing or damaged has no answers: a report is no place to fail for one student's file.
"""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

from autograder.submissions.skeleton import Skeleton

OWN = "cells of their own"
TAG = re.compile(r"<[^>]*>")  # the block is clean: a `<` that a student typed is an entity in it


def answers_of(course: Path, student: str, skeleton: Skeleton) -> dict[str, str]:
    """The sources of one student's answers in a notebook, by exercise, in the notebook's order."""
    if Path(student).name != student:  # a name of the gradebook's, which never was a folder
        return {}
    path = course / "autograded" / student / skeleton.name / f"{skeleton.name}.ipynb"
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        return _answers(cells, skeleton)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def class_answers(course: Path, skeleton: Skeleton) -> dict[str, dict[str, str]]:
    """The answers of everybody of whom there is a copy, by student."""
    students = sorted(
        path.parent.parent.name for path in (course / "autograded").glob(f"*/{skeleton.name}/{skeleton.name}.ipynb")
    )
    return {student: answers_of(course, student, skeleton) for student in students}


def _answers(cells: list[dict[str, Any]], skeleton: Skeleton) -> dict[str, str]:
    exercises = {exercise.id for exercise in skeleton.exercises}
    given = {cell.source.strip() for cell in skeleton.cells}
    found: dict[str, str] = {}
    own = []
    for cell in cells:
        source = cell["source"] if isinstance(cell["source"], str) else "".join(cell["source"])
        name = (cell.get("metadata", {}).get("nbgrader") or {}).get("grade_id")
        if name in exercises:
            found[name] = _typed(source) if cell["cell_type"] == "markdown" else source
        elif name is None and cell["cell_type"] == "code" and source.strip() and source.strip() not in given:
            own.append(source)
    return {**found, OWN: "\n\n".join(own)} if own else found


def _typed(source: str) -> str:
    """What a written answer says, from its block of HTML."""
    if not (source.startswith("<div") and source.endswith("</div>")):
        return source
    return html.unescape(TAG.sub("", source)).strip()
