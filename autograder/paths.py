"""Where things are: this installation, and the course that is being built or graded.

- A course is a folder: an nbgrader course directory whose notebooks bring their exercises along
  (`source/NN_name/exercises/NAME.py`), and the answer keys (`keys/NN_name/NAME.py`).
- The environment variable KQA_COURSE names it, so that every process that grades uses the same one. Without it, it is the
  course of this repository, whose keys are in `autograder/keys`.
- Importing this file fixes the folders that `kqa_core.check.registry` uses: the grader never loads a check from the working
  directory, where a student's files may lie.
"""

from __future__ import annotations

import os
from pathlib import Path

from kqa_core.check import registry

ROOT = Path(__file__).resolve().parents[1]  # of the repository
COURSE = Path(os.environ.get(registry.COURSE_VARIABLE) or ROOT / "notebooks").resolve()
KEYS_PACKAGE = "course_keys"

registry.use(registry.exercise_folders(COURSE / "source"))


def keys_folder(course: Path = COURSE) -> Path:
    """The folder of the answer keys."""
    own = course / "keys"
    return own if own.is_dir() or course != ROOT / "notebooks" else ROOT / "autograder" / "keys"


def mount_keys(course: Path = COURSE) -> str:
    """Make the answer keys importable; the name of the package that holds them."""
    folders = tuple(sorted(path for path in keys_folder(course).glob("*") if path.is_dir() and path.name[0] not in "._"))
    return registry.mount(KEYS_PACKAGE, folders)
