"""A course directory of one notebook with three real exercises, not executed, for tests of the judge's
commands; a class of many students, and all that a grading run leaves to compare.
"""

from __future__ import annotations

import inspect
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import nbformat

from autograder.answer_key import AnswerKey, answer_source, find_key
from autograder.build.assemble import assemble
from autograder.build.source import Cell
from autograder.grading.config import GradingConfig
from autograder.grading.published import latest
from autograder.sandbox.timeout_and_memory_limits import Limits
from kqa_core.check.registry import find

NAME = "01_attention_as_a_lookup"
EXERCISES = ("average_all", "select_first", "why_select")
# K as in the notebook, because a rejected answer computes with it
ROWS = "[[-0.1, 0.6, 0.2], [1.1, 1.1, 0.2], [0.4, -1.3, -1.2], [1.1, -0.3, 0.8]]"
SETUP = f"import math\nimport random\n\nimport torch\n\nK = torch.tensor({ROWS}, dtype=torch.float64)"


def write_course(root: Path) -> Path:
    """Write the course under `root`; its path."""
    cells = [Cell("setup_1", "setup", SETUP, None, "setup_1")]
    for name in EXERCISES:
        exercise, key = find(name), find_key(name)
        cells.append(
            Cell(f"statement_{name}", "statement", "What is asked of $v_1$.", exercise, f"statement_{name}")
        )
        if isinstance(key, AnswerKey):
            stub = (
                f"def {name}{inspect.signature(key.reference)}:\n    raise"
                f" NotImplementedError({exercise.stub_message!r})"
            )
            cells.append(Cell(name, "solution", stub.replace("'", '"'), exercise, name))
            cells.append(
                Cell(f"check_{name}", "check", f'check("{name}", {name})', exercise, f"check_{name}")
            )
        else:
            cells.append(Cell(name, "written", "", exercise, name))
    path = root / "source" / NAME / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True)
    nbformat.write(assemble(cells), path)
    return root


LIMITS = Limits(call_seconds=2.0, extras_seconds=6.0, grace_seconds=3.0)
TABLES = """
SELECT s.student_id, base.name, g.auto_score, g.manual_score, g.needs_manual_grade FROM grade g
JOIN grade_cells cell ON g.cell_id = cell.id JOIN base_cell base ON cell.id = base.id
JOIN submitted_notebook n ON g.notebook_id = n.id JOIN submitted_assignment s ON n.assignment_id = s.id
ORDER BY 1, 2
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


def outcome(course: Path, name: str = NAME) -> tuple[list[tuple[object, ...]], object]:
    """The scores in the gradebook and the kept results."""
    with closing(sqlite3.connect(course / "gradebook.db")) as base:
        rows = base.execute(TABLES).fetchall()
    return rows, latest(course, name)
