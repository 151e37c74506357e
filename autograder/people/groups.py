"""Groups that submit together: who they are, for which notebook, and which of their submissions counts.

- Groups are kept in the course's `people/groups.csv`: notebook, group, student. An empty notebook means every
  notebook that has no groups of its own.
- A version that any member submits is the group's. It counts by the same rule as one student's: the last one
  before the due date. The longest extension of a member is the group's.
- The submission is judged once, under the name of the member who submitted it, and the result is that of
  every member.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.gradebook.recorder import unfit_name
from autograder.people.csv_file import numbered_rows
from autograder.submissions.store import Submission
from autograder.submissions.student_names import safe_name
from kqa_core.errors import UserError, readable, suggest
from kqa_core.files import write_whole, writing

GROUPS = Path("people", "groups.csv")
LONGEST = 100  # characters of a group's name


@dataclass(frozen=True)
class Group:
    """A group, and its members in order."""

    name: str
    members: tuple[str, ...]


def read_groups(course: Path) -> dict[str, list[Group]]:
    """The groups by notebook; those for every notebook under "". Raises UserError for a damaged file."""
    path = course / GROUPS
    by_notebook: dict[str, dict[str, list[str]]] = {}
    for line, row in numbered_rows(path)[1:] if path.is_file() else ():
        if len(row) != 3 or not row[2]:
            raise UserError(
                f"{path}: line {line}: expected notebook, group, student; import the groups again"
            )
        by_notebook.setdefault(row[0], {}).setdefault(row[1], []).append(row[2])
    return {
        name: [Group(group, tuple(sorted(members))) for group, members in groups.items()]
        for name, groups in by_notebook.items()
    }


def groups_of(course: Path, notebook: str) -> dict[str, Group]:
    """The group of each student who has one for this notebook."""
    groups = read_groups(course)
    return {student: group for group in groups.get(notebook, groups.get("", [])) for student in group.members}


def import_groups(
    path: Path | None, course: Path, known: Iterable[str], notebooks: Sequence[str] = ()
) -> list[Group]:
    """Take the groups of a CSV (group, student) for these notebooks, or for every one;
    None forgets them. Returns the groups.

    `known`: the course's students; if it is empty, any name is taken. They replace the groups that the
    notebooks had. Raises UserError, with nothing changed, for a line that cannot be used.
    """
    groups = _read(path, set(known)) if path is not None else []
    of_notebooks = {
        name: others for name, others in read_groups(course).items() if name not in (notebooks or ("",))
    }
    write_groups(course, of_notebooks | {name: groups for name in notebooks or ("",) if groups})
    return groups


def write_groups(course: Path, of_notebooks: Mapping[str, Sequence[Group]]) -> None:
    """Write the groups of a course, by notebook."""
    rows = [
        (name, group.name, who)
        for name in sorted(of_notebooks)
        for group in of_notebooks[name]
        for who in group.members
    ]
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([("notebook", "group", "student"), *rows])
    with writing(course / GROUPS):
        if rows:
            write_whole(course / GROUPS, out.getvalue())
        else:
            (course / GROUPS).unlink(missing_ok=True)


def group_extensions(
    extensions: Mapping[tuple[str, str], float], groups: Mapping[str, Mapping[str, Group]]
) -> dict[tuple[str, str], float]:
    """The extensions, a group's longest for each of its members. `groups`: notebook → student → group."""
    longest_of = dict(extensions)
    for name, of_students in groups.items():
        for student, group in of_students.items():
            longest = max(extensions.get((who, name), 0.0) for who in group.members)
            if longest:
                longest_of[student, name] = longest
    return longest_of


@dataclass(frozen=True)
class Shared:
    """The submission that counts for a group.

    `notes`: what each member's result says about it. `stamps`: by what each member's page finds its student,
    that of the member's own submission.
    """

    group: Group
    entry: Submission
    notes: Mapping[str, str]
    stamps: Mapping[str, tuple[str | None, str | None]]


def share(
    entries: Sequence[Submission], groups: Mapping[str, Mapping[str, Group]]
) -> tuple[list[Submission], list[Shared]]:
    """The entries to judge, one for each group, and what counts for the groups.
    `groups`: notebook → student → group.
    """
    own = {(entry.student, entry.assignment): entry for entry in entries}
    shared: list[Shared] = []
    for name in dict.fromkeys(entry.assignment for entry in entries):
        for group in dict.fromkeys(groups.get(name, {}).values()):
            theirs = [own[who, name] for who in group.members if (who, name) in own]
            files = [entry for entry in theirs if entry.file is not None]
            if files:
                in_time = [entry for entry in files if not entry.late]
                counts = max(
                    in_time or files, key=lambda entry: (entry.received or 0.0, entry.line, entry.student)
                )
                shared.append(
                    Shared(
                        group,
                        counts,
                        {who: _note(group, counts, own.get((who, name))) for who in group.members},
                        {
                            who: own[who, name].stamp if (who, name) in own else (None, None)
                            for who in group.members
                        },
                    )
                )
    covered = {
        (who, one.entry.assignment) for one in shared for who in one.group.members if who != one.entry.student
    }
    return [entry for entry in entries if (entry.student, entry.assignment) not in covered], shared


def _note(group: Group, counts: Submission, own: Submission | None) -> str:
    note = (
        f"Group {group.name} ({', '.join(group.members)}): version {counts.version} of {counts.student}"
        " counts for all."
    )
    if own is not None and own.file is not None and own.student != counts.student:
        why = "came after the due date" if own.late and not counts.late else "was received earlier"
        note += f" Version {own.version} of {own.student} {why}, so it does not count."
    elif own is not None and own.refused:
        note += f" A submission of {own.student} was refused: {own.refused}."
    return note


def _read(path: Path, known: set[str]) -> list[Group]:
    (_, head), *rows = numbered_rows(path)
    titles = [title.strip().casefold() for title in head]
    if "group" not in titles or "student" not in titles:
        raise UserError(
            f"{path}: line 1: the headings are {readable(', '.join(head))}; expected group and student"
        )
    members_of: dict[str, list[str]] = {}
    where: dict[str, tuple[str, int]] = {}
    for line, row in rows:
        group, student = row[titles.index("group")].strip(), row[titles.index("student")].strip()
        problem = _problem(group, student, known)
        if student in where:
            other, before = where[student]
            same = (
                f"stands in group {other!r} twice"
                if other == group
                else f"is in group {other!r} (line {before}) and in {group!r}"
            )
            problem = f"student {student!r} {same}; expected one group for each student"
        if problem is not None:
            raise UserError(f"{path}: line {line}: {problem}; nothing was imported")
        where[student] = (group, line)
        members_of.setdefault(group, []).append(student)
    return [Group(name, tuple(sorted(members))) for name, members in members_of.items()]


def _problem(group: str, student: str, known: set[str]) -> str | None:
    if not group or not student:
        return f"has no {'student' if group else 'group'}; expected a group and a student"
    if len(group) > LONGEST or any(letter in '<>"' or not letter.isprintable() for letter in group):
        return f"group {readable(group[:LONGEST])!r} is no name; expected at most {LONGEST} plain characters"
    if unfit_name(student) or safe_name(student) != student:
        return (
            f"student {readable(student)!r} cannot be the name of a folder; expected letters, digits and"
            " plain signs"
        )
    if known and student not in known:
        return f"student {student!r} is unknown in this course; {suggest(student, sorted(known), cutoff=0.4)}"
    return None
