"""A person's mark for a group's answer: given on one member's copy, it becomes the mark of all.

- Formgrader shows a copy for each member. `kqa course grade` copies what a person gave one of them to the
  others, before it writes the feedback.
- `people/group_marks.json` holds the marks that were copied. So a mark that is changed later, on any copy, is
  told from the old one.
- If two members have different new marks, nothing is copied, and a line says so. A mark goes away when it is
  cleared on all copies.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nbgrader.api import MissingEntry

from autograder.people.groups import Group
from kqa_core.errors import UserError
from kqa_core.files import write_whole

MARKS = Path("people", "group_marks.json")


def share_marks(book: Any, course: Path, notebook: str, groups: Sequence[Group]) -> list[str]:
    """Copy marks and comments of people within these groups. Returns a line for each conflict."""
    copied, lines = _read(course / MARKS), []
    before = dict(copied)
    for group in groups:
        members = {who: rows for who in group.members if (rows := _rows(book, notebook, who))}
        for cell, field in sorted({place for rows in members.values() for place in rows}):
            key = json.dumps([notebook, group.name, cell, field])
            values = {
                who: getattr(rows[cell, field], field)
                for who, rows in members.items()
                if (cell, field) in rows
            }
            new_values = {
                who: value for who, value in values.items() if value not in (None, "", copied.get(key))
            }
            if len(set(new_values.values())) > 1:
                conflict = ", ".join(f"{who} has {value!r}" for who, value in new_values.items())
                where = f"group {group.name}, {notebook}, {cell}"
                lines.append(f"{where}: {conflict}; give all members the same in formgrader")
                continue
            new = next(
                iter(new_values.values()),
                copied.get(key) if any(values.values()) or 0.0 in values.values() else None,
            )
            for who, value in values.items():
                if value != new and new is not None:
                    row = members[who][cell, field]
                    setattr(row, field, new)
                    if field == "manual_score":
                        row.needs_manual_grade = False
            copied[key] = new
    if copied != before:
        book.db.commit()
        write_whole(
            course / MARKS,
            json.dumps({key: mark for key, mark in sorted(copied.items()) if mark is not None}, indent=1),
        )
    return lines


def _rows(book: Any, notebook: str, student: str) -> dict[tuple[str, str], Any]:
    try:
        submitted = book.find_submission_notebook(notebook, notebook, student)
    except MissingEntry:
        return {}
    rows = {(grade.name, "manual_score"): grade for grade in submitted.grades}
    return rows | {(comment.name, "manual_comment"): comment for comment in submitted.comments}


def _read(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        marks = json.loads(path.read_text(encoding="utf-8"))
        return {str(key): value for key, value in marks.items()}
    except (OSError, ValueError, AttributeError):
        raise UserError(
            f"{path}: is damaged; delete it, then give each group's members the same marks in formgrader"
        ) from None
