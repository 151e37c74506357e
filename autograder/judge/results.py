"""The verdict on a submission: one status for the whole, and one for each exercise.

Only an explicit right gives marks. A result with status `infrastructure error` has no mark: nobody gets a 0
for our faults.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from autograder.submissions.merge import GraftedCell
from autograder.submissions.store import Submission
from kqa_core.check.exercise import Exercise, JudgeError


class Status(StrEnum):
    """The state of a submission or of one of its exercises. Every one of them is final."""

    GRADED = "graded"
    INCIDENT = "graded with incident"
    UNATTEMPTED = "unattempted"
    PERSON = "waits for a person"  # an exercise only: a written answer
    REFUSED = "refused"  # a submission only
    MISSING = "missing"  # a submission only
    UNREADABLE = "unreadable"  # a submission only: none of its cells is an answer of the notebook
    BROKEN = "infrastructure error"


@dataclass(frozen=True)
class ExerciseResult:
    """The verdict on one exercise of one submission."""

    exercise: str
    status: Status
    outcome: str  # right, not yet, error, unattempted, written
    marks: float | None  # None for a written answer, and for our own faults
    points: int
    sentence: str  # what the student reads
    incident: str | None = None  # time, memory, output, died
    mistake: str | None = None  # name of the rejected answer that it behaves like
    stage: str | None = None  # the check that decided: visible or hidden
    extra: bool = False  # its points count on top
    written: bool = False  # for a person to mark
    # why a person should look at it before its mark is final: its cell was not found where it should be
    look: str | None = None

    def __post_init__(self) -> None:
        if self.marks is not None and not 0 <= self.marks <= self.points:  # refuses nan and infinity, too
            raise JudgeError(f"{self.exercise}: {self.marks} is no mark between 0 and {self.points}")

    @staticmethod
    def of(
        exercise: Exercise, status: Status, outcome: str, marks: float | None, sentence: str, **more: Any
    ) -> ExerciseResult:
        """The verdict on this exercise; the other fields by name."""
        facts: dict[str, Any] = {"extra": exercise.extra, "written": exercise.written, **more}
        return ExerciseResult(exercise.id, status, outcome, marks, exercise.points, sentence, **facts)


@dataclass(frozen=True)
class SubmissionResult:
    """The verdict on one submission."""

    student: str
    assignment: str
    status: Status
    exercises: tuple[ExerciseResult, ...] = ()
    reason: str | None = None  # why it was refused, or what failed
    notes: tuple[str, ...] = ()  # what the instructor should know: copied cells, cells that were left out
    sha256: str | None = None
    received: float | None = None  # when the intake first saw this version, seconds since 1970
    version: int = 0  # 1 for the first version received of this student and notebook
    late: float = 0.0  # seconds after the due date
    sandbox: str | None = None  # the tier in which the student's code ran

    @property
    def marks(self) -> float:
        """The marks the judge gave."""
        return sum(result.marks or 0.0 for result in self.exercises)

    @property
    def points(self) -> int:
        """The marks for everything right, with written answers, without extra points, which count on top."""
        return sum(result.points for result in self.exercises if not result.extra)

    @staticmethod
    def of(entry: Submission, status: Status, **more: Any) -> SubmissionResult:
        """The result on an entry of the manifest: its receipt and notes, and the other fields by name."""
        receipt = {name: getattr(entry, name) for name in ("notes", "sha256", "received", "version", "late")}
        return SubmissionResult(entry.student, entry.assignment, status, **{**receipt, **more})

    @staticmethod
    def from_json(tree: dict[str, Any]) -> SubmissionResult:
        """The result of which `tree` is the `asdict`."""
        exercises = tuple(
            ExerciseResult(**{**each, "status": Status(each["status"])}) for each in tree["exercises"]
        )
        return SubmissionResult(
            **{
                **tree,
                "status": Status(tree["status"]),
                "exercises": exercises,
                "notes": tuple(tree["notes"]),
            }
        )


@dataclass(frozen=True)
class Judged:
    """A result, and the notebook it is about."""

    result: SubmissionResult
    cells: tuple[GraftedCell, ...] = ()  # as the instructor will see them


def overall(exercises: tuple[ExerciseResult, ...]) -> Status:
    """The status of a submission whose exercises were judged."""
    statuses = {result.status for result in exercises}
    for status in (Status.BROKEN, Status.INCIDENT):
        if status in statuses:
            return status
    return Status.UNATTEMPTED if statuses <= {Status.UNATTEMPTED} else Status.GRADED
