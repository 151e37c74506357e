"""The warm parent: imports torch, sympy and IPython once, then forks one worker per request.

- Runs as its own process, started by `launcher.ZygoteLauncher`, which holds the other end of the control socket. When that end
  closes, for whatever reason, every worker is killed and the zygote ends: nothing outlives its judge.
- It never runs a student's code itself, has one thread, and keeps a dead child's number taken until told to release it, so that
  a kill can never hit a stranger.
- A worker leads its own session and process group, starts in a fresh directory that is also its HOME, with an environment of a
  few fixed lines, and with no way to import the instructor's half (a courtesy to honest code; the wall is the sandbox).

Control messages, JSON: {"fork": {"directory", "file", "cpu_seconds"}} with one socket attached → {"pid"}; {"release": pid} → {}.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import importlib.abc
import json
import os
import resource
import signal
import socket
import sys
from typing import Any

PRELOAD = (
    *("random", "math", "itertools", "collections", "functools", "statistics", "tempfile", "asyncio"),
    *("numpy", "torch", "torch.nn.functional", "sympy", "sympy.series.limits", "matplotlib.pyplot", "IPython.display"),
    *("kqa_core.check", "kqa_core.check.values", "kqa_core.attention", "kqa_core.gpt", "kqa_core.symbolic", "kqa_core.train"),
    *("kqa_core.text.corruption", "kqa_core.text.names", "kqa_core.text.vocabulary", "kqa_core.evaluate", "kqa_core.statistics"),
)
PR_SET_PDEATHSIG = 1


def main(control: socket.socket) -> None:
    """Serve fork requests until the control socket closes."""
    shell = _warm_up()
    control.sendall(b"ready\n")
    children: set[int] = set()
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
            pid = os.fork()
            if pid == 0:
                _become_worker(control, connection, shell, request["fork"])
            connection.close()
            children.add(pid)
            control.sendall(json.dumps({"pid": pid}).encode() + b"\n")
        else:
            _release(request["release"], children)
            control.sendall(b"{}\n")
    for pid in list(children):
        _release(pid, children)


def _warm_up() -> Any:
    import torch

    torch.set_num_threads(1)  # a fork keeps one thread only: no pool may exist before it
    torch.set_num_interop_threads(1)
    for name in PRELOAD:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    from autograder.judge.inside.worker import make_shell

    shell = make_shell()
    shell.run_cell("pass", store_history=False)  # the first cell of a shell is the slow one
    sys.meta_path.insert(0, _NoInstructor())
    gc.collect()
    gc.freeze()  # a collection in a fork would touch, and so copy, every page that holds an object of ours
    return shell


class _NoInstructor(importlib.abc.MetaPathFinder):
    """Makes `import autograder` fail in a worker as it does on a student's own machine."""

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> None:
        if fullname.split(".")[0] == "autograder":
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)


def _become_worker(control: socket.socket, connection: socket.socket, shell: Any, how: dict[str, Any]) -> None:
    """Turn this fork into a worker, serve, and end the process."""
    try:
        control.close()
        os.setsid()
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        for limit, value in (("CORE", 0), ("FSIZE", how["file"]), ("CPU", how["cpu_seconds"]), ("NOFILE", 256)):
            resource.setrlimit(getattr(resource, f"RLIMIT_{limit}"), (value, value))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a full file is an OSError in the cell that wrote it
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.chdir(how["directory"])
        os.environ.clear()
        os.environ.update(environment(how["directory"]))
        from autograder.judge.inside.channel import Channel
        from autograder.judge.inside.worker import serve

        for name in [name for name in sys.modules if name.split(".")[0] == "autograder"]:
            del sys.modules[name]
        serve(Channel(connection), shell)
    finally:
        os._exit(0)


def environment(directory: str) -> dict[str, str]:
    """All that a worker's environment holds. The seed of `hash` is fixed so that a regrade sees the same order of sets."""
    home = dict.fromkeys(("HOME", "TMPDIR", "IPYTHONDIR", "MPLCONFIGDIR", "JUPYTER_CONFIG_DIR"), directory)
    fixed = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "MPLBACKEND": "Agg", "PYTHONHASHSEED": "0"}
    return {**home, **fixed, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def _release(pid: int, children: set[int]) -> None:
    """Kill a worker with everything in its process group, and only then let its number go."""
    if pid not in children:
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)  # in case it had not yet become the leader of its group
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)
    children.discard(pid)
