"""The fork server: imports IPython and the course's packages once, then forks one runner per request.

- Runs as its own process, in the sandbox, started by `launcher.ForkServerLauncher`, which holds the other
  end of the control socket; without a sandbox, it is a fork (`sandbox.unconfined`). When that end closes, for
  whatever reason, every runner is killed and the fork server ends: nothing outlives its judge.
- It never runs a student's code itself and has one thread. It keeps a dead child's process number in use
  until it is asked to release it, so that a kill never hits another process.
- `mode` says how: "apart", in namespaces and behind a call filter of their own (`confine`, `callfilter`);
  "alone", as the only runner this fork server will have, in a container, behind the filter; "plain", with
  limits only.
- A runner says `ready` before anything of a student's is near it: what fails until then is the judge's own
  fault.

Control messages, JSON: {"fork": {"directory", "file", …}} with one socket attached → {"pid"} with a process
descriptor attached, or {"error"}; {"ended": pid} → {"killed"}; {"release": pid} → {}.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import importlib.abc
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autograder.runner import confine
from autograder.runner.channel import Channel
from autograder.runner.seccomp import CallFilter

PRELOAD = (
    *("random", "math", "itertools", "collections", "functools", "statistics", "tempfile", "asyncio"),
    *("numpy", "numpy.random", "IPython.display"),
    *("kqa_core.check", "kqa_core.check.codec", "kqa_core.check.helpers.effects"),
    *("nbformat", "autograder.runner.runner"),
)
# A large package imports a part of itself when first used, which takes a second. That part is imported here
# once so many runners have taken so long that they may have done it.
LONG = 0.4  # processor seconds
MANY = 3
VERY_MANY = 16  # runners after which huge pages have paid for themselves
MADV_COLLAPSE = 25  # since Linux 6.1; an older kernel refuses it, and nothing changes
HUGE = 2**21  # bytes


def use_huge_pages() -> None:
    """Put all private memory on huge pages, which takes some tenths of a second once.

    A fork copies a page table, and its end clears it. With a large package imported, these are 65,000 entries
    for pages of 4 KiB, and 25 ms of processor time; with pages of 2 MiB it is 5 ms. A fork that writes still
    gets a copy of 4 KiB alone.
    """
    libc = ctypes.CDLL(None)
    with contextlib.suppress(OSError, AttributeError):
        for line in Path("/proc/self/maps").read_text().splitlines():
            place, rights, _, _, inode, *_ = line.split()
            if rights.startswith("rw") and rights.endswith("p") and inode == "0":
                begin, end = (int(address, 16) for address in place.split("-"))
                begin, end = -(-begin // HUGE) * HUGE, end // HUGE * HUGE
                if begin < end:
                    libc.madvise(ctypes.c_void_p(begin), ctypes.c_size_t(end - begin), MADV_COLLAPSE)


def main(control: socket.socket, mode: str, packages: Sequence[str], exercises: Sequence[str]) -> None:
    """Serve fork requests until the control socket closes. `packages` are the modules that the course's
    notebooks import, `exercises` the folders of its visible checks.
    """
    confine.drop_user()
    prepare(packages)
    serve(control, mode, packages, [Path(folder) for folder in exercises])


def prepare(packages: Sequence[str]) -> None:
    """Import all that a worker may need, without starting a thread."""
    from kqa_core.check import value_kinds

    value_kinds.use(lambda: packages)
    gc.disable()  # collections find nothing while modules are made, and take time
    for kind in value_kinds.known():
        kind.before_fork()
    _import([*PRELOAD, *packages])
    gc.enable()


def serve(control: socket.socket, mode: str, packages: Sequence[str], exercises: Sequence[Path]) -> None:
    """Serve fork requests in this process, once it is prepared, until the control socket closes."""
    from kqa_core.check import registry, value_kinds

    value_kinds.use(lambda: packages)
    registry.use(exercises)
    registry.mount(registry.PACKAGE, registry.folders())
    warm = _ForkServer(mode)
    control.sendall(b"ready\n")
    while True:
        try:
            message, sockets, _, _ = socket.recv_fds(control, 65536, 1)
        except OSError:
            break
        if not message:
            break
        request = json.loads(message)
        if "fork" in request:
            connection = socket.socket(fileno=sockets[0])
            reply, descriptors = warm.fork(control, connection, request["fork"])
            connection.close()
            socket.send_fds(control, [json.dumps(reply).encode() + b"\n"], descriptors)
            for descriptor in descriptors:
                os.close(descriptor)
            warm.forked += 1
            if warm.forked == VERY_MANY:  # while that runner works
                use_huge_pages()
        elif "ended" in request:
            control.sendall(json.dumps({"killed": warm.killed(request["ended"])}).encode() + b"\n")
        else:
            long = warm.release(request["release"]) > LONG
            control.sendall(b"{}\n")
            warm.long += long
            if long and warm.long == MANY:
                _import([name for kind in value_kinds.known() for name in kind.later])
                _keep()
    for pid in list(warm.children):
        warm.release(pid)


class _ForkServer:
    """This process, once everything is imported, and the runners it has."""

    def __init__(self, mode: str) -> None:
        self.mode = mode
        self.children: set[int] = set()
        self.forked = self.long = 0
        self.filter = None if mode == "plain" else CallFilter()
        from autograder.runner import reserve, runner

        self.serve, self.shell = runner.serve, runner.make_shell()
        self.shell.run_cell("pass", store_history=False)  # the first cell of a shell is the slow one
        sys.meta_path[:0] = [_NoInstructor(), reserve.ReservingFinder]
        reserve.list_library()
        # listed here, as looking at every name in a runner would copy the pages that they are in
        self.hidden = [name for name in sys.modules if name.split(".")[0] == "autograder"]
        _keep()

    def fork(
        self, control: socket.socket, connection: socket.socket, how: dict[str, Any]
    ) -> tuple[dict[str, Any], list[int]]:
        """Fork a runner; what to reply, and its process descriptor."""
        how["data"] = confine.written_memory() + how["memory"]
        try:
            pid = confine.fork_apart(how["scratch"]) if self.mode == "apart" else os.fork()
        except OSError as error:
            return {"error": str(error)}, []
        if pid == 0:
            self._become_runner(control, connection, how)
        self.children.add(pid)
        return {"pid": pid}, [os.pidfd_open(pid)] if hasattr(os, "pidfd_open") else []

    def killed(self, pid: int) -> bool:
        """Whether a runner died of SIGKILL. It is given a moment to end: its socket closes first."""
        for _ in range(20 if pid in self.children else 0):
            ended = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if ended is not None:
                return ended.si_code == os.CLD_KILLED and ended.si_status == signal.SIGKILL
            time.sleep(0.005)
        return False

    def release(self, pid: int) -> float:
        """Kill a runner with everything in its process group, and only then let its number go.
        The processor seconds that it took.
        """
        if pid not in self.children:
            return 0.0
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)  # in case it had not yet become the leader of its group
        self.children.discard(pid)
        with contextlib.suppress(ChildProcessError):
            _, _, taken = os.wait4(pid, 0)
            return taken.ru_utime + taken.ru_stime
        return 0.0

    def _become_runner(self, control: socket.socket, connection: socket.socket, how: dict[str, Any]) -> None:
        """Turn this fork into a runner, serve, and end the process."""
        try:
            channel = Channel(connection)
            try:
                control.close()
                self._wall_in(how)
            except BaseException as error:
                channel.send(f"{type(error).__name__}: {error}".encode())
                raise
            self.serve(channel, self.shell)
        finally:
            os._exit(0)

    def _wall_in(self, how: dict[str, Any]) -> None:
        os.setsid()
        if self.mode != "apart" and sys.platform == "linux":
            ctypes.CDLL(None).prctl(confine.PR_SET_PDEATHSIG, signal.SIGKILL)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(nowhere, descriptor)
        os.close(nowhere)
        os.chdir(how["directory"])
        variables = environment(how["directory"])
        os.environ.clear()
        os.environ.update(variables)
        for name in self.hidden:
            del sys.modules[name]
        if how["core"] is not None:
            os.sched_setaffinity(0, {how["core"]})
        confine.set_limits(how["file"], how["cpu_seconds"], how["processes"], how["data"])
        if self.filter is not None:
            self.filter.load()


def _import(names: Sequence[str]) -> None:
    for name in names:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


def _keep() -> None:
    """Let no collection in a fork touch, and so copy, a page that holds an object of ours."""
    gc.collect()
    gc.freeze()


class _NoInstructor(importlib.abc.MetaPathFinder):
    """Makes `import autograder` fail in a runner as it does on a student's own machine."""

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> None:
        if fullname.partition(".")[0] == "autograder":
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)


def environment(directory: str) -> dict[str, str]:
    """All that a runner's environment holds. The seed of `hash` is fixed so that a regrade
    sees the same order of sets.

    The course's folder is named in it: its `data` is the part of it that a runner can see.
    """
    home = dict.fromkeys(("HOME", "TMPDIR", "IPYTHONDIR", "MPLCONFIGDIR", "JUPYTER_CONFIG_DIR"), directory)
    fixed = {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "MPLBACKEND": "Agg",
        "PYTHONHASHSEED": "0",
    }
    course = {name: os.environ[name] for name in ("KQA_COURSE",) if name in os.environ}
    return {**home, **fixed, **course, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
