"""Ends a runner that holds too much memory or takes too much time,
also while the worker computes and does not listen to it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from autograder.sandbox.interface import RunnerProcess
from autograder.sandbox.processes import Used

LOOK_SECONDS = 0.05


class RunnerWatch:
    """Looks at a runner from a thread of its own, until `stop`. Above a limit it kills it, and `passed` says
    which: "memory" or "time".

    `memory` is in bytes, beyond what the runner started with; `late` says whether its time is up, and may ask
    for `used`, what it had used at the last look. A long call into C that keeps the interpreter lock delays a
    look.
    """

    def __init__(self, runner: RunnerProcess, memory: int, late: Callable[[], bool] = lambda: False) -> None:
        self.passed: str | None = None
        self.used = Used()
        self._runner, self._memory, self._late = runner, memory, late
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True, name="runner watch")
        self._thread.start()

    def stop(self) -> None:
        """Take a last look. The runner may be ended after that: its process number is not read any longer."""
        self._over.set()
        self._thread.join()
        self.look()

    def look(self) -> None:
        """Note what the runner has used, and whether it has passed a limit."""
        if self.passed is None:
            used = self._runner.used()
            if used.processor or used.waited:  # else it has ended
                self.used = used
            if self._runner.resident() > self._memory:
                self.passed = "memory"
            elif self._late():
                self.passed = "time"

    def _watch(self) -> None:
        while not self._over.wait(LOOK_SECONDS):
            self.look()
            if self.passed is not None:
                self._runner.kill()
