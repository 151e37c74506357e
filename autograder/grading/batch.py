"""A batch: takes every entry of the manifest through the ledger and the workers, until each has a result.

- An entry that was refused or has no notebook needs no judging. A result that the ledger holds is taken from
  there.
- A submission that takes long is judged again after all others, with more time. The results of the others are
  handed out before that, and before another coordinator is waited for. So slow ones hold up nobody.
- The batch keeps results in memory, and no cells: these are read from the ledger when a submission is
  recorded.
- The rest is judged in rounds. A round leases each task when a worker is free for it, so coordinators that run
  at the same time share the work. A task that another coordinator holds is waited for, and taken over if that
  coordinator dies.
- A round begins with the endless canary; the slow ones are judged after it held. If a canary deviates, the
  results of this round and of interrupted rounds are dropped, and the caller gets `CanaryDeviates`. Nothing
  is handed out before its round has ended.
- An infrastructure error is not kept: the next run tries again.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from autograder.grading.code_digest import code_digest
from autograder.grading.config import SILENT, Events, JudgeConfig
from autograder.grading.ledger import Ledger, as_received, row_key
from autograder.grading.workers import run_tasks
from autograder.judge.canaries import CanaryDeviates, endless_answer, known_answers
from autograder.judge.results import Judged, Status, SubmissionResult
from autograder.judge.tasks import AnswerTask, Slow, SubmissionTask
from autograder.sandbox.errors import InfrastructureError
from autograder.submissions.merge import GraftedCell
from autograder.submissions.store import Submission

LOOK_SECONDS = 0.5  # between two looks at what another coordinator is doing
Found = tuple[Submission, SubmissionResult]


@dataclass
class Batch:
    """The entries to judge. `events.done` is called with each result, once."""

    entries: Sequence[Submission]
    store: Path  # of the received versions
    instructors: dict[str, Path]  # the instructor's notebook of each assignment
    ledger: Ledger
    config: JudgeConfig  # with the course's key, and the tier of the sandbox
    events: Events = SILENT
    # of the entries that have a file, by student and notebook
    keys: dict[tuple[str, str], str] = field(default_factory=dict)
    _reported: set[tuple[str, str]] = field(default_factory=set)
    # what could not be judged, by key: the ledger does not keep it
    _broken: dict[str, Judged] = field(default_factory=dict)

    def __post_init__(self) -> None:
        code = {name: code_digest(self.config.checks, name) for name in self.instructors}
        texts = {name: path.read_text(encoding="utf-8") for name, path in self.instructors.items()}
        for entry in self.entries:
            if entry.file is not None:
                self.keys[entry.student, entry.assignment] = row_key(
                    entry, texts[entry.assignment], code[entry.assignment], self.config
                )

    def judge(self) -> Generator[list[Found], None, None]:
        """The entries that have a result, in the manifest's order: first those that need not wait for slow
        ones, at last all.

        Raises CanaryDeviates, UserError.
        """
        by_key = {
            self.keys[place]: entry
            for entry in self.entries
            if (place := (entry.student, entry.assignment)) in self.keys
        }
        for entry in self.entries:
            if entry.file is None:
                self._report(self._unjudged(entry))
        for key, result in self.ledger.results(list(by_key)).items():
            self._report(as_received(result, by_key[key]))
        slow: list[str] = []
        handed_out = -1
        while True:
            free, cut, others = self.ledger.to_do([key for key in by_key if key not in self._broken])
            if free or cut:
                slow += self._round({key: by_key[key] for key in free})
                continue
            if not others:  # those that are slow are among them: this run holds them
                break
            ready = by_key.keys() - {*others, *self._broken}
            if len(ready) > handed_out:
                handed_out = len(ready)
                yield self._found(ready)
            if slow:
                self._round({key: by_key[key] for key in slow}, patient=True)
                slow = []
            else:
                time.sleep(LOOK_SECONDS)
        yield self._found(by_key)

    def cells(self, place: tuple[str, str]) -> tuple[GraftedCell, ...] | None:
        """The cells that were judged, by student and notebook; None if another run has withdrawn the result
        meanwhile.
        """
        key = self.keys.get(place)
        if key is None:
            return ()
        return self._broken[key].cells if key in self._broken else self.ledger.cells_of(key)

    def verdicts(
        self, assignment: str, results: Sequence[SubmissionResult], shared: Collection[tuple[str, str]] = ()
    ) -> Iterator[tuple[str | None, Judged]]:
        """The results of one notebook, each with its key in the ledger.

        The key is None where the ledger keeps none for the next run, and for students who share a submission
        (`shared`).
        """
        for each in results:
            if each.assignment == assignment:
                place = (each.student, assignment)
                key = None if each.status is Status.BROKEN or place in shared else self.keys.get(place)
                yield key, Judged(each, self.cells(place) or ())

    def _found(self, ready: Collection[str]) -> list[Found]:
        """The entries with these keys, and those that have nothing to judge, each with its result."""
        kept = self.ledger.results(list(ready))
        found = []
        for entry in self.entries:
            key = self.keys.get((entry.student, entry.assignment))
            if key is not None and key not in ready:
                continue
            if key in self._broken:
                result = self._broken[key].result
            else:
                result = as_received(kept[key], entry) if key in kept else self._unjudged(entry)
            self._report(result)
            found.append((entry, result))
        return found

    def _round(self, entries: dict[str, Submission], patient: bool = False) -> list[str]:
        """Judge those of these entries that are free; or, patiently, these, which were put off. Returns the
        keys of slow ones.
        """
        notebooks = [
            self.instructors[name]
            for name in sorted({entry.assignment for entry in self.entries if entry.file})
        ]
        endless = None if patient else endless_answer(notebooks)
        slow: list[str] = []

        def tasks() -> Iterator[SubmissionTask | AnswerTask]:
            if endless is not None:
                yield endless.task
            for key, entry in entries.items():
                if patient or self.ledger.take(key, entry):
                    instructor = self.instructors[entry.assignment]
                    yield SubmissionTask(
                        entry, self.store, instructor, patient=patient or self.config.patient
                    )

        config = replace(self.config, canaries=known_answers(notebooks))
        try:
            # an exception in this loop stops the workers at once
            with closing(run_tasks(tasks(), config, self.events)) as judging:
                for task, result in judging:
                    if isinstance(task, AnswerTask):
                        deviation = endless.deviation(result) if endless is not None else None
                        if deviation is not None:
                            raise CanaryDeviates(deviation)
                        continue
                    entry = task.submission
                    key = self.keys[entry.student, entry.assignment]
                    if isinstance(result, Slow):
                        slow.append(key)
                        continue
                    if isinstance(result, InfrastructureError):
                        result = Judged(self._unjudged(entry, str(result)))  # noqa: PLW2901
                    judged: Judged = result
                    if judged.result.status is Status.BROKEN:
                        self._broken[key] = judged
                        self.ledger.release(key)
                    else:
                        self.ledger.keep(key, judged)
                    self._report(judged.result)
        except CanaryDeviates:
            self.ledger.take_back()
            raise
        self.ledger.proved()
        return slow

    def _unjudged(self, entry: Submission, why: str = "it was never judged") -> SubmissionResult:
        """The result of an entry that has nothing to judge, or that could not be judged."""
        if entry.refused is not None:
            return SubmissionResult.of(entry, Status.REFUSED, reason=entry.refused)
        if entry.file is None:
            return SubmissionResult.of(entry, Status.MISSING, reason="no notebook was submitted")
        return SubmissionResult.of(entry, Status.BROKEN, reason=why)

    def _report(self, result: SubmissionResult) -> None:
        place = (result.student, result.assignment)
        if place not in self._reported:
            self._reported.add(place)
            self.events.done(result)
