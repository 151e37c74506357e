"""The facts of the report, gathered from the results of grading and from the gradebook. No HTML here.

- Statuses, feedback sentences and sandboxes are the judge's, from the ledger. Totals and manual marks come
  from the gradebook.
- A mark in the gradebook without a result of the judge came from plain `nbgrader autograde`, where the
  student's own process decides. Such a mark is *unverified*.
- Students who did not try, and students whom we could not judge, are in no success rate.
- If a wrong answer behaves like a rejected answer of the answer key, the mistake has its name. Other mistakes
  are grouped by their feedback sentence without its numbers, because the check draws new numbers for each
  student.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from statistics import fmean, median
from typing import Any

from nbgrader.api import Assignment, BaseCell, Comment, Grade, SubmittedAssignment, SubmittedNotebook

from autograder.gradebook.gradebook import gradebook_marks, gradebook_names, open_gradebook
from autograder.grading.published import graded_notebooks, latest
from autograder.judge.results import ExerciseResult, Status, SubmissionResult
from autograder.report.item_analysis import Discrimination, discrimination, tenths
from kqa_core.stats import Proportion

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")
Mark = tuple[float, float, bool]  # mark, maximum, whether an answer still waits for a person
ManualMark = tuple[float | None, str | None]  # a person's mark and comment


@dataclass(frozen=True)
class Mistake:
    """One kind of wrong answer, and the students who gave it."""

    name: str
    sentence: str
    students: tuple[str, ...]


@dataclass(frozen=True)
class ExerciseFacts:
    """One exercise over the class."""

    name: str
    points: int
    extra: bool
    written: bool
    submissions: int  # that were judged
    unattempted: int
    not_judged: int  # because of an infrastructure error
    success: Proportion  # right answers among the students who tried and were judged
    discrimination: Discrimination
    mistakes: tuple[Mistake, ...]  # the most common first
    incidents: dict[str, tuple[str, ...]]  # kind of incident → students
    manual_marks: tuple[float, ...]  # of a written exercise
    # (mark, how often it was given); a person's mark replaces the judge's
    marks: tuple[tuple[float, int], ...] = ()
    outcomes: dict[str, int] = field(default_factory=dict)  # outcome of a judged answer → how many


@dataclass(frozen=True)
class NotebookFacts:
    """One notebook over the class."""

    name: str
    results: dict[str, SubmissionResult]  # student → result of the judge
    marks: dict[str, Mark]  # student → mark in the gradebook
    manual_marks: dict[str, dict[str, ManualMark]]  # student → exercise → a person's mark and comment
    exercises: tuple[ExerciseFacts, ...] = ()

    def is_unverified(self, student: str) -> bool:
        """Whether the judge did not decide this student's mark: it has no result, or received no notebook."""
        return student in self.marks and (
            student not in self.results or self.results[student].status is Status.MISSING
        )

    @cached_property
    def unverified(self) -> list[str]:
        """Students whose mark the judge did not decide."""
        return sorted(who for who in self.marks if self.is_unverified(who))

    @cached_property
    def students(self) -> set[str]:
        """All students with a result or a mark."""
        return {*self.results, *self.marks}

    @cached_property
    def statuses(self) -> Counter[Status]:
        """How many submissions have each status."""
        return Counter(result.status for result in self.results.values())

    @property
    def late(self) -> list[str]:
        """Students whose submission came after the due date and their extension."""
        return sorted(student for student, result in self.results.items() if result.late > 0)

    @property
    def sandboxes(self) -> dict[str, int]:
        """How many submissions were judged in each sandbox tier; "not recorded" where that is unknown."""
        counts = Counter(
            result.sandbox or "not recorded" for result in self.results.values() if result.exercises
        )
        return dict(sorted(counts.items()))

    @property
    def waiting(self) -> int:
        """How many submissions have an answer that waits for a person."""
        return sum(waits for _, _, waits in self.marks.values())

    @property
    def median(self) -> float:
        """The median mark. There must be a mark."""
        return median(mark for mark, _, _ in self.marks.values())

    @property
    def mean(self) -> float:
        """The mean mark. There must be a mark."""
        return fmean(mark for mark, _, _ in self.marks.values())

    @property
    def maximum(self) -> float:
        """The points of the notebook, extra ones left out; 0 without marks."""
        return max((most for _, most, _ in self.marks.values()), default=0.0)

    @property
    def histogram(self) -> list[int]:
        """How many marks lie in each tenth of the maximum."""
        return tenths(mark / most for mark, most, _ in self.marks.values() if most > 0)


def gather(course: Path, db: str | None = None) -> list[NotebookFacts]:
    """The facts of every notebook that the judge or nbgrader graded."""
    judged = set(graded_notebooks(course))
    manual = manual_marks(course, db)
    notebooks = []
    for name in sorted(judged | set(gradebook_names(course, db)[0])):
        results = latest(course, name)
        marks = gradebook_marks(course, name, db, results)
        if name in judged or marks:
            facts = exercise_facts(results.values(), manual.get(name, {}))
            notebooks.append(NotebookFacts(name, results, marks, manual.get(name, {}), facts))
    return notebooks


