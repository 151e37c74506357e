"""A course of one exercise with an exchange of its own,
watchers as processes, and what students find in the exchange.

A watcher is a fork of the test's process: it starts at once, and a test can change a function in it, such as
one that is to be its last.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import secrets
import shutil
import signal
import sqlite3
import sys
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import nbformat
from another_course import working_on
from exchange_course import NAME, one_exercise
from nbgrader.utils import notebook_hash

from autograder.build.assemble import assemble
from autograder.build.source import read_source
from autograder.course import watch as watching
from autograder.course.watch import watch
from autograder.grading.answers import answers_of
from autograder.grading.config import GradingConfig, WatchConfig
from autograder.paths import use_course
from autograder.sandbox.timeout_and_memory_limits import Limits
from kqa_core.errors import UserError

WRONG, RIGHT = "return numbers + [x]", "return sorted([*numbers, x])"
# honest code takes milliseconds, and a machine that runs other tests as well takes its time
LIMITS = Limits(call_seconds=20.0, cell_seconds=20.0, exercise_seconds=40.0, grace_seconds=10.0)
SECONDS = 300.0  # in which something must happen: only a watcher that hangs takes so long


class Watched:
    """The course in `root`, and an exchange beside it."""

    def __init__(self, root: Path, course: Path | None = None) -> None:
        self.root, self.course, self.exchange = root, course or root / "course", root / "exchange"
        self.said = root / "said.txt"
        one_exercise(self.course)
        self.inbound = self.exchange / "sorting" / "inbound"
        self.inbound.mkdir(parents=True)
        with (self.course / "nbgrader_config.py").open("a") as settings:
            settings.write(f'c.Exchange.root = "{self.exchange}"\n')
        text = self.course / "source" / NAME / f"{NAME}.py"
        with working_on(self.course):
            nbformat.write(assemble(read_source(text)), text.with_suffix(".ipynb"))  # not executed

    def notebook(self, line: str) -> str:
        """A student's notebook with this answer."""
        notebook = json.loads((self.course / "source" / NAME / f"{NAME}.ipynb").read_text())
        (cell,) = [
            each
            for each in notebook["cells"]
            if each["metadata"].get("nbgrader", {}).get("grade_id") == "insert_sorted"
        ]
        cell["source"] = f"def insert_sorted(numbers, x):\n    {line}\n"
        return json.dumps(notebook)

    def submit(self, student: str, line: str) -> str:
        """Submit through the exchange, as `nbgrader submit` does. Returns the secret."""
        stamp, secret = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S.%f UTC"), secrets.token_hex(64)
        aside = self.root / "aside"
        self.write(aside, line)
        (aside / "timestamp.txt").write_text(stamp)
        (aside / "submission_secret.txt").write_text(secret)
        aside.rename(self.inbound / f"{student}+{NAME}+{stamp}+{secrets.token_hex(4)}")
        return secret

    def write(self, folder: Path, line: str) -> None:
        """A student's folder, with an answer."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{NAME}.ipynb").write_text(self.notebook(line))

    def page(self, secret: str) -> str:
        """The feedback that a student finds in the exchange; "" for none."""
        path = (
            self.exchange / "sorting" / "feedback" / f"{notebook_hash(secret=secret, notebook_id=NAME)}.html"
        )
        return path.read_text() if path.is_file() else ""

    def start(self, change: Callable[[], None] = lambda: None, **settings: Any) -> multiprocessing.Process:
        """A watcher. `change` is called in its process first."""
        process = multiprocessing.get_context("fork").Process(target=self._watch, args=(change, settings))
        process.start()
        return process  # type: ignore[return-value]

    def once(self, change: Callable[[], None] = lambda: None, **settings: Any) -> int | None:
        """A watcher that answers what waits. Returns its exit status."""
        process = self.start(change, once=True, **settings)
        process.join(SECONDS)
        assert process.exitcode is not None, "it hangs"
        return process.exitcode

    def stop(self, process: multiprocessing.Process) -> None:
        """Stop a watcher as Ctrl-C does."""
        assert process.pid is not None
        os.kill(process.pid, signal.SIGINT)
        process.join(SECONDS)
        assert process.exitcode == 0, self.said.read_text()

    def _watch(self, change: Callable[[], None], settings: dict[str, Any]) -> None:
        sys.stdout = self.said.open("a", buffering=1)
        use_course(self.course)
        watching.PAUSE = watching.LONGEST_PAUSE = 0.3
        change()
        grading = GradingConfig(course=self.course, checks=self.course, workers=1, limits=LIMITS)
        how = {"names": (NAME,), "every": 0.3, "page": self.course / "report" / "watch.html", **settings}
        watch(WatchConfig(grading=grading, **how))

    def lines(self, word: str) -> list[str]:
        """What the watcher's lines of the log say, where they hold a word."""
        lines = [line for line in (self.course / "kqa.log").read_text().splitlines() if " watch: " in line]
        return [line.partition(" watch: ")[2] for line in lines if word in line]

    def answered(self) -> list[tuple[str, int]]:
        """Students and versions that were answered, in order."""
        try:
            with answers_of(self.course) as answers:
                return [(each.student, each.version) for each in reversed(answers.latest(1000))]
        except UserError:  # the watcher has made no ledger yet
            return []

    def scores(self) -> dict[str, float]:
        """The judge's marks in the gradebook."""
        query = (
            "SELECT s.student_id, g.auto_score FROM grade g JOIN submitted_notebook n ON g.notebook_id ="
            " n.id "
        )
        query += "JOIN submitted_assignment s ON n.assignment_id = s.id"
        with closing(sqlite3.connect(self.course / "gradebook.db")) as base:
            return dict(base.execute(query).fetchall())

    def forget(self) -> None:
        """Forget all submissions and answers."""
        for name in ("judged", "received", "submitted", "feedback", "autograded"):
            shutil.rmtree(self.course / name, ignore_errors=True)


def until(holds: Callable[[], object]) -> None:
    """Wait until something holds."""
    end = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.1)
