"""Many tasks on this machine: N workers side by side, each with one thread of this process.

- A worker is started when it is needed, and must first judge the canaries correctly.
- Results come in the order in which they are ready. Only the calling thread takes tasks from their iterator,
  when workers are free.
"""

from __future__ import annotations

import concurrent.futures
import os
import threading
from collections.abc import Generator, Iterable
from dataclasses import replace
from itertools import islice
from typing import Any, TypeVar

from autograder.grading.config import SILENT, Events, JudgeConfig
from autograder.grading.worker import Worker
from autograder.judge.canaries import CanaryDeviates
from autograder.judge.tasks import SubmissionTask
from autograder.sandbox.errors import InfrastructureError
from autograder.sandbox.tiers import best_tier
from kqa_core.hardware import cores

T = TypeVar("T")


def run_tasks(
    tasks: Iterable[T], config: JudgeConfig, events: Events = SILENT
) -> Generator[tuple[T, Any | InfrastructureError], None, None]:
    """Each task with its result, or with the InfrastructureError because of which it has none.

    `events.working` is called with what each worker does. Raises CanaryDeviates if a worker does not judge
    the canaries correctly, and UserError if the sandbox does not hold.
    """
    config = replace(config, tier=config.tier or best_tier())
    count, waiting = config.workers or cores(), iter(tasks)
    workers, threads = Workers(config, events), concurrent.futures.ThreadPoolExecutor(count, "worker")
    running: dict[concurrent.futures.Future[Any], T] = {}
    try:
        while True:
            for task in islice(waiting, count - len(running)):
                running[threads.submit(workers.do, task)] = task
            if not running:
                return
            done, _ = concurrent.futures.wait(running, return_when="FIRST_COMPLETED")
            for future in done:
                result = future.result()
                yield running.pop(future), result
    finally:
        workers.close()
        threads.shutdown(cancel_futures=True)


class Workers:
    """The workers of this process. Its methods may be called from several threads."""

    def __init__(self, config: JudgeConfig, events: Events = SILENT) -> None:
        self.config, self._events = config, events
        self._lock = threading.Lock()
        self._free: list[tuple[str, Worker]] = []
        self._all: list[Worker] = []
        self._closed = False

    def do(self, task: object) -> Any | InfrastructureError:
        """Judge a task on a free worker, or on a new one. Raises CanaryDeviates, UserError."""
        name, worker = self._take()
        try:
            student = f"{task.submission.student} " if isinstance(task, SubmissionTask) else ""
            worker.heard = lambda what: self._events.working(name, f"{student}{what}")
            worker.heard("")
            return worker.do(task)
        finally:
            self._events.working(name, "")
            with self._lock:
                self._free.append((name, worker))

    def close(self) -> None:
        """End every worker, also the busy ones."""
        with self._lock:
            self._closed = True
            workers = list(self._all)
        if workers:
            # an idle one takes a moment to leave
            with concurrent.futures.ThreadPoolExecutor(len(workers)) as threads:
                list(threads.map(Worker.close, workers))

    def config_of(self, number: int) -> JudgeConfig:
        """The settings of one worker. Where several judge side by side, each has one processor, so that a
        submission that starts many processes cannot slow the others.
        """
        if not hasattr(os, "sched_getaffinity") or (self.config.workers or cores()) == 1:
            return self.config
        processors = sorted(os.sched_getaffinity(0))
        # another run beside this one begins at another
        core = processors[(os.getpid() + number) % len(processors)]
        return replace(self.config, limits=replace(self.config.limits, core=core))

    def _take(self) -> tuple[str, Worker]:
        """A free worker and its name; or a new one, which has judged the canaries."""
        with self._lock:
            if self._free:
                return self._free.pop()
            worker = Worker(self.config_of(len(self._all)))
            if self._closed:
                worker.close()  # it will judge nothing
            self._all.append(worker)
            name = f"worker {len(self._all)}"
        for canary in self.config.canaries:
            self._events.working(name, canary.task.label)
            deviation = canary.deviation(worker.do(canary.task))
            if deviation is not None and not self._closed:
                worker.close()
                raise CanaryDeviates(deviation)
        return name, worker
