"""Helpers of the benchmarks of the judge: make a class, grade it in a process, and read the results."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

from autograder.grading.published import latest
from autograder.paths import COURSE, read_course

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOK = "01_attention_as_a_lookup"
RECEIVED = 1_700_000_000.0
SCORES = """
SELECT s.student_id, base.name, g.auto_score, g.manual_score, g.needs_manual_grade FROM grade g
JOIN grade_cells cell ON g.cell_id = cell.id JOIN base_cell base ON cell.id = base.id
JOIN submitted_notebook n ON g.notebook_id = n.id JOIN submitted_assignment s ON n.assignment_id = s.id
ORDER BY 1, 2
"""
RUN = f"""
import sys
from pathlib import Path
sys.path.insert(0, {str(ROOT)!r})
from autograder.course.grade import grade
from autograder.grading.config import Events, GradingConfig
folder, course, workers = sys.argv[1:]
config = GradingConfig(assignment={NOTEBOOK!r}, submissions=Path(folder), course=Path(course),
    workers=int(workers), received_at={RECEIVED})
made = grade(config, Events(done=lambda result: print(result.student, result.status, flush=True)))
print(*made.differences, sep="\\n", file=sys.stderr)
sys.exit(bool(made.differences))
"""


def write_students(folder: Path, number: int) -> Path:
    """A folder of so many submissions, copies of the sample class's in turns."""
    samples = sorted(
        path for path in (read_course().sample_class / "submitted").iterdir() if (path / NOTEBOOK).is_dir()
    )
    for count in range(number):
        shutil.copytree(samples[count % len(samples)] / NOTEBOOK, folder / f"s{count:03}" / NOTEBOOK)
    return folder


def new_course(folder: Path, key: str = "ab" * 32) -> Path:
    """A course directory with the shipped notebooks, and a key that is the same in every one of them."""
    folder.mkdir(parents=True)
    (folder / "source").symlink_to(COURSE / "source", target_is_directory=True)
    (folder / ".course_key").write_text(key + "\n")
    return folder


def start(folder: Path, course: Path, workers: int = 2) -> subprocess.Popen[str]:
    """A coordinator in a process of its own. It prints a line for each result."""
    line = [sys.executable, "-c", RUN, str(folder), str(course), str(workers)]
    return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process: subprocess.Popen[str]) -> list[str]:
    """Its lines, once it has ended well."""
    told, said = process.communicate()
    if process.returncode != 0:
        raise SystemExit(f"the grading run ended with {process.returncode}: {said}")
    return told.splitlines()


def scores(course: Path) -> list[tuple[object, ...]]:
    """Every score in the gradebook."""
    with closing(sqlite3.connect(course / "gradebook.db")) as base:
        return base.execute(SCORES).fetchall()


def results(course: Path) -> list[dict[str, Any]]:
    """The published results, by student."""
    return [asdict(each) for each in latest(course, NOTEBOOK).values()]


def show_differences(one: Path, other: Path, most: int = 5) -> None:
    """Print where the kept results of two courses differ."""
    left, right = ({each["student"]: each for each in results(course)} for course in (one, other))
    differing = [name for name in sorted(left | right) if left.get(name) != right.get(name)]
    for name in differing[:most]:
        a, b = left.get(name) or {}, right.get(name) or {}
        print(
            f"{name} differs:",
            {
                key: (a.get(key), b.get(key))
                for key in a | b
                if key != "exercises" and a.get(key) != b.get(key)
            },
        )
        for x, y in zip(a.get("exercises", ()), b.get("exercises", ()), strict=False):
            if x != y:
                print("  ", {key: (x[key], y[key]) for key in x if x[key] != y[key]}, x["exercise"])
    if len(differing) > most:
        print(f"and {len(differing) - most} more")
