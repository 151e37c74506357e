"""Whose a file of a learning platform is: which student of the course the platform means.

- The roster file is the platform's own: Canvas's gradebook (ID), Moodle's grading worksheet or participants
  (Identifier, Email address), Gradescope's roster (Email, SID), or any CSV with such columns. Each of its
  lines is a student of the course by an id that the course knows, else by the e-mail address or the name.
- A number or an address decides. A name decides only where the roster has no column of the platform's
  numbers, and only if one student alone has it. Two that contradict each other decide nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, tzinfo
from pathlib import Path

from autograder.people.csv_file import numbered_rows
from autograder.people.roster import EMAIL, FIRST, IDS, LAST, Person, known_students, read_people, read_roster

# headings of the roster file, by the kind of name that is in the column
COLUMNS = {
    "canvas": ("id",),
    "participant": ("identifier",),
    "email": EMAIL,
    "sid": ("sis user id", "sis login id", "integration id", "id number", "username", "sid", "student id"),
}
NAMES = ("student", "name", "full name", "first name surname")
TIME = ("last modified (submission)",)
TIMES = ("%A, %d %B %Y, %I:%M %p", "%A, %d %B %Y, %H:%M", "%d %B %Y, %I:%M %p", "%Y-%m-%d %H:%M:%S")
SURE = ("canvas", "participant", "email", "sid", "any")


class Directory:
    """The students of a course, by all that platforms call them."""

    def __init__(self, people: Iterable[Person]) -> None:
        self._index: dict[tuple[str, str], set[str]] = defaultdict(set)
        self.times: dict[str, float] = {}  # of submissions, where the roster file has them
        for person in people:
            self.add(person.id, "any", person.id)
            self.add(person.id, "sid", person.id)
            self.add(person.id, "email", person.email)
            self.add_name(person.id, person.first, person.last)

    def add(self, student: str, kind: str, value: str) -> None:
        """Enter one name of a student."""
        if kind == "participant":
            value = re.sub(r"\D", "", value)  # "Participant 12345"
        if value.strip():
            self._index[kind, value.strip().casefold()].add(student)
            if kind in ("email", "sid", "canvas"):
                self._index["any", value.strip().casefold()].add(student)

    def add_name(self, student: str, first: str, last: str) -> None:
        """Enter a student's name, in both orders: platforms differ."""
        for name in (f"{first} {last}", f"{last} {first}"):
            if plain(name):
                self._index["name", plain(name)].add(student)
                self._index["any", plain(name)].add(student)

    def find(self, who: Sequence[tuple[str, str]]) -> tuple[str | None, str]:
        """The student, and whether a name alone says so; or None, and why nobody can say it."""
        found: set[str] = set()
        for kind, value in who:
            if kind in SURE:
                found |= self._index.get((kind, value.strip().casefold()), set())
                found |= (
                    self._index.get((kind, plain(value)), set()) if kind == "any" and not found else set()
                )
        if len(found) > 1:
            return None, f"could be of {', '.join(sorted(found))}"
        if found:
            return found.pop(), ""
        numbers = next((kind for kind, _ in who if kind in ("canvas", "participant")), None)
        if numbers is not None and any(kind == numbers for kind, _ in self._index):
            return None, f"the roster has no student with the number {dict(who)[numbers]}"
        names = {
            student
            for kind, value in who
            if kind == "name"
            for student in self._index.get((kind, plain(value)), ())
        }
        if len(names) == 1:
            return names.pop(), "found by the name alone"
        if names:
            return None, f"has the name of {', '.join(sorted(names))}; give the platform's own roster"
        return None, "the roster has no such student"


def directory(
    course: Path, roster: Path | None, zone: tzinfo | None = None, db: str | None = None
) -> Directory:
    """The students of a course, with what a roster file of the platform says of them. Raises UserError."""
    people = read_people(course, db)
    known = {*known_students(course, db)}
    if roster is not None and not known:
        people, _ = read_roster(roster)
        known = set(people)
    students = Directory([people.get(student) or Person(student) for student in sorted(known)])
    if roster is None:
        return students
    (_, head), *rows = numbered_rows(roster)
    titles = [title.strip().casefold() for title in head]
    ids = {title.casefold() for kind in IDS.values() for title in kind} | {*COLUMNS["sid"]}
    for _, row in rows:
        cells = list(zip(titles, (cell.strip() for cell in row), strict=True))
        student = _student_of(cells, ids, known, students)
        if student is None:
            continue
        for kind, wanted in COLUMNS.items():
            for title, cell in cells:
                if title in wanted and (kind != "canvas" or titles[0] in ("student", "lastname")):
                    students.add(student, kind, cell)
        students.add_name(student, *_name(cells))
        when = next((_moment(cell, zone) for title, cell in cells if title in TIME), None)
        if when is not None:
            students.times[student] = when
    return students


def plain(name: str) -> str:
    """A name without accents, spaces, case and signs: as Canvas writes it, and as others do."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in letters if letter.isalnum())


def _student_of(
    cells: Sequence[tuple[str, str]], ids: set[str], known: set[str], students: Directory
) -> str | None:
    """The student of the course whom a line of the roster file is about; None if it is about nobody."""
    named = {cell for title, cell in cells if title in ids and cell in known}
    if len(named) == 1:
        return named.pop()
    email = tuple(("email", cell) for title, cell in cells if title in EMAIL)
    return students.find((*email, ("name", " ".join(_name(cells)))))[0]


def _name(cells: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """First and last name in a line."""
    first = next((cell for title, cell in cells if title in FIRST), "")
    last = next((cell for title, cell in cells if title in LAST), "")
    if not first and not last:
        whole = next((cell for title, cell in cells if title in NAMES), "")
        last, comma, first = whole.partition(",")
        return (first.strip(), last.strip()) if comma else ("", whole)
    return first, last


def _moment(text: str, zone: tzinfo | None) -> float | None:
    """A time as Moodle writes it in English; None for one in another language."""
    for form in TIMES:
        try:
            when = datetime.strptime(text, form)
        except ValueError:
            continue
        return when.replace(tzinfo=zone).timestamp()
    return None
