"""One worker process with its fork server, seen from the process that owns it.

- A worker reports what it begins and how much processor time that may take. One that overruns hangs inside a
  C call on a hostile value: it is killed with its runners, and its task starts again without the exercise at
  which it hung. A task whose worker dies, or whose runner is killed from outside, starts again once. If that
  happens twice at the same place, the submission caused it: it is judged without that exercise, or without
  any, if that place is its cells. A task without such a place is reported as lost.
- A task that is not patient has `first_seconds` for all that. Then it is `Slow`, and its place is free for
  the others.
- A worker's memory is limited, whatever a student's code returns.
- `Worker.do` blocks; a worker belongs to one thread at a time, which need not be the main thread.
- The worker ends with its owner, however the owner ends. When the pipe closes, an idle worker leaves, and a
  thread of its own ends a busy one. The worker leads its own session, so Ctrl-C in the terminal reaches only
  its owner.
- If the sandbox does not hold where the worker starts, the run stops (UserError): no student loses marks for
  that.
- Nothing heavy is imported before the launcher is made, so the worker's own imports run at the same time as
  its fork server's.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import select
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from typing import Any

from autograder.grading.config import JudgeConfig
from autograder.grading.own_memory import WORKER, limit_memory
from autograder.paths import ROOT
from autograder.sandbox.errors import InfrastructureError, last_words
from autograder.sandbox.processes import computed
from kqa_core.check import value_kinds
from kqa_core.check.registry import COURSE_VARIABLE
from kqa_core.errors import UserError

START_SECONDS = 180.0  # imports of the course's packages on a cold, busy machine
LEAVE_SECONDS = 5.0
LOOK_SECONDS = 0.5  # between two looks at whether a worker hangs
# what counts only when a process starts, for one that forks its runners: one thread, one order of sets
FIXED = {"OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
CODE = (
    "import sys; sys.path.insert(0, sys.argv[1])\nfrom autograder.grading.worker import serve;"
    " serve(int(sys.argv[2]))"
)


class Worker:
    """A process that judges one task at a time, started when the first one comes."""

    def __init__(self, config: JudgeConfig) -> None:
        self.config = config
        self.heard: Callable[[str], None] = lambda what: None  # called with what the worker begins
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe: Connection | None = None
        self._base = ""
        self._closed = False
        self._starting = threading.Lock()  # a worker that another thread has closed starts no process
        self._working = threading.Lock()

    def do(self, task: object) -> Any | InfrastructureError:
        """The result of `perform` on the task, or the InfrastructureError because of which there is none."""
        given_up: frozenset[str] = frozenset()
        again, began, limits = False, time.monotonic(), self.config.limits
        patient = getattr(task, "patient", True)
        with self._working:
            from autograder.judge.tasks import Slow
            from autograder.judge.verdict import CELLS, EVERY

            while True:
                outcome, what, at = self._once(task, given_up, again)
                if outcome == "done":
                    return what
                late = time.monotonic() - began > (
                    limits.busy * limits.submission_seconds if patient else limits.first_seconds
                )
                if late and not patient and not self._closed:
                    return Slow()
                if outcome in ("hung", "ended") and at == CELLS and again and EVERY not in given_up:
                    given_up |= {EVERY}
                elif (
                    outcome in ("hung", "ended")
                    and at is not None
                    and at not in (CELLS, *given_up)
                    and (again or outcome == "hung")
                ):
                    given_up |= {at, EVERY} if late else {at}
                elif again or self._closed:
                    return InfrastructureError(str(what))
                again = True

    def close(self) -> None:
        """End the worker with all that it started. May be called from another thread, and twice."""
        with self._starting:
            self._closed = True
        if self._working.acquire(blocking=False):  # idle: it leaves by itself, with its fork server
            try:
                if self._pipe is not None and self._process is not None:
                    self._pipe.close()
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        self._process.wait(LEAVE_SECONDS)
                self._end()
            finally:
                self._working.release()
        elif (process := self._process) is not None:
            process.kill()  # `do` sees the end of the pipe, and cleans up

    def _once(self, task: object, given_up: frozenset[str], again: bool) -> tuple[str, Any, str | None]:
        """One attempt: ("done", result), or "failed", "hung" or "ended" with a reason; and the exercise."""
        at: str | None = None
        try:
            pipe = self._running()
            pipe.send((task, given_up, again))
            hangs = self._hanging(START_SECONDS)
            while True:
                while not pipe.poll(LOOK_SECONDS):
                    if hangs():
                        self._end()
                        return "hung", "the worker hung", at
                word, *rest = pipe.recv()
                if word == "at":
                    at, hangs = rest[0], self._hanging(rest[1])
                    self.heard(rest[0])
                elif word == "unusable":
                    self._end()
                    raise UserError(rest[0])
                else:
                    return word, rest[0], at
        except (EOFError, OSError):
            words = last_words(Path(self._base, "worker.log")) if self._base else ""
            word = f"the worker's process ended{words}"
            self._end()
            return "ended", word, at

    def _hanging(self, seconds: float) -> Callable[[], bool]:
        """Whether the worker hangs, from now on: it has computed for longer than that, or the wall clock says
        that it does nothing. A worker that waits, for its runner or for a processor, does not hang.
        """
        limits, process, began = self.config.limits, self._process, time.monotonic()
        assert process is not None
        before = computed(process.pid)

        def hangs() -> bool:
            took = time.monotonic() - began
            most = seconds + limits.grace_seconds
            return took > most and (computed(process.pid) - before > most or took > limits.busy * most)

        return hangs

    def _running(self) -> Connection:
        """The pipe to the worker, which is started if none runs."""
        if self._pipe is not None and self._process is not None and self._process.poll() is None:
            return self._pipe
        self._end()
        with self._starting:
            if self._closed:
                raise EOFError
            self._base = tempfile.mkdtemp(prefix="kqa-judge-")
            if self.config.tier == "limits":
                # where this is root, the runners are another user, and their home is in it
                Path(self._base).chmod(0o711)
            self._pipe, theirs = Pipe()
            with theirs, Path(self._base, "worker.log").open("wb") as log:
                self._process = subprocess.Popen(
                    [sys.executable, "-s", "-P", "-c", CODE, str(ROOT), str(theirs.fileno())],
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    pass_fds=[theirs.fileno()],
                    env={**os.environ, **FIXED, COURSE_VARIABLE: str(self.config.checks)},
                    start_new_session=True,
                )
        self._pipe.send(sys.path)
        self._pipe.send((self._base, replace(self.config, canaries=())))
        return self._pipe

    def _end(self) -> None:
        """End the worker, if there is one, and remove its files."""
        process, pipe, base = self._process, self._pipe, self._base
        self._process, self._pipe, self._base = None, None, ""
        if pipe is not None:
            pipe.close()
        if process is not None:
            process.kill()
            process.wait()
        if base:
            shutil.rmtree(base, ignore_errors=True)


def serve(descriptor: int) -> None:
    """A worker process: judge tasks until the pipe hangs up."""
    pipe = Connection(descriptor)
    sys.path[:] = pipe.recv()
    base, config = pipe.recv()
    limit_memory(None)  # its owner's limit is not for the fork server
    from autograder.sandbox.tiers import launcher_for

    try:
        launcher = launcher_for(config.tier, config.limits, Path(base), config.secret)
    except (InfrastructureError, UserError) as error:
        pipe.send(("unusable", str(error)))
        return
    threading.Thread(target=_leave_with_owner, args=(descriptor, launcher, base), daemon=True).start()
    gc.disable()  # collections find nothing while modules are made, and take time
    try:
        for kind in value_kinds.known():
            kind.one_thread()
    except UserError as error:
        pipe.send(("unusable", str(error)))
        launcher.close()
        return
    from autograder.judge.escape_test import quick_check
    from autograder.judge.verdict import JudgeContext

    module, _, function = config.perform.partition(":")
    do = getattr(importlib.import_module(module), function)
    gc.freeze()  # what is imported stays: no collection need look through it
    gc.enable()
    limit_memory(WORKER)
    try:
        if config.tier not in ("limits", "unconfined"):  # they claim to hold nothing back
            quick_check(launcher)
    except InfrastructureError as error:
        pipe.send(("unusable", str(error)))
        launcher.close()
        return
    try:
        while True:
            try:
                task, given_up, again = pipe.recv()
            except (EOFError, OSError):
                return
            try:
                context = JudgeContext(
                    config.key,
                    launcher,
                    config.limits,
                    given_up,
                    again,
                    lambda *what: pipe.send(("at", *what)),
                )
                reply: tuple[str, object] = ("done", do(task, context))
            except BrokenPipeError:
                return
            except (Exception, InfrastructureError) as error:
                reply = ("failed", f"{type(error).__name__}: {error}")
            with contextlib.suppress(BrokenPipeError):
                pipe.send(reply)
    finally:
        launcher.close()


def _leave_with_owner(descriptor: int, launcher: Any, base: str) -> None:
    """Wait for the owner's end of the pipe to close; a worker that is still busy a while later is ended."""
    poll = select.poll()
    poll.register(descriptor, 0)  # nothing but the hang-up
    poll.poll()
    time.sleep(LEAVE_SECONDS)
    with contextlib.suppress(Exception):
        launcher.close()
    shutil.rmtree(base, ignore_errors=True)
    os._exit(1)
