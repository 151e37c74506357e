"""`kqa course …`: the instructor's commands.

Heavy imports happen inside the commands, so that `--help` is instant.
"""

from __future__ import annotations

import typer

from autograder.commands import (
    backing_up,
    building,
    deadlines,
    exporting,
    grading,
    marking,
    people,
    receiving,
    reporting,
    watching,
)


def register(app: typer.Typer) -> None:
    """Add `course` to the command line."""
    course = typer.Typer(
        name="course",
        help="Build, prove and grade the course (for instructors).",
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    for part in (
        building,
        people,
        deadlines,
        receiving,
        grading,
        watching,
        marking,
        reporting,
        exporting,
        backing_up,
    ):
        part.register(course)
    app.add_typer(course)
