"""The tiny course as files: the instructor's notebook, and what a student hands in."""

from __future__ import annotations

import json
from pathlib import Path

from tiny_course import SKELETON

NAME = SKELETON.name


def notebook(**answers: str) -> str:
    """The notebook with some answers filled in."""
    cells = []
    for cell in SKELETON.cells:
        marks = {"grade_id": cell.grade_id, "solution": cell.role in ("solution", "written")}
        metadata = {"nbgrader": marks} if cell.grade_id else {}
        source = answers.get(cell.grade_id or "", cell.source)
        cells.append({"cell_type": cell.kind, "id": cell.id, "metadata": metadata, "source": source})
        if cell.kind == "code":
            cells[-1] |= {
                "outputs": [{"output_type": "stream", "name": "stdout", "text": "seen"}],
                "execution_count": 7,
            }
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells})


def write_course(root: Path) -> Path:
    """A course directory with the instructor's notebook; its path."""
    path = root / "source" / NAME / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(notebook())
    return root


def hand_in(folder: Path, student: str, **answers: str) -> Path:
    """A student's notebook under a folder of submissions."""
    path = folder / student / NAME / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(notebook(**answers))
    return path
