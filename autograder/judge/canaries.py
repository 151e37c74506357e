"""Canaries: answers whose verdict is known, judged with every batch.
If one gets another verdict, nothing is published.

- For each notebook to grade: the reference and the first rejected answer of its first checked exercise. Every
  worker judges them before its first task.
- For each batch: one endless answer. The time limit of its call must end it, as an incident of time without a
  mark.
- The workers and runners that judge the class judge the canaries, and this module compares the verdicts
  outside them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.answer_key import AnswerKey, answer_source, find_key
from autograder.judge.results import ExerciseResult, Status
from autograder.judge.tasks import AnswerTask
from autograder.sandbox.errors import InfrastructureError
from autograder.submissions.skeleton import load_skeleton
from kqa_core.check.exercise import Outcome

ENDLESS_SECONDS = 0.5  # the time limit of its call: a short one also shows whether there is one


class CanaryDeviates(Exception):
    """A known answer got a wrong verdict: nothing of the round may be published."""

    # whether results of an earlier round were, in which the known answers got the right verdicts
    published = False


@dataclass(frozen=True)
class Canary:
    """An answer and its expected verdict."""

    task: AnswerTask
    outcome: str
    full: bool  # whether it earns all of the exercise's marks, else none
    incident: str | None = None

    def deviation(self, result: object) -> str | None:
        """How the result differs from the expected verdict, in one line; None if it does not."""
        where = f"canary {self.task.exercise}, {self.task.label}:"
        if isinstance(result, InfrastructureError):
            return f"{where} could not be judged: {result}"
        if not isinstance(result, ExerciseResult) or result.status is Status.BROKEN:
            return f"{where} has no verdict: {getattr(result, 'sentence', result)}"
        due = float(result.points) if self.full else 0.0
        if (result.outcome, result.incident, result.marks) == (self.outcome, self.incident, due):
            return None
        was = f"{result.outcome} with {result.marks} of {result.points}"
        expected = f"{self.outcome} with {due:g}"
        return f"{where} is {was}{_by(result.incident)}, expected {expected}{_by(self.incident)}"


def known_answers(instructors: Sequence[Path]) -> tuple[Canary, ...]:
    """The right and the wrong answer of each instructor's notebook. Every worker judges them first."""
    canaries: list[Canary] = []
    for path in instructors:
        chosen = _first_key(path)
        if chosen is None:
            continue
        exercise, key = chosen
        right = AnswerTask(exercise, "a known right answer", answer_source(exercise, key.reference), path)
        known = key.rejected[0]
        label = f"the known wrong answer {known.__name__}"
        wrong = AnswerTask(exercise, label, answer_source(exercise, known), path)
        canaries += [Canary(right, str(Outcome.RIGHT), True), Canary(wrong, str(Outcome.NOT_YET), False)]
    return tuple(canaries)


def endless_answer(instructors: Sequence[Path]) -> Canary | None:
    """The endless answer, once for each batch; None if no notebook has a checked exercise."""
    for path in instructors:
        chosen = _first_key(path)
        if chosen is not None:
            source = f"def {chosen[0]}(*args, **options):\n    while True:\n        pass\n"
            task = AnswerTask(chosen[0], "an endless answer", source, path, ENDLESS_SECONDS)
            return Canary(task, str(Outcome.ERROR), False, "time")
    return None


def _first_key(path: Path) -> tuple[str, AnswerKey] | None:
    for exercise in load_skeleton(path).exercises:
        key = None if exercise.written else find_key(exercise.id)
        if isinstance(key, AnswerKey) and key.rejected:
            return exercise.id, key
    return None


def _by(incident: str | None) -> str:
    return f" by incident {incident}" if incident else ""
