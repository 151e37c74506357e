"""Ends a runner that holds too much memory, also while the worker computes and does not listen to it."""

from __future__ import annotations

import threading

from autograder.sandbox.interface import RunnerProcess

LOOK_SECONDS = 0.05


class MemoryWatch:
    """Looks at a runner's memory from a thread of its own, until `stop`.
    Above the limit it kills it, and `passed` is true.

    The limit is in bytes, beyond what the runner started with. A long call into C that keeps the interpreter
    lock delays a look.
    """

    def __init__(self, runner: RunnerProcess, limit: int) -> None:
        self.passed = False
        self._runner, self._limit = runner, limit
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True, name="memory watch")
        self._thread.start()

    def stop(self) -> None:
        """Look no more. The runner may be ended after that: its process number is not read any longer."""
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._over.wait(LOOK_SECONDS):
            if self._runner.resident() > self._limit:
                self.passed = True
                self._runner.kill()
                return
