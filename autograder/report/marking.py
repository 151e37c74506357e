"""Marking written answers by several graders: pages to tick rubric points, and marks for the gradebook.

- A page holds one grader's answers and needs no server and no network. The browser keeps what is ticked. The
  button *Save marks* makes a file, which the grader sends back and `kqa course mark` reads.
- A blind page names no student. The rubric is for graders: these pages are not for students.
- A comment that somebody gave to the same question can be used again.
- The first grader's mark counts, and until there is one, the second's. A mark that somebody gave in
  formgrader is never replaced.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbgrader.api import MissingEntry

from autograder.answer_key import WrittenKey, find_key
from autograder.gradebook.gradebook import open_gradebook
from autograder.grading.published import latest
from autograder.judge.results import Status
from autograder.judge.seeds import course_key
from autograder.people.agreement import Agreement, agreement
from autograder.people.anonymous_grading import (
    Dealing,
    Ticks,
    WrittenAnswer,
    answer_code,
    current,
    follow_rubric,
    points,
    read_dealing,
    ticks_from,
)
from autograder.people.roster import Person
from autograder.report.answers import class_answers
from autograder.report.facts import manual_marks
from autograder.report.html import page
from autograder.submissions.skeleton import load_skeleton
from kqa_core.check.registry import find, names
from kqa_core.errors import UserError

LARGEST = 16 * 2**20  # bytes of a grader's file
MOST_COMMENTS = 50  # on one question that a page offers


@dataclass(frozen=True)
class Disagreement:
    """An answer to which two graders gave different points."""

    student: str
    exercise: str
    marks: tuple[tuple[str, float], ...]  # (grader, points)


@dataclass(frozen=True)
class GraderFacts:
    """How far the graders of one notebook are, and agree."""

    progress: tuple[tuple[str, int, int], ...] = ()  # (grader, answers marked, answers dealt)
    pairs: tuple[tuple[str, str, Agreement], ...] = ()
    disagreements: tuple[Disagreement, ...] = ()


def written_answers(course: Path, notebook: str) -> dict[str, WrittenAnswer]:
    """The written answers of a notebook that a person has to read, by code."""
    key = course_key(course / ".course_key")
    results, written = latest(course, notebook), {}
    for student, answers in class_answers(course, notebook).items():
        for answer in results[student].exercises:
            if answer.written and answer.status is Status.PERSON and answer.exercise in answers:
                code = answer_code(key, notebook, student, answer.exercise)
                written[code] = WrittenAnswer(
                    code, student, answer.exercise, answers[answer.exercise], answer.look
                )
    return written


def rubric_of(exercise: str) -> tuple[tuple[float, str], ...]:
    """The rubric of a written exercise: (points, idea)."""
    key = find_key(exercise)
    return key.rubric if isinstance(key, WrittenKey) else ()


def earlier_comments(course: Path, dealt: Dealing, db: str | None = None) -> dict[str, list[str]]:
    """The comments on a notebook's written answers by exercise, each once, the most frequent first: those of
    the graders' pages, and those of formgrader.
    """
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    seen = set()
    for ticks_of in dealt.ticks.values():
        for code, ticks in ticks_of.items():
            answer = dealt.answers[code]
            seen.add((answer.student, answer.exercise, ticks.comment.strip()))
    for student, of_student in manual_marks(course, db).get(dealt.notebook, {}).items():
        seen |= {
            (student, exercise, (comment or "").strip()) for exercise, (_, comment) in of_student.items()
        }
    for _, exercise, comment in seen:
        if comment:
            counts[exercise][comment] += 1
    return {
        exercise: sorted(of_exercise, key=lambda comment: (-of_exercise[comment], comment))[:MOST_COMMENTS]
        for exercise, of_exercise in counts.items()
    }


def marking_page(
    course: Path, dealt: Dealing, grader: str, people: Mapping[str, Person], db: str | None = None
) -> str:
    """The page of one grader, as HTML. Raises UserError if nothing was dealt to them."""
    comments = earlier_comments(course, dealt, db)
    codes, texts = dealt.of(grader), written_answers(course, dealt.notebook)
    if not codes:
        raise UserError(
            f"grader {grader!r}: has no answers of {dealt.notebook}; they were dealt to"
            f" {', '.join(dealt.everybody())}"
        )
    skeleton = load_skeleton(course / "source" / dealt.notebook / f"{dealt.notebook}.ipynb")
    asked = {
        cell.exercise.id: cell.source
        for cell in skeleton.cells
        if cell.role == "statement" and cell.exercise is not None
    }
    sections = []
    for exercise in sorted({dealt.answers[code].exercise for code in codes}):
        key = find_key(exercise)
        assert isinstance(key, WrittenKey)
        answers = [
            {
                "answer": texts[code],
                "name": f"Answer {code}" if dealt.blind else _name(texts[code].student, people),
                "ticks": current(dealt, code, texts).get(grader),
            }
            for code in codes
            if code in texts and texts[code].exercise == exercise
        ]
        sections.append(
            {
                "exercise": find(exercise),
                "key": key,
                "asked": asked.get(exercise, ""),
                "answers": answers,
                "comments": comments.get(exercise, []),
            }
        )
    return page(
        "marking",
        script="marking",
        title=f"{dealt.notebook}: answers for {grader}",
        notebook=dealt.notebook,
        grader=grader,
        sections=sections,
    )


def read_marks(path: Path) -> tuple[str, str, dict[str, Ticks]]:
    """The file that a page makes: notebook, grader, and what they ticked, by code. Raises UserError."""
    try:
        if path.stat().st_size > LARGEST:
            raise ValueError("too large")
        tree = json.loads(path.read_text(encoding="utf-8"))
        return (
            str(tree["notebook"]),
            str(tree["grader"]),
            {str(code): ticks_from(ticks) for code, ticks in tree["answers"].items()},
        )
    except OSError as error:
        raise UserError(
            f"{path}: cannot be read ({error.strerror}); expected the file of the button Save marks"
        ) from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UserError(
            f"{path}: holds no marks; expected the file that a grader's page makes (Save marks)"
        ) from None


def take_marks(
    course: Path, dealt: Dealing, path: Path, grader: str, given: Mapping[str, Ticks]
) -> list[str]:
    """Add a grader's marks to what was dealt. A line for each answer that changed since the page was made.

    Raises UserError, with nothing changed, for marks of answers that this grader was not dealt.
    """
    own, texts, stale = set(dealt.of(grader)), written_answers(course, dealt.notebook), []
    for code, ticks in given.items():
        if code not in own:
            raise UserError(
                f"{path}: answer {code} of {dealt.notebook} was not dealt to {grader!r}; expected that"
                " grader's file"
            )
        exercise = dealt.answers[code].exercise
        ideas = dealt.rubrics.get(exercise, rubric_of(exercise))  # as when the pages were made
        if any(place >= len(ideas) for place in ticks.ticked):
            raise UserError(
                f"{path}: answer {code} has more ticks than its rubric has points; make the pages again with"
                " `deal`"
            )
        if code in texts and texts[code].digest != ticks.digest:
            stale.append(
                f"{grader}: answer {code} has changed since the page was made; make the page again and"
                " mark it"
            )
    dealt.ticks[grader] = {**dealt.ticks.get(grader, {}), **given}
    return stale


def follow_rubrics(dealt: Dealing) -> list[str]:
    """Move all ticks to the rubrics as they are now; the exercises whose rubric has changed."""
    changed = []
    for name in sorted({answer.exercise for answer in dealt.answers.values()} & names()):
        if follow_rubric(dealt, name, [idea for _, idea in rubric_of(name)]):
            changed.append(name)
    return changed


def write_marks(course: Path, dealt: Dealing, db: str | None = None) -> tuple[int, list[str]]:
    """Put the marks that count into the gradebook: how many changed, and a line for each that stays."""
    texts, changed, lines = written_answers(course, dealt.notebook), 0, []
    with open_gradebook(course, db) as book:
        for code, answer in texts.items():
            ticks = next(iter(current(dealt, code, texts).values()), None)
            if ticks is None:
                continue
            mark = points(rubric_of(answer.exercise), ticks, find(answer.exercise).points)
            wrote = dealt.written.get(code)
            try:
                grade = book.find_grade(answer.exercise, dealt.notebook, dealt.notebook, answer.student)
                comment = book.find_comment(answer.exercise, dealt.notebook, dealt.notebook, answer.student)
            except MissingEntry:
                lines.append(
                    f"{answer.student}, {answer.exercise}: is not in the gradebook; `kqa course grade`"
                    " records it"
                )
                continue
            if grade.manual_score is not None and grade.manual_score not in (
                mark,
                wrote[0] if wrote else None,
            ):
                lines.append(
                    f"{answer.student}, {answer.exercise}: has {grade.manual_score:g} in formgrader, the"
                    f" rubric gives {mark:g}; formgrader's mark stays"
                )
                continue
            if (grade.manual_score, wrote) != (mark, (mark, ticks.comment)) or grade.needs_manual_grade:
                changed += 1
                grade.manual_score, grade.needs_manual_grade = mark, False
                if comment.manual_comment in (None, "", wrote[1] if wrote else None):
                    comment.manual_comment = ticks.comment or None
                dealt.written[code] = (mark, ticks.comment)
        book.db.commit()
    return changed, lines


def grader_facts(course: Path, notebook: str) -> GraderFacts:
    """How far the graders of a notebook are, and how far they agree; empty if nothing was dealt."""
    dealt = read_dealing(course, notebook)
    if not dealt.graders:
        return GraderFacts()
    texts = written_answers(course, notebook)
    marked = {code: current(dealt, code, texts) for code in dealt.graders}
    progress = [
        (who, sum(who in marked[code] for code in dealt.of(who)), len(dealt.of(who)))
        for who in dealt.everybody()
    ]
    pairs: dict[tuple[str, str], list[Any]] = {}
    differ = []
    for code, by_grader in marked.items():
        answer = dealt.answers[code]
        rubric = rubric_of(answer.exercise)
        for first, second in itertools.combinations(sorted(by_grader), 2):
            decided = [
                tuple(place in by_grader[who].ticked for place in range(len(rubric)))
                for who in (first, second)
            ]
            pairs.setdefault((first, second), []).append(tuple(decided))
        marks = tuple(
            (who, points(rubric, ticks, find(answer.exercise).points)) for who, ticks in by_grader.items()
        )
        if len({mark for _, mark in marks}) > 1:
            differ.append(Disagreement(answer.student, answer.exercise, marks))
    found_pairs = tuple((first, second, agreement(each)) for (first, second), each in sorted(pairs.items()))
    return GraderFacts(tuple(progress), found_pairs, tuple(differ))


def deal_table(dealt: Dealing, only: Sequence[str]) -> list[tuple[str, int, int]]:
    """For each of these graders: their answers, and how many of them another grader marks, too."""
    return [
        (who, len(dealt.of(who)), sum(len(dealt.graders[code]) > 1 for code in dealt.of(who))) for who in only
    ]


def _name(student: str, people: Mapping[str, Person]) -> str:
    person = people.get(student)
    return f"{student}: {person.name}" if person is not None and person.name else student
