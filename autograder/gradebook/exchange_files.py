"""The two files by which nbgrader's exchange brings feedback back to its student.

- `nbgrader submit` puts `timestamp.txt` and `submission_secret.txt` into each submission. `release_feedback`
  names a page in the exchange by the secret, which only that student and the instructor know, and
  `fetch_feedback` looks for that name.
- nbgrader itself copies both files from `submitted/` to `autograded/` and from there to `feedback/`. So do
  we, so that `generate_feedback --force` keeps them.
- A submission that came another way has no secret, and `release_feedback` would stop the whole class there.
  Such a submission gets a secret of the course's own: its page goes to the exchange under a name that nobody
  looks for.
- A student may have written the time. nbgrader's reader opens a file that such a text names as its time zone,
  so we read it ourselves, and write it anew where nbgrader reads it again.
"""

from __future__ import annotations

import datetime
import hashlib
import hmac
from pathlib import Path

from autograder.judge.results import SubmissionResult
from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.submissions.intake import Refused, read_file

TIMESTAMP, SECRET = "timestamp.txt", "submission_secret.txt"
LONGEST = 1_000  # bytes: nbgrader's secret has 128
FORMAT = "%Y-%m-%d %H:%M:%S.%f UTC"  # nbgrader's


def exchange_files(submitted: Path, result: SubmissionResult, key: bytes) -> dict[str, bytes]:
    """The content of both files, by name: what lies beside the submission, else our own.
    `key` is the course's.
    """
    secret = beside(submitted, result.student, result.assignment, SECRET)
    ours = hmac.digest(key, f"feedback|{result.student}|{result.assignment}".encode(), hashlib.sha512).hex()
    received = datetime.datetime.fromtimestamp(result.received or 0.0, datetime.UTC)
    time = collected(submitted, result) or received
    return {TIMESTAMP: time.strftime(FORMAT).encode(), SECRET: secret or ours.encode()}


def collected(submitted: Path, result: SubmissionResult) -> datetime.datetime | None:
    """The timestamp beside the submission, UTC without a zone; None if there is none that can be read."""
    return time_of(beside(submitted, result.student, result.assignment, TIMESTAMP))


def time_of(data: bytes | None) -> datetime.datetime | None:
    """The time that a timestamp file gives in nbgrader's format or ISO 8601, UTC without a zone;
    None if it gives none.
    """
    try:
        when = datetime.datetime.fromisoformat((data or b"").decode().strip().removesuffix(" UTC"))
        return when.astimezone(datetime.UTC).replace(tzinfo=None) if when.tzinfo is not None else when
    except (ValueError, OverflowError):
        return None


def beside(submitted: Path, student: str, assignment: str, name: str) -> bytes | None:
    """A file beside a submission in `submitted`; None if there is none, or it is a link or too long."""
    try:
        data = read_file(submitted, f"{student}/{assignment}/{name}", Limits(notebook=LONGEST))
        data.decode()
    except (OSError, Refused, ValueError):
        return None
    return data
