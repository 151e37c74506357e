"""Starting and ending runners.

- `ForkServerLauncher` runs a process in a sandbox, the *fork server*, and forks it for each runner.
- A fork server that has died or does not reply is killed and started again; the request is then repeated
  once.
- A runner counts as started when it reports so itself, inside all its confinement and before it has received
  any student's code.
- This file imports none of a course's packages, so a worker can start its fork server first and do its own
  imports at the same time.
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
from typing import Any

from autograder.paths import ROOT, read_course
from autograder.runner.channel import Channel, ChannelClosed, ChannelTimeout
from autograder.runner.fork_server import environment
from autograder.sandbox.errors import InfrastructureError, last_words
from autograder.sandbox.forked_runner import ForkedRunner
from autograder.sandbox.interface import Sandbox
from autograder.sandbox.mounts import package_folders
from autograder.sandbox.timeout_and_memory_limits import Limits
from kqa_core.check import registry

START_SECONDS = 120.0  # imports of the course's packages on a cold, busy machine
REPLY_SECONDS = 30.0
READY = b"ready"
BOOT = """
import os, socket, sys
course, *packages = sys.argv[1].split(os.pathsep)
sys.path[:] = dict.fromkeys([course, *sys.path, *packages])
from autograder.runner.fork_server import main
if sys.argv[2].isdigit():
    control = socket.socket(fileno=int(sys.argv[2]))
else:
    control = socket.socket(socket.AF_UNIX)
    control.connect(sys.argv[2])
