"""Starting and ending workers.

- `Launcher` is the seam: the judge asks it for a `WorkerProcess` and knows nothing of how that is made. `ZygoteLauncher` forks
  a warm parent; a launcher that puts the worker in a sandbox takes its place without a change elsewhere.
- A zygote that died, or that does not reply, is killed and started again; the request is then repeated once.
- This file imports neither torch nor sympy, so a checker can start its zygote first and do its own imports meanwhile.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Protocol

from autograder.judge.inside.channel import Channel
from autograder.judge.inside.zygote import environment
from autograder.judge.limits import Limits

START_SECONDS = 120.0  # imports of torch and sympy on a cold, busy machine
REPLY_SECONDS = 30.0


class InfrastructureError(Exception):
    """The judge's own machinery failed. Retried, and never a mark."""


class WorkerProcess(Protocol):
    """A running worker."""

    channel: Channel

    def resident(self) -> int:
        """Bytes of memory its process group holds now, beyond what it started with; 0 where that cannot be told."""
        ...

    def end(self) -> None:
        """Kill it with all that it started, and remove its directory. May be called twice."""
        ...


class Launcher(Protocol):
    """Starts workers."""

    def start(self) -> WorkerProcess:
        """A fresh worker. Raises InfrastructureError if none can be had."""
        ...

    def close(self) -> None:
        """End what is still running."""
        ...


class ZygoteLauncher:
    """Workers forked from one warm parent."""

    def __init__(self, limits: Limits | None = None, base: Path | None = None) -> None:
        self.limits = limits or Limits()
        self._directory = tempfile.mkdtemp(prefix="kqa-judge-", dir=base)
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._replies = b""
        self._ready = False
        self._launch()

    @property
    def pid(self) -> int:
        """The zygote's process number."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> ForkedWorker:
        """A fresh fork of the warm parent."""
        for attempt in (1, 2):
            try:
                return self._fork()
            except (OSError, InfrastructureError) as error:
                self._stop()
                if attempt == 2:
                    raise InfrastructureError(f"no worker could be started: {error}{self._said()}") from None
                self._launch()
        raise AssertionError("unreachable")

    def close(self) -> None:
        """End the zygote, and with it every worker."""
        self._stop()
        shutil.rmtree(self._directory, ignore_errors=True)

    def release(self, pid: int) -> None:
        """Have the zygote kill one worker and all that it started."""
        try:
            self._ask({"release": pid})
        except (OSError, InfrastructureError):
            self._stop()  # its workers die with it

    def _launch(self) -> None:
        """Start the zygote, without waiting for it to be warm."""
        root = str(Path(__file__).resolve().parents[2])
        mine, theirs = socket.socketpair()
        code = (
            "import sys, socket; sys.path.insert(0, sys.argv[1])\n"
            "from autograder.judge.inside.zygote import main; main(socket.socket(fileno=int(sys.argv[2])))"
        )
        with theirs, (Path(self._directory) / "zygote.log").open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-s", "-P", "-c", code, root, str(theirs.fileno())],
                **{"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": log},  # type: ignore[call-overload]
                pass_fds=[theirs.fileno()],
                env=environment(self._directory),
                cwd=self._directory,
                start_new_session=True,  # Ctrl-C at the terminal is the judge's to handle
            )
        self._control, self._replies, self._ready = mine, b"", False

    def _stop(self) -> None:
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            try:
                self._process.wait(2)  # it kills its workers when the control socket closes
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._process, self._control = None, None

    def _said(self) -> str:
        with contextlib.suppress(OSError):
            lines = (Path(self._directory) / "zygote.log").read_text(errors="replace").strip().splitlines()
            if lines:
                return f" ({lines[-1][:300]})"
        return ""

    def _fork(self) -> ForkedWorker:
        if self._control is None:
            raise InfrastructureError("the warm parent is not running")
        if not self._ready:
            if self._line(START_SECONDS) != b"ready":
                raise InfrastructureError("the warm parent did not start")
            self._ready = True
        mine, theirs = socket.socketpair()
        directory = tempfile.mkdtemp(prefix="w-", dir=self._directory)
        with theirs:
            how = {"directory": directory, "file": self.limits.file, "cpu_seconds": self.limits.cpu_seconds}
            reply = self._ask({"fork": how}, theirs)
        return ForkedWorker(self, reply["pid"], Channel(mine), directory)

    def _ask(self, request: dict[str, object], attached: socket.socket | None = None) -> dict[str, int]:
        if self._control is None:
            raise InfrastructureError("the warm parent is not running")
        message = json.dumps(request).encode()
        try:
            socket.send_fds(self._control, [message], [attached.fileno()] if attached else [])
            reply: dict[str, int] = json.loads(self._line(REPLY_SECONDS))
        except BaseException:  # the checker's clock, too: a reply that comes late must not answer the next question
            self._stop()
            raise
        return reply

    def _line(self, seconds: float) -> bytes:
        assert self._control is not None
        deadline = time.monotonic() + seconds
        while b"\n" not in self._replies:
            left = deadline - time.monotonic()
            if left <= 0:
                raise InfrastructureError("the warm parent does not reply")
            self._control.settimeout(left)
            try:
                part = self._control.recv(65536)
            except TimeoutError:
                continue
            if not part:
                raise InfrastructureError("the warm parent ended")
            self._replies += part
        line, _, self._replies = self._replies.partition(b"\n")
        return line


class ForkedWorker:
    """A fork of the warm parent, seen from the judge."""

    def __init__(self, launcher: ZygoteLauncher, pid: int, channel: Channel, directory: str) -> None:
        self.channel = channel
        self.pid = pid
        self._launcher, self._directory = launcher, directory
        self._ended = False
        self._base = self._group_resident()

    def resident(self) -> int:
        """Bytes of memory the process group holds now, beyond what the fork started with; 0 where /proc is missing."""
        return max(0, self._group_resident() - self._base)

    def end(self) -> None:
        """Kill it with all that it started, and remove its directory. May be called twice."""
        if not self._ended:
            self._ended = True
            self.channel.close()
            self._launcher.release(self.pid)
            shutil.rmtree(self._directory, ignore_errors=True)

    def _group_resident(self) -> int:
        total = 0
        for entry in os.scandir("/proc") if Path("/proc/self/stat").exists() else ():
            if not entry.name.isdigit() or int(entry.name) < self.pid:
                continue  # what it started has a higher number, unless the numbers wrapped round
            with contextlib.suppress(OSError, IndexError, ValueError):
                fields = Path(entry.path, "stat").read_text().rpartition(")")[2].split()
                if int(fields[2]) == self.pid or entry.name == str(self.pid):  # its process group, or not yet a group
                    total += int(fields[21]) * os.sysconf("SC_PAGE_SIZE")
        return total
