"""How much room is left on the disks that the grader needs: the course's, and the one for temporary files."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from pathlib import Path

from kqa_core.errors import UserError

ROOM, NO_ROOM = 32 * 2**20, 2**20  # bytes that must be free on each disk; fewer explain any failure
FULL = (errno.ENOSPC, errno.EDQUOT)


def check_room(course: Path) -> None:
    """Raise UserError if a disk that is needed is nearly full."""
    if (line := full_disk(course, ROOM)) is not None:
        raise UserError(line)


def full_disk(course: Path, least: int) -> str | None:
    """A line about a disk with fewer than `least` bytes free; None if there is none."""
    for folder in (course, Path(tempfile.gettempdir())):
        try:
            free = shutil.disk_usage(folder).free
        except OSError:  # what comes next says what is wrong with it
            continue
        if free < least:
            return f"{folder}: the disk is full ({free / 2**20:.0f} MB free); nothing is lost, make room"
    return None


def no_room(error: BaseException) -> bool:
    """Whether an error says that a disk is full."""
    return getattr(error, "errno", None) in FULL or any(os.strerror(number) in str(error) for number in FULL)
