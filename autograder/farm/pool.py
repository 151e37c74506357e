"""Judging many tasks on this machine, with one thread for each slot.

- Slots are made as they are needed, and each must first judge the canaries correctly.
- Results come in the order in which they are ready. Only the calling thread takes tasks from their iterator,
  when slots are free.
"""

from __future__ import annotations

import concurrent.futures
from collections.abc import Generator, Iterable
from dataclasses import replace
from itertools import islice
from typing import Any, TypeVar

from autograder.farm.config import SILENT, Events, JudgeConfig
from autograder.farm.crew import Crew
from autograder.sandbox.errors import InfrastructureError
from autograder.sandbox.tiers import best_tier
from kqa_core.hardware import cores

T = TypeVar("T")


def run_tasks(
    tasks: Iterable[T], config: JudgeConfig, events: Events = SILENT
) -> Generator[tuple[T, Any | InfrastructureError], None, None]:
    """Each task with its result, or with the InfrastructureError because of which it has none.

    Raises CanaryDeviates if a checker does not judge the canaries correctly, and UserError if the sandbox
    does not hold.
    """
    config = replace(config, tier=config.tier or best_tier())
    waiting = iter(tasks)
    crew, workers = Crew(config, events), config.workers or cores()
    threads = concurrent.futures.ThreadPoolExecutor(workers, "slot")
    asked: dict[concurrent.futures.Future[Any], T] = {}
    try:
        while True:
            for task in islice(waiting, workers - len(asked)):
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
