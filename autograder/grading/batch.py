"""A batch: takes every entry of the manifest through the ledger and the workers, until each has a result.

- An entry that was refused or has no notebook needs no judging. A result that the ledger holds is taken from
  there.
- `judge` judges in rounds what is free. A round leases each task when a worker is free for it, so
  coordinators that run at the same time share the work. A submission that takes long is put off.
- `judge_slow` judges with more time what was put off. If nothing was, it waits until another coordinator has
  judged one more, or has died. So slow ones hold up nobody.
- A round begins with the endless canary; what was put off is judged after it held. If a canary deviates, the
  results of this round and of interrupted rounds are dropped, and the caller gets `CanaryDeviates`. Nothing
  is handed out before its round has ended.
- The batch keeps results in memory, and no cells: these are read from the ledger when a submission is
  recorded.
- An infrastructure error is not kept: the next run tries again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.grading.code_digest import code_digest, row_key
from autograder.grading.config import SILENT, Events, JudgeConfig
from autograder.grading.ledger import Ledger, as_received
from autograder.grading.workers import run_tasks
from autograder.judge.canaries import CanaryDeviates, endless_answer, known_answers
from autograder.judge.results import Judged, Status, SubmissionResult
from autograder.judge.tasks import AnswerTask, Slow, SubmissionTask
from autograder.sandbox.errors import InfrastructureError
from autograder.submissions.merge import GraftedCell
from autograder.submissions.store import Submission

LOOK_SECONDS = 0.5  # between two looks at what another coordinator is doing


@dataclass(frozen=True)
class JudgedEntry:
    """An entry of the manifest and its result."""

    entry: Submission
    result: SubmissionResult
    key: str | None = None  # of its row in the ledger; None for an entry without a file
    # of a submission that could not be judged, which the ledger does not keep
    cells: tuple[GraftedCell, ...] | None = None


class Batch:
    """The entries to judge. `events.done` gets each result once; `events.judged` those judged by this run."""

    finished: bool  # whether every entry has its result: `judge` says so

    def __init__(
        self,
        entries: Sequence[Submission],
        store: Path,  # of the received versions
        instructors: dict[str, Path],  # the instructor's notebook of each assignment
        ledger: Ledger,
        config: JudgeConfig,  # with the course's key, and the tier of the sandbox
        events: Events = SILENT,
        mend: Callable[[Submission], bool] = lambda entry: (
            False
        ),  # puts back a stored version that is damaged
    ) -> None:
        self._mend = mend
        self.entries, self.store, self.instructors = entries, store, instructors
        self.ledger, self.config, self.events = ledger, config, events
        self.keys: dict[tuple[str, str], str] = {}  # of the entries that have a file, by student and notebook
        self._slow: dict[str, Submission] = {}  # what was put off, by key; this run holds its leases
        self._failed: dict[str, Judged] = {}  # what could not be judged, by key
        self._reported: set[tuple[str, str]] = set()
        code = {name: code_digest(config.checks, name) for name in instructors}
        texts = {name: path.read_text(encoding="utf-8") for name, path in instructors.items()}
        for entry in entries:
            if entry.file is not None:
                name = entry.assignment
                self.keys[entry.student, name] = row_key(entry, texts[name], code[name], config)
        self._by_key = {self.keys[entry.place]: entry for entry in entries if entry.place in self.keys}

    def judge(self) -> list[JudgedEntry]:
        """Judge what is free. Returns the results so far, in the manifest's order; all if `finished`.

        Raises CanaryDeviates, UserError.
        """
        while True:
            free, interrupted, held = self._to_do()
            if not free and not interrupted:
                break
            self._round([self._by_key[key] for key in free])
        self.finished = not held
        return self._judged(self._by_key if self.finished else self._by_key.keys() - {*held, *self._failed})

    def judge_slow(self) -> list[JudgedEntry]:
        """Judge what was put off, or wait for another coordinator; then as `judge`."""
        slow, self._slow = self._slow, {}
        if slow:
            self._round(slow.values(), patient=True)
        else:
            # the other may have ended since this run looked last: then there is nothing to wait for
            before = free, interrupted, held = self._to_do()
            while held and not free and not interrupted and self._to_do() == before:
                time.sleep(LOOK_SECONDS)
        return self.judge()

    def _to_do(self) -> tuple[list[str], list[str], list[str]]:
        """The keys that are free, those of interrupted runs, and those that somebody holds: another
        coordinator, or this run if they were put off.
        """
        return self.ledger.to_do([key for key in self._by_key if key not in self._failed])

    def _judged(self, ready: Collection[str]) -> list[JudgedEntry]:
        """The entries with these keys, and those that have nothing to judge, each with its result."""
        results = self.ledger.results(list(ready))
        judged = []
        for entry in self.entries:
            key = self.keys.get(entry.place)
            if key is not None and key not in ready:
                continue
            cells = None
            if key in self._failed:
                result, cells = self._failed[key].result, self._failed[key].cells
            else:
                result = as_received(results[key], entry) if key in results else _unjudged(entry)
            self._report(result)
            judged.append(JudgedEntry(entry, result, key, cells))
        return judged

    def _round(self, entries: Collection[Submission], patient: bool = False) -> None:
        """Judge those of these entries that are free; or, patiently, these, which were put off."""
        notebooks = [
            self.instructors[name]
            for name in sorted({entry.assignment for entry in self.entries if entry.file})
        ]
        endless = None if patient else endless_answer(notebooks)

        def tasks() -> Iterator[SubmissionTask | AnswerTask]:
            if endless is not None:
                yield endless.task
            for entry in entries:
                if patient or self.ledger.take(self.keys[entry.place], entry):
                    if self._mend(entry):
                        self.events.mended(entry)
                    instructor = self.instructors[entry.assignment]
                    yield SubmissionTask(
                        entry.alone, self.store, instructor, patient=patient or self.config.patient
                    )

        config = replace(self.config, canaries=known_answers(notebooks))
        try:
            # an exception in this loop stops the workers at once
            with closing(run_tasks(tasks(), config, self.events)) as judging:
                for task, result in judging:
                    if isinstance(task, SubmissionTask):
                        self._enter(task.submission, result)
                        continue
                    assert endless is not None, "the only answer among the tasks"
                    deviation = endless.deviation(result)
                    if deviation is not None:
                        raise CanaryDeviates(deviation)
        except CanaryDeviates:
            self.ledger.take_back()
            raise
        self.ledger.proved()

    def _enter(self, entry: Submission, result: Judged | Slow | InfrastructureError) -> None:
        """Enter what came of one submission."""
        key = self.keys[entry.place]
        if isinstance(result, Slow):
            self._slow[key] = entry
            return
        judged = Judged(_unjudged(entry, str(result))) if isinstance(result, InfrastructureError) else result
        if judged.result.status is Status.BROKEN:
            self._failed[key] = judged
            self.ledger.release(key)
        else:
            self.ledger.keep(key, judged)
        self._report(judged.result)
        self.events.judged(judged.result)

    def _report(self, result: SubmissionResult) -> None:
        place = (result.student, result.assignment)
        if place not in self._reported:
            self._reported.add(place)
            self.events.done(result)


def _unjudged(entry: Submission, why: str = "it was never judged") -> SubmissionResult:
    """The result of an entry that has nothing to judge, or that could not be judged."""
    if entry.refused is not None:
        return SubmissionResult.of(entry, Status.REFUSED, reason=entry.refused)
    if entry.file is None:
        return SubmissionResult.of(entry, Status.MISSING, reason="no notebook was submitted")
    return SubmissionResult.of(entry, Status.BROKEN, reason=why)
