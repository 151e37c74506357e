"""Runners without a sandbox, for answers that we have written or read ourselves: `kqa course try`, and tests.

- The fork server is a fork of a worker's process, which has everything imported, and not a program that is
  started in a sandbox. A runner is a fork of that fork server, as in every tier.
- Limits of time, memory, file size and output are those of the sandbox, and so is what a runner hides: its
  output, and `autograder` in its imports. So an answer gets the verdict that it would get there. An answer
  that sends its own process a signal is the exception: here the signal arrives.
- Nothing else is held back: a runner has the user's own rights. No tier of `kqa course grade` is this one.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import socket
import subprocess
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from autograder.paths import read_course
from autograder.runner import fork_server
from autograder.runner.confine import PR_SET_PDEATHSIG
from autograder.sandbox.interface import Sandbox
from autograder.sandbox.launcher import ForkServerLauncher
from autograder.sandbox.timeout_and_memory_limits import Limits
from kqa_core.check import registry

TIER = "unconfined"
LOOK_SECONDS = 0.002


class _Nothing(Sandbox):
    """No confinement."""

    tier = TIER
    mode = "plain"

    def home(self, directory: Path) -> str:
        """A fresh directory in that of the launcher, which removes it."""
        return tempfile.mkdtemp(prefix="w-", dir=directory)


class UnconfinedLauncher(ForkServerLauncher):
    """Runners forked from a fork of this process. Make it before this process has judged anything: a package
    may start threads then, which a fork does not have.
    """

    def __init__(self, limits: Limits, base: Path | None = None) -> None:
        fork_server.prepare(read_course().packages)
        # the kernel counts all that this user runs
        super().__init__(_Nothing(), replace(limits, processes=limits.processes + _running()), base)

    def _launch(self) -> None:
        mine, theirs = socket.socketpair()
        number = os.fork()
        if number == 0:
            _become_fork_server(theirs, self._directory)
        theirs.close()
        self._process = _Child(number)
        self._control, self._replies, self._ready = mine, b"", False
        self._descriptors: list[int] = []


class _Child(subprocess.Popen[bytes]):
    """A forked process, as the launcher sees one that it has started."""

    def __init__(self, number: int) -> None:
        self.pid, self.returncode, self.args = number, None, ()

    def poll(self) -> int | None:
        """How it ended; None while it runs."""
        if self.returncode is None:
            number, status = os.waitpid(self.pid, os.WNOHANG)
            self.returncode = None if number == 0 else os.waitstatus_to_exitcode(status)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """How it ended, once it has. Raises TimeoutExpired."""
        until = None if timeout is None else time.monotonic() + timeout
        while (status := self.poll()) is None:
            if until is not None and time.monotonic() > until:
                raise subprocess.TimeoutExpired("the fork server", timeout or 0.0)
            time.sleep(LOOK_SECONDS)
        return status

    def kill(self) -> None:
        """Kill it."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)


def _running() -> int:
    """How many processes and threads this user has."""
    count = 0
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended
            if process.stat().st_uid == os.getuid():
                count += len(list((process / "task").iterdir()))
    return count


def _become_fork_server(control: socket.socket, directory: str) -> None:
    """Turn this fork into a fork server; it never comes back."""
    try:
        os.setsid()  # so Ctrl-C in the terminal reaches only the command
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        log = os.open(Path(directory, "fork_server.log"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for descriptor, target in ((nowhere, 0), (nowhere, 1), (log, 2)):
            os.dup2(descriptor, target)
        os.closerange(3, control.fileno())  # such as the worker's pipe to its owner
        os.closerange(control.fileno() + 1, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
        os.chdir(directory)
        os.environ.update(fork_server.environment(directory))
        fork_server.serve(control, "plain", read_course().packages, registry.folders())
    finally:
        os._exit(0)
