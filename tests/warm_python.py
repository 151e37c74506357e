"""`python …` in a process of its own that need not import torch and nbgrader first.

`python("-m", "kqa_core.cli", …)`, `python("-c", code, …)` and `python("script.py", …)` do what
`subprocess.run([sys.executable, …])` does with the same words. The process is a fork of one that has imported
the large packages of others, which is most of what a short command costs. Nothing of this repository is
loaded in it, so settings in the environment, PYTHONPATH among them, count as they do for a new interpreter.
"""

from __future__ import annotations

import atexit
import functools
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

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


@functools.cache
def _server() -> subprocess.Popen[str]:
    """The process that forks; it ends with this one."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "KQA_"))}
    clean["OMP_NUM_THREADS"] = "1"  # a process with threads cannot be forked
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
