"""Judging many tasks: on this machine, with one thread for each slot, or on the workers of a Dask cluster
(`dask_pool`).

- Both use a `Crew`: slots are made as they are needed, and each must first judge the canaries correctly.
- Results come in the order in which they are ready. Only the calling thread takes tasks from their iterator,
  when slots are free.
"""

from __future__ import annotations

import concurrent.futures
from collections.abc import Generator, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any, TypeVar

from autograder.farm.config import SILENT, Events, JudgeConfig
from autograder.farm.crew import Crew
from autograder.sandbox.errors import InfrastructureError
from autograder.sandbox.tiers import best_tier
from kqa_core.errors import UserError
from kqa_core.hardware import cores

T = TypeVar("T")


def run_tasks(
    tasks: Iterable[T], config: JudgeConfig, events: Events = SILENT
) -> Generator[tuple[T, Any | InfrastructureError], None, None]:
    """Each task with its result, or with the InfrastructureError because of which it has none.

    Raises CanaryDeviates if a checker does not judge the canaries correctly, and UserError if the sandbox
    does not hold or the cluster cannot be used.
    """
    config = replace(config, tier=config.tier or best_tier())
    if config.scheduler is None:
        yield from _here(iter(tasks), config, events)
    else:
        try:
            from autograder.farm.dask_pool import on_cluster
        except ModuleNotFoundError as error:
            raise UserError(
                f"--scheduler: needs {error.name}; install what the extra `grade` names"
            ) from None
        yield from on_cluster(iter(tasks), config, events)


def _here(tasks: Iterator[T], config: JudgeConfig, events: Events) -> Iterator[tuple[T, Any]]:
    crew, workers = Crew(config, events), config.workers or cores()
    threads = concurrent.futures.ThreadPoolExecutor(workers, "slot")
    asked: dict[concurrent.futures.Future[Any], T] = {}
    try:
        while True:
            for task in islice(tasks, workers - len(asked)):
                asked[threads.submit(crew.do, task)] = task
            if not asked:
                return
            done, _ = concurrent.futures.wait(asked, return_when="FIRST_COMPLETED")
            for future in done:
                result = future.result()
                yield asked.pop(future), result
    finally:
        crew.close()
        threads.shutdown(cancel_futures=True)
