"""The due date of a notebook, as the student's copy knows it:
one line in `NAME_due.txt` beside the released notebook NAME.

`kqa course build` writes it. An extension of one student is not in it, because all students get the same
copy.
"""

from __future__ import annotations

from pathlib import Path

SUFFIX = "_due.txt"
LONGEST = 200  # characters of the line that is shown


def due_line(folder: Path) -> str:
    """Such as "due 1 December 2026, 23:59 (UTC+01:00)"; empty if the copy in `folder` names no date."""
    try:
        text = (folder / f"{folder.name}{SUFFIX}").read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""
    return (text.splitlines() or [""])[0][:LONGEST]
