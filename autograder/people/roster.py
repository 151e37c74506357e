"""The roster: names and e-mail addresses in nbgrader's gradebook,
sections in `people/sections.csv` of the course.

- It is read from Canvas's gradebook, from Moodle's participants or grades, or from a plain CSV: id, first
  name, last name, email, section. Only the headings decide which it is.
- A student's id is the name of the student's folder. A platform's file has several ids: the column counts
  that holds most of the students whom the course knows, and in a new course the first one of the list.
- All or nothing: a line that cannot be used stops the import before anything is written. Importing a file
  again changes nothing.
- `people/roster.csv` keeps the ids of all that were imported. They are the roster, together with the students
  of the gradebook who have a name or an e-mail address: the recorder adds students too, but only their ids.
  In a course without that file, names in the gradebook are a roster if all who submitted have one.
- An empty cell changes nothing, and nobody is removed: a student who left keeps marks and submissions, and is
  listed.
- nbgrader writes names into its pages unescaped, so a name that would be markup is refused. A nickname in
  quotes is kept, in typographic ones.
"""

from __future__ import annotations

import contextlib
import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nbgrader.api import Student
from sqlalchemy.exc import SQLAlchemyError

from autograder.gradebook.gradebook import gradebook_exists, open_gradebook
from autograder.gradebook.recorder import NAME_LENGTH, unfit_name
from autograder.people.csv_file import numbered_rows
from autograder.submissions.store import manifest
from autograder.submissions.student_names import safe_name
from kqa_core.errors import UserError, readable, suggest
from kqa_core.files import write_whole, writing

SECTIONS, NAMES = Path("people", "sections.csv"), Path("people", "roster.csv")
IDS = {  # headings of a student's id, the best first
    "canvas": ("SIS Login ID", "SIS User ID", "ID", "Integration ID"),
    "moodle": ("Username", "Email address", "ID number"),
    "plain": ("id", "student"),
}
FIRST, LAST = ("first name", "firstname", "first_name"), ("last name", "surname", "lastname", "last_name")
EMAIL, SECTION = ("email", "email address", "e-mail"), ("section", "groups", "group")
EXPECTED = (
    "expected Canvas's gradebook (Student, ID, SIS Login ID, …), Moodle's participants or grades (First name,"
    " Surname, …), or id, first name, last name, email, section"
)
FIELDS = ("first", "last", "email", "section")
TEST_STUDENT = "student, test"  # of Canvas
NOT_STUDENTS = {"points possible", TEST_STUDENT}  # rows of Canvas


@dataclass(frozen=True)
class Person:
    """A student as in the roster; a field is empty if the roster does not have it."""

    id: str
    first: str = ""
    last: str = ""
    email: str = ""
    section: str = ""

    @property
    def name(self) -> str:
        """First and last name; empty if there is none."""
        return f"{self.first} {self.last}".strip()

    @property
    def sorted_name(self) -> str:
        """Such as "Lovelace, Ada"; empty if there is no name."""
        return ", ".join(part for part in (self.last, self.first) if part)


@dataclass(frozen=True)
class Imported:
    """An import: a line for each student who was added, changed, or is no longer in the file."""

    column: str  # by which students were found
    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)  # names of the file that are no student's


def import_roster(path: Path, course: Path, db: str | None = None, column: str | None = None) -> Imported:
    """Take a roster into the gradebook. `column`:
    the heading of the students' ids; default: chosen by the course's students.

    Raises UserError, with nothing changed, for a file or a line that cannot be used.
    """
    before = read_people(course, db)
    people, heading = read_roster(path, known_students(course, db), column)
    imported = Imported(heading, gone=sorted(set(before) - set(people)), left_out=_left_out(path))
    after = dict(before)
    for student, new in people.items():
        old = before.get(student, Person(student))
        after[student] = Person(
            student, **{name: getattr(new, name) or getattr(old, name) for name in FIELDS}
        )
        if student not in before:
            imported.added.append(_shown(after[student]))
        elif after[student] != old:
            changes = [(getattr(old, name) or "nothing", getattr(after[student], name)) for name in FIELDS]
            imported.changed.append(
                f"{student}: {', '.join(f'{was} → {now}' for was, now in changes if now and was != now)}"
            )
    if imported.added or imported.changed:
        _write(after, [student for student in people if after[student] != before.get(student)], course, db)
    names = _imported(course)
    if not names >= people.keys():
        with writing(course / NAMES):
            write_whole(course / NAMES, "\n".join(["student", *sorted({*names, *people})]) + "\n")
    return imported


