"""A class of many students of the small course, a grading run in a process of its own, and all that it leaves
to compare.
"""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import nbformat
import psutil
from small_course import NAME, write_course

from autograder.answer_key import answer_source, find_key
from autograder.grading.config import GradingConfig
from autograder.grading.ledger import latest
from autograder.sandbox.limits import Limits

LIMITS = Limits(call_seconds=4.0, extras_seconds=6.0, grace_seconds=3.0)
TABLES = """
SELECT s.student_id, base.name, g.auto_score, g.manual_score, g.needs_manual_grade FROM grade g
JOIN grade_cells cell ON g.cell_id = cell.id JOIN base_cell base ON cell.id = base.id
JOIN submitted_notebook n ON g.notebook_id = n.id JOIN submitted_assignment s ON n.assignment_id = s.id ORDER BY 1, 2
"""
RUN = """
import sys
from pathlib import Path
sys.path[:0] = {path!r}
from autograder.course.grade import grade
from autograder.grading.config import Events
from many_students import config_of

def done(result):
    print(result.student, result.status, flush=True)

how = {{"tier": {tier!r}, "workers": {workers}}}
graded = grade(config_of(Path({course!r}), Path({folder!r}), **how), Events(done=done))
print("\\n".join(graded.differences), file=sys.stderr)
sys.exit(bool(graded.differences))
"""


def config_of(course: Path, folder: Path, **more: Any) -> GradingConfig:
    """How this class is graded. `more` changes it."""
    how = {"workers": 1, "limits": LIMITS, "received_at": 1e9, **more}
    return GradingConfig(assignment="01", submissions=folder, course=course, **how)


def write_students(root: Path, number: int) -> tuple[Path, Path]:
    """A course and a folder of submissions under `root`: right, wrong, blank and, once, endless."""
    course = write_course(root / "notebooks")
    key = find_key("average_all")
    made = [
        answer_source("average_all", answer) for answer in (key.reference, *key.rejected[:2], key.accepted[0])
    ]
    # the solutions are stubs in this course
    notebook = nbformat.read(course / "source" / NAME / f"{NAME}.ipynb", as_version=4)
    (cell,) = (
        each for each in notebook.cells if each.metadata.get("nbgrader", {}).get("grade_id") == "average_all"
    )
    stub = cell.source
    for count in range(number):
        cell.source = (
            [*made, stub][count % 5]
            if count != 3
            else "import time\n\ndef average_all(*args):\n    while True:\n        time.sleep(60)"
        )
        path = root / "submitted" / f"s{count:03}" / NAME / f"{NAME}.ipynb"
        path.parent.mkdir(parents=True)
        nbformat.write(notebook, path)
    return course, root / "submitted"


def copy_course(course: Path, to: Path) -> Path:
    """The course alone, with its key: without what was graded in it."""
    shutil.copytree(course / "source", to / "source")
    if (course / ".course_key").exists():
        shutil.copy(course / ".course_key", to)
    return to


def start_grading(course: Path, folder: Path, tier: str, workers: int = 1) -> subprocess.Popen[str]:
    """A coordinator. It prints a line for each result."""
    paths = [str(Path(__file__).parent), str(Path(__file__).resolve().parents[3])]
    code = RUN.format(path=paths, folder=str(folder), course=str(course), tier=tier, workers=workers)
    return subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def below(pid: int, word: str) -> list[psutil.Process]:
    """The descendants of a process whose command holds `word`."""
    found = []
    for process in psutil.Process(pid).children(recursive=True):
        try:
            if any(word in part for part in process.cmdline()):
                found.append(process)
        except psutil.Error:
            continue
    return found


def outcome(course: Path) -> tuple[list[tuple[object, ...]], object]:
    """The scores in the gradebook and the kept results."""
    with closing(sqlite3.connect(course / "gradebook.db")) as base:
        rows = base.execute(TABLES).fetchall()
    return rows, latest(course, NAME)
