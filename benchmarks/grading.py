"""Submissions a minute: this judge and `nbgrader autograde`, on the same torch notebook.
Run: kqa bench grading

- The released notebook 01 with the sample class's right answers (setup, answer and check cells; no plots),
  graded by both in turn on this machine. Everything is counted: starting Python, importing torch, the judge's
  canaries and its sandbox, the gradebook.
- nbgrader's own grading decides in the student's process, one notebook after the other; it is given fewer
  copies, since its time for each hardly depends on their number.
- One call of a student's function from the worker and back, in the sandbox, is timed at the end.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from autograder.judge.session import RemoteAnswer, Session
from autograder.paths import COURSE, read_course
from autograder.sandbox.tiers import best_tier, launcher_for
from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.submissions.merge import GraftedCell
from benchmarks._common import report
from benchmarks._graded import NOTEBOOK, finish, new_course, scores, start
from kqa_core.hardware import cores

HONEST = ("ada", "finn")  # both have everything right
OURS, THEIRS = 100, 8  # submissions
CALLS = 2000


def main() -> None:
    """Grade with both, time calls, and compare."""
    with tempfile.TemporaryDirectory(prefix="kqa-grading-") as root:
        stock = stock_course(Path(root, "theirs"))
        released = stock / "release" / NOTEBOOK / f"{NOTEBOOK}.ipynb"
        course = new_course(Path(root, "ours"))
        folder = copies(Path(root, "submitted"), OURS, released)
        begin = time.monotonic()
        finish(start(folder, course, cores()))
        our_rate = 60 * OURS / (time.monotonic() - begin)
        full = {
            student: sum(row[2] or 0 for row in scores(course) if row[0] == student)
            for student, *_ in scores(course)
        }
        assert len(full) == OURS and len(set(full.values())) == 1, (
            "the honest submissions must all score the same"
        )
        copies(stock / "submitted", THEIRS, released)
        begin = time.monotonic()
        nbgrader(stock, "autograde", NOTEBOOK)
        their_rate = 60 * THEIRS / (time.monotonic() - begin)
        call = call_milliseconds(Path(root))
    ratio = our_rate / their_rate
    tier = best_tier()
    print(
        f"this judge ({tier}, {cores()} workers): {our_rate:.1f} a minute;"
        f" nbgrader autograde: {their_rate:.1f}"
        " a minute"
    )
    print(f"one call across the boundary: {call:.3f} ms (median of {CALLS}; bar 0.2)")
    figures = {
        "ours_per_minute": our_rate,
        "nbgrader_per_minute": their_rate,
        "ratio": ratio,
        "call_ms": call,
        "sandbox": tier,
    }
    headline = f"{ratio:.1f} times nbgrader's submissions a minute; a call {call:.2f} ms"
    report("grading", figures, headline, "5 times; 0.2 ms", ratio >= 5 and call <= 0.2)


def copies(folder: Path, number: int, released: Path) -> Path:
    """So many honest submissions: the released notebook's setup,
    answer and check cells, with the sample class's answers.
    """
    tree = json.loads(released.read_text(encoding="utf-8"))
    tree["cells"] = [cell for cell in tree["cells"] if "nbgrader" in cell["metadata"]]
    for count in range(number):
        student = (
            read_course().sample_class
            / "submitted"
            / HONEST[count % len(HONEST)]
            / NOTEBOOK
            / f"{NOTEBOOK}.ipynb"
        )
        answers = {
            _id(cell): cell["source"] for cell in json.loads(student.read_text(encoding="utf-8"))["cells"]
        }
        for cell in tree["cells"]:
            if cell["metadata"]["nbgrader"]["solution"]:
                cell["source"] = answers[_id(cell)]
        path = folder / f"s{count:03}" / NOTEBOOK / f"{NOTEBOOK}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(tree), encoding="utf-8")
    return folder


def _id(cell: dict[str, Any]) -> str | None:
    identity: str | None = cell["metadata"].get("nbgrader", {}).get("grade_id")
    return identity


def stock_course(folder: Path) -> Path:
    """A course directory for nbgrader alone, with the assignment generated."""
    (folder / "source" / NOTEBOOK).mkdir(parents=True)
    shutil.copy(COURSE / "nbgrader_config.py", folder)
    shutil.copy(COURSE / "source" / NOTEBOOK / f"{NOTEBOOK}.ipynb", folder / "source" / NOTEBOOK)
    nbgrader(folder, "generate_assignment", NOTEBOOK)
    return folder


def nbgrader(course: Path, *arguments: str) -> None:
    """Run nbgrader in a course directory, with the environment activated, as it expects."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    command = [sys.executable, "-m", "nbgrader", *arguments]
    done = subprocess.run(
        command, cwd=course, capture_output=True, text=True, check=False, env={**os.environ, "PATH": path}
    )
    if done.returncode != 0:
        raise SystemExit(f"nbgrader {arguments[0]} failed: {done.stderr[-500:]}")


def call_milliseconds(base: Path) -> float:
    """The median time of one call of a function that adds one."""
    launcher = launcher_for(best_tier(), Limits(), base)
    session = Session(
        launcher, [GraftedCell("solution", "code", "def add_one(x):\n    return x + 1", "add_one")], Limits()
    )
    try:
        answer = RemoteAnswer(session, "add_one")
        answer(0)
        times = []
        for count in range(CALLS):
            begin = time.perf_counter()
            answer(count)
            times.append(time.perf_counter() - begin)
    finally:
        session.close()
        launcher.close()
    return 1000 * statistics.median(times)


if __name__ == "__main__":
    main()
