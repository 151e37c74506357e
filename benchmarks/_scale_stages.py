"""The stages of `kqa bench scale`, each run in a process of its own, and what they take:
seconds and memory, or operations.

Run: python benchmarks/_scale_stages.py STAGE FOLDER STUDENTS NOTEBOOKS [DATABASE], with the course of FOLDER
in KQA_COURSE.
"""

from __future__ import annotations

import json
import os
import resource
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from autograder.course.grade import grade as run_grade
from autograder.course.grading_progress import Progress
from autograder.export.export import export as run_export
from autograder.export.marks import Target
from autograder.gradebook.recorder import Recorder
from autograder.grading import batch
from autograder.grading.batch import Batch
from autograder.grading.config import Events, GradingConfig
from autograder.grading.ledger import Ledger
from autograder.report.report import report as run_report
from autograder.report.similarity import find_similar, similarity_page
from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.submissions import store
from benchmarks._made_class import judged_at_once, notebook_name, write_class, write_course
from kqa_core.check.registry import COURSE_VARIABLE

PARTS = {"judge and ledger": (Batch, "judge"), "record": (Recorder, "record"), "publish": (Ledger, "publish")}
VM_STEPS = 100  # of SQLite's machine, between two counts
Found = dict[str, Any]


@dataclass(frozen=True)
class Class:
    """Where a made-up class lies, and its gradebook (None for SQLite)."""

    root: Path
    students: int
    notebooks: int
    db: str | None = None

    @property
    def course(self) -> Path:
        """The course directory."""
        return self.root / "course"

    @property
    def names(self) -> list[str]:
        """The notebooks."""
        return [notebook_name(number) for number in range(1, self.notebooks + 1)]


def make(made: Class) -> Found:
    """Write the course and what the class submits."""
    write_course(made.course, made.notebooks)
    write_class(made.course, made.root / "submitted", made.students)
    return {}


def receive(made: Class) -> Found:
    """Take everything in for the first time."""
    lines = store.receive(made.root / "submitted", made.course / "received", made.names, Limits())
    return {"received": len(lines)}


def grade(made: Class) -> Found:
    """Grade: everything the first time, nothing new the second time. The judge's sandbox is left out."""
    batch.run_tasks = judged_at_once  # type: ignore[assignment]
    config = GradingConfig(
        course=made.course, submissions=made.root / "submitted", db=made.db, tier="made up"
    )
    with Progress() as progress, _timed() as spent:
        graded = run_grade(config, Events(progress.began, progress.done))
    assert not graded.differences, graded.differences[:3]
    assert len(graded.results) == made.students * made.notebooks
    return {"parts": dict(spent)}


def report(made: Class) -> Found:
    """Write the whole report. Sizes in megabytes."""
    path = run_report(made.root / "report", made.course, made.db)
    sizes = {each: each.stat().st_size / 1e6 for each in path.parent.rglob("*.html")}
    largest = max(size for each, size in sizes.items() if each != path)
    return {
        "index_mb": sizes[path],
        "largest_mb": largest,
        "all_mb": sum(sizes.values()),
        "pages": len(sizes),
    }


def export(made: Class) -> Found:
    """A plain table, a table for Canvas, and the same filled into a roster."""
    run_export((), Target.CSV, made.root / "marks.csv", made.db, course=made.course)
    run_export((), Target.CANVAS, made.root / "roster.csv", made.db, course=made.course)
    done = run_export(
        (), Target.CANVAS, made.root / "canvas.csv", made.db, made.root / "roster.csv", made.course
    )
    assert not done.differences, done.differences[:3]
    return {}


def similar(made: Class) -> Found:
    """Look for copies in each notebook."""
    pairs = 0
    for name in made.names:
        found = find_similar(name, made.course)
        (made.root / f"similar_{name}.html").write_text(similarity_page(found), encoding="utf-8")
        pairs += len(found.pairs)
    return {"pairs": pairs}


STAGES: dict[str, Callable[[Class], Found]] = {
    "make": make,
    "receive": receive,
    "grade": grade,
    "grade again": grade,
    "report": report,
    "export": export,
    "similar": similar,
}


@contextmanager
def _timed() -> Iterator[Counter[str]]:
    """How many seconds each of `PARTS` takes meanwhile."""
    spent: Counter[str] = Counter()

    def timed(part: str, do: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            start = time.perf_counter()
            try:
                return do(*arguments, **options)
            finally:
                spent[part] += time.perf_counter() - start  # type: ignore[assignment]

        return call

    before = {part: getattr(*where) for part, where in PARTS.items()}
    try:
        for part, (owner, name) in PARTS.items():
            setattr(owner, name, timed(part, before[part]))
        yield spent
    finally:
        for part, (owner, name) in PARTS.items():
            setattr(owner, name, before[part])


def peak_megabytes() -> float:
    """The most memory that this process had. Linux tells it without what its parent had before."""
    status = Path("/proc/self/status")
    if status.is_file():
        (line,) = (
            line for line in status.read_text(encoding="ascii").splitlines() if line.startswith("VmHWM:")
        )
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 1024)


@contextmanager
def operations() -> Iterator[Counter[str]]:
    """Count, meanwhile, the calls of functions (Python's and C's),
    and the steps of SQLite's machine, in hundreds.
    """
    counts: Counter[str] = Counter()
    connect = sqlite3.dbapi2.connect

    def step() -> None:
        counts["sqlite"] += 1

    def connected(*arguments: Any, **options: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*arguments, **options)
        connection.set_progress_handler(step, VM_STEPS)
        return connection

    def called(frame: object, event: str, argument: object) -> None:
        if event in ("call", "c_call"):
            counts["calls"] += 1

    sqlite3.connect = sqlite3.dbapi2.connect = connected  # type: ignore[assignment]
    sys.setprofile(called)
    try:
        yield counts
    finally:
        sys.setprofile(None)
        sqlite3.connect = sqlite3.dbapi2.connect = connect  # type: ignore[assignment]


def run_stage(stage: str, root: str, students: str, notebooks: str, db: str = "") -> None:
    """Run one stage, and print what it took as JSON."""
    made = Class(Path(root), int(students), int(notebooks), db or None)
    assert stage == "make" or os.environ[COURSE_VARIABLE] == str(made.course)
    before, start = peak_megabytes(), time.perf_counter()
    found = STAGES[stage](made)
    seconds = time.perf_counter() - start
    print(json.dumps({"seconds": seconds, "peak_mb": peak_megabytes(), "before_mb": before, **found}))


if __name__ == "__main__":
    run_stage(*sys.argv[1:])
