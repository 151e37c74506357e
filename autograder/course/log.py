"""The course's log: `kqa.log` in the course folder, one line for each event, for a person to read.

- A line has the time, the level, the user who gave the command, the event, and what came of it. Events are
  received, judged, recorded, published, backup, restore, watch (what the watcher says), and what people set:
  due, extension, marks, roster, groups.
- Levels: WARNING for a refused or unreadable submission, for an answer whose cell was not found where it
  should be, and for an incident; ERROR for an infrastructure error and for what could not be recorded.
- A student's name is written so that it cannot look like anything else (`logged_name`).
- A line never holds a student's text, a file name that a student chose, or a secret. Reasons that may quote
  one are left out: they are on the feedback page and in the report.
- Python's `RotatingFileHandler` writes it: at 1 MB the file becomes `kqa.log.1`, and five old ones are kept.
  A lock lets one process write at a time. If the log cannot be written, one warning says so and the command
  goes on.
"""

from __future__ import annotations

import contextlib
import getpass
import logging
import os
import re
import warnings
from collections.abc import Sequence
from logging.handlers import RotatingFileHandler
from pathlib import Path

from autograder.judge.results import Status, SubmissionResult
from autograder.submissions.store import News, Submission
from autograder.submissions.student_names import logged_name
from kqa_core.errors import readable
from kqa_core.files import locked

LOG = "kqa.log"
SIZE, KEPT = 1_000_000, 5  # bytes of a file, and how many old ones stay
LEVELS = {
    **dict.fromkeys((Status.REFUSED, Status.UNREADABLE, Status.INCIDENT), logging.WARNING),
    Status.BROKEN: logging.ERROR,
}


def log(course: Path, event: str, *texts: str, level: int = logging.INFO) -> None:
    """Write a line for each text of `said`, which names what the event is about and what came of it."""
    try:
        with locked(course / "judged" / ".log"):
            os.close(os.open(course / LOG, os.O_WRONLY | os.O_CREAT, 0o600))
            handler = RotatingFileHandler(
                course / LOG, maxBytes=SIZE, backupCount=KEPT, encoding="utf-8", errors="replace"
            )
            with contextlib.closing(handler):
                handler.setFormatter(
                    logging.Formatter("%(asctime)s %(levelname)-7s %(message)s", "%Y-%m-%dT%H:%M:%S%z")
                )
                handler.handleError = _raise  # type: ignore[method-assign]
                for text in texts:
                    line = f"{_user()} {event}: {readable(text)}"
                    handler.handle(
                        logging.makeLogRecord(
                            {"levelno": level, "levelname": logging.getLevelName(level), "msg": line}
                        )
                    )
    except OSError as error:
        warnings.warn(
            f"{course / LOG}: cannot be written ({error.strerror}); the command goes on without it",
            stacklevel=2,
        )


def log_received(course: Path, news: Sequence[News]) -> None:
    """Write what was received: a version's number; of other news no reason, which may name a file."""
    for one in news:
        refused, known = one.what.startswith("refused: "), one.what.startswith("version ")
        outcome = "refused" if refused else one.what if known else "holds no notebook"
        log(
            course,
            "received",
            f"{logged_name(one.student)} {one.assignment}: {outcome}",
            level=logging.WARNING if refused else logging.INFO,
        )


def log_mended(course: Path, entry: Submission) -> None:
    """Write that a stored version was damaged and is whole again."""
    what = f"version {entry.version} was damaged, and was put back"
    log(course, "restored", f"{logged_name(entry.student)} {entry.assignment}: {what}", level=logging.WARNING)


def log_result(course: Path, event: str, result: SubmissionResult) -> None:
    """Write a result's status and marks, and the exercises that had an incident or could not be judged."""
    line = f"{logged_name(result.student)} {result.assignment}: {result.status}"
    if result.exercises and result.status is not Status.BROKEN:
        line += f", {result.marks:g} of {result.points} by the checks"
    kind = re.match(r"[A-Z]\w+(?=: )", result.reason or "") if result.status is Status.BROKEN else None
    line += f" ({kind[0]})" if kind else ""  # of the error; what follows it may quote a student
    wrong = [exercise for exercise in result.exercises if exercise.status in (Status.INCIDENT, Status.BROKEN)]
    line += "".join(f"; {exercise.exercise}: {exercise.incident or exercise.status}" for exercise in wrong)
    line += "".join(
        f"; {exercise.exercise}: {exercise.look}" for exercise in result.exercises if exercise.look
    )
    doubtful = any(exercise.look for exercise in result.exercises)
    log(course, event, line, level=LEVELS.get(result.status, logging.WARNING if doubtful else logging.INFO))


def _raise(record: logging.LogRecord) -> None:
    """`logging` would print a stack trace and go on; the error in progress is raised instead."""
    raise  # noqa: PLE0704 # it is called in an `except` of logging's


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container's user without a name
        return "unknown"
