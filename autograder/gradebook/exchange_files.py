"""The two files by which nbgrader's exchange brings feedback back to its student.

- `nbgrader submit` puts `timestamp.txt` and `submission_secret.txt` into each submission. `release_feedback`
  names a page in the exchange by the secret, which only that student and the instructor know, and
  `fetch_feedback` looks for that name.
- A page about a version gets the files that were received with that version (`versions.py`), never those of a
  later one: so no later submission decides who reads it.
- nbgrader itself copies both files from `submitted/` to `autograded/` and from there to `feedback/`. We write
  them to both, so that `generate_feedback --force` keeps them.
- A submission that came another way has no secret, and `release_feedback` would stop the whole class there.
  Such a submission gets a secret of the course's own: its page goes to the exchange under a name that nobody
  looks for.
- The time is written anew where nbgrader reads it again: its reader opens a file that a student's text names
  as its time zone.
"""

from __future__ import annotations

import datetime
import hashlib
import hmac
from pathlib import Path

from autograder.judge.results import SubmissionResult
from autograder.submissions.exchange_stamp import FORMAT, SECRET, TIMESTAMP, beside, time_of

NO_STAMP = (None, None)


def exchange_files(
    stamp: tuple[str | None, str | None], result: SubmissionResult, key: bytes
) -> dict[str, bytes]:
    """The content of both files, by name: what came with the version (`Submission.stamp`), else our own.
    `key` is the course's.
    """
    secret, timestamp = stamp
    ours = hmac.digest(key, f"feedback|{result.student}|{result.assignment}".encode(), hashlib.sha512).hex()
    received = datetime.datetime.fromtimestamp(result.received or 0.0, datetime.UTC)
    time = time_of(timestamp) or received
    return {TIMESTAMP: time.strftime(FORMAT).encode(), SECRET: (secret or ours).encode()}


def collected(submitted: Path, result: SubmissionResult) -> datetime.datetime | None:
    """The time beside what lies in `submitted`, UTC without a zone; None if none can be read."""
    return time_of(beside(submitted, f"{result.student}/{result.assignment}", TIMESTAMP))
