"""Who may read what a class leaves behind: its owner, and nobody else.

- What was received, marks, pages, names, the ledger, the log and the answer keys are for their owner alone,
  0700 and 0600. Where instructors work in one group (the course's folder can be written by its group, or
  nbgrader's `groupshared` is set), the group keeps its rights.
- It is checked whenever something is received or graded. What is ours is put right; for what is somebody
  else's, one line says so.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from autograder.course.backup import class_parts
from autograder.gradebook.gradebook import nbgrader_config
from autograder.paths import read_course

MADE_BY_GRADING = ("judged", "autograded", "feedback")


def make_private_folders(course: Path) -> None:
    """Make the folders that grading fills."""
    for name in MADE_BY_GRADING:
        (course / name).mkdir(mode=0o700, exist_ok=True)


def keep_private(course: Path, db: str | None = None) -> list[str]:
    """Take the rights of others from what a class has left in a course folder.
    Returns a line for each thing of which that is not possible.
    """
    shared = nbgrader_config(course).CourseDirectory.get("groupshared") is True
    shared = shared or bool(course.stat().st_mode & stat.S_IWGRP)
    others = 0o007 if shared else 0o077
    return [
        f"{path}: others may read it; its owner should type: chmod {'o-rwx' if shared else 'go-rwx'} {path}"
        for path in _parts(course, db)
        if not _closed(path, others)
    ]


def _parts(course: Path, db: str | None) -> Iterator[Path]:
    yield from class_parts(course, db)
    yield read_course(course).keys


def _closed(path: Path, others: int) -> bool:
    """Whether nobody else has rights, after they were taken away if that is possible."""
    try:
        facts = path.lstat()
    except OSError:
        return True  # gone meanwhile
    if stat.S_ISLNK(facts.st_mode) or not facts.st_mode & others:
        return True
    if os.geteuid() not in (0, facts.st_uid):
        return False
    try:
        path.chmod(stat.S_IMODE(facts.st_mode) & ~others)
    except OSError:  # a disk that knows no rights
        return False
    return True
