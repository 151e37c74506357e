"""Runners without a sandbox, for mutants: a fork of this process that runs the real runner's
loop behind a real channel.

A mutant lives in one process; a runner forked from it runs the mutated code as well, and is there in
milliseconds. Nothing is held back from such a runner, so it is for our own tests' answers alone.
"""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import io
import os
import signal
import socket
from pathlib import Path

from autograder.runner.channel import Channel
from autograder.runner.runner import make_shell, serve
from autograder.sandbox.processes import Used, used
from autograder.sandbox.timeout_and_memory_limits import Limits

PAGE = os.sysconf("SC_PAGE_SIZE")


class ForkedRunner:
    """A runner, as the session sees one."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        self._pid = os.fork()
        if self._pid == 0:
            _work(ours, theirs)
        theirs.close()
        self.channel = Channel(ours)
        self.channel.receive()  # it says that it is ready
        self._before = self._holds()

    def kill(self) -> None:
        """Kill it with all that it started; `end` must still follow."""
        if self._pid:  # a group of number 0 would be our own
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._pid, signal.SIGKILL)

    def taken(self) -> bool:
        """Nobody outside ends it."""
        return False

    def resident(self) -> int:
        """Bytes it holds beyond what it started with."""
        return self._holds() - self._before

    def used(self) -> Used:
        """What it has used of the processor."""
        return used([self._pid])

    def end(self) -> None:
        """Kill it with all that it started."""
        self.channel.close()
        if self._pid:
            self.kill()
            os.waitpid(self._pid, 0)
            self._pid = 0

    def _holds(self) -> int:
        try:
            return int(Path(f"/proc/{self._pid}/statm").read_text().split()[1]) * PAGE
        except (OSError, IndexError):
            return 0


class ForkLauncher:
    """Starts such runners. Takes what `ForkServerLauncher` takes, so that it can stand in its place."""

    tier = "forked"

    def __init__(self, sandbox: object = None, limits: Limits | None = None, base: object = None) -> None:
        self.limits = limits or Limits()
        with contextlib.redirect_stdout(io.StringIO()):
            # once, before the forks: what IPython loads for a first traceback takes a while
            make_shell().run_cell("1 / 0")

    def start(self) -> ForkedRunner:
        """A fresh runner."""
        return ForkedRunner()

    def close(self) -> None:
        """Nothing is kept between runners."""


def _work(ours: socket.socket, theirs: socket.socket) -> None:
    """The forked process: it never comes back."""
    try:
        os.setsid()
        faulthandler.disable()  # a runner that crashes does so on purpose
        # it ends with the process that forked it, whatever it is about
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        ours.close()
        silent = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silent, stream)
        serve(Channel(theirs), make_shell())
    finally:
        os._exit(0)
