"""The slots of one process, for the pool of this machine and for the workers of a Dask cluster."""

from __future__ import annotations

import concurrent.futures
import hashlib
import platform
import threading
from pathlib import Path
from typing import Any

from autograder.farm.checker_process import Slot
from autograder.farm.config import SILENT, Events, JudgeConfig
from autograder.judge.canaries import CanaryDeviates
from autograder.judge.tasks import SubmissionTask
from autograder.paths import ROOT, course_folder, read_course
from autograder.sandbox.errors import InfrastructureError
from kqa_core.files import digest_of


class Crew:
    """The slots of one process, made as they are needed. `events.working` is called with what each of them does."""

    def __init__(self, config: JudgeConfig, events: Events = SILENT) -> None:
        self.config, self._events = config, events
        self._lock = threading.Lock()
        self._free: list[tuple[str, Slot]] = []
        self._all: list[Slot] = []
        self._closed = False

    def do(self, task: object) -> Any | InfrastructureError:
        """Judge a task on a free slot, or on a new one. Raises CanaryDeviates, UserError."""
        name, slot = self._take()
        try:
            about = f"{task.submission.student} " if isinstance(task, SubmissionTask) else ""
            slot.heard = lambda what: self._events.working(name, f"{about}{what}")
            slot.heard("")
            return slot.do(task)
        finally:
            self._events.working(name, "")
            with self._lock:
                self._free.append((name, slot))

    def rest(self) -> None:
        """End the idle slots."""
        with self._lock:
            slots = [slot for _, slot in self._free]
            self._free.clear()
        for slot in slots:
            slot.close()

    def close(self) -> None:
        """End every slot, also the busy ones."""
        with self._lock:
            self._closed = True
            slots = list(self._all)
        if slots:
            with concurrent.futures.ThreadPoolExecutor(len(slots)) as threads:  # an idle one takes a moment to leave
                list(threads.map(Slot.close, slots))

    def _take(self) -> tuple[str, Slot]:
        with self._lock:
            if self._free:
                return self._free.pop()
            slot = Slot(self.config)
            if self._closed:
                slot.close()  # it will judge nothing
            self._all.append(slot)
            name = f"slot {len(self._all)}"
        for canary in self.config.canaries:
            self._events.working(name, canary.task.label)
            found = canary.deviation(slot.do(canary.task))
            if found is not None and not self._closed:
                slot.close()
                raise CanaryDeviates(f"{platform.node()}: {found}")
        return name, slot


def course_here(folder: Path) -> Path:
    """The coordinator's course folder if this machine has it, else the course of this process."""
    return folder if (folder / "source").is_dir() else course_folder()


def code_digest(course: Path) -> str:
    """A digest of all code that decides a verdict: the sources of `autograder` and `kqa_core`, the exercises and keys in the
    course folder `course`, torch's version and Python's.
    """
    from importlib.metadata import version

    code = digest_of((path for package in ("autograder", "kqa_core") for path in (ROOT / package).rglob("*.py")), ROOT)
    keys = read_course(course).keys
    sources = [code, digest_of((course / "source").glob("*/exercises/*.py"), course), digest_of(keys.glob("*/*.py"), keys)]
    return hashlib.sha256(f"{platform.python_version()} {version('torch')} {sources}".encode()).hexdigest()[:32]
