"""`kqa course receive`: receiving submissions."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.options import CourseFolder


def register(course: typer.Typer) -> None:
    """Add this command."""

    @course.command()
    def receive(
        folder: Annotated[
            Path | None,
            typer.Argument(
                help=(
                    "Folder of submissions, STUDENT/NOTEBOOK/NOTEBOOK.ipynb; default: the course's"
                    " submitted/."
                )
            ),
        ] = None,
        course: CourseFolder = None,
        at: Annotated[
            str | None,
            typer.Option(
                help="When they were received, as 2026-11-20T23:59 (this machine's zone); default: now."
            ),
        ] = None,
    ) -> None:
        """Receive submissions: every version is kept, with the time of its receipt, in course/received.

        Example: kqa course receive downloads/week4 --at 2026-11-20T23:59
        """
        from autograder.build.release import chosen
        from autograder.course.receiving import receive_class
        from autograder.paths import course_folder
        from autograder.sandbox.timeout_and_memory_limits import Limits
        from autograder.submissions.intake import ignored_entries
        from autograder.submissions.store import manifest

        source, store, names = (
            folder or course_folder() / "submitted",
            course_folder() / "received",
            chosen(()),
        )
        when = None if at is None else moment(at)
        received = receive_class(course_folder(), names, Limits(), folder=folder, at=when)
        for line in received.lines:
            print(line)
        for submission in received.set_aside:
            print(submission.line, file=sys.stderr)
        for line in ignored_entries(source, names):
            print(line, file=sys.stderr)
        students = len(manifest(store, names[0]))
        print(
            f"{len(received.lines)} new; {students} {'student' if students == 1 else 'students'} in {store}"
        )


def moment(text: str, option: str = "--at", passed: bool = True) -> float:
    """A time that a person wrote, in this machine's zone if it names none, as seconds since 1970."""
    from datetime import UTC, datetime

    from kqa_core.errors import UserError

    try:
        when = datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError, OSError):
        raise UserError(
            f"{option} {text}: is no time; expected one such as 2026-11-20T23:59 or 2026-11-20T23:59+01:00"
        ) from None
    if passed and when > datetime.now(UTC).timestamp():
        raise UserError(
            f"{option} {text}: is in the future; expected the time at which the submissions were received"
        )
    if when < 0:
        raise UserError(
            f"{option} {text}: is before 1970; expected the time at which the submissions were received"
        )
    return when
