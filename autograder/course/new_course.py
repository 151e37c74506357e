"""`kqa course new FOLDER`: a copy of the small complete course in `template/`, to start your own from.

The template is a course folder like any other: one notebook on sorting, two exercises with their keys, and a
sample class.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from kqa_core.errors import UserError
from kqa_core.files import writing

TEMPLATE = Path(__file__).with_name("template")
LEFT_BEHIND = shutil.ignore_patterns("__pycache__", "*.pyc", ".ipynb_checkpoints")


def new_course(folder: Path) -> list[str]:
    """Make the course; returns the next steps, a line each. Raises UserError unless `folder` is empty."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UserError(f"{folder}: already exists and is not empty; name a new folder")
    with writing(folder):
        shutil.copytree(TEMPLATE, folder, ignore=LEFT_BEHIND, dirs_exist_ok=True)
    steps = (
        "build",
        "prove",
        f"grade --all --class {folder / 'sample_class' / 'submitted'}",
        "report",
        "export",
    )
    return [f"course {folder}", "try it:", *(f"  kqa course {step} --course {folder}" for step in steps)]
