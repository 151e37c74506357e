"""A roster that Canvas or Moodle exported, with our columns filled.

- Its rows, ids and other columns are kept, so that the platform recognises every student and every item. An
  excused student stays excused.
- A student is found by the columns of ids; a notebook by its name, ignoring what the platform adds to it.
"""

from __future__ import annotations

import re
from pathlib import Path

from autograder.export.csv_tables import harmless_cell, number, table
from autograder.export.marks import Export, Marks, Target
from kqa_core.errors import UserError

CANVAS_KEYS = ("SIS Login ID", "SIS User ID", "ID", "Integration ID")
MOODLE_KEYS = ("username", "email address", "id number", "identifier")
POINTS = "    Points Possible"  # Canvas writes it with these spaces
KEPT = {"EX", "N/A"}  # excused, not assigned


def filled(rows: list[list[str]], roster: Path, to: Target, of_class: Marks) -> Export:
    """The roster with our columns filled."""
    head = rows[0]
    keys = _keys(head, roster, to)
    columns = _columns(head, roster, to, of_class.names)
    points = next((row for row in rows[1:] if to is Target.CANVAS and row[0].strip() == POINTS.strip()), None)
    differences = []
    for name, column in columns.items():
        maximum = number(of_class.maximum(name))
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
    place = _places(rows, keys, roster, of_class.students, skip=points)
    for student in of_class.students:
        marks = {name: of_class.score(student, name) for name in of_class.names}
        if student not in place:
            if any(mark is not None for mark in marks.values()):
                differences.append(f"{student}: has marks, but no line in the roster")
            continue
        row = rows[place[student]]
        for name, mark in marks.items():
            if mark is not None and row[columns[name]].strip() not in KEPT:
                row[columns[name]] = number(mark)
        if harmless_cell(student) != student and not (to is Target.CANVAS and row[head.index("ID")]):
            differences.append(spreadsheet_runs(student))
    if to is Target.MOODLE:
        for row, name in ((row, name) for row in rows[1:] for name in of_class.names):
            row[columns[name]] = row[columns[name]] or "-"
    return Export(table(rows), differences)


def _keys(head: list[str], roster: Path, to: Target) -> list[int]:
    """The columns by which a student is found, best first."""
    wanted = CANVAS_KEYS if to is Target.CANVAS else MOODLE_KEYS
    lower = [heading.strip().casefold() for heading in head]
    columns = [lower.index(name.casefold()) for name in wanted if name.casefold() in lower]
    if not columns or (
        to is Target.CANVAS and not (head[0].strip() in ("Student", "LastName") and "ID" in head)
    ):
        raise UserError(
            f"{roster}: is not a {to} export: it has none of the columns {', '.join(wanted)}; export it again"
        )
    return columns


def _columns(head: list[str], roster: Path, to: Target, names: list[str]) -> dict[str, int]:
    """The column with a notebook's name, but for id, spacing and case; else a new one at the end."""
    # a grading worksheet is of one assignment
    if to is Target.MOODLE and "Identifier" in head and "Grade" in head:
        if len(names) != 1:
            raise UserError(f"{roster}: is the worksheet of one assignment; name the one notebook it is for")
        return {names[0]: head.index("Grade")}
    plain = [plain_title(heading) for heading in head]
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
    """A heading without what Canvas (an id) or Moodle (kind and unit) adds to a notebook's name."""
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
    rows_of: dict[str, int] = {}
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
                rows_of[student] = fits[0]
                break
    return rows_of


def _worth(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None


def spreadsheet_runs(student: str) -> str:
    """The problem of an id that a spreadsheet would run."""
    return (
        f"{student}: a spreadsheet would run it, so it gets an apostrophe, and the platform will not"
        " recognise it"
    )
