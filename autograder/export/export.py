"""`kqa course export`: the gradebook's marks as a file that Canvas or Moodle imports, or as a plain table.

- A mark is the gradebook's final one: the points from checks and people, minus a penalty for lateness. A
  student without a mark gets an empty cell (in Moodle `-`), never a 0: also one whose submission was refused
  or is missing, unless `zeros` is set.
- The points of an item are those of its regular exercises. Extra ones are added on top, so a mark may exceed
  the maximum.
- canvas: Student, ID, SIS User ID, SIS Login ID, Section, a column for each notebook, and the row of points
  possible. Our id of a student is the login; name and section are those of the roster that was imported.
- moodle: username, and a column for each notebook.
- A roster is the file that the platform exports: its lines are kept and our columns filled
  (`autograder.export.roster_file`).
- Answers that a person has not marked yet are no problem, but they are said: the marks are without them.
- Marks of before a change of a due date, an extension or a group are exported, and that is said.
- Problems are listed: a student without a line, an item worth other points, an id that a spreadsheet would
  run.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from autograder.export.csv_tables import harmless_cell, number, read_table, table
from autograder.export.marks import Export, Marks, Target, collect, outdated
from autograder.export.roster_file import POINTS, filled, spreadsheet_runs
from autograder.judge.results import Status
from autograder.paths import course_folder
from kqa_core.errors import UserError
from kqa_core.files import write_whole, writing

CANVAS = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
PLAIN = [
    "student", "notebook", "score", "maximum", "penalty", "late_seconds", "status", "needs_a_person",
    "version", "received", "name", "section", "group",
]  # fmt: skip


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
    marks = replace(collect(notebooks, course or course_folder(), db), zeros=zeros)
    if roster is not None:
        exported = filled(read_table(roster), roster, to, marks)
    else:
        exported = Export(
            table({Target.CANVAS: _canvas, Target.MOODLE: _moodle, Target.CSV: _plain}[to](marks))
        )
        if to is not Target.CSV:
            exported.differences += [
                spreadsheet_runs(student) for student in marks.students if harmless_cell(student) != student
            ]
    exported.unmarked = marks.unmarked()
    exported.outdated = outdated(course or course_folder(), marks, db)
    if out is not None:
        with writing(out):
            write_whole(out, exported.text)
    return exported


def _canvas(marks: Marks) -> list[list[str]]:
    rows = [
        [*CANVAS, *marks.names],
        [POINTS, "", "", "", "", *(number(marks.maximum(name)) for name in marks.names)],
    ]
    for student in marks.students:
        person = marks.person(student)
        rows.append(
            [
                person.sorted_name or student,
                "",
                "",
                student,
                person.section,
                *(number(marks.score(student, name)) for name in marks.names),
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


def _plain(of_class: Marks) -> list[list[str]]:
    rows = [PLAIN]
    for name in of_class.names:
        for student in of_class.students:
            mark, result = of_class.marks.get((student, name)), of_class.results.get((student, name))
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
                "score": number(of_class.score(student, name)),
                "maximum": number(of_class.maximum(name)),
                "penalty": number(mark.penalty) if mark is not None else "",
                "late_seconds": number(round(result.late)) if result is not None else "",
                "status": status,
                "needs_a_person": "yes" if mark is not None and mark.waits else "no",
                "version": str(result.version) if result is not None and result.version else "",
                "received": received,
                "name": of_class.person(student).name,
                "section": of_class.person(student).section,
                "group": of_class.groups.get((student, name), ""),
            }
            rows.append([row[column] for column in PLAIN])
    return rows
