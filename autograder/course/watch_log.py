"""The log of `kqa course watch`: one line for each event, in `judged/watch.log` and on the screen.

A log of 5 MB is renamed to `watch.log.1`, and three of these are kept. A disk that is full stops nobody here.
"""

from __future__ import annotations

import errno
import logging
import os
import sys
from collections import deque
from logging.handlers import RotatingFileHandler
from pathlib import Path

from autograder.judge.canaries import CanaryDeviates
from kqa_core.errors import UserError, first_line, readable

LOG = Path("judged", "watch.log")
BYTES, FILES = 5_000_000, 3
SHOWN = 50  # incidents on the page
NO_ROOM = (errno.ENOSPC, errno.EDQUOT)


class WatchLog:
    """The log of one watcher. `incidents` are the latest lines that an instructor should look at, the newest first."""

    def __init__(self, course: Path) -> None:
        self.incidents: deque[str] = deque(maxlen=SHOWN)
        self._log = logging.Logger("watch")
        (course / LOG).parent.mkdir(parents=True, exist_ok=True)
        for handler in (_File(course / LOG, maxBytes=BYTES, backupCount=FILES, encoding="utf-8"), _Screen(sys.stdout)):
            handler.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%Y-%m-%d %H:%M:%S"))
            self._log.addHandler(handler)

    def say(self, line: str) -> None:
        """Write one line."""
        self._log.info(readable(line))

    def incident(self, line: str) -> None:
        """Write a line that the page shows, too."""
        self.say(f"INCIDENT {line}")
        self.incidents.appendleft(readable(line))

    def close(self) -> None:
        """Close the file."""
        for handler in self._log.handlers:
            handler.close()


class _File(RotatingFileHandler):
    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  # logging's name
        """The screen has the line; a full disk must not end the watcher."""


class _Screen(logging.StreamHandler):  # type: ignore[type-arg] # generic in the stubs alone
    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  # logging's name
        """The file has the line; a terminal that was closed must not end the watcher."""


def no_room(error: BaseException) -> bool:
    """Whether an error says that a disk is full."""
    return getattr(error, "errno", None) in NO_ROOM or any(os.strerror(each) in str(error) for each in NO_ROOM)


def in_words(error: Exception) -> str:
    """An error in one line."""
    if no_room(error):
        return f"{getattr(error, 'filename', None) or 'a disk'}: the disk is full; nothing is lost, make room"
    if isinstance(error, (UserError, CanaryDeviates)):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename or 'a file'}: {error.strerror}"
    return f"{type(error).__name__}: {first_line(error)}"
