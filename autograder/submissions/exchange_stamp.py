"""The two files that `nbgrader submit` puts beside a submission: the time, and the secret by which feedback
finds its student.

- A student may have written both. nbgrader's reader of the time opens a file that such a text names as its
  time zone, so we read it ourselves.
- They are short texts in regular files; anything else is as if it were not there.
"""

from __future__ import annotations

import datetime
from pathlib import Path

from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.submissions.intake import Facts, Refused, Unreadable, read_file

TIMESTAMP, SECRET = "timestamp.txt", "submission_secret.txt"
LONGEST = 1_000  # bytes: nbgrader's secret has 128
FORMAT = "%Y-%m-%d %H:%M:%S.%f UTC"  # nbgrader's


def read_stamp(
    folder: Path, relative: str, seen: Facts | None = None, owner: int | None = None
) -> tuple[str | None, str | None]:
    """Secret and time beside the submission at `relative` under `folder`; each None if there is none.

    `seen` and `owner` are those of `read_file`. Raises Unreadable for a file that cannot be read.
    """
    secret, timestamp = (_text(folder, relative, name, seen, owner) for name in (SECRET, TIMESTAMP))
    return secret or None, timestamp or None


def beside(folder: Path, relative: str, name: str) -> str | None:
    """The text of one such file; None if there is none, or it cannot be read, or is no short text."""
    try:
        return _text(folder, relative, name)
    except Unreadable:
        return None


def _text(
    folder: Path, relative: str, name: str, seen: Facts | None = None, owner: int | None = None
) -> str | None:
    try:
        return read_file(folder, f"{relative}/{name}", Limits(notebook=LONGEST), seen, owner).decode()
    except Unreadable:
        raise
    except (OSError, Refused, ValueError):
        return None


def time_of(text: str | None) -> datetime.datetime | None:
    """The time that a timestamp file gives in nbgrader's format or ISO 8601, UTC without a zone;
    None if it gives none.
    """
    try:
        when = datetime.datetime.fromisoformat((text or "").strip().removesuffix(" UTC"))
        return when.astimezone(datetime.UTC).replace(tzinfo=None) if when.tzinfo is not None else when
    except (ValueError, OverflowError):
        return None