def manual_marks(course: Path, db: str | None = None) -> dict[str, dict[str, dict[str, ManualMark]]]:
    """The marks and comments of people: notebook → student → exercise."""
    marks: dict[str, dict[str, dict[str, ManualMark]]] = defaultdict(lambda: defaultdict(dict))
    if not gradebook_names(course, db)[0]:
        return {}
    with open_gradebook(course, db) as book:
        for row in _of_people(book, Grade, Grade.manual_score):
            marks[row.assignment][row.student][row.cell.removeprefix("check_")] = (
                float(row.manual_score),
                None,
            )
        for row in _of_people(book, Comment, Comment.manual_comment):
            of_student = marks[row.assignment][row.student]
            mark, _ = of_student.get(row.cell, (None, None))
            of_student[row.cell] = (mark, str(row.manual_comment) or None)
    return marks


def _of_people(book: Any, table: Any, column: Any) -> Any:
    """The rows of `table` with a person's entry in `column`: assignment, student, cell, and the entry."""
    names = (
        Assignment.name.label("assignment"),
        SubmittedAssignment.student_id.label("student"),
        BaseCell.name.label("cell"),
    )
    rows = book.db.query(*names, column).select_from(table).join(BaseCell, BaseCell.id == table.cell_id)
    rows = rows.join(SubmittedNotebook, SubmittedNotebook.id == table.notebook_id)
    rows = rows.join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
    return rows.join(Assignment, Assignment.id == SubmittedAssignment.assignment_id).filter(
        column.isnot(None)
    )


def exercise_facts(
    results: Iterable[SubmissionResult], manual: Mapping[str, Mapping[str, ManualMark]]
) -> tuple[ExerciseFacts, ...]:
    """A notebook's exercises, in its order. `manual`: student → exercise → a person's mark and comment."""
    answers_by: dict[str, list[tuple[SubmissionResult, ExerciseResult]]] = defaultdict(list)
    for submission in results:
        for answer in submission.exercises:
            answers_by[answer.exercise].append((submission, answer))
    return tuple(_exercise(name, answers, manual) for name, answers in answers_by.items())


def _exercise(
    name: str,
    answers: list[tuple[SubmissionResult, ExerciseResult]],
    manual: Mapping[str, Mapping[str, ManualMark]],
) -> ExerciseFacts:
    one = answers[0][1]
    judged = [
        (submission.student, answer) for submission, answer in answers if answer.status is not Status.BROKEN
    ]
    tried = [(student, answer) for student, answer in judged if answer.status is not Status.UNATTEMPTED]
    incidents: dict[str, list[str]] = defaultdict(list)
    for student, answer in tried:
        if answer.incident:
            incidents[answer.incident].append(student)
    by_hand = {
        student: mark
        for student, of_student in manual.items()
        if (mark := of_student.get(name, (None,))[0]) is not None
    }
    marks = Counter(
        mark for student, answer in judged if (mark := by_hand.get(student, answer.marks)) is not None
    )
    return ExerciseFacts(
        name=name,
        points=one.points,
        extra=one.extra,
        written=one.written,
        submissions=len(answers),
        unattempted=len(judged) - len(tried),
        not_judged=len(answers) - len(judged),
        success=(
            Proportion(0, 0)
            if one.written
            else Proportion(sum(answer.outcome == "right" for _, answer in tried), len(tried))
        ),
        discrimination=_discrimination(name, answers),
        mistakes=() if one.written else mistakes(tried),
        incidents={what: tuple(sorted(students)) for what, students in sorted(incidents.items())},
        manual_marks=tuple(by_hand.values()) if one.written else (),
        marks=tuple(sorted(marks.items())),
        outcomes=dict(sorted(Counter(answer.outcome for _, answer in judged).items())),
    )


def _discrimination(name: str, answers: list[tuple[SubmissionResult, ExerciseResult]]) -> Discrimination:
    """Over all students who tried anything and whom we could judge."""
    counted = [
        (who, answer) for who, answer in answers if who.status not in (Status.UNATTEMPTED, Status.BROKEN)
    ]
    rest = [
        sum(
            other.marks or 0.0
            for other in who.exercises
            if other.exercise != name and not (other.extra or other.written)
        )
        for who, _ in counted
    ]
    return discrimination([answer.outcome == "right" for _, answer in counted], rest)


def _unnamed(result: ExerciseResult) -> str:
    if result.incident:
        return f"stopped: {result.incident}"
    return "an error" if result.outcome == "error" else "a mistake without a name"


def mistakes(tried: Iterable[tuple[str, ExerciseResult]]) -> tuple[Mistake, ...]:
    """The kinds of wrong answers, the most common first."""
    groups: dict[tuple[str, str], list[tuple[str, ExerciseResult]]] = defaultdict(list)
    for student, answer in tried:
        if answer.outcome != "right":
            key = (answer.mistake, "") if answer.mistake else ("", NUMBER.sub("#", answer.sentence))
            groups[key].append((student, answer))
    kinds = []
    for (name, _), members in groups.items():
        sentence = Counter(answer.sentence for _, answer in members).most_common(1)[0][0]
        words = name.replace("_", " ") or _unnamed(members[0][1])
        kinds.append(Mistake(words, sentence, tuple(sorted(student for student, _ in members))))
    return tuple(sorted(kinds, key=lambda mistake: (-len(mistake.students), mistake.name, mistake.sentence)))
