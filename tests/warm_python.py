"""`python …` in a process of its own that need not import torch and nbgrader first.

`python("-m", "kqa_core.cli", …)`, `python("-c", code, …)` and `python("script.py", …)` do what
`subprocess.run([sys.executable, …])` does with the same words. The process is a fork of one that has imported
the large packages of others, which is most of what a short command costs. Nothing of this repository is
loaded in it, so settings in the environment, PYTHONPATH among them, count as they do for a new interpreter.

`started(…)` stands for the `subprocess.Popen(…)` that starts a grader's worker, in the same way.
"""

from __future__ import annotations

import atexit
import functools
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

IMPORTED = (
    *("torch", "sympy", "nbgrader.apps", "nbgrader.api", "nbgrader.converters", "nbconvert", "nbclient"),
    *("jupytext", "IPython.core.interactiveshell", "ipykernel.connect", "typer", "rich.table", "requests"),
)
SERVE = """
import gc, importlib, json, os, runpy, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
gc.freeze()
for line in sys.stdin:
    child = os.fork()
    if not child:
        break
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
else:
    sys.exit()
asked = json.loads(line)
for number, (name, flags) in enumerate(zip(asked["files"], (os.O_RDONLY, os.O_WRONLY, os.O_WRONLY))):
    os.dup2(os.open(name, flags), number)
sys.stdin = open(0, closefd=False)
os.chdir(asked["cwd"])
os.environ.clear()
os.environ.update(asked["environment"])
kind, program, *words = asked["words"] if asked["words"][0] in ("-c", "-m") else ("script", *asked["words"])
first = {"-c": "", "-m": os.getcwd(), "script": os.path.abspath(os.path.dirname(program))}[kind]
sys.path[:1] = [first, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
sys.dont_write_bytecode = bool(os.environ.get("PYTHONDONTWRITEBYTECODE"))
if kind == "-c":
    sys.argv[:] = ["-c", *words]
    exec(program, {"__name__": "__main__"})
elif kind == "script":
    sys.argv[:] = [program, *words]
    runpy.run_path(program, run_name="__main__")
else:
    sys.argv[:] = [program, *words]
    runpy.run_module(program, run_name="__main__", alter_sys=True)
"""
START = """
import os, signal, socket, sys
listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
listener.bind(sys.argv[1])
listener.listen(1)
if os.fork():
    os._exit(0)
import json
door, _ = listener.accept()
listener.close()
signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those who are started
while True:
    message, descriptors, _, _ = socket.recv_fds(door, 2**20, 2)
    if not message:
        os._exit(0)
    number = os.fork()
    if not number:
        break
    for descriptor in descriptors:
        os.close(descriptor)
    door.send(str(number).encode())
signal.signal(signal.SIGCHLD, signal.SIG_DFL)
door.close()
os.setsid()
asked, (log, passed) = json.loads(message), descriptors
for source, target in ((os.open(os.devnull, os.O_RDONLY), 0), (log, 1), (log, 2)):
    os.dup2(source, target)
os.close(log)
os.chdir(asked["cwd"])
os.environ.clear()
os.environ.update(asked["environment"])
sys.argv[:] = ["-c", asked["first"], str(passed)]
exec(asked["code"], {"__name__": "__main__"})
"""


@functools.cache
def _server() -> subprocess.Popen[str]:
    """The process that forks; it ends with this one."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "KQA_"))}
    clean["OMP_NUM_THREADS"] = "1"  # a process with threads cannot be forked
    clean["PYTHONHASHSEED"] = "0"  # as a worker has it
    command = [sys.executable, "-c", SERVE, *IMPORTED]
    server = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=clean, cwd="/"
    )
    atexit.register(server.communicate)
    return server


def python(
    *words: object, cwd: Path, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run Python with `-m MODULE`, `-c CODE` or a script, and words for it: its status, and its output."""
    arguments = list(map(str, words))
    with tempfile.TemporaryDirectory() as folder:
        out, err = (Path(folder) / name for name in ("out", "err"))
        out.touch(), err.touch()
        asked = {
            "words": arguments,
            "cwd": str(cwd),
            "environment": dict(os.environ if env is None else env),
            "files": [os.devnull, str(out), str(err)],
        }
        server = _server()
        assert server.stdin is not None and server.stdout is not None
        print(json.dumps(asked), file=server.stdin, flush=True)
        status = int(server.stdout.readline())
        return subprocess.CompletedProcess(arguments, status, out.read_text(), err.read_text())


class Started(subprocess.Popen[bytes]):
    """A fork of the server, as the process is seen that asked for it."""

    def __init__(self, number: int) -> None:
        self.pid, self.returncode, self.args = number, None, ()
        self._descriptor = os.pidfd_open(number)

    def poll(self) -> int | None:
        """0 once it has ended."""
        return self._ended(0.0)

    def wait(self, timeout: float | None = None) -> int:
        """0, once it has ended. Raises TimeoutExpired."""
        if self._ended(timeout) is None:
            raise subprocess.TimeoutExpired("a worker", timeout or 0.0)
        return 0

    def kill(self) -> None:
        """Kill it."""
        if self.poll() is None:
            signal.pidfd_send_signal(self._descriptor, signal.SIGKILL)

    def _ended(self, seconds: float | None) -> int | None:
        if self.returncode is None and select.select([self._descriptor], [], [], seconds)[0]:
            self.returncode = 0
            os.close(self._descriptor)
        return self.returncode


_one_at_a_time = threading.Lock()


@functools.cache
def _door() -> socket.socket:
    """What to ask for processes that run beside this one."""
    with tempfile.TemporaryDirectory() as folder:
        done = python("-c", START, f"{folder}/door", cwd=Path("/"))
        assert done.returncode == 0, done.stderr
        door = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        door.connect(f"{folder}/door")
    return door


def started(
    words: list[str], *, stdout: Any, pass_fds: list[int], env: Mapping[str, str], **_: Any
) -> Started:
    """What `subprocess.Popen` makes of `python -c CODE FIRST DESCRIPTOR` in a session of its own, with
    nothing to read and one file for both of its outputs.
    """
    *_, code, first, descriptor = words
    assert pass_fds == [int(descriptor)]
    asked = {"code": code, "first": first, "environment": dict(env), "cwd": str(Path.cwd())}
    with _one_at_a_time:
        door = _door()
        socket.send_fds(door, [json.dumps(asked).encode()], [stdout.fileno(), *pass_fds])
        return Started(int(door.recv(32)))
