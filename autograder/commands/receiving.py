"""`kqa course receive`: receiving submissions."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.options import CourseFolder, Database


def register(course: typer.Typer) -> None:
    """Add this command."""

    @course.command()
    def receive(
        folder: Annotated[
            Path | None,
            typer.Argument(
                help=(
                    "Folder of submissions, STUDENT/NOTEBOOK/NOTEBOOK.ipynb, or with --from an archive;"
                    " default: the course's submitted/."
                )
            ),
        ] = None,
        course: CourseFolder = None,
        at: Annotated[
            str | None,
            typer.Option(
                help="When they were received, as 2026-11-20T23:59 (the course's zone); default: now."
            ),
        ] = None,
        platform: Annotated[
            str | None,
            typer.Option("--from", help="canvas, moodle, gradescope or zip: the archive is that platform's."),
        ] = None,
        roster: Annotated[
            Path | None,
            typer.Option(help="The platform's own roster (CSV): its numbers and addresses say who is who."),
        ] = None,
        notebook: Annotated[
            str | None, typer.Option("--notebook", "-n", help="The notebook that the archive is of.")
        ] = None,
        dry_run: Annotated[
            bool, typer.Option(help="Only say what would be received from an archive.")
        ] = False,
        db: Database = None,
    ) -> None:
        """Receive submissions: every version is kept, with the time of its receipt, in course/received.

        Example: kqa course receive --from canvas submissions.zip --roster grades.csv -n 01
        """
        from autograder.build.release import chosen
        from autograder.course.receiving import receive_class
        from autograder.paths import course_folder
        from autograder.sandbox.timeout_and_memory_limits import Limits
        from autograder.submissions.intake import ignored_entries
        from autograder.submissions.store import manifest

        when = None if at is None else moment(at)
        if platform is not None or roster is not None or notebook is not None or dry_run:
            raise typer.Exit(_from_archive(folder, platform, roster, notebook, when, dry_run, db))
        source, store, names = (
            folder or course_folder() / "submitted",
            course_folder() / "received",
            chosen(()),
        )
        received = receive_class(course_folder(), names, Limits(), folder=folder, at=when, db=db)
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


def _from_archive(
    path: Path | None,
    platform: str | None,
    roster: Path | None,
    notebook: str | None,
    at: float | None,
    dry_run: bool,
    db: str | None,
) -> int:
    """Receive a platform's archive. Returns the exit status: 1 if a notebook was not taken in."""
    from autograder.build.release import chosen
    from autograder.course.receive_archive import receive_archive
    from autograder.paths import course_folder
    from autograder.sandbox.timeout_and_memory_limits import Limits
    from autograder.submissions.platform_archives import PLATFORMS
    from kqa_core.errors import UserError

    if platform not in PLATFORMS:
        raise UserError(
            f"--from {platform or ''}: expected {', '.join(PLATFORMS)}; --roster, -n and --dry-run are for an"
            " archive of one of these"
        )
    if path is None:
        raise UserError(f"--from {platform}: names no archive; expected the zip that the platform makes")
    names = chosen(() if notebook is None else [notebook])
    result = receive_archive(
        *(course_folder(), path, platform, names, Limits()), roster=roster, at=at, dry_run=dry_run, db=db
    )
    for taken in result.taken if dry_run else ():
        print(f"would receive {taken.line}")
    for news in result.news:
        print(news.line)
    for line in result.others:
        print(f"ignored: {line}", file=sys.stderr)
    for line in result.not_taken:
        print(f"not received: {line}", file=sys.stderr)
    if result.absent:
        print(f"without a file in the archive: {', '.join(result.absent)}", file=sys.stderr)
    new = f"{len(result.taken)} to receive" if dry_run else f"{len(result.news)} new"
    print(f"{new}, {len(result.not_taken)} not received, {len(result.others)} other files")
    return 1 if result.not_taken else 0


def moment(text: str, option: str = "--at", passed: bool = True) -> float:
    """A time that a person wrote, in the course's zone if it names none, as seconds since 1970."""
    from datetime import UTC, datetime

    from autograder.gradebook.due_dates import moment_of
    from kqa_core.errors import UserError

    try:
        when = moment_of(text)
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
