"""Groups that students form themselves, for the notebooks that `student_groups` of course.toml names.

- Each member submits a notebook with a line that names all. The store says who has submitted it. A student's
  newest line counts, of those that came in time; one that names nobody else takes the others back.
- Unless every member has named the same students, they are no group. A student in a group of the instructor's
  can form none.
- The notebooks are read in the sandbox. Only versions with such a line in them are.
- A group's name is made of its members, which tells it from the instructor's. Forming groups again replaces
  only those.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from autograder.gradebook.due_dates import all_extensions, due_dates
from autograder.grading.config import JudgeConfig
from autograder.grading.workers import read_versions, versions_with
from autograder.paths import read_course
from autograder.people.groups import LONGEST, Group, read_groups, share, write_groups
from autograder.people.roster import known_students
from autograder.submissions.cells import group_in
from autograder.submissions.store import Submission, manifests
from kqa_core.check.course_paths import SETTINGS
from kqa_core.errors import UserError, readable, suggest


@dataclass(frozen=True)
class Formed:
    """The groups that students have formed for a notebook."""

    groups: list[Group] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)  # a line for each student whose group is none
    look: list[str] = field(default_factory=list)  # a line for each group whose version that counts is empty


def notebooks_with_groups(course: Path) -> list[str]:
    """The names or numbers of the notebooks for which students may form groups."""
    return [entry.partition(":")[0].strip() for entry in read_course(course).student_groups]


def most_members(course: Path, notebook: str) -> int:
    """How many members a group that students form for a notebook may have. Raises UserError where they may
    form none.
    """
    number = notebook.partition("_")[0]
    for entry in read_course(course).student_groups:
        name, _, most = entry.partition(":")
        if not most.strip().isdecimal() or int(most) < 2:
            raise UserError(
                f"{course / SETTINGS}: student_groups: {entry!r}; expected a notebook and the most members,"
                ' as in "05:3"'
            )
        if name.strip() in (notebook, number):
            return int(most)
    raise UserError(
        f'{notebook}: students may not form groups; write student_groups = ["{number}:2"] into'
        f" {course / SETTINGS}: the notebook, and the most members"
    )


def form_groups(course: Path, notebook: str, config: JudgeConfig, db: str | None = None) -> Formed:
    """Make the groups that students have formed for a notebook, in place of those they had formed before."""
    most, known = most_members(course, notebook), known_students(course, db)
    due, granted = due_dates(course, db).get(notebook), all_extensions(course, db)
    stated: dict[str, frozenset[str]] = {}
    versions = [
        version
        for version in versions_with(course, [notebook], b"we submit together")
        if due is None or (version.received or 0.0) <= due + granted.get(version.place, 0.0)
    ]
    read = read_versions(course, versions, config)
    for version in versions:
        lines = [names for cell in read[version].cells if (names := group_in(cell.source)) is not None]
        if lines:
            stated[version.student] = lines[-1]
    groups, refused = place_groups(course, notebook, stated, known, most)
    entries = manifests(course / "received", {notebook: due}, granted)
    return Formed(groups, refused, _empty(course, notebook, groups, entries, config))


def place_groups(
    course: Path, notebook: str, stated: Mapping[str, frozenset[str]], known: Iterable[str], most: int
) -> tuple[list[Group], list[str]]:
    """Keep the groups that make sense of what students say, and say of the others why they are none.

    `stated`: student → the students whom that student names.
    """
    before, known = read_groups(course), set(known)
    there = before.get(notebook, before.get("", []))
    ours = [group for group in there if group.name != _own_name(group.members)]
    taken = {student: group.name for group in ours for student in group.members}
    sets = {student: names | {student} for student, names in stated.items()}
    formed, refused = set[frozenset[str]](), []
    for student, names in sorted(sets.items()):
        why = _no_group(student, names, sets, known, taken, most)
        if why is not None:
            refused.append(f"{student}, {notebook}: {why}")
        elif len(names) > 1:
            formed.add(names)
    groups = [Group(_own_name(names), tuple(sorted(names))) for names in sorted(formed, key=sorted)]
    now = [*ours, *groups]
    if {group.members for group in now} != {group.members for group in there}:
        others = {name: of_notebook for name, of_notebook in before.items() if name != notebook}
        write_groups(course, others | ({notebook: now} if now else {}))
    return groups, refused


def _own_name(members: Iterable[str]) -> str:
    """The name of a group that students have formed."""
    name = "+".join(sorted(members))
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 9]}~{digest}"


def _no_group(
    student: str,
    names: frozenset[str],
    sets: Mapping[str, frozenset[str]],
    known: set[str],
    taken: Mapping[str, str],
    most: int,
) -> str | None:
    """Why what a student says makes no group; None if it makes one, or names nobody else."""
    theirs = readable(", ".join(sorted(names - {student})))
    if len(names) == 1:
        return None
    if unknown := sorted(names - known):
        help = suggest(unknown[0], sorted(known), cutoff=0.4)
        return f"names {readable(unknown[0])!r}, who is unknown in this course; {help}"
    if len(names) > most:
        return f"names {theirs}; a group has at most {most} members"
    for member in sorted(names):
        if member in taken:
            return f"names {theirs}, but {member} is in your group {taken[member]!r}"
    for member in sorted(names - {student}):
        if sets.get(member) != names:
            others = ", ".join(sorted(sets.get(member, frozenset()) - {member}))
            return f"names {theirs}, but {member} names {readable(others) or 'nobody'}"
    return None


def _empty(
    course: Path, notebook: str, groups: Sequence[Group], entries: Sequence[Submission], config: JudgeConfig
) -> list[str]:
    """A line for each group whose version that counts holds no answer, where another member's holds some."""
    of_students = {student: group for group in groups for student in group.members}
    theirs = [entry for entry in entries if entry.student in of_students and entry.file is not None]
    _, shared = share(theirs, {notebook: of_students})
    read, lines = read_versions(course, theirs, config), []
    for one in shared:
        best = max(
            (entry for entry in theirs if of_students[entry.student] == one.group),
            key=lambda entry: read[entry].answered,
        )
        if not read[one.entry].answered and read[best].answered:
            lines.append(
                f"group {one.group.name}, {notebook}: version {one.entry.version} of {one.entry.student}"
                f" counts, in which nothing is answered, and {best.student}'s has {read[best].answered}"
                f" answers; extend the group's time, and let {best.student} submit again"
            )
    return lines
