"""The kernel, out of memory, kills a runner or a worker:
the student who took the memory loses it, and nobody else anything.

The class is graded in a memory cgroup of Linux that is too small for that student. The judge's own cap is far
above it, so only the kernel ends the process. To have it choose a worker, the workers are made the first in
its order.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nbformat
import pytest
from small_course import NAME, write_students

from autograder.sandbox.tiers import problem_with

ROOM = 400 * 2**20  # bytes that the student may take beyond what the judge itself holds
HOG = """
def average_all(K):
    taken = []
    while True:
        taken.append(b"x" * 2**20)
"""
GRADING = """
import json, os, sys, threading, time
from dataclasses import replace
from pathlib import Path
sys.path[:0] = {path!r}
Path({group!r}, "cgroup.procs").write_text(str(os.getpid()))
from autograder.course.grade import grade
from small_course import LIMITS, config_of

def order():
    "The workers first, and what they started after them."
    import psutil
    while True:
        for child in psutil.Process().children(recursive=True):
            try:
                score = 1000 if child.ppid() == os.getpid() and "forkserver" not in child.cmdline() else 0
                Path(f"/proc/{{child.pid}}/oom_score_adj").write_text(str(score))
            except (OSError, psutil.Error):
                pass
        time.sleep(0.02)

if {workers!r}:
    threading.Thread(target=order, daemon=True).start()
limits = replace(LIMITS, memory=2**36, call_seconds=60.0, exercise_seconds=120.0, submission_seconds=600.0)
graded = grade(config_of(Path({course!r}), Path({folder!r}), workers=1, limits=limits, again=True))
print(json.dumps([graded.differences, {{each.student: [str(each.status), each.marks, [
    [part.exercise, part.incident] for part in each.exercises if part.incident]]
    for each in graded.results}}]))
"""
pytestmark = [pytest.mark.nightly, pytest.mark.xdist_group("memory")]


def controller() -> Path | None:
    """The folder of this machine's memory cgroups, of either version, if this process may make one there."""
    for folder in (Path("/sys/fs/cgroup/memory"), Path("/sys/fs/cgroup")):
        new = folder / "kqa-trial"
        try:
            new.mkdir()
            limited = any((new / name).exists() for name in ("memory.limit_in_bytes", "memory.max"))
            new.rmdir()
        except OSError:
            continue
        if limited:
            return folder
    return None


def number(group: Path, *names: str) -> int:
    """The first of these files that is there."""
    return int(next(group / name for name in names if (group / name).exists()).read_text())


def kills(group: Path) -> int:
    """How many processes of the group the kernel has killed."""
    file = next(group / name for name in ("memory.oom_control", "memory.events") if (group / name).exists())
    return int(dict(line.split() for line in file.read_text().splitlines())["oom_kill"])


@contextmanager
def new_group(name: str) -> Iterator[Path]:
    """A memory cgroup without a limit yet."""
    if (problem := problem_with("bubblewrap")) is not None:
        pytest.skip(problem)
    if (folder := controller()) is None:
        pytest.skip("this user may make no memory cgroup here")
    made = folder / f"kqa-{os.getpid()}-{name}"
    made.mkdir()
    try:
        yield made
    finally:
        made.rmdir()


def write_limit(group: Path, size: int) -> None:
    for name in ("memory.limit_in_bytes", "memory.max", "memory.swap.max"):
        if (group / name).exists():
            (group / name).write_text(str(0 if "swap" in name else size))


def graded(group: Path, course: Path, folder: Path, workers: bool = False) -> dict[str, list[Any]]:
    """Each student's status, marks and incidents, where nothing differs between manifest and results."""
    paths = [str(Path(__file__).parent), str(Path(__file__).parents[3])]
    code = GRADING.format(
        path=paths, group=str(group), workers=workers, course=str(course), folder=str(folder)
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    differences, results = json.loads(done.stdout.splitlines()[-1])
    assert differences == []
    found: dict[str, list[Any]] = results
    return found


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, dict[str, list[Any]], int]:
    """A course, what its honest students handed in,
    their results, and the most memory that grading them took.
    """
    course, folder = write_students(tmp_path_factory.mktemp("class"), 3)
    with new_group("honest") as group:
        results = graded(group, course, folder)
        assert kills(group) == 0
        return course, folder, results, number(group, "memory.max_usage_in_bytes", "memory.peak")


@pytest.mark.parametrize("workers", [False, True], ids=["runner", "worker"])
def test_who_takes_the_memory_loses_it_and_nobody_else_anything(honest, workers):
    course, folder, expected, peak = honest
    path = folder / "hog" / NAME / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    notebook = nbformat.read(folder / "s000" / NAME / f"{NAME}.ipynb", as_version=4)
    (cell,) = (
        each for each in notebook.cells if each.metadata.get("nbgrader", {}).get("grade_id") == "average_all"
    )
    cell.source = HOG
    nbformat.write(notebook, path)
    with new_group("hog") as group:
        write_limit(group, peak + ROOM)
        results = graded(group, course, folder, workers)
        # a runner has a group of its own in this one, and version 1 counts a kill in the innermost
        most = number(group, "memory.max_usage_in_bytes", "memory.peak")
        assert kills(group) > 0 or most > peak + ROOM - 2**21
    assert results.pop("hog") == [
        "graded with incident",
        1.0,
        [["average_all", "time" if workers else "died"]],
    ]
    assert results == expected
