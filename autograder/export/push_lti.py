"""`kqa course push lti`: the gradebook's marks into the line items of the platform that the class comes from.

- `plan` asks the platform for its line items and changes nothing. `send` sends the scores of a plan.
- `people/lti_scores.json` holds what each student was sent last, with the line item's address. So a push
  sends only what has changed, and one that was interrupted can be repeated. A mark that somebody changes on
  the platform stays there until ours changes.
- A mark is sent when it is whole. While an answer waits for a person, the platform hears of work without a
  mark (PendingManual), which takes a mark away that it had from an earlier version.
- A line item is the one that we made for the notebook, else one whose label is the notebook's name, spacing
  and case aside. The platform scales marks to its maximum.
- A problem of one student or notebook is one line, and the others are sent.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.table import Table
from rich.text import Text

from autograder.export.csv_tables import number
from autograder.export.lti_platform import AGAIN, LineItem, LtiPlatform, Refused
from autograder.export.marks import Marks
from autograder.export.roster_file import plain_title
from kqa_core.errors import UserError
from kqa_core.files import write_whole, writing
from kqa_core.progress import progress

SENT = Path("people", "lti_scores.json")
WAITS = "waits for a person"
IN_A_ROW = 10  # marks at which the platform fails, one after the other, until the push ends
# Canvas takes a score for a new attempt of the student's, if it is not told otherwise
CANVAS = {"https://canvas.instructure.com/lti/submission": {"new_submission": False}}
Scores = dict[str, dict[str, object]]  # student → the score


@dataclass
class Sent:
    """What the platform was sent last: a notebook's line item, and its scores."""

    course: Path
    items: dict[str, str] = field(default_factory=dict)  # notebook → address of the line item
    scores: dict[str, Scores] = field(default_factory=dict)

    @classmethod
    def read(cls, course: Path) -> Sent:
        """What the last push has left. Raises UserError for a file that cannot be read."""
        path = course / SENT
        try:
            facts = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
            return cls(
                course,
                {name: str(one["line_item"]) for name, one in facts.items()},
                {name: dict(one["scores"]) for name, one in facts.items()},
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            raise UserError(
                f"{path}: cannot be read; restore it from a backup, or remove it: all marks are sent then"
            ) from None

    def of(self, name: str, item: LineItem | None) -> Scores:
        """The scores that a line item has. Another one than the last time has none."""
        return self.scores.get(name, {}) if item is not None and self.items.get(name) == item.id else {}

    def write(self) -> None:
        """Write the file, for its owner alone."""
        facts = {name: {"line_item": item, "scores": self.scores[name]} for name, item in self.items.items()}
        with writing(self.course / SENT):
            write_whole(self.course / SENT, json.dumps(facts, indent=1, ensure_ascii=False), mode=0o600)


@dataclass(frozen=True)
class Change:
    """A score that the platform does not have yet."""

    student: str
    before: Mapping[str, object] | None
    after: dict[str, object]


@dataclass
class Sheet:
    """The work for one notebook."""

    name: str
    points: float
    item: LineItem | None  # None: still to be made
    changes: list[Change] = field(default_factory=list)
    same: int = 0  # scores that were sent before

    def __str__(self) -> str:
        new = ", a new line item" if self.item is None else ""
        scaled = (
            f", {number(self.item.maximum)} on the platform"
            if self.item is not None and self.item.maximum != self.points
            else ""
        )
        same = f", {self.same} sent before" if self.same else ""
        return f"{self.name} ({number(self.points)} points{scaled}{new}): {len(self.changes)} to send{same}"


@dataclass
class Plan:
    """The work for a course. `problems`: a line for each mark or notebook that cannot be sent."""

    sheets: list[Sheet] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def count(self) -> int:
        """How many scores are to be sent."""
        return sum(len(sheet.changes) for sheet in self.sheets)


def plan(platform: LtiPlatform, marks: Marks, sent: Sent, create: bool = False) -> Plan:
    """Compare the marks with what was sent. Raises UserError."""
    to_send, unknown = Plan(), set()
    there = platform.line_items()
    people = platform.launches.people
    for name in marks.names:
        points = marks.maximum(name)
        if points is None:
            continue  # nobody has a mark
        item, problem = _line_item(name, there, create, gone=name in sent.items)
        if problem is not None:
            to_send.problems.append(problem)
            continue
        sheet = Sheet(name, points, item)
        before = sent.of(name, item)
        for student in marks.students:
            score = _score(marks, student, name, points, people.get(student.casefold(), ""))
            if score is None:
                continue
            if not score["userId"]:
                unknown.add(student)
            elif score == before.get(student):
                sheet.same += 1
            else:
                sheet.changes.append(Change(student, before.get(student), score))
        to_send.sheets.append(sheet)
    to_send.problems += [
        f"{student}: has marks, but never came to the hub from the platform, so its id there is not known"
        for student in sorted(unknown)
    ]
    return to_send


def send(platform: LtiPlatform, to_send: Plan, sent: Sent) -> tuple[int, list[str]]:
    """Send the scores of a plan: how many were, and a line for each that was not. Raises UserError."""
    count = 0
    problems: list[str] = []
    for sheet in to_send.sheets:
        if not sheet.changes:
            continue
        item = sheet.item or platform.create_line_item(sheet.name, sheet.points)
        scores = sent.of(sheet.name, item)
        sent.items[sheet.name], sent.scores[sheet.name] = item.id, scores
        try:
            new = _send_sheet(platform, sheet, item, scores, problems)
        finally:
            sent.write()
        count += new
    return count, problems


def plan_table(to_send: Plan) -> Table:
    """A row for each score that is to be sent."""
    table = Table(title="Marks for the platform", title_justify="left")
    for column in ("notebook", "student", "sent before", "mark"):
        table.add_column(column, justify="right" if column in ("sent before", "mark") else "left")
    for sheet in to_send.sheets:
        for change in sheet.changes:
            cells = (sheet.name, change.student, _shown(change.before), _shown(change.after))
            table.add_row(*(Text(cell) for cell in cells))  # a student chooses the name: no markup
    return table


def _send_sheet(
    platform: LtiPlatform, sheet: Sheet, item: LineItem, scores: Scores, problems: list[str]
) -> int:
    count = in_a_row = 0
    with progress(len(sheet.changes), sheet.name) as shown:
        for place, change in enumerate(sheet.changes, 1):
            try:
                platform.post_score(item, change.after)
            except Refused as refused:
                if refused.status in (403, 404, 410) and not platform.has(item):
                    problems.append(
                        f"{sheet.name}: the line item has vanished from the platform; {AGAIN}, with --create"
                        " in a new line item"
                    )
                    break
                in_a_row = in_a_row + 1 if refused.status >= 500 else 0
                if in_a_row == IN_A_ROW:
                    raise UserError(
                        f"{item.id}: the platform fails at each mark ({refused}); later, {AGAIN}"
                    ) from None
                problems.append(f"{change.student}: {_why(refused, sheet.name)}")
            else:
                scores[change.student] = change.after
                count, in_a_row = count + 1, 0
            shown.update(place)
    return count


def _why(refused: Refused, name: str) -> str:
    """Why a mark was not taken, as far as the status tells."""
    if refused.status == 409:
        return f"the platform has a newer mark of {name} ({refused}); look there, and at this machine's clock"
    return (
        f"the platform did not take the mark of {name} ({refused}); is the student still in the course there?"
    )


def _score(marks: Marks, student: str, name: str, points: float, user: str) -> dict[str, object] | None:
    """The score of a student, without its time; None if there is nothing to say."""
    mark, given = marks.marks.get((student, name)), marks.score(student, name)
    if given is None:
        return None
    score: dict[str, object] = {"userId": user, **CANVAS}
    if mark is not None and mark.waits:
        return {**score, "activityProgress": "Submitted", "gradingProgress": "PendingManual"}
    score |= {"activityProgress": "Completed", "gradingProgress": "FullyGraded"}
    score |= {"scoreGiven": given, "scoreMaximum": points}
    if mark is not None and mark.penalty:
        score["comment"] = f"Late: {number(mark.penalty)} points less."
    return score


def _line_item(
    name: str, there: Sequence[LineItem], create: bool, gone: bool
) -> tuple[LineItem | None, str | None]:
    """The line item of a notebook, None if it is to be made; and why marks cannot be sent."""
    fits = [item for item in there if item.resource == name] or [
        item for item in there if plain_title(item.label) == plain_title(name)
    ]
    if len(fits) > 1:
        return None, f"{name}: the platform has {len(fits)} line items of this name; rename all but one"
    if fits:
        return fits[0], None
    if create:
        return None, None
    was = (
        "the line item of the last push has vanished from the platform"
        if gone
        else "the platform has no line item of this name"
    )
    return None, f"{name}: {was}; --create makes one"


def _shown(score: Mapping[str, object] | None) -> str:
    if score is None:
        return "-"
    given = score.get("scoreGiven")
    return WAITS if given is None else number(float(str(given)))
