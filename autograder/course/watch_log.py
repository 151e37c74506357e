"""The messages of `kqa course watch`: a line for each event, on the screen and in the course's log
(`autograder.course.log`).
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections import deque
from pathlib import Path

from autograder.course.disk_room import no_room
from autograder.course.log import log
from autograder.judge.canaries import CanaryDeviates
from kqa_core.errors import UserError, first_line, readable

SHOWN = 50  # incidents on the page


class WatchLog:
    """The lines of one watcher. `incidents`: the latest for an instructor to look at, the newest first."""

    def __init__(self, course: Path) -> None:
        self.incidents: deque[str] = deque(maxlen=SHOWN)
        self._course = course

    def show(self, line: str) -> None:
        """Print one line, with its time. A terminal that was closed must not end the watcher."""
        with contextlib.suppress(OSError, ValueError):
            print(time.strftime("%Y-%m-%d %H:%M:%S"), readable(line), flush=True)

    def say(self, line: str, level: int = logging.INFO) -> None:
        """Print one line, and log it. A full disk must not end the watcher, whatever becomes of warnings."""
        self.show(line)
        logged = line if level == logging.INFO else line.partition(" (")[0]  # the reason may quote a student
        with contextlib.suppress(Warning):
            log(self._course, "watch", logged, level=level)

    def incident(self, line: str) -> None:
        """Say a line that the page shows, too."""
        self.say(line, logging.WARNING)
        self.incidents.appendleft(readable(line))

    def note(self, line: str) -> None:
        """Print a line that the page shows, too, and that the log has already."""
        self.show(line)
        self.incidents.appendleft(readable(line))


def in_words(error: Exception) -> str:
    """An error in one line."""
    if no_room(error):
        return f"{getattr(error, 'filename', None) or 'a disk'}: the disk is full; nothing is lost, make room"
    if isinstance(error, (UserError, CanaryDeviates)):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename or 'a file'}: {error.strerror}"
    return f"{type(error).__name__}: {first_line(error)}"
