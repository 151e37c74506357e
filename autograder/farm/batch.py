"""A batch: takes every entry of the manifest through the ledger and the farm, until each has a result.

- An entry that was refused or has no notebook needs no judging. A result that the ledger holds is taken from there.
- A submission that takes long is judged again after all others, with more time. So slow ones hold up nobody.
- The rest is judged in rounds. A round leases each task when a slot is free for it, so coordinators that run at the same time
  share the work. A task that another coordinator holds is waited for, and taken over if that coordinator dies.
- A round begins with the endless canary. If a canary deviates, the results of this round and of interrupted rounds are dropped,
  and the caller gets `CanaryDeviates`.
- An infrastructure error is not kept: the next run tries again.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from autograder.farm.config import SILENT, Events, JudgeConfig
from autograder.farm.crew import code_digest
from autograder.farm.ledger import Ledger, as_received, row_key
from autograder.farm.pool import run_tasks
from autograder.judge.canaries import CanaryDeviates, endless_answer, known_answers
from autograder.judge.results import Judged, Status, SubmissionResult
from autograder.judge.tasks import AnswerTask, Slow, SubmissionTask
from autograder.sandbox.errors import InfrastructureError
from autograder.submissions.store import Submission

LOOK_SECONDS = 0.5  # between two looks at what another coordinator is doing


@dataclass
class Batch:
    """The entries to judge. `events.done` is called with each result, once."""

    entries: Sequence[Submission]
    store: Path  # of the received versions
    instructors: dict[str, Path]  # the instructor's notebook of each assignment
    ledger: Ledger
    config: JudgeConfig  # with the course's key, and the tier of the sandbox
    events: Events = SILENT
    keys: dict[tuple[str, str], str] = field(default_factory=dict)  # of the entries that have a file, by student and notebook
    _reported: set[tuple[str, str]] = field(default_factory=set)

    def __post_init__(self) -> None:
        code = {name: code_digest(self.config.checks, name) for name in self.instructors}
        texts = {name: path.read_text(encoding="utf-8") for name, path in self.instructors.items()}
        for entry in self.entries:
            if entry.file is not None:
                self.keys[entry.student, entry.assignment] = row_key(
                    entry, texts[entry.assignment], code[entry.assignment], self.config
                )

    def judge(self) -> list[Judged]:
        """A result for every entry, in the manifest's order. Raises CanaryDeviates, UserError."""
        by_key = {self.keys[place]: entry for entry in self.entries if (place := (entry.student, entry.assignment)) in self.keys}
        broken: dict[str, Judged] = {}
        for entry in self.entries:
            if entry.file is None:
                self._report(self._unjudged(entry))
        for key, judged in self.ledger.results(list(by_key)).items():
            self._report(as_received(judged, by_key[key]))
        while True:
            free, cut, others = self.ledger.to_do([key for key in by_key if key not in broken])
            if free or cut:
                broken |= self._round({key: by_key[key] for key in free})
            elif others:
                time.sleep(LOOK_SECONDS)
            else:
                break
        kept = self.ledger.results(list(by_key))
        found = []
        for entry in self.entries:
            key = self.keys.get((entry.student, entry.assignment), "")
            judged = broken.get(key) or (as_received(kept[key], entry) if key in kept else self._unjudged(entry))
            self._report(judged)
            found.append(judged)
        return found

    def verdicts(
        self, assignment: str, judged: Sequence[Judged], shared: Collection[tuple[str, str]] = ()
    ) -> list[tuple[str | None, Judged]]:
        """The results of one notebook, each with its key in the ledger.

        The key is None where the ledger keeps none for the next run, and for students who share a submission (`shared`).
        """
        found = [each for each in judged if each.result.assignment == assignment]
        return [
            (None if each.result.status is Status.BROKEN or place in shared else self.keys.get(place), each)
            for each, place in ((each, (each.result.student, assignment)) for each in found)
        ]

    def _round(self, free: dict[str, Submission]) -> dict[str, Judged]:
        """Judge those of these entries that are free. Returns the results of those that could not be judged, by key."""
        notebooks = [self.instructors[name] for name in sorted({entry.assignment for entry in self.entries if entry.file})]
        endless = endless_answer(notebooks)
        broken: dict[str, Judged] = {}
        slow: list[Submission] = []

        def tasks() -> Iterator[SubmissionTask | AnswerTask]:
            if endless is not None:
                yield endless.task
            for key, entry in free.items():
                if self.ledger.take(key, entry):
                    yield SubmissionTask(entry, self.store, self.instructors[entry.assignment])

        def results() -> Generator[tuple[SubmissionTask | AnswerTask, Any], None, None]:
            with closing(run_tasks(tasks(), config, self.events)) as first:
                yield from first
            if slow:
                again = (SubmissionTask(entry, self.store, self.instructors[entry.assignment], patient=True) for entry in slow)
                with closing(run_tasks(again, config, self.events)) as last:
                    yield from last

        config = replace(self.config, canaries=known_answers(notebooks))
        try:
            with closing(results()) as judging:  # an exception in this loop stops the slots at once
                for task, result in judging:
                    if isinstance(task, AnswerTask):
                        deviation = endless.deviation(result) if endless is not None else None
                        if deviation is not None:
                            raise CanaryDeviates(deviation)
                        continue
                    entry = task.submission
                    if isinstance(result, Slow):
                        slow.append(entry)
                        continue
                    key = self.keys[entry.student, entry.assignment]
                    judged = self._unjudged(entry, str(result)) if isinstance(result, InfrastructureError) else result
                    if judged.result.status is Status.BROKEN:
                        broken[key] = judged
                        self.ledger.release(key)
                    else:
                        self.ledger.keep(key, judged)
                    self._report(judged)
        except CanaryDeviates:
            self.ledger.take_back()
            raise
        self.ledger.proved()
        return broken

    def _unjudged(self, entry: Submission, why: str = "it was never judged") -> Judged:
        """The result of an entry that has nothing to judge, or that could not be judged."""
        if entry.refused is not None:
            return Judged(SubmissionResult.of(entry, Status.REFUSED, reason=entry.refused))
        if entry.file is None:
            return Judged(SubmissionResult.of(entry, Status.MISSING, reason="no notebook was submitted"))
        return Judged(SubmissionResult.of(entry, Status.BROKEN, reason=why))

    def _report(self, judged: Judged) -> None:
        place = (judged.result.student, judged.result.assignment)
        if place not in self._reported:
            self._reported.add(place)
            self.events.done(judged.result)
