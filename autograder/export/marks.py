"""The marks to export: what the gradebook and the judge's results say of a class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.build.release import meant
from autograder.judge.results import Status, SubmissionResult
from kqa_core.errors import UserError

if TYPE_CHECKING:  # nbgrader is loaded when marks are read, not when `kqa` starts
    from autograder.gradebook.gradebook import Mark
    from autograder.people.roster import Person


class Target(StrEnum):
    """The program that will read the file."""

    CANVAS = "canvas"
    MOODLE = "moodle"
    CSV = "csv"


@dataclass
class Export:
    """A file for another program. `differences` should be empty; `unmarked` has a line for each notebook of
    which a person has not marked every answer, `outdated` one for each that should be graded again.
    """

    text: str
    differences: list[str] = field(default_factory=list)
    unmarked: list[str] = field(default_factory=list)
    outdated: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Marks:
    """The data to export: notebooks, students, their marks, and the judge's results."""

    names: list[str]
    students: list[str]
    marks: dict[tuple[str, str], Mark]  # (student, notebook)
    results: dict[tuple[str, str], SubmissionResult]
    # (student, notebook) → group that submits together
    groups: dict[tuple[str, str], str] = field(default_factory=dict)
    people: dict[str, Person] = field(default_factory=dict)  # as in the roster
    zeros: bool = False  # whether a refused or missing submission counts 0

    def person(self, student: str) -> Person:
        """A student as in the roster."""
        from autograder.people.roster import Person

        return self.people.get(student) or Person(student)

    def score(self, student: str, name: str) -> float | None:
        """The final mark; None if there is none."""
        mark, result = self.marks.get((student, name)), self.results.get((student, name))
        if mark is not None:
            return mark.score
        return (
            0.0
            if self.zeros and result is not None and result.status in (Status.REFUSED, Status.MISSING)
            else None
        )

    def unmarked(self) -> list[str]:
        """A line for each notebook with answers that wait for a person: the marks are without these."""
        lines = []
        for name in self.names:
            there = [mark for (_, notebook), mark in self.marks.items() if notebook == name]
            waiting = [mark.waiting for mark in there if mark.waits]
            if waiting:
                lines.append(
                    f"{name}: {len(waiting)} of {len(there)} students wait for a person, with"
                    f" {sum(waiting)} answer{'s' * (sum(waiting) != 1)}; their marks are without these"
                )
        return lines

    def maximum(self, name: str) -> float | None:
        """The notebook's maximum; None if nobody has a mark."""
        return self._maxima.get(name)

    @cached_property
    def _maxima(self) -> dict[str, float]:
        return {name: mark.maximum for (_, name), mark in self.marks.items()}


def outdated(course: Path, marks: Marks, db: str | None = None) -> list[str]:
    """A line for each of these notebooks of which other versions count now than were graded, or are late by
    another time, or whose points are others: a due date, an extension or a group was changed since, somebody
    has submitted, or the notebook was built again.
    """
    from autograder.gradebook.due_dates import all_extensions, due_dates
    from autograder.grading.published import latest
    from autograder.people.groups import group_extensions, groups_of, share
    from autograder.submissions.store import manifests

    dues, granted, lines = due_dates(course, db), all_extensions(course, db), []
    for name in marks.names:
        groups = {name: groups_of(course, name)}
        longest = group_extensions(granted, groups)
        entries, shared = share(manifests(course / "received", {name: dues.get(name)}, longest), groups)
        counts = {entry.student: entry for entry in entries if entry.file is not None}
        counts |= {member: one.entry for one in shared for member in one.group.members}
        graded = latest(course, name)
        changed = [
            student
            for student, entry in counts.items()
            if (result := graded.get(student)) is None
            or result.sha256 != entry.sha256
            or abs(result.late - entry.late) > 1
            or (result.exercises and result.points != marks.maximum(name))
        ]
        if changed:
            lines.append(
                f"{name}: for {len(changed)} of {len(counts)} students, what counts has changed since it was"
                " graded (a due date, an extension, a group, a submission or its points); run"
                f" `kqa course grade {name.partition('_')[0]}` first"
            )
    return lines


def collect(notebooks: Sequence[str], course: Path, db: str | None) -> Marks:
    """All marks of these notebooks. Raises UserError for an unknown notebook, and if nothing is graded."""
    from autograder.gradebook.gradebook import counted, gradebook_names, marks_of, open_gradebook
    from autograder.grading.published import graded_notebooks, latest
    from autograder.people.groups import groups_of
    from autograder.people.roster import read_people

    released, students = gradebook_names(course, db)
    marks: dict[tuple[str, str], Mark] = {}
    if students:
        with open_gradebook(course, db) as book:
            for name in released:
                there = counted(marks_of(book, name), latest(course, name))
                marks |= {(student, name): mark for student, mark in there.items()}
    known = sorted({*(name for _, name in marks), *graded_notebooks(course)})
    if not known:
        raise UserError(f"{course}: nothing is graded yet; run `kqa course grade` first")
    names = meant(notebooks, known, "nothing of it is graded; graded are")
    results = {(student, name): result for name in names for student, result in latest(course, name).items()}
    marks = {(student, name): mark for (student, name), mark in marks.items() if name in names}
    groups = {
        (student, name): group.name for name in names for student, group in groups_of(course, name).items()
    }
    people = read_people(course, db)
    return Marks(
        names, sorted({*students, *(student for student, _ in results)}), marks, results, groups, people
    )
