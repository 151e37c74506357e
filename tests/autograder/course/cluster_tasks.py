"""Tasks for the tests of a Dask cluster, done in a checker's process."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from autograder.paths import course_folder
from kqa_core.check.registry import all_exercises


def perform(task, bench):
    """Add a number to itself, say which course decides, or kill the Dask worker that owns this checker some
    times.

    A machine without memory does the same.
    """
    what, *rest = task
    if what == "course":
        return str(course_folder()), [each.id for each in all_exercises()]
    if what == "add":
        return 2 * rest[0]
    path, times = Path(rest[0]), rest[1]
    with path.open("a+") as file:
        file.write("x")
    if len(path.read_text()) < times:
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(600)
    return len(path.read_text())