def roster_names(course: Path, db: str | None = None) -> frozenset[str] | None:
    """The ids of the roster; None if there is none.

    A gradebook that cannot be read stops nobody from submitting: then the names that were imported decide.
    """
    names = _imported(course)
    with contextlib.suppress(UserError):
        named = {person.id for person in read_people(course, db).values() if person.name or person.email}
        received = {entry.student for entry in manifest(course / "received", "")}
        if names or received <= named:  # else somebody has typed a few names in formgrader
            names |= named
    return frozenset(names) or None


def _imported(course: Path) -> set[str]:
    """The ids of all imports."""
    path = course / NAMES
    return set(path.read_text(encoding="utf-8").splitlines()[1:]) if path.is_file() else set()


def read_people(course: Path, db: str | None = None) -> dict[str, Person]:
    """Everybody in the gradebook, by id, in order.
    Empty if there is no gradebook. Raises UserError for damaged sections.
    """
    if not gradebook_exists(course, db):
        return {}
    sections: dict[str, str] = {}
    if (course / SECTIONS).is_file():
        sections = {row[0]: row[1] for _, row in numbered_rows(course / SECTIONS)[1:]}
    with open_gradebook(course, db) as book:
        rows = (
            book.db.query(Student.id, Student.first_name, Student.last_name, Student.email)
            .order_by(Student.id)
            .all()
        )
    return {
        row[0]: Person(row[0], row[1] or "", row[2] or "", row[3] or "", sections.get(row[0], ""))
        for row in rows
    }


def known_students(course: Path, db: str | None = None) -> set[str]:
    """Everybody whom the course knows, from the gradebook or from a submission."""
    return {*read_people(course, db), *(entry.student for entry in manifest(course / "received", ""))}


def find_student(student: str, course: Path, db: str | None = None) -> None:
    """Raise UserError unless the course knows this student, from the gradebook or from a submission."""
    known = known_students(course, db)
    if student not in known:
        help = suggest(student, sorted(known), cutoff=0.4) if known else "import the roster first"
        raise UserError(f"student {student!r}: is unknown in this course; {help}")


def read_roster(
    path: Path, known: Iterable[str] = (), column: str | None = None
) -> tuple[dict[str, Person], str]:
    """The students of a roster by id, and the heading of the column of their ids. Raises UserError."""
    (_, head), *rows = numbered_rows(path)
    titles = [title.strip().casefold() for title in head]
    rows = [
        (line, row)
        for line, row in rows
        if row[0].strip().casefold() not in NOT_STUDENTS and not _posting(row, titles)
    ]
    place = _id_column(path, head, titles, [row for _, row in rows], set(known), column)
    first, last, email, section = (_place(titles, wanted) for wanted in (FIRST, LAST, EMAIL, SECTION))
    people: dict[str, tuple[int, Person]] = {}
    for line, row in rows:
        cell = [_cell(row, number) for number in (place, first, last, email, section)]
        cell[1:] = [_quoted(text) for text in cell[1:]]
        if first is None and last is None and titles[0] == "student":  # Canvas: "Lovelace, Ada"
            name, comma, rest = _quoted(row[0].strip()).partition(",")
            cell[1:3] = (rest.strip(), name.strip()) if comma else _split(name)
        problem = _problem(cell, head[place])
        if problem is None and cell[0] in people:
            problem = (
                f"{head[place]} {cell[0]!r} stands in line {people[cell[0]][0]}, too; expected one line for"
                " each student"
            )
        if problem is not None:
            raise UserError(f"{path}: line {line}: {problem}; nothing was imported")
        people[cell[0]] = (line, Person(*cell))
    if not people:
        raise UserError(f"{path}: holds no student; expected a line of headings and a line for each student")
    return {student: person for student, (_, person) in people.items()}, head[place]


