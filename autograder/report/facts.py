"""What the report tells, gathered from the results of grading and from the gradebook. No HTML here.

- Statuses, sentences and sandboxes are the judge's, from the ledger. Totals, and what a person gave, are the gradebook's.
- A mark in the gradebook without a result of the judge came from plain `nbgrader autograde`, where the student's own process
  decides: it is *unverified*.
- Who did not try, and whom we could not judge, is in no success rate.
- A mistake has the answer key's name where the answer behaves like one the key knows. Others are gathered by their sentence,
  numbers aside: the check draws new ones for everybody.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from nbgrader.api import Comment, Grade

from autograder.farm.ledger import graded_notebooks, latest
from autograder.gradebook.gradebook import gradebook_marks, gradebook_names, open_gradebook
from autograder.judge.results import ExerciseResult, Status, SubmissionResult
from autograder.report.item_analysis import Discrimination, discrimination
from kqa_core.stats import Proportion

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")
Mark = tuple[float, float, bool]  # score, maximum, whether a person has still to look
Given = tuple[float | None, str | None]  # what a person gave: mark, comment


@dataclass(frozen=True)
class Mistake:
    """One way of being wrong, and who was."""

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
    answers: int  # of submissions that were judged
    unattempted: int
    broken: int  # our own faults
    right: Proportion  # of those who tried and were judged
    discrimination: Discrimination
    mistakes: tuple[Mistake, ...]  # the commonest first
    incidents: dict[str, tuple[str, ...]]  # what happened → to whom
    given: tuple[float, ...]  # marks that a person gave
    marks: tuple[tuple[float, int], ...] = ()  # each mark that was given, and how often: a person's goes before the judge's
    outcomes: dict[str, int] = field(default_factory=dict)  # what became of the answers that were judged → how many


@dataclass(frozen=True)
class NotebookFacts:
    """One notebook over the class."""

    name: str
    results: dict[str, SubmissionResult]
    marks: dict[str, Mark]
    given: dict[str, dict[str, Given]]  # student → exercise → what a person gave
    exercises: tuple[ExerciseFacts, ...] = field(default=())

    @property
    def unverified(self) -> list[str]:
        """Students whose mark the judge did not decide: it has no result of theirs, or never saw a notebook."""
        return sorted(who for who in self.marks if who not in self.results or self.results[who].status is Status.MISSING)

    @property
    def students(self) -> set[str]:
        """Everybody of whom there is a result or a mark."""
        return {*self.results, *self.marks}

    @property
    def sandboxes(self) -> dict[str, int]:
        """In which tier how many submissions were judged; for results that do not say, "not recorded"."""
        counts = Counter(each.sandbox or "not recorded" for each in self.results.values() if each.exercises)
        return dict(sorted(counts.items()))

    def waiting(self) -> int:
        """Marks for which a person has still to look."""
        return sum(waits for _, _, waits in self.marks.values())


def gather(course: Path, db: str | None = None) -> list[NotebookFacts]:
    """The facts of every notebook that was graded, by the judge or by nbgrader."""
    judged = set(graded_notebooks(course))
    given = people_gave(course, db)
    found = []
    for name in sorted(judged | set(gradebook_names(course, db)[0])):
        results, marks = latest(course, name), gradebook_marks(course, name, db)
        if name in judged or marks:
            facts = exercise_facts(results.values(), given.get(name, {}))
            found.append(NotebookFacts(name, results, marks, given.get(name, {}), facts))
    return found


def people_gave(course: Path, db: str | None = None) -> dict[str, dict[str, dict[str, Given]]]:
    """Marks and comments that a person gave: notebook → student → exercise."""
    found: dict[str, dict[str, dict[str, Given]]] = defaultdict(lambda: defaultdict(dict))
    if not gradebook_names(course, db)[0]:
        return {}
    with open_gradebook(course, db) as book:
        for grade in book.db.query(Grade).filter(Grade.manual_score.isnot(None)):
            exercise = grade.name.removeprefix("check_")
            found[grade.assignment.name][grade.student.id][exercise] = (float(grade.manual_score), None)
        for comment in book.db.query(Comment).filter(Comment.manual_comment.isnot(None)):
            gave = found[comment.assignment.name][comment.student.id]
            gave[comment.name] = (gave.get(comment.name, (None, None))[0], str(comment.manual_comment) or None)
    return found


def exercise_facts(results: Iterable[SubmissionResult], given: Mapping[str, Mapping[str, Given]]) -> tuple[ExerciseFacts, ...]:
    """The exercises of one notebook, in its order."""
    judged = [each for each in results if each.exercises]
    places: dict[str, list[tuple[SubmissionResult, ExerciseResult]]] = {}
    for submission in judged:
        for each in submission.exercises:
            places.setdefault(each.exercise, []).append((submission, each))
    return tuple(_exercise(name, found, given) for name, found in places.items())


def _exercise(
    name: str, found: list[tuple[SubmissionResult, ExerciseResult]], given: Mapping[str, Mapping[str, Given]]
) -> ExerciseFacts:
    one = found[0][1]
    tried = [(who.student, each) for who, each in found if each.status not in (Status.UNATTEMPTED, Status.BROKEN)]
    right = sum(each.outcome == "right" for _, each in tried)
    incidents: dict[str, list[str]] = defaultdict(list)
    for student, each in tried:
        if each.incident:
            incidents[each.incident].append(student)
    by_hand = {student: gave[name][0] for student, gave in given.items() if name in gave and gave[name][0] is not None}
    judged = [(who.student, each) for who, each in found if each.status is not Status.BROKEN]
    marks = Counter(mark for student, each in judged if (mark := by_hand.get(student, each.marks)) is not None)
    return ExerciseFacts(
        *(name, one.points, one.extra, one.written, len(found)),
        unattempted=sum(each.status is Status.UNATTEMPTED for _, each in found),
        broken=sum(each.status is Status.BROKEN for _, each in found),
        right=Proportion(0, 0) if one.written else Proportion(right, len(tried)),
        discrimination=_discrimination(name, found),
        mistakes=() if one.written else mistakes(tried),
        incidents={what: tuple(sorted(who)) for what, who in sorted(incidents.items())},
        given=tuple(mark for mark in by_hand.values() if mark is not None) if one.written else (),
        marks=tuple(sorted(marks.items())),
        outcomes=dict(sorted(Counter(each.outcome for _, each in judged).items())),
    )


def _discrimination(name: str, found: list[tuple[SubmissionResult, ExerciseResult]]) -> Discrimination:
    """Over all who did anything, and whom we could judge."""
    counted = [(who, each) for who, each in found if who.status not in (Status.UNATTEMPTED, Status.BROKEN)]
    rest = [
        sum(other.marks or 0.0 for other in who.exercises if other.exercise != name and not (other.extra or other.written))
        for who, _ in counted
    ]
    return discrimination([each.outcome == "right" for _, each in counted], rest)


def _unnamed(result: ExerciseResult) -> str:
    if result.incident:
        return f"stopped: {result.incident}"
    return "an error" if result.outcome == "error" else "a mistake without a name"


def mistakes(tried: Iterable[tuple[str, ExerciseResult]]) -> tuple[Mistake, ...]:
    """Ways of being wrong, the commonest first."""
    groups: dict[tuple[str, str], list[tuple[str, ExerciseResult]]] = defaultdict(list)
    for student, each in tried:
        if each.outcome != "right":
            key = (each.mistake, "") if each.mistake else ("", NUMBER.sub("#", each.sentence))
            groups[key].append((student, each))
    found = []
    for (name, _), members in groups.items():
        first = members[0][1]
        words = name.replace("_", " ") or _unnamed(first)
        sentence = Counter(each.sentence for _, each in members).most_common(1)[0][0]
        found.append(Mistake(words, sentence, tuple(sorted(student for student, _ in members))))
    return tuple(sorted(found, key=lambda each: (-len(each.students), each.name, each.sentence)))
