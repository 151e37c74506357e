"""A class of many students of a course that needs neither torch nor sympy, so workers start at once; and a
grading run in a process of its own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import psutil
from another_course import working_on
from exchange_course import NAME, one_exercise
from small_course import LIMITS

from autograder.answer_key import answer_source, find_key
from autograder.build.assemble import assemble
from autograder.build.source import read_source
from autograder.grading.config import GradingConfig
from kqa_core.check.registry import find

EXERCISE = "insert_sorted"
ENDLESS = f"import time\n\ndef {EXERCISE}(*args):\n    while True:\n        time.sleep(60)"
RUN = """
import sys
from pathlib import Path
sys.path[:0] = {path!r}
from autograder.course.grade import grade
from autograder.grading.config import Events
from sorting_students import config_of

def done(result):
    print(result.student, result.status, flush=True)

config = config_of(Path({course!r}), Path({folder!r}), tier={tier!r}, workers={workers})
graded = grade(config, Events(done=done))
print("\\n".join(graded.differences), file=sys.stderr)
sys.exit(bool(graded.differences))
"""


def config_of(course: Path, folder: Path, **more: Any) -> GradingConfig:
    """How this class is graded. `more` changes it."""
    how = {"workers": 1, "limits": LIMITS, "received_at": 1e9, **more}
    return GradingConfig(assignment="01", submissions=folder, course=course, checks=course, **how)


def write_students(root: Path, number: int) -> tuple[Path, Path]:
    """A course and a folder of submissions under `root`: right, wrong, blank and, once, endless."""
    course = root / "notebooks"
    one_exercise(course)
    text = course / "source" / NAME / f"{NAME}.py"
    with working_on(course):
        nbformat.write(assemble(read_source(text)), text.with_suffix(".ipynb"))  # not executed
        key = find_key(EXERCISE)
        functions = (key.reference, *key.rejected[:2], key.accepted[0])
        answers = [answer_source(EXERCISE, function) for function in functions]
        message = find(EXERCISE).stub_message
    stub = f'def {EXERCISE}(numbers, x):\n    raise NotImplementedError("{message}")'
    notebook = nbformat.read(text.with_suffix(".ipynb"), as_version=4)
    (cell,) = (
        cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == EXERCISE
    )
    for count in range(number):
        cell.source = [*answers, stub][count % 5] if count != 3 else ENDLESS
        path = root / "submitted" / f"s{count:03}" / NAME / f"{NAME}.ipynb"
        path.parent.mkdir(parents=True)
        nbformat.write(notebook, path)
    return course, root / "submitted"


def copy_course(course: Path, to: Path) -> Path:
    """The course alone, with its key: without what was graded in it."""
    graded = ("gradebook.db*", "judged", "received", "submitted", "feedback", "autograded", "*.log*")
    return shutil.copytree(course, to, ignore=shutil.ignore_patterns(*graded))


def start_grading(course: Path, folder: Path, tier: str, workers: int = 1) -> subprocess.Popen[str]:
    """A coordinator. It prints a line for each result."""
    paths = [str(Path(__file__).parent), str(Path(__file__).parents[2]), str(Path(__file__).parents[3])]
    code = RUN.format(path=paths, folder=str(folder), course=str(course), tier=tier, workers=workers)
    return subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "KQA_COURSE": str(course)},
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
