"""`kqa course export`: the gradebook's marks as a file that Canvas or Moodle imports, or as a plain table.

- A mark is the gradebook's final one: the points from checks and people, minus a penalty for lateness. A
  student without a mark gets an empty cell (in Moodle `-`), never a 0: also one whose submission was refused
  or is missing, unless `zeros` is set.
- The points of an item are those of its regular exercises. Extra ones are added on top, so a mark may exceed
  the maximum.
- canvas: Student, ID, SIS User ID, SIS Login ID, Section, a column for each notebook, and the row of points
  possible. Our id of a student is the login; name and section are those of the roster that was imported.
- moodle: username, and a column for each notebook.
- A roster is the file that the platform exports. Its rows, ids and other columns are kept and only our
  columns are filled, so that the platform recognises every student and every item. An excused student stays
  excused.
- Problems are listed: a student without a line, an item worth other points, an id that a spreadsheet would
  run.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.build.release import meant
from autograder.export.csv_tables import harmless_cell, number, read_table, table
from autograder.judge.results import Status, SubmissionResult
from autograder.paths import course_folder
from autograder.people.person import Person
from kqa_core.errors import UserError
from kqa_core.files import write_whole, writing

if TYPE_CHECKING:  # nbgrader is loaded when marks are read, not when `kqa` starts
    from autograder.gradebook.gradebook import Mark

CANVAS = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
CANVAS_KEYS = ("SIS Login ID", "SIS User ID", "ID", "Integration ID")
MOODLE_KEYS = ("username", "email address", "id number", "identifier")
POINTS = "    Points Possible"  # Canvas writes it with these spaces
KEPT = {"EX", "N/A"}  # excused, not assigned
PLAIN = [
    *(
        "student",
        "notebook",
        "score",
        "maximum",
        "penalty",
        "late_seconds",
        "status",
        "needs_a_person",
        "version",
        "received",
    ),
    *("name", "section"),  # from the roster
    "group",
]


class Target(StrEnum):
    """The program that will read the file."""

    CANVAS = "canvas"
    MOODLE = "moodle"
    CSV = "csv"


@dataclass
class Export:
    """A file for another program. `differences` should be empty."""

    text: str
    differences: list[str] = field(default_factory=list)


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

    def maximum(self, name: str) -> float | None:
        """The notebook's maximum; None if nobody has a mark."""
        return self._maxima.get(name)

    @cached_property
    def _maxima(self) -> dict[str, float]:
        return {name: mark.maximum for (_, name), mark in self.marks.items()}


def export(
    notebooks: Sequence[str] = (),
    to: Target = Target.CSV,
    out: Path | None = None,
    db: str | None = None,
    roster: Path | None = None,
    course: Path | None = None,
    zeros: bool = False,
) -> Export:
    """Export the marks of these notebooks, or of all if none is named; into `out` if given. Raises UserError.

    With `zeros`, a refused or missing submission counts 0; otherwise its cell is empty.
    """
    if roster is not None and to is Target.CSV:
        raise UserError(
            "course export: a roster is for --to canvas or --to moodle; omit it, or name the platform"
        )
    found = replace(collect(notebooks, course or course_folder(), db), zeros=zeros)
    if roster is not None:
        made = filled(read_table(roster), roster, to, found)
    else:
        made = Export(table({Target.CANVAS: _canvas, Target.MOODLE: _moodle, Target.CSV: _plain}[to](found)))
        if to is not Target.CSV:
            made.differences += [
                _run(student) for student in found.students if harmless_cell(student) != student
            ]
    if out is not None:
        with writing(out):
            write_whole(out, made.text)
    return made


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
    results = {(student, name): each for name in names for student, each in latest(course, name).items()}
    marks = {(student, name): mark for (student, name), mark in marks.items() if name in names}
    groups = {
        (student, name): each.name for name in names for student, each in groups_of(course, name).items()
    }
    people = read_people(course, db)
    return Marks(
        names, sorted({*students, *(student for student, _ in results)}), marks, results, groups, people
    )


def _canvas(found: Marks) -> list[list[str]]:
    rows = [
        [*CANVAS, *found.names],
        [POINTS, "", "", "", "", *(number(found.maximum(name)) for name in found.names)],
    ]
    for student in found.students:
        person = found.person(student)
        rows.append(
            [
                person.sorted_name or student,
                "",
                "",
                student,
                person.section,
                *(number(found.score(student, name)) for name in found.names),
            ]
        )
    return rows


def _moodle(found: Marks) -> list[list[str]]:
    marks = [
        [number(found.score(student, name)) or "-" for name in found.names] for student in found.students
    ]
    return [
        ["username", *found.names],
        *([student, *row] for student, row in zip(found.students, marks, strict=True)),
    ]


