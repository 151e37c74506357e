"""Checkers side by side: one process for each core, each with a warm parent of its own.

- A checker says what it begins and how long that may take. One that overruns, hung inside a C call on a hostile value, is
  killed with its workers, and its task starts again without the exercise at which it hung. A checker that dies on its own is
  our fault: the task is retried once, and then reported as lost.
- Results come in whatever order they are ready.
- This file imports nothing heavy, so that a checker can start its warm parent first and import torch and sympy meanwhile.
"""

from __future__ import annotations

import contextlib
import importlib
import multiprocessing
import multiprocessing.connection
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from autograder.judge.launcher import InfrastructureError, ZygoteLauncher
from autograder.judge.limits import Limits

if TYPE_CHECKING:
    from autograder.judge.tasks import Task

START_SECONDS = 180.0
PERFORM = "autograder.judge.tasks:perform"
T = TypeVar("T", bound="Task")


@dataclass
class _Job(Generic[T]):
    """A task and what befell it so far."""

    task: T
    given_up: frozenset[str] = frozenset()
    retried: bool = False


@dataclass
class _Checker(Generic[T]):
    """One checker process, seen from the coordinator."""

    process: Any
    pipe: Any
    job: _Job[T] | None = None
    at: str | None = None  # what it judges now
    until: float = field(default_factory=lambda: time.monotonic() + START_SECONDS)


def cores() -> int:
    """The processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_tasks(
    tasks: Iterable[T], key: bytes, limits: Limits | None = None, workers: int | None = None, perform: str = PERFORM
) -> Iterator[tuple[T, Any | InfrastructureError]]:
    """Each task with its result, or with the InfrastructureError for which it has none.

    `perform` names the function ("module:function") that does a task in a checker's process.
    """
    limits = limits or Limits()
    waiting = [_Job(task) for task in tasks][::-1]
    base = tempfile.mkdtemp(prefix="kqa-judge-")
    context = multiprocessing.get_context("spawn")
    checkers: list[_Checker[T]] = []

    def start() -> _Checker[T]:
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs, base, key, limits, perform), daemon=True)
        process.start()
        theirs.close()
        return _Checker(process, ours)

    try:
        checkers += [start() for _ in range(min(workers or cores(), len(waiting)))]
        while waiting or any(checker.job for checker in checkers):
            for number, checker in enumerate(checkers):
                if checker.job is None and waiting:
                    _give(checker, waiting.pop())
                if checker.job is not None and time.monotonic() > checker.until + limits.grace_seconds:
                    checker.process.kill()
                    yield from _after_kill(checker, waiting)
                    checkers[number] = start()
            for pipe in multiprocessing.connection.wait([checker.pipe for checker in checkers if checker.job], timeout=0.5):
                number = next(index for index, checker in enumerate(checkers) if checker.pipe is pipe)
                checker = checkers[number]
                try:
                    said, *rest = checker.pipe.recv()
                except (EOFError, OSError):
                    checker.process.join()
                    yield from _retry(checker, waiting, "the checker's process ended")
                    checkers[number] = start()
                    continue
                if said == "at":
                    checker.at, checker.until = rest[0], time.monotonic() + rest[1]
                elif said == "failed":
                    yield from _retry(checker, waiting, rest[0])
                else:
                    job, checker.job = checker.job, None
                    assert job is not None
                    yield job.task, rest[0]
    finally:
        for checker in checkers:
            checker.pipe.close()
            checker.process.kill() if checker.job else checker.process.join(5)
            checker.process.kill()
        for checker in checkers:
            checker.process.join()
        shutil.rmtree(base, ignore_errors=True)


def _give(checker: _Checker[T], job: _Job[T]) -> None:
    checker.job, checker.at = job, None
    checker.until = time.monotonic() + START_SECONDS
    with contextlib.suppress(OSError):  # a checker that is gone shows as an end of its pipe
        checker.pipe.send((job.task, job.given_up))


def _retry(checker: _Checker[T], waiting: list[_Job[T]], reason: str) -> Iterator[tuple[T, InfrastructureError]]:
    job, checker.job = checker.job, None
    assert job is not None
    if job.retried:
        yield job.task, InfrastructureError(reason)
    else:
        job.retried = True
        waiting.append(job)


def _after_kill(checker: _Checker[T], waiting: list[_Job[T]]) -> Iterator[tuple[T, InfrastructureError]]:
    from autograder.judge.checker import CELLS

    job = checker.job
    assert job is not None
    if checker.at in (None, CELLS) or checker.at in job.given_up:
        yield from _retry(checker, waiting, "the checker hung")
    else:
        checker.job = None
        waiting.append(_Job(job.task, job.given_up | {str(checker.at)}, job.retried))


def _serve(pipe: Any, base: str, key: bytes, limits: Limits, perform: str) -> None:
    """A checker process: judge tasks until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the coordinator's, which ends its checkers
    launcher = ZygoteLauncher(limits, Path(base))
    import torch

    module, _, function = perform.partition(":")
    do = getattr(importlib.import_module(module), function)
    torch.set_num_threads(1)
    try:
        while True:
            try:
                task, given_up = pipe.recv()
            except (EOFError, OSError):
                return
            try:
                reply: tuple[str, object] = (
                    "done",
                    do(task, key, launcher, limits, given_up, lambda *what: pipe.send(("at", *what))),
                )
            except Exception as error:
                reply = ("failed", f"{type(error).__name__}: {error}")
            pipe.send(reply)
    finally:
        launcher.close()
