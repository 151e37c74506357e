"""Many tasks on this machine: N workers side by side, each with one thread of this process.

- A worker is started when it is needed, and must first judge the canaries correctly.
- Results come in the order in which they are ready. Only the calling thread takes tasks from their iterator,
  when workers are free.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import os
import re
import threading
from collections.abc import Container, Generator, Iterable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from autograder.grading.config import SILENT, Events, JudgeConfig
from autograder.grading.worker import Worker
from autograder.judge.canaries import CanaryDeviates
from autograder.judge.tasks import ReadTask, ReadVersion, SubmissionTask
from autograder.sandbox.errors import InfrastructureError
from autograder.sandbox.tiers import best_tier
from autograder.submissions.stored_bytes import DamagedVersion, stored_bytes
from autograder.submissions.versions import Submission, read_history
from kqa_core.hardware import cores

T = TypeVar("T")
MOST_VERSIONS = 20  # of a student's notebook that are read for what the student asks there


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


def read_versions(
    course: Path, versions: Iterable[Submission], config: JudgeConfig
) -> dict[Submission, ReadVersion]:
    """What these versions hold, read in the sandbox as for grading; nothing is judged."""
    tasks = [
        ReadTask(version, course / "received", course / "source" / name / f"{name}.ipynb")
        for version in dict.fromkeys(versions)
        for name in [version.assignment]
    ]
    read = {}
    for task, result in run_tasks(tasks, config) if tasks else ():
        read[task.submission] = result if isinstance(result, ReadVersion) else ReadVersion()
    return read


def versions_with(course: Path, notebooks: Container[str], word: bytes) -> list[Submission]:
    """The newest versions that were received of these notebooks and in which this word stands, in small or
    large letters, oldest first: at most MOST_VERSIONS of a student's notebook.
    """
    store, pattern = course / "received", re.compile(re.escape(word), re.IGNORECASE)
    chosen = []
    for (_, name), events in read_history(store).items():
        files = {event.version: event for event in events if event.file and name in notebooks}
        theirs = []
        for _, version in sorted(files.items(), reverse=True):
            with contextlib.suppress(DamagedVersion):  # `grade` lists it
                if pattern.search(stored_bytes(store, version)):
                    theirs.append(version)
            if len(theirs) == MOST_VERSIONS:
                break
        chosen += theirs[::-1]
    return chosen


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
