"""Many slots: on this machine, one thread for each, or on the workers of a Dask cluster (`cluster`).

- Both ways a `Crew` does the work: slots made as they are needed, each of which must first judge the canaries as they should be.
- Results come in whatever order they are ready. Tasks are taken from their iterator as slots become free, by this thread alone.
"""

from __future__ import annotations

import concurrent.futures
import hashlib
import platform
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from autograder.judge.canaries import Canary, CanaryDeviates
from autograder.judge.launcher import InfrastructureError
from autograder.judge.limits import Limits
from autograder.judge.sandbox import best_tier
from autograder.judge.slot import PERFORM, Slot
from autograder.judge.tasks import SubmissionTask
from kqa_core.cores import cores
from kqa_core.errors import UserError

T = TypeVar("T")
Watch = Callable[[str, str], None]


@dataclass(frozen=True)
class Setting:
    """What the slots of a run have in common."""

    key: bytes
    limits: Limits
    tier: str
    perform: str = PERFORM
    canaries: tuple[Canary, ...] = ()
    course: str = ""  # on a cluster: the fingerprint of the sources that must judge
    run: str = ""  # on a cluster: whose slots these are


class Crew:
    """The slots of one process. `watch` is told a slot's name and what it begins to judge, "" when it rests."""

    def __init__(self, setting: Setting, watch: Watch = lambda slot, what: None) -> None:
        self.setting, self._watch = setting, watch
        self._lock = threading.Lock()
        self._free: list[tuple[str, Slot]] = []
        self._all: list[Slot] = []
        self._closed = False

    def do(self, task: object) -> Any | InfrastructureError:
        """Judge a task on a free slot, or on a new one. Raises CanaryDeviates, UserError."""
        name, slot = self._take()
        try:
            about = f"{task.student} " if isinstance(task, SubmissionTask) else ""
            slot.heard = lambda what: self._watch(name, f"{about}{what}")
            slot.heard("")
            return slot.do(task)
        finally:
            self._watch(name, "")
            with self._lock:
                self._free.append((name, slot))

    def rest(self) -> None:
        """End the slots that judge nothing now."""
        with self._lock:
            slots = [slot for _, slot in self._free]
            self._free.clear()
        for slot in slots:
            slot.close()

    def close(self) -> None:
        """End every slot, whatever it does."""
        with self._lock:
            self._closed = True
            slots = list(self._all)
        if slots:
            with concurrent.futures.ThreadPoolExecutor(len(slots)) as threads:  # one at rest takes its time to leave
                list(threads.map(Slot.close, slots))

    def _take(self) -> tuple[str, Slot]:
        with self._lock:
            if self._free:
                return self._free.pop()
            slot = Slot(self.setting.key, self.setting.limits, self.setting.tier, self.setting.perform)
            if self._closed:
                slot.close()  # it will judge nothing
            self._all.append(slot)
            name = f"slot {len(self._all)}"
        for canary in self.setting.canaries:
            self._watch(name, canary.task.label)
            found = canary.deviation(slot.do(canary.task))
            if found is not None and not self._closed:
                slot.close()
                raise CanaryDeviates(f"{platform.node()}: {found}")
        return name, slot


def fingerprint() -> str:
    """A hash of what decides: the sources of `autograder` and `kqa_core`, torch's version and Python's."""
    from importlib.metadata import version

    digest = hashlib.sha256(f"{platform.python_version()} {version('torch')}\n".encode())
    root = Path(__file__).resolve().parents[2]
    for path in sorted(path for package in ("autograder", "kqa_core") for path in (root / package).rglob("*.py")):
        digest.update(f"{path.relative_to(root).as_posix()}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:32]


def run_tasks(
    tasks: Iterable[T],
    key: bytes,
    limits: Limits | None = None,
    workers: int | None = None,
    perform: str = PERFORM,
    tier: str | None = None,
    scheduler: str | None = None,
    canaries: tuple[Canary, ...] = (),
    watch: Watch = lambda slot, what: None,
) -> Generator[tuple[T, Any | InfrastructureError], None, None]:
    """Each task with its result, or with the InfrastructureError for which it has none.

    `workers` slots are used here, or those of the Dask cluster at `scheduler`. Raises CanaryDeviates where a slot does not judge
    the canaries as it should, UserError where the sandbox does not hold or the cluster cannot be used.
    """
    setting = Setting(key, limits or Limits(), tier or best_tier(), perform, canaries)
    if scheduler is None:
        yield from _here(iter(tasks), setting, workers or cores(), watch)
    else:
        try:
            from autograder.judge.cluster import on_cluster
        except ModuleNotFoundError as error:
            raise UserError(f"--scheduler: needs {error.name}; install what the extra `grade` names") from None
        yield from on_cluster(iter(tasks), setting, scheduler, watch)


def _here(tasks: Iterator[T], setting: Setting, workers: int, watch: Watch) -> Iterator[tuple[T, Any]]:
    crew = Crew(setting, watch)
    threads = concurrent.futures.ThreadPoolExecutor(workers, "slot")
    asked: dict[concurrent.futures.Future[Any], T] = {}
    try:
        while True:
            for task in upto(tasks, workers - len(asked)):
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


def upto(tasks: Iterator[T], number: int) -> Iterator[T]:
    """The next tasks, at most so many."""
    for _ in range(number):
        try:
            yield next(tasks)
        except StopIteration:
            return