def _id_column(
    path: Path, head: list[str], titles: list[str], rows: list[list[str]], known: set[str], column: str | None
) -> int:
    if column is not None:
        if column.strip().casefold() not in titles:
            raise UserError(f"{path}: has no column {column!r}; the headings are {', '.join(head)}")
        return titles.index(column.strip().casefold())
    kind = "plain"
    if titles[0] in ("student", "lastname") and "id" in titles:
        kind = "canvas"
    elif {"username", "email address", "id number"} & set(titles):
        kind = "moodle"
    there = [titles.index(place.casefold()) for place in IDS[kind] if place.casefold() in titles]
    if not there:
        raise UserError(f"{path}: line 1: the headings are {readable(', '.join(head))}; {EXPECTED}")
    filled = [place for place in there if any(row[place].strip() for row in rows)] or there
    return max(
        filled, key=lambda place: (sum(row[place].strip() in known for row in rows), -there.index(place))
    )


def _left_out(path: Path) -> list[str]:
    """Canvas's own student for trying."""
    return [row[0].strip() for _, row in numbered_rows(path) if row[0].strip().casefold() == TEST_STUDENT]


def _posting(row: list[str], titles: list[str]) -> bool:
    """Whether it is Canvas's row about the posting of grades: it has no student and no id."""
    return (
        titles[0] == "student"
        and "id" in titles
        and not row[0].strip()
        and not row[titles.index("id")].strip()
    )


def _place(titles: list[str], wanted: Sequence[str]) -> int | None:
    return next((titles.index(title) for title in wanted if title in titles), None)


def _cell(row: list[str], place: int | None) -> str:
    return row[place].strip() if place is not None else ""


def _quoted(text: str) -> str:
    """A text with a nickname in quotes as a book prints it: a straight one would end an attribute of
    nbgrader's pages.
    """
    return re.sub(r'"([^"]*)"', "\u201c\\1\u201d", text)


def _split(name: str) -> tuple[str, str]:
    first, _, last = name.rpartition(" ")
    return first, last


def _problem(cells: list[str], heading: str) -> str | None:
    """Why a line cannot be used; None if it can. `cells`: id, first name, last name, email, section."""
    student, *rest = cells
    if not student:
        return f"has no {heading}; expected the student's id, which is the name of the student's folder"
    why = unfit_name(student)
    if why is not None or safe_name(student) != student:
        return (
            f"{heading} {readable(student)!r} {why or 'cannot be the name of a folder'}; expected letters,"
            " digits and plain signs"
        )
    for text in rest:
        if len(text) > NAME_LENGTH:
            return f"{text[:20]!r}… has {len(text)} characters; expected at most {NAME_LENGTH}"
        if any(letter in '<>"' or not letter.isprintable() for letter in text):
            return f'{readable(text)!r} holds <, >, " or an unprintable character; expected a plain name'
    if rest[2] and "@" not in rest[2]:
        return f"email {rest[2]!r} has no @; expected an e-mail address"
    return None


def _shown(person: Person) -> str:
    known = [text for text in (person.name, person.email, person.section) if text]
    return f"{person.id}: {', '.join(known)}" if known else person.id


def _write(people: dict[str, Person], changed: list[str], course: Path, db: str | None) -> None:
    """Write these students; the file of sections just before the gradebook is committed."""
    with open_gradebook(course, db) as book:
        try:
            for student in changed:
                row: Any = book.db.get(Student, student)
                if row is None:
                    row = Student(id=student)
                    book.db.add(row)
                person = people[student]
                row.first_name, row.last_name, row.email = (
                    text or None for text in (person.first, person.last, person.email)
                )
            book.db.flush()
            if any(person.section for person in people.values()):
                _write_sections(course / SECTIONS, people)
            book.db.commit()
        except (SQLAlchemyError, OSError) as error:
            book.db.rollback()
            raise UserError(
                f"roster: could not be written ({type(error).__name__}: {error}); nothing was imported"
            ) from None


def _write_sections(path: Path, people: dict[str, Person]) -> None:
    out = io.StringIO()
    rows = [(person.id, person.section) for person in people.values() if person.section]
    csv.writer(out, lineterminator="\n").writerows([("student", "section"), *sorted(rows)])
    write_whole(path, out.getvalue())
