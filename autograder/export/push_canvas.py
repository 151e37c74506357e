"""`kqa course push canvas`: the gradebook's marks into the assignments of a Canvas course.

- `plan` reads both sides and changes nothing: which mark differs, for whom. `send` sets exactly these, reads
  Canvas again and lists what is not there. So a run that was interrupted can be repeated.
- A student without a mark is left alone on Canvas: refused or missing work, and work of which a person has
  not marked every answer. An excused student stays excused. Nothing on Canvas is ever emptied.
- Students are found by one kind of id for the whole class, because the number of one student may be another
  one's SIS id. It is the kind by which most are found. The others are looked up by the roster's e-mail
  address.
- An assignment has the notebook's name, or one that differs in spacing and case. It must be worth the
  notebook's points, because Canvas shows a share of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rich.table import Table
from rich.text import Text

from autograder.export.canvas_course import CanvasCourse, CanvasUser
from autograder.export.csv_tables import number
from autograder.export.marks import Marks, collect
from autograder.export.roster_file import plain_title
from autograder.people.roster import Person
from kqa_core.errors import UserError, readable, suggest
from kqa_core.progress import progress

KINDS = ("login", "SIS", "Canvas", "integration", "email")  # of ids, the best first
SAME = 0.005  # points: Canvas shows two decimals
POINTS_FIT = ("points", "percent", "letter_grade", "gpa_scale")  # grading types that take a number of points


@dataclass(frozen=True)
class Change:
    """A mark that Canvas lacks or has otherwise."""

    student: str
    user: CanvasUser
    before: float | None
    after: float


@dataclass
class Sheet:
    """The work for one notebook."""

    name: str
    points: float
    assignment: Any = None  # canvasapi's; None: still to be made
    changes: list[Change] = field(default_factory=list)
    same: int = 0  # marks that Canvas has already
    waiting: int = 0  # students of whom a person has not marked every answer
    excused: int = 0

    def __str__(self) -> str:
        new = ", a new assignment" if self.assignment is None else ""
        counts = [
            (self.same, "on Canvas already"),
            (self.waiting, "wait for a person"),
            (self.excused, "excused on Canvas"),
        ]
        others = "".join(f", {count} {what}" for count, what in counts if count)
        return f"{self.name} ({number(self.points)} points{new}): {len(self.changes)} to send{others}"


@dataclass
class Plan:
    """The work for a course. `problems`: a line for each mark or notebook that cannot be sent."""

    kind: str  # of id by which students were found
    sheets: list[Sheet] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def count(self) -> int:
        """How many marks are to be sent."""
        return sum(len(sheet.changes) for sheet in self.sheets)


def marks_to_push(notebooks: Sequence[str], course: Path, db: str | None, zeros: bool) -> Marks:
    """The marks that are complete. Raises UserError as `collect`."""
    return replace(collect(notebooks, course, db), zeros=zeros)


def plan(canvas: CanvasCourse, marks: Marks, create: bool = False, kind: str | None = None) -> Plan:
    """Compare the marks with those on Canvas. `kind` is that of the students' ids. Raises UserError."""
    users, kind = match(marks.students, marks.people, canvas.students(), kind)
    to_send = Plan(kind)
    there = canvas.assignments()
    for name in marks.names:
        points = marks.maximum(name)
        if points is None:
            continue  # nobody has a mark
        assignment, problem = _assignment(name, points, there, create)
        if problem is not None:
            to_send.problems.append(problem)
            continue
        sheet = Sheet(name, points, assignment)
        _compare(sheet, to_send, marks, users, {} if assignment is None else canvas.marks(assignment))
        to_send.sheets.append(sheet)
    to_send.problems = list(dict.fromkeys(to_send.problems))
    return to_send


def send(canvas: CanvasCourse, to_send: Plan) -> list[str]:
    """Set the marks of a plan. Returns a line for each that Canvas does not have then. Raises UserError."""
    missing = []
    for sheet in to_send.sheets:
        if not sheet.changes:
            continue
        assignment = sheet.assignment or canvas.create_assignment(sheet.name, sheet.points)
        wanted = {change.user.id: number(change.after) for change in sheet.changes}
        with progress(len(wanted), sheet.name) as shown:
            canvas.post_grades(assignment, wanted, shown.update)
        after = canvas.marks(assignment)
        for change in sheet.changes:
            has = after.get(change.user.id)
            if has is None or has.score is None or abs(has.score - change.after) >= SAME:
                missing.append(
                    f"{change.student}: Canvas did not take the mark of {sheet.name}; look at the student"
                    " there"
                )
    return missing


