"""A clock for the worker's own computing: processor time, so that a busy machine does not make it run faster.

It is an alarm signal, which Python code cannot block; a hang inside one C call is ended from outside
(`grading.worker`).
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType


class OutOfTime(BaseException):
    """The worker's time is up. No `except Exception`, ours or a package's, may catch it."""


@contextlib.contextmanager
def clock(seconds: float) -> Iterator[None]:
    """Raise OutOfTime inside the block after `seconds` of this process's processor time, and again with every
    further second.

    Works in the main thread only; elsewhere it does nothing.
    """

    def ring(number: int, frame: FrameType | None) -> None:
        raise OutOfTime

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, max(seconds, 0.001), 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
