"""The slots of one process, and what they have in common: shared by the pool of this machine and that of a Dask cluster."""

from __future__ import annotations

import concurrent.futures
import hashlib
import platform
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from autograder.farm.checker_process import PERFORM, Slot
from autograder.judge.canaries import Canary, CanaryDeviates
from autograder.judge.tasks import SubmissionTask
from autograder.paths import ROOT, course_folder, read_course
from autograder.sandbox.errors import InfrastructureError
from autograder.sandbox.limits import Limits
from kqa_core.files import digest_of

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
    course: str = ""  # on a cluster: the digest of the sources that must judge
    folder: str = ""  # on a cluster: the coordinator's course folder
    run: str = ""  # on a cluster: whose slots these are


class Crew:
    """The slots of one process. `watch` is told a slot's name and what it begins to judge, "" when it rests."""

    def __init__(self, setting: Setting, watch: Watch = lambda slot, what: None) -> None:
        self.setting, self._watch, self.folder = setting, watch, course_here(setting.folder)
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
            slot = Slot(self.setting.key, self.setting.limits, self.setting.tier, self.setting.perform, str(self.folder))
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


def course_here(folder: str) -> Path:
    """The coordinator's course folder if this machine has it, else the course of this process."""
    return Path(folder) if folder and Path(folder, "source").is_dir() else course_folder()


def code_digest(course: Path) -> str:
    """A digest of all code that decides a verdict: the sources of `autograder` and `kqa_core`, the exercises and keys in the
    course folder `course`, torch's version and Python's.
    """
    from importlib.metadata import version

    code = digest_of((path for package in ("autograder", "kqa_core") for path in (ROOT / package).rglob("*.py")), ROOT)
    keys = read_course(course).keys
    sources = [code, digest_of((course / "source").glob("*/exercises/*.py"), course), digest_of(keys.glob("*/*.py"), keys)]
    return hashlib.sha256(f"{platform.python_version()} {version('torch')} {sources}".encode()).hexdigest()[:32]


def upto(tasks: Iterator[T], number: int) -> Iterator[T]:
    """The next tasks, at most so many."""
    for _ in range(number):
        try:
            yield next(tasks)
        except StopIteration:
            return
