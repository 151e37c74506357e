"""Due dates and extensions: set here, kept where nbgrader keeps them,
and honoured by everything that asks who is late.

- A due date is the gradebook's, in UTC. An extension is the time that one student has after it, so it moves
  with the due date.
- nbgrader has a place for an extension only when the student has submitted. So extensions are kept in the
  course's `people/extensions.csv`, too, and recording a submission writes them into the gradebook. An
  extension that was set in the gradebook alone (`grant_extension`) holds as well. If both say something, the
  file decides.
"""

from __future__ import annotations

import csv
import datetime
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nbgrader.api import Assignment, MissingEntry, SubmittedAssignment

from autograder.gradebook.gradebook import gradebook_exists, open_gradebook
from autograder.paths import read_course
from kqa_core.errors import UserError
from kqa_core.files import write_whole, writing

EXTENSIONS = Path("people", "extensions.csv")
HEADS = ("student", "notebook", "seconds")
Extensions = dict[tuple[str, str], float]  # (student, notebook) → seconds after the due date


def due_dates(course: Path, db: str | None = None) -> dict[str, float]:
    """The due dates in the gradebook, in seconds since 1970, by notebook."""
    if not gradebook_exists(course, db):
        return {}
    with open_gradebook(course, db) as book:
        rows = (
            book.db.query(Assignment.name, Assignment.duedate)
            .filter(Assignment.duedate.isnot(None))
            .order_by(Assignment.name)
        )
        return {row.name: row.duedate.replace(tzinfo=datetime.UTC).timestamp() for row in rows}


def set_due(course: Path, name: str, when: float | None, db: str | None = None) -> None:
    """Set the due date of a notebook, in seconds since 1970; None removes it.
    A notebook that the gradebook lacks is added.
    """
    with open_gradebook(course, db) as book:
        date = (
            None if when is None else datetime.datetime.fromtimestamp(when, datetime.UTC).replace(tzinfo=None)
        )
        book.update_or_create_assignment(name, duedate=date)


def extensions(course: Path, book: Any) -> Extensions:
    """Every extension: the gradebook's, and the file's, which decide. Raises UserError for a damaged file."""
    rows = book.db.query(SubmittedAssignment.student_id, Assignment.name, SubmittedAssignment.extension)
    rows = rows.join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
    there = rows.filter(SubmittedAssignment.extension.isnot(None))
    return {(student, name): extra.total_seconds() for student, name, extra in there} | kept_extensions(
        course
    )


def all_extensions(course: Path, db: str | None = None) -> Extensions:
    """Every extension that was granted. Makes no gradebook."""
    if not gradebook_exists(course, db):
        return kept_extensions(course)
    with open_gradebook(course, db) as book:
        return extensions(course, book)


def kept_extensions(course: Path) -> Extensions:
    """The extensions of the course's file. Raises UserError if it is damaged."""
    path = course / EXTENSIONS
    if not path.is_file():
        return {}
    try:
        _, *rows = csv.reader(io.StringIO(path.read_text(encoding="utf-8"), newline=""), strict=True)
        return {(student, name): float(seconds) for student, name, seconds in rows}
    except (OSError, ValueError, csv.Error) as error:
        raise UserError(
            f"{path}: cannot be read ({error}); expected lines of {', '.join(HEADS)}; correct it"
        ) from None


def extend(course: Path, student: str, name: str, seconds: float, db: str | None = None) -> None:
    """Give a student this time after a notebook's due date; 0 takes an extension back.
    It replaces an earlier one.
    """
    granted = kept_extensions(course)
    granted.pop((student, name), None)
    with open_gradebook(course, db) as book:
        try:
            submission = book.find_submission(name, student)
        except MissingEntry:
            submission = None
        if seconds:
            granted[student, name] = seconds
        if submission is not None:
            submission.extension = datetime.timedelta(seconds=seconds) if seconds else None
        with writing(course / EXTENSIONS):
            write_whole(course / EXTENSIONS, _text(granted))
        book.db.commit()


def shown_time(when: float) -> str:
    """Such as "1 December 2026, 23:59 (UTC+01:00)": in the zone of course.toml, else in this machine's."""
    date = _in_zone(when)
    return f"{date.day} {date:%B %Y, %H:%M} (UTC{_offset(date)})"


def moment_of(text: str) -> float:
    """A time as a person writes it, in seconds since 1970: 2026-12-01T23:59, in the zone of course.toml, else
    in this machine's, or with an offset of its own. Raises ValueError and OverflowError for anything else.
    """
    when = datetime.datetime.fromisoformat(text)
    return when.replace(tzinfo=when.tzinfo or read_course().time_zone).timestamp()


def days_after(when: float, days: float) -> float:
    """The time so many days later at the same time of the clock, also where summer time begins or ends
    between the two.
    """
    there = _in_zone(when).replace(tzinfo=None) + datetime.timedelta(days=days)
    return there.replace(tzinfo=read_course().time_zone).timestamp()


def _in_zone(when: float) -> datetime.datetime:
    """A time in the zone of course.toml, else in this machine's."""
    zone = read_course().time_zone
    date = datetime.datetime.fromtimestamp(when, zone)
    return date if zone else date.astimezone()


def shown_span(seconds: float) -> str:
    """Such as "3 days", "1 day 2 h" or "30 min"."""
    days, rest = divmod(round(seconds), 86400)
    parts = [f"{days} day{'' if days == 1 else 's'}"] if days else []
    parts += [
        f"{number} {unit}" for number, unit in ((rest // 3600, "h"), (rest % 3600 // 60, "min")) if number
    ]
    return " ".join(parts) or f"{seconds:g} s"


def _offset(date: datetime.datetime) -> str:
    minutes = round((date.utcoffset() or datetime.timedelta()).total_seconds() / 60)
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"


def _text(granted: Mapping[tuple[str, str], float]) -> str:
    out = io.StringIO()
    rows = [(student, name, f"{seconds:g}") for (student, name), seconds in sorted(granted.items())]
    csv.writer(out, lineterminator="\n").writerows([HEADS, *rows])
    return out.getvalue()
