"""The progress of a grading run.

- On a terminal: a live table with the number of submissions by status, the rate, the time left, and what each
  worker judges.
- Elsewhere, in a log: one line for every twentieth that is done. Both go to standard error, and results go to
  standard output.
"""

from __future__ import annotations

import sys
import threading
import time
from collections import Counter
from types import TracebackType

from rich.console import Console
from rich.live import Live
from rich.table import Table

from autograder.judge.results import SubmissionResult

SHOWN_WORKERS = 16
STEPS = 20


class Progress:
    """Counts what is done. `began`, `done` and `watch` are what `grade` calls; use as a context manager."""

    def __init__(self, console: Console | None = None) -> None:
        self.total, self.statuses = 0, Counter[str]()
        self._console = console or Console(file=sys.stderr)
        self._workers: dict[str, str] = {}
        self._lock = threading.Lock()  # workers call from threads of their own
        self._start, self._step = time.monotonic(), 0
        self._at_once = 0  # results that were known before the run; they do not count for the speed
        self._live = Live(
            get_renderable=self.table, console=self._console, transient=True, refresh_per_second=4
        )

    def __enter__(self) -> Progress:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._console.is_terminal:
            self._live.stop()

    @property
    def judged(self) -> int:
        """How many have a status."""
        return sum(self.statuses.values())

    def began(self, total: int) -> None:
        """Set the number of submissions."""
        self.total, self._start = total, time.monotonic()

    def done(self, result: SubmissionResult) -> None:
        """Count one more result."""
        with self._lock:
            self.statuses[str(result.status)] += 1
            if not self._workers:
                self._at_once += 1
        step = self.judged * STEPS // max(self.total, 1)
        if step > self._step and not self._console.is_terminal:
            self._console.print(self.line(), highlight=False, soft_wrap=True)
        self._step = step

    def working(self, worker: str, what: str) -> None:
        """Show what a worker is judging; "" for nothing."""
        with self._lock:
            self._workers[worker] = what

    def line(self) -> str:
        """The counts in one line."""
        with self._lock:
            counts = ", ".join(f"{number} {status}" for status, number in sorted(self.statuses.items()))
        return (
            f"{self.judged} of {self.total} ({100 * self.judged // max(self.total, 1)} %):"
            f" {counts}{self._rate()}"
        )

    def table(self) -> Table:
        """The live table."""
        table = Table(title=self.line(), title_justify="left", show_header=False)
        with self._lock:
            workers = sorted(self._workers.items(), key=lambda item: (len(item[0]), item[0]))
        for worker, what in workers[:SHOWN_WORKERS]:
            table.add_row(worker, what or "-")
        if len(workers) > SHOWN_WORKERS:
            table.add_row(f"and {len(workers) - SHOWN_WORKERS} more", "")
        return table

    def _rate(self) -> str:
        seconds, judged = time.monotonic() - self._start, self.judged - self._at_once
        if judged < 1 or seconds <= 0:
            return ""
        left = (self.total - self.judged) * seconds / judged
        return f"; {60 * judged / seconds:.0f} a minute, {left / 60:.0f} min {left % 60:02.0f} s left"
