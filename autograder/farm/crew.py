"""The slots of one process."""

from __future__ import annotations

import concurrent.futures
import hashlib
import os
import platform
import re
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from autograder.farm.checker_process import Slot
from autograder.farm.config import SILENT, Events, JudgeConfig
from autograder.judge.canaries import CanaryDeviates
from autograder.judge.tasks import SubmissionTask
from autograder.paths import ROOT, read_course
from autograder.sandbox.errors import InfrastructureError
from kqa_core.files import digest_of
from kqa_core.hardware import cores

# the layers up to the farm
DECIDE = ("answer_key.py", "paths.py", "farm", "judge", "sandbox", "submissions", "worker")
NAMED = re.compile(r"\bcourse_(?:exercises|keys)(?:\.(\w+)| import (\([^)]*\)|[^\n]*))")


class Crew:
    """The slots of one process, made as they are needed. `events.working` is called with what each of them
    does.
    """

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

    def _of_slot(self, number: int) -> JudgeConfig:
        """The settings of a slot: where several judge side by side, one that starts many processes cannot
        slow the others.
        """
        if not hasattr(os, "sched_getaffinity") or (self.config.workers or cores()) == 1:
            return self.config
        processors = sorted(os.sched_getaffinity(0))
        # another run beside this one begins at another
        core = processors[(os.getpid() + number) % len(processors)]
        return replace(self.config, limits=replace(self.config.limits, core=core))

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
            # an idle one takes a moment to leave
            with concurrent.futures.ThreadPoolExecutor(len(slots)) as threads:
                list(threads.map(Slot.close, slots))

    def _take(self) -> tuple[str, Slot]:
        with self._lock:
            if self._free:
                return self._free.pop()
            slot = Slot(self._of_slot(len(self._all)))
            if self._closed:
                slot.close()  # it will judge nothing
            self._all.append(slot)
            name = f"slot {len(self._all)}"
        for canary in self.config.canaries:
            self._events.working(name, canary.task.label)
            found = canary.deviation(slot.do(canary.task))
            if found is not None and not self._closed:
                slot.close()
                raise CanaryDeviates(found)
        return name, slot


def code_digest(course: Path, notebook: str | None = None) -> str:
    """A digest of all code that decides a verdict on one notebook, or on any: what judges, the exercises and
    answer keys in the course folder `course`, and the versions of Python and of the packages that compute.

    The layers above the farm (people, report, export, commands) and the gradebook decide no verdict, because
    the judge cannot import them. Of the exercises and keys, those of the notebook count, and those that they
    import from other notebooks.
    """
    decides = [path for name in DECIDE if (path := ROOT / "autograder" / name).suffix]
    decides += [
        path
        for folder in (*DECIDE, ROOT / "kqa_core")
        for path in (ROOT / "autograder" / folder).rglob("*.py")
    ]
    # it holds the version, and a new number alone changes no verdict
    decides.remove(ROOT / "kqa_core" / "__init__.py")
    keys, exercises = read_course(course).keys, course / "source"
    halves = {
        folder: sorted(folder.glob(pattern))
        for folder, pattern in ((exercises, "*/exercises/*.py"), (keys, "*/*.py"))
    }
    chosen = (
        None if notebook is None else needed(notebook, [path for paths in halves.values() for path in paths])
    )
    digests = [digest_of(set(decides), ROOT)]
    digests += [
        digest_of([path for path in paths if chosen is None or path in chosen], at)
        for at, paths in halves.items()
    ]
    versions = [platform.python_version(), *read_course(course).versions()]
    return hashlib.sha256(f"{versions} {digests}".encode()).hexdigest()[:32]


def needed(notebook: str, paths: Sequence[Path]) -> set[Path]:
    """Of these exercises and keys, those of a notebook and all that they name, as `course_exercises.NAME` or
    in an import.

    A name is that of both halves: a key names its exercise, and the judge takes an exercise's key by its
    name.
    """
    by_name: dict[str, set[Path]] = {}
    for path in paths:
        by_name.setdefault(path.stem, set()).add(path)
    found: set[Path] = set()
    open_paths = [path for path in paths if notebook in path.parts]
    while open_paths:
        path = open_paths.pop()
        if path not in found:
            found.add(path)
            text = path.read_text(encoding="utf-8")
            named = {name for one, many in NAMED.findall(text) for name in re.findall(r"\w+", one or many)}
            open_paths += [each for name in named for each in by_name.get(name, ())]
    return found
