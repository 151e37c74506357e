"""The two files by which nbgrader's exchange brings feedback back to its student.

- `nbgrader submit` puts `timestamp.txt` and `submission_secret.txt` into each submission. `release_feedback` names a page in the
  exchange by the secret, which only that student and the instructor know, and `fetch_feedback` looks for that name.
- nbgrader itself copies both files from `submitted/` to `autograded/` and from there to `feedback/`. So do we, so that
  `generate_feedback --force` keeps them.
- A submission that came another way has no secret, and `release_feedback` would stop the whole class there. Such a submission
  gets a secret of the course's own: its page goes to the exchange under a name that nobody looks for.
"""

from __future__ import annotations

import datetime
import hashlib
import hmac
from pathlib import Path
from typing import Any

from nbgrader.utils import parse_utc

from autograder.judge.results import SubmissionResult
from autograder.sandbox.limits import Limits
from autograder.submissions.intake import Refused, read_file

TIMESTAMP, SECRET = "timestamp.txt", "submission_secret.txt"
LONGEST = 1_000  # bytes: nbgrader's secret has 128
FORMAT = "%Y-%m-%d %H:%M:%S.%f UTC"  # nbgrader's


def exchange_files(submitted: Path, result: SubmissionResult, key: bytes) -> dict[str, bytes]:
    """The content of both files, by name: as they lie beside the submission, else our own. `key` is the course's."""
    found = {name: beside(submitted, result.student, result.assignment, name) for name in (TIMESTAMP, SECRET)}
    ours = hmac.digest(key, f"feedback|{result.student}|{result.assignment}".encode(), hashlib.sha512).hex()
    received = datetime.datetime.fromtimestamp(result.received or 0.0, datetime.UTC)
    time = found[TIMESTAMP] if time_of(found[TIMESTAMP]) is not None else None
    return {TIMESTAMP: time or received.strftime(FORMAT).encode(), SECRET: found[SECRET] or ours.encode()}


def collected(submitted: Path, result: SubmissionResult) -> datetime.datetime | None:
    """The timestamp beside the submission, as formgrader reads it; None if there is none that can be read."""
    return time_of(beside(submitted, result.student, result.assignment, TIMESTAMP))


def time_of(data: bytes | None) -> datetime.datetime | None:
    """The time that a timestamp file gives; None if it gives none."""
    try:
        when: Any = parse_utc((data or b"").decode().strip())
    except (ValueError, OverflowError):
        return None
    return when if isinstance(when, datetime.datetime) else None


def beside(submitted: Path, student: str, assignment: str, name: str) -> bytes | None:
    """A file beside a submission in `submitted`; None if there is none, or it is a link or too long."""
    try:
        data = read_file(submitted, f"{student}/{assignment}/{name}", Limits(notebook=LONGEST))
        data.decode()
    except (OSError, Refused, ValueError):
        return None
    return data