def plan_table(to_send: Plan) -> Table:
    """A row for each mark that is to be sent."""
    table = Table(title="Marks for Canvas", title_justify="left")
    for column in ("notebook", "student", "on Canvas", "has now", "mark"):
        table.add_column(column, justify="right" if column in ("has now", "mark") else "left")
    for sheet in to_send.sheets:
        for change in sheet.changes:
            cells = (
                sheet.name,
                change.student,
                change.user.name,
                number(change.before) or "-",
                number(change.after),
            )
            table.add_row(*(Text(cell) for cell in cells))  # a student chooses the name: no markup
    return table


def match(
    students: Sequence[str],
    people: Mapping[str, Person],
    users: Sequence[CanvasUser],
    kind: str | None = None,
) -> tuple[dict[str, CanvasUser], str]:
    """The user of each student found, and the kind of id. Raises UserError for an ambiguous one."""
    if kind is not None and kind not in KINDS:
        raise UserError(f"--id: {kind!r} is no kind of id; {suggest(kind, KINDS)}")
    by_kind = {
        each: _by_id((user, user.ids.get(each, "")) for user in users) for each in ([kind] if kind else KINDS)
    }
    kind = max(by_kind, key=lambda each: sum(student.casefold() in by_kind[each] for student in students))
    mails = _by_id((user, user.ids.get(each, "")) for each in ("email", "login") for user in users)
    user_of: dict[str, CanvasUser] = {}
    taken: dict[int, str] = {}
    addresses = {student: people[student].email.casefold() for student in students if student in people}
    for there, key in ((by_kind[kind], str.casefold), (mails, lambda student: addresses.get(student, ""))):
        for student in students:
            fits = {user.id: user for user in there.get(key(student), ()) if student not in user_of}
            if len(fits) > 1:
                raise UserError(
                    f"Canvas: {student!r} may be {len(fits)} students there, by {kind} id or address; choose"
                    " --id"
                )
            for user in fits.values():
                other = taken.setdefault(user.id, student)
                if other != student:
                    raise UserError(
                        f"Canvas: {user.name} ({user.id}) is both {other!r} and {student!r}; correct the"
                        " roster"
                    )
                user_of[student] = user
    return user_of, kind


def _by_id(pairs: Iterable[tuple[CanvasUser, str]]) -> dict[str, list[CanvasUser]]:
    by_id: dict[str, list[CanvasUser]] = {}
    for user, text in pairs:
        if text:
            by_id.setdefault(text.casefold(), []).append(user)
    return by_id


def _assignment(name: str, points: float, there: Sequence[Any], create: bool) -> tuple[Any, str | None]:
    """The assignment of a notebook, None if it is to be made; and why its marks cannot be sent."""
    fits = [assignment for assignment in there if plain_title(str(assignment.name)) == plain_title(name)]
    if len(fits) > 1:
        return None, f"{name}: Canvas has {len(fits)} assignments of this name; rename all but one"
    if not fits:
        return None, None if create else f"{name}: Canvas has no assignment of this name; --create makes one"
    (one,) = fits
    title, worth = readable(str(one.name)), getattr(one, "points_possible", None)
    if worth is None or abs(worth - points) >= SAME:
        worth = number(worth) or "no"
        return (
            None,
            (
                f"{title}: worth {worth} points on Canvas, {number(points)} in the gradebook; set its points"
                " on Canvas"
            ),
        )
    if getattr(one, "grading_type", "points") not in POINTS_FIT:
        return None, f"{title}: is graded on Canvas as {one.grading_type}; choose points there"
    if not getattr(one, "published", True):
        return None, f"{title}: is not published on Canvas, which takes no marks for it; publish it there"
    return one, None


def _compare(
    sheet: Sheet, to_send: Plan, marks: Marks, users: Mapping[str, CanvasUser], there: Mapping[int, Any]
) -> None:
    for student in marks.students:
        mark, score = marks.marks.get((student, sheet.name)), marks.score(student, sheet.name)
        if mark is not None and mark.waits:
            sheet.waiting += 1
        elif score is not None and student not in users:
            to_send.problems.append(
                f"{student}: has marks, but nobody of the course on Canvas has this {to_send.kind} id"
            )
        elif score is not None and sheet.assignment is not None and users[student].id not in there:
            to_send.problems.append(
                f"{student}: has a mark, but {sheet.name} is not assigned to them on Canvas"
            )
        elif score is not None:
            has = there.get(users[student].id)
            if has is not None and has.excused:
                sheet.excused += 1
            elif has is not None and has.score is not None and abs(has.score - score) < SAME:
                sheet.same += 1
            else:
                sheet.changes.append(
                    Change(student, users[student], has.score if has is not None else None, score)
                )