def _plain(found: Marks) -> list[list[str]]:
    rows = [PLAIN]
    for name in found.names:
        for student in found.students:
            mark, result = found.marks.get((student, name)), found.results.get((student, name))
            status = (
                str(result.status)
                if result is not None
                else "graded elsewhere"
                if mark is not None
                else str(Status.MISSING)
            )
            received = ""
            if result is not None and result.received is not None:
                received = datetime.datetime.fromtimestamp(result.received, datetime.UTC).isoformat(
                    timespec="seconds"
                )
            row = {
                "student": student,
                "notebook": name,
                "score": number(found.score(student, name)),
                "maximum": number(found.maximum(name)),
                "penalty": number(mark.penalty) if mark is not None else "",
                "late_seconds": number(result.late) if result is not None else "",
                "status": status,
                "needs_a_person": "yes" if mark is not None and mark.waits else "no",
                "version": str(result.version) if result is not None and result.version else "",
                "received": received,
                "name": found.person(student).name,
                "section": found.person(student).section,
                "group": found.groups.get((student, name), ""),
            }
            rows.append([row[column] for column in PLAIN])
    return rows


def filled(rows: list[list[str]], roster: Path, to: Target, found: Marks) -> Export:
    """The roster with our columns filled."""
    head = rows[0]
    keys = _keys(head, roster, to)
    columns = _columns(head, roster, to, found.names)
    points = next((row for row in rows[1:] if to is Target.CANVAS and row[0].strip() == POINTS.strip()), None)
    differences = []
    for name, column in columns.items():
        maximum = number(found.maximum(name))
        if column >= len(head):
            for row in rows:
                row.append("")
            head[column] = name
            if points is not None:
                points[column] = maximum
        elif points is not None and maximum and _worth(points[column]) not in (None, float(maximum)):
            differences.append(
                f"{head[column]}: worth {points[column]} points in the roster, {maximum} in the gradebook"
            )
    place = _places(rows, keys, roster, found.students, skip=points)
    for student in found.students:
        marks = {name: found.score(student, name) for name in found.names}
        if student not in place:
            if any(mark is not None for mark in marks.values()):
                differences.append(f"{student}: has marks, but no line in the roster")
            continue
        row = rows[place[student]]
        for name, mark in marks.items():
            if mark is not None and row[columns[name]].strip() not in KEPT:
                row[columns[name]] = number(mark)
        if harmless_cell(student) != student and not (to is Target.CANVAS and row[head.index("ID")]):
            differences.append(_run(student))
    if to is Target.MOODLE:
        for row, name in ((row, name) for row in rows[1:] for name in found.names):
            row[columns[name]] = row[columns[name]] or "-"
    return Export(table(rows), differences)


def _run(student: str) -> str:
    return (
        f"{student}: a spreadsheet would run it, so it gets an apostrophe, and the platform will not"
        " recognise it"
    )


def _keys(head: list[str], roster: Path, to: Target) -> list[int]:
    """The columns by which a student is found, best first."""
    wanted = CANVAS_KEYS if to is Target.CANVAS else MOODLE_KEYS
    lower = [each.strip().casefold() for each in head]
    found = [lower.index(each.casefold()) for each in wanted if each.casefold() in lower]
    if not found or (
        to is Target.CANVAS and not (head[0].strip() in ("Student", "LastName") and "ID" in head)
    ):
        raise UserError(
            f"{roster}: is not a {to} export: it has none of the columns {', '.join(wanted)}; export it again"
        )
    return found


def _columns(head: list[str], roster: Path, to: Target, names: list[str]) -> dict[str, int]:
    """The column of each notebook: the one with its name, ignoring id, spacing and case;
    else a new one at the end.
    """
    # a grading worksheet is of one assignment
    if to is Target.MOODLE and "Identifier" in head and "Grade" in head:
        if len(names) != 1:
            raise UserError(f"{roster}: is the worksheet of one assignment; name the one notebook it is for")
        return {names[0]: head.index("Grade")}
    plain = [plain_title(each) for each in head]
    columns: dict[str, int] = {}
    new = len(head)
    for name in names:
        fits = [place for place, title in enumerate(plain) if title == plain_title(name)]
        if len(fits) > 1:
            raise UserError(f"{roster}: has {len(fits)} columns for {name}; keep one")
        columns[name] = fits[0] if fits else new
        new += not fits
    return columns


def plain_title(heading: str) -> str:
    """A heading without its additions, to compare with a notebook's name:
    Canvas adds an id, Moodle the kind and the unit.
    """
    heading = re.sub(r" \(\d+\)$", "", heading.strip())
    heading = re.sub(r"^[^:]{1,40}: ?|\s*\((?:Real|Percentage|Letter|Feedback)\)$", "", heading)
    return re.sub(r"[\W_]+", " ", heading).strip().casefold()


def _places(
    rows: list[list[str]], keys: list[int], roster: Path, students: list[str], skip: list[str] | None
) -> dict[str, int]:
    """The row of each student. Raises UserError if two lines have one name, or two students share a line."""
    lines: dict[tuple[int, str], list[int]] = {}  # (column, name) → rows
    for place, row in enumerate(rows):
        for key in keys if place and row is not skip else ():
            lines.setdefault((key, row[key]), []).append(place)
    found: dict[str, int] = {}
    taken: dict[int, str] = {}
    for student in students:
        for key in keys:
            fits = lines.get((key, student), [])
            if len(fits) > 1:
                raise UserError(f"{roster}: {len(fits)} lines have {rows[0][key]} {student!r}; keep one")
            if fits:
                other = taken.setdefault(fits[0], student)
                if other != student:
                    raise UserError(
                        f"{roster}: row {fits[0] + 1} is both {other!r} and {student!r}; rename one of"
                        " the two"
                    )
                found[student] = fits[0]
                break
    return found


def _worth(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None