main(control, sys.argv[3], sys.argv[4].split(), sys.argv[5:])
"""
INSIDE_SOCKET = "/run/judge/control"  # where a container sees it


class ForkServerLauncher:
    """Runners forked from one fork server."""

    def __init__(self, sandbox: Sandbox, limits: Limits | None = None, base: Path | None = None) -> None:
        self.sandbox, self.tier, self.secret = sandbox, sandbox.tier, sandbox.secret
        self.limits = limits or Limits()
        self._directory = tempfile.mkdtemp(prefix="kqa-judge-", dir=base)
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._replies = b""
        self._ready = False
        self._launch()

    @property
    def pid(self) -> int:
        """The fork server's process number."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> ForkedRunner:
        """A fresh fork of the fork server."""
        for attempt in (1, 2):
            try:
                return self._fork()
            except (OSError, InfrastructureError) as error:
                self._stop()
                if attempt == 2:
                    words = last_words(Path(self._directory, "fork_server.log"))
                    raise InfrastructureError(f"no runner could be started: {error}{words}") from None
                self._launch()
        raise AssertionError("unreachable")

    def close(self) -> None:
        """End the fork server, and with it every runner."""
        self._stop()
        shutil.rmtree(self._directory, ignore_errors=True)

    def killed(self, pid: int) -> bool:
        """Whether a runner that has ended was killed, itself or with the fork server."""
        try:
            return bool(self._ask({"ended": pid})["killed"])
        except (OSError, InfrastructureError):
            return True

    def release(self, pid: int) -> None:
        """Make the fork server kill one runner and everything it started."""
        try:
            self._ask({"release": pid})
        except (OSError, InfrastructureError):
            self._stop()  # its runners die with it

    def _launch(self) -> None:
        """Start the fork server, without waiting for it to be warm."""
        mode = self.sandbox.mode
        directory = Path(self._directory)
        mine: socket.socket | None
        with contextlib.ExitStack() as opened:
            log = opened.enter_context((directory / "fork_server.log").open("wb"))
            if mode == "alone":  # a container inherits no descriptor
                listener = opened.enter_context(_listen(directory / "socket"))
                where, passed = INSIDE_SOCKET, []
            else:
                mine, theirs = socket.socketpair()
                opened.enter_context(theirs)
                where, passed = str(theirs.fileno()), [theirs.fileno()]
            # the environment variable PYTHONPATH does not get inside
            imported = os.pathsep.join([str(ROOT), *package_folders()])
            program = [
                sys.executable,
                "-s",
                "-P",
                "-c",
                BOOT,
                imported,
                where,
                mode,
                " ".join(read_course().packages),
                *map(str, registry.folders()),
            ]
            self._process = subprocess.Popen(
                self.sandbox.command(program, directory),
                **{"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": log},  # type: ignore[call-overload]
                pass_fds=passed,
                env=environment(self.sandbox.home(directory)) if mode != "alone" else None,
                cwd=self._directory,
                start_new_session=True,  # so Ctrl-C in the terminal reaches only the judge
            )
            if mode == "alone":
                mine = _accepted(listener, self._process, directory / "socket" / "control")
        self._control, self._replies, self._ready = mine, b"", False
        self._descriptors: list[int] = []

    def _stop(self) -> None:
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            try:
                self._process.wait(2)  # it kills its runners when the control socket closes
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
                self.sandbox.clean_up()
        self._process, self._control = None, None

    def _fork(self) -> ForkedRunner:
        if self._control is None:
            raise InfrastructureError("the fork server is not running")
        if not self._ready:
            if self._line(START_SECONDS) != b"ready":
                raise InfrastructureError("the fork server did not start")
            self._ready = True
        mine, theirs = socket.socketpair()
        home = self.sandbox.home(Path(self._directory))
        limits = self.limits
        how = {"directory": home, "file": limits.file, "cpu_seconds": limits.cpu_seconds}
        how |= {
            "processes": limits.processes,
            "memory": 2 * limits.memory,
            "scratch": self.sandbox.scratch(limits.disk),
        }
        how["core"] = limits.core
        with theirs:
            reply = self._ask({"fork": how}, theirs)
        if "error" in reply:
            raise InfrastructureError(str(reply["error"]))
        # nothing outside our directory is ours to remove
        own = home if Path(self._directory) in Path(home).parents else None
        runner = ForkedRunner(self, reply["pid"], Channel(mine), own, self._descriptors)
        self._descriptors = []
        try:
            said = runner.channel.receive(time.monotonic() + REPLY_SECONDS)
        except (ChannelClosed, ChannelTimeout) as error:
            said = str(error).encode()
        if said != READY:
            runner.end()
            raise InfrastructureError(f"the runner did not start: {said[:300].decode(errors='replace')}")
        if self.tier != "unconfined":
            runner.enclose()
        return runner

    def _ask(self, request: dict[str, object], attached: socket.socket | None = None) -> dict[str, Any]:
        if self._control is None:
            raise InfrastructureError("the fork server is not running")
        message = json.dumps(request).encode()
        try:
            socket.send_fds(self._control, [message], [attached.fileno()] if attached else [])
            reply: dict[str, Any] = json.loads(self._line(REPLY_SECONDS))
        # such as the worker's time limit: a late reply must not answer the next request
        except BaseException:
            self._stop()
            raise
        return reply

    def _line(self, seconds: float) -> bytes:
        assert self._control is not None
        deadline = time.monotonic() + seconds
        while b"\n" not in self._replies:
            left = deadline - time.monotonic()
            if left <= 0:
                raise InfrastructureError("the fork server does not reply")
            self._control.settimeout(left)
            try:
                part, descriptors, _, _ = socket.recv_fds(self._control, 65536, 1)
            except TimeoutError:
                continue
            if not part:
                raise InfrastructureError("the fork server ended")
            self._descriptors += descriptors
            self._replies += part
        line, _, self._replies = self._replies.partition(b"\n")
        return line


def _listen(folder: Path) -> socket.socket:
    """A socket that the fork server in a container connects to, at `folder`/control."""
    folder.mkdir(exist_ok=True)
    path = folder / "control"
    path.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX)
    within = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        # a socket's path may have a hundred characters, a folder's more
        listener.bind(f"/proc/self/fd/{within}/control")
    finally:
        os.close(within)
    listener.listen(1)
    for place, mode in ((folder.parent, 0o711), (folder, 0o711), (path, 0o666)):
        place.chmod(mode)
    return listener


def _accepted(listener: socket.socket, process: subprocess.Popen[bytes], path: Path) -> socket.socket | None:
    """The connection of the fork server, after which no other is accepted; None if the parent ended first."""
    listener.settimeout(0.5)
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        with contextlib.suppress(TimeoutError):
            connection = listener.accept()[0]
            path.unlink(missing_ok=True)
            connection.setblocking(True)
            return connection
    return None
