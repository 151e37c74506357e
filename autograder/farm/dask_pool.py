"""Slots on the workers of a Dask cluster.

- A Dask worker owns its slots as child processes, at most one for each of its threads. It judges nothing in
  its own process, so a submission cannot harm another one, and the slots end when the worker does.
- Tasks carry their bytes: no disk is shared. A worker whose sources, torch or Python differ from ours judges
  nothing.
- The scheduler holds a few tasks for each thread, not the whole class. The tasks of a lost worker are sent
  again, also if Dask blames a task for the workers that died while running it: the student's code never ran
  in those processes.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import logging
import platform
import threading
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, TypeVar

import distributed
from distributed.scheduler import KilledWorker

from autograder.farm.config import Events, JudgeConfig
from autograder.farm.crew import Crew, code_digest, course_here
from autograder.judge.canaries import CanaryDeviates, without_outputs
from autograder.judge.tasks import AnswerTask, SubmissionTask
from autograder.sandbox.errors import InfrastructureError
from kqa_core.errors import UserError, first_line

CONNECT_SECONDS = 8
IDLE_SECONDS = 300.0  # after which the slots of an idle worker are ended
KILLED = 20  # Dask workers that may be lost on one task
LEAST = 8  # tasks sent even if there is no worker yet: a cluster that grows with its work must see some
LOST = object()
T = TypeVar("T")


@dataclass(frozen=True)
class ClusterRun:
    """One run, as the workers of a cluster know it."""

    config: JudgeConfig
    code: str  # the digest of the code that must judge
    name: str


def on_cluster(tasks: Iterator[T], config: JudgeConfig, events: Events) -> Iterator[tuple[T, Any]]:
    """As `run_tasks`, on the cluster at `config.scheduler`."""
    run, scheduler = ClusterRun(config, code_digest(config.checks), uuid.uuid4().hex), str(config.scheduler)
    client = _connected(scheduler)
    # if the scheduler's machine has the course; else tasks are sent again
    with contextlib.suppress(Exception):
        client.run_on_scheduler(_blame_no_task)
    asked: dict[Any, tuple[T, int]] = {}  # with the number of workers lost on it
    try:
        while True:
            wanted = max(LEAST, 2 * sum(client.nthreads().values())) - len(asked)
            for task in islice(tasks, max(0, wanted)):  # a worker that leaves makes it negative
                asked[client.submit(judge_on_worker, run, packed(task), pure=False)] = task, 0
            if not asked:
                return
            done = _finished(list(asked))
            if client.status != "running":
                raise UserError(f"{scheduler}: the scheduler is gone; run the same command again to go on")
            for future in done:
                task, lost = asked.pop(future)
                result = _result(future)
                if result is LOST and lost < KILLED:
                    asked[client.submit(judge_on_worker, run, packed(task), pure=False)] = task, lost + 1
                    continue
                where, said = (
                    ("", InfrastructureError(f"{lost} Dask workers were lost on it"))
                    if result is LOST
                    else result
                )
                events.working(where, task.submission.student if isinstance(task, SubmissionTask) else "")
                yield task, said
    finally:
        with contextlib.suppress(Exception):
            client.cancel(list(asked))
            client.run(close_crew, run.name, on_error="ignore")
        with contextlib.suppress(Exception):
            client.close(timeout=5)


def _connected(scheduler: str) -> Any:
    for name in ("distributed.client", "distributed.comm"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # we report errors ourselves, once
    try:
        return distributed.Client(scheduler, timeout=CONNECT_SECONDS)  # type: ignore[no-untyped-call]
    except (OSError, TimeoutError, ValueError, ImportError) as error:
        raise UserError(
            f"{scheduler}: no Dask scheduler answers there ({first_line(error)}); start one with `dask"
            " scheduler`"
        ) from None


def _finished(futures: list[Any]) -> list[Any]:
    """Wait until a task is done or lost. Returns those."""
    try:
        return list(distributed.wait(futures, return_when="FIRST_COMPLETED").done)  # type: ignore[no-untyped-call]
    except (concurrent.futures.CancelledError, OSError, RuntimeError):
        return [future for future in futures if future.done()]


def _result(future: Any) -> Any:
    """The return value of `judge_on_worker`, or LOST. Raises what must stop the run."""
    try:
        return future.result()
    except (KilledWorker, concurrent.futures.CancelledError):
        return LOST
    except (CanaryDeviates, UserError):
        raise
    except ModuleNotFoundError as error:
        raise UserError(
            f"a Dask worker lacks {error.name}; install the course and its requirements there"
        ) from None
    except Exception as error:
        return "", InfrastructureError(f"{type(error).__name__}: {error}")


def _blame_no_task(dask_scheduler: Any) -> None:
    dask_scheduler.allowed_failures = max(dask_scheduler.allowed_failures, 1000)


def packed(task: T) -> T:
    """The task with all the bytes it needs on another machine."""
    if isinstance(task, SubmissionTask) and task.content is None and task.submission.file is not None:
        data = (task.store / task.submission.file).read_bytes()
        return replace(task, content=data, skeleton=task.skeleton or without_outputs(task.instructor))
    if isinstance(task, AnswerTask) and task.skeleton is None:
        return replace(task, skeleton=without_outputs(task.instructor))
    return task


_crews: dict[str, Crew] = {}  # of this Dask worker, by run
_crews_lock = threading.Lock()
_timer: threading.Timer | None = None


def judge_on_worker(run: ClusterRun, task: object) -> tuple[str, Any]:
    """Runs in a Dask worker's thread: the worker's name and a slot's result. Raises CanaryDeviates,
    UserError.
    """
    name = str(distributed.get_worker().address)
    try:
        return name, _crew(run).do(task)
    except CanaryDeviates as deviates:
        raise CanaryDeviates(f"{name} on {deviates}") from None
    except UserError as error:
        raise UserError(f"{name} on {platform.node()}: {error}") from None
    finally:
        _rest_later()


def _crew(run: ClusterRun) -> Crew:
    """This Dask worker's slots for a run. Idle slots of other runs are ended."""
    with _crews_lock:
        if run.name not in _crews:
            checks = course_here(run.config.checks)
            here = code_digest(checks)
            if here != run.code:
                differs = f"course {here[:8]}, expected {run.code[:8]}"
                raise UserError(
                    f"has {differs}: sources, torch or Python differ; install the same on every worker"
                )
            for other in _crews.values():
                other.rest()
            _crews[run.name] = Crew(replace(run.config, checks=checks))
        return _crews[run.name]


def _rest_later() -> None:
    """End this Dask worker's slots after a while without a task: their coordinator may be gone."""
    global _timer
    with _crews_lock:
        if _timer is not None:
            _timer.cancel()
        _timer = threading.Timer(IDLE_SECONDS, _rest)
        _timer.daemon = True
        _timer.start()


def _rest() -> None:
    for crew in list(_crews.values()):
        crew.rest()


def close_crew(name: str) -> None:
    """End this Dask worker's slots of a run."""
    with _crews_lock:
        crew = _crews.pop(name, None)
    if crew is not None:
        crew.close()
