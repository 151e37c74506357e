"""The tables that `kqa course prove` and `kqa course grade` print."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from autograder.judge.results import SubmissionResult

# nbgrader is loaded when marks are read, not when `kqa` starts
if TYPE_CHECKING:
    from autograder.course.prove import Proof
    from autograder.gradebook.gradebook import Mark


def show(table: Table) -> None:
    """Print a table. If the output is not a terminal, the table is wide enough to show every cell whole."""
    console = Console(file=sys.stdout) if sys.stdout.isatty() else Console(file=sys.stdout, width=160)
    console.print(table)


def listed(word: str, lines: Iterable[str]) -> bool:
    """Print each line to standard error, after a word that says what it is. Returns whether there is none."""
    lines = list(lines)
    for line in lines:
        print(f"{word} {line}", file=sys.stderr)
    return not lines


def proof_table(proof: Proof) -> Table:
    """The kill matrix.

    For each exercise: how many answers of each kind were decided correctly, and which check refused the wrong
    ones.
    """
    table = Table(title="Proof: answers decided as the key says, of all", title_justify="left")
    for column in (
        "exercise",
        "reference",
        "accepted",
        "rejected",
        "by visible check",
        "by hidden check",
        "untouched stub",
    ):
        table.add_column(column, justify="left" if column == "exercise" else "right")
    for line in proof.lines:
        counts = {kind: f"{line.correct.get(kind, 0)}/{number}" for kind, number in line.answers.items()}
        by = [str(line.stages.get(stage, 0)) for stage in ("visible", "hidden")]
        kinds = ("reference", "accepted", "rejected")
        table.add_row(line.exercise, *(counts.get(kind, "-") for kind in kinds), *by, counts.get("stub", "-"))
    totals = [
        f"{good}/{asked}"
        for good, asked in (proof.total(kind) for kind in ("reference", "accepted", "rejected", "stub"))
    ]
    stages = [str(sum(line.stages.get(stage, 0) for line in proof.lines)) for stage in ("visible", "hidden")]
    table.add_section()
    table.add_row("all", *totals[:3], *stages, totals[3])
    leaks = "leak scan: empty" if not proof.leaks else f"leak scan: {len(proof.leaks)} findings"
    table.caption = f"{len(proof.deviations)} deviations; {leaks}"
    return table


def class_table(results: list[SubmissionResult], marks: Mapping[tuple[str, str], Mark]) -> Table:
    """A line for each submission: status, marks, notes. Students without one share a line a notebook.

    `marks`: (student, notebook) → the mark in the gradebook now, people's marks included.
    """
    table = Table(title="Submissions", title_justify="left")
    for column in ("student", "notebook", "status", "marks", "for a person", "notes"):
        table.add_column(column, justify="right" if column in ("marks", "for a person") else "left")
    missing: dict[str, list[str]] = {}
    for result in results:
        if result.status == "missing":
            missing.setdefault(result.assignment, []).append(result.student)
            continue
        mark = marks.get((result.student, result.assignment))
        incidents = [
            f"{answer.exercise}: {answer.incident}" for answer in result.exercises if answer.incident
        ]
        late = [_late(result.late, mark)] if result.late else []
        notes = "; ".join([*([result.reason] if result.reason else []), *late, *incidents, *result.notes])
        shown = (
            (f"{mark.score:g} of {mark.maximum:g}", str(mark.waiting or "-"))
            if mark is not None
            else ("-", "all" if result.status == "unreadable" else "-")
        )
        table.add_row(result.student, result.assignment, str(result.status), *shown, notes)
    for name, students in missing.items():
        note = f"{len(students)} without a notebook" if len(students) > 1 else "no notebook was submitted"
        table.add_row(", ".join(students), name, "missing", "-", "-", note)
    return table


def _late(seconds: float, mark: Mark | None) -> str:
    """Such as "late by 2 days, 1 point off"."""
    from autograder.gradebook.due_dates import shown_span

    points = mark.penalty if mark is not None else 0.0
    off = f", {points:g} point{'' if points == 1 else 's'} off" if points else ""
    return f"late by {shown_span(seconds)}{off}"
