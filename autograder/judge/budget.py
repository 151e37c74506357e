"""What a submission's runners have used, and the limits on it.

- A second counts in which the runner runs or sleeps. One in which it waits for a processor does not, because
  that is the machine's doing: the same answer takes the same time on a busy machine.
- Several processes that run at once use more than a second of processor time in a second. So what counts is
  the larger of the two: all their processor time, or the wall clock without their waiting.
- Only time in which the runner has a request counts; the worker's own computing has a clock of its own.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from autograder.sandbox.processes import Used


@dataclass(frozen=True)
class Reading:
    """Seconds so far: of the processor, of waiting for it, and by the wall clock."""

    processor: float
    waited: float
    wall: float

    def since(self, mark: Reading) -> float:
        """The seconds that count from `mark` to this reading."""
        running = self.processor - mark.processor
        return max(running, self.wall - mark.wall - (self.waited - mark.waited))


class Meter:
    """Adds up what the runners of one submission use, one after the other."""

    def __init__(self) -> None:
        self._ended = Used()
        self._wall = 0.0
        self._began: float | None = None

    def begin(self) -> None:
        """The runner has a request from now on."""
        self._began = time.monotonic()

    def end(self) -> None:
        """The runner has replied, or ended."""
        if self._began is not None:
            self._wall += time.monotonic() - self._began
            self._began = None

    def add(self, used: Used) -> None:
        """A runner has ended, and has used this."""
        self._ended = Used(self._ended.processor + used.processor, self._ended.waited + used.waited)

    def read(self, used: Used) -> Reading:
        """All so far; `used` is that of the runner which is there."""
        began = self._began
        running = 0.0 if began is None else time.monotonic() - began
        return Reading(
            self._ended.processor + used.processor, self._ended.waited + used.waited, self._wall + running
        )


@dataclass(frozen=True)
class Limit:
    """So many seconds, counted from a reading."""

    seconds: float
    mark: Reading

    def left(self, now: Reading) -> float:
        """The seconds that are left."""
        return self.seconds - now.since(self.mark)

    def struck(self, now: Reading) -> str:
        """Which clock it was: "processor", or "waiting" where the code mostly slept."""
        return "processor" if 2 * (now.processor - self.mark.processor) >= self.seconds else "waiting"
