"""The report on one student: a page for the student to read, and a page for the instructor.

- The student's page holds only what belongs to them: marks, the feedback of each exercise, a grader's mark
  and comment. It holds no other name, no name of a known wrong answer, and no cause of our own faults.
- The instructor's page adds the sources of the answers. They are shown as text.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from autograder.judge.results import ExerciseResult, Status, SubmissionResult
from autograder.paths import read_course
from autograder.people.roster import Person
from autograder.report.answers import EXTRA_CELLS
from autograder.report.facts import ManualMark, NotebookFacts
from autograder.report.html import page

DOTS = {"right": "right", "not yet": "wrong", "error": "wrong", "written": "wait"}
STATES = {
    Status.INCIDENT: "Part of your code had to be stopped; the exercises say which.",
    Status.UNATTEMPTED: "You attempted no exercise of this notebook.",
    Status.MISSING: "No notebook was submitted.",
    Status.BROKEN: (
        "Something went wrong on our side. It costs you nothing: we will judge it again, or a person will"
        " look at it."
    ),
}


@dataclass(frozen=True)
class StudentAnswer:
    """One student's answer to one exercise, as pages show it."""

    result: ExerciseResult
    manual: ManualMark = (None, None)
    source: str = ""

    @property
    def points(self) -> str:
        """Such as "0.5 of 1". A person's mark replaces the judge's."""
        mark = self.manual[0] if self.manual[0] is not None else self.result.marks
        return f"{mark:g} of {self.result.points}" if mark is not None else f"– of {self.result.points}"

    @property
    def outcome(self) -> str:
        """The outcome in words."""
        if self.result.status is Status.BROKEN:
            return "not judged"
        if self.marked_by_a_person:
            return "marked"
        return "waits for a person" if self.result.status is Status.PERSON else self.result.outcome

    @property
    def dot(self) -> str:
        """The CSS class of the dot beside the outcome."""
        return "" if self.outcome in ("marked", "not judged") else DOTS.get(self.result.outcome, "")

    @property
    def marked_by_a_person(self) -> bool:
        """Whether it is a written answer with a mark."""
        return self.result.written and self.manual[0] is not None

    def feedback(self, for_student: bool) -> list[str]:
        """The sentences of judge and grader. A student does not read the cause of our own faults."""
        mark, comment = self.manual
        sentence = self.result.sentence
        if self.result.status is Status.BROKEN and for_student:
            sentence = STATES[Status.BROKEN]
        if self.marked_by_a_person and (for_student or self.result.status is not Status.BROKEN):
            sentence = "A person has marked it."
        elif mark is not None:
            sentence += f" A person gave {mark:g}."
        return [line for line in (sentence, f"Your grader: {comment}" if comment else "") if line]


@dataclass(frozen=True)
class StudentNotebook:
    """One student's results in one notebook, as pages show them."""

    student: str
    facts: NotebookFacts
    sources: Mapping[str, str] = field(default_factory=dict)  # exercise → source of the answer

    @property
    def result(self) -> SubmissionResult | None:
        """The judge's result, if there is one."""
        return self.facts.results.get(self.student)

    @property
    def total(self) -> str:
        """The mark in the gradebook."""
        if self.student not in self.facts.marks:
            return "no mark"
        mark, maximum, waits = self.facts.marks[self.student]
        return f"{mark:g} of {maximum:g} points{', an answer still waits for a person' if waits else ''}"

    @property
    def answers(self) -> Iterator[StudentAnswer]:
        """The answers, in the notebook's order."""
        manual = self.facts.manual_marks.get(self.student, {})
        for result in self.result.exercises if self.result is not None else ():
            yield StudentAnswer(
                result, manual.get(result.exercise, (None, None)), self.sources.get(result.exercise, "")
            )

    def notes(self, for_student: bool) -> list[str]:
        """Sentences about the submission as a whole."""
        if self.result is None:
            return []
        state = self.result.reason
        if for_student and self.result.status is Status.REFUSED:
            state = f"Your submission was refused: {state or 'it cannot be read'}."
        elif for_student and self.result.status is Status.UNREADABLE:
            state = f"Your submission could not be read: {state}."
        elif for_student:
            state = STATES.get(self.result.status)
        return [line for line in (state, _receipt(self.result), *self.result.notes) if line]


def student_notebooks(
    student: str, notebooks: list[NotebookFacts], answers: Mapping[str, Mapping[str, str]] | None = None
) -> list[StudentNotebook]:
    """A student's notebooks: those with a result or a mark. `answers`: notebook → exercise → source."""
    return [
        StudentNotebook(student, facts, (answers or {}).get(facts.name, {}))
        for facts in notebooks
        if student in facts.students
    ]


def student_page(student: str, notebooks: list[NotebookFacts], person: Person | None = None) -> str:
    """The page that a student may read, as HTML."""
    shown = student_notebooks(student, notebooks)
    return page(
        "student",
        title=f"{student}: results",
        course=read_course().title,
        student=student,
        person=person,
        notebooks=shown,
    )


def answers_page(
    student: str,
    notebooks: list[NotebookFacts],
    answers: Mapping[str, Mapping[str, str]],
    person: Person | None = None,
) -> str:
    """The instructor's page on a student, as HTML. `answers`: notebook → exercise → source."""
    shown = student_notebooks(student, notebooks, answers)
    title = f"{student}: answers"
    return page(
        "answers", title=title, student=student, person=person, notebooks=shown, extra_cells=EXTRA_CELLS
    )


def _receipt(result: SubmissionResult) -> str:
    if result.received is None:
        return ""
    when = datetime.datetime.fromtimestamp(result.received, datetime.UTC)
    version = f", version {result.version}" if result.version > 1 else ""
    late = f", {_duration(result.late)} late" if result.late > 0 else ""
    return f"Received {when:%d %B %Y, %H:%M} UTC{version}{late}."


def _duration(seconds: float) -> str:
    """Such as "2 hours"."""
    for unit, size in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} seconds"
