"""`kqa course due|extend`: when notebooks are due, and who has more time."""

from __future__ import annotations

from typing import Annotated

import typer

from autograder.commands.options import CourseFolder, Database
from autograder.commands.receiving import moment

AFTERWARDS = (
    "students see it in copies that `kqa course build` makes from now on; marks follow at the next `kqa"
    " course grade`"
)


def register(course: typer.Typer) -> None:
    """Add these commands."""

    @course.command()
    def due(
        notebook: Annotated[str | None, typer.Argument(help="The notebook: its name or number.")] = None,
        when: Annotated[
            str | None,
            typer.Argument(help="When it is due, as 2026-12-01T23:59 (the course's zone) or with +01:00."),
        ] = None,
        none: Annotated[bool, typer.Option("--none", help="Take the due date back.")] = False,
        course: CourseFolder = None,
        db: Database = None,
    ) -> None:
        """Set when a notebook is due; without a time, list the due dates.

        Example: kqa course due 01 2026-12-01T23:59+01:00
        """
        from autograder.build.release import chosen
        from autograder.course.log import log
        from autograder.gradebook.due_dates import due_dates, set_due, shown_time
        from autograder.paths import course_folder
        from kqa_core.errors import UserError

        names = chosen([notebook] if notebook is not None else ())
        if when is None and not none:
            dates = due_dates(course_folder(), db)
            for name in names:
                print(f"{name}: {shown_time(dates[name]) if name in dates else 'no due date'}")
            return
        if none and (when is not None or notebook is None):
            raise UserError("course due: expected a notebook and either a time or --none")
        time = None if when is None else moment(when, "due", passed=False)
        set_due(course_folder(), names[0], time, db)
        log(course_folder(), "due", f"{names[0]}: {'none' if time is None else shown_time(time)}")
        print(f"{names[0]}: {'no due date' if time is None else shown_time(time)}; {AFTERWARDS}")

    @course.command()
    def extend(
        student: Annotated[str | None, typer.Argument(help="The student: the name of the folder.")] = None,
        notebook: Annotated[str | None, typer.Argument(help="The notebook: its name or number.")] = None,
        days: Annotated[
            float | None, typer.Option(help="Days after the due date; the extension moves with it.")
        ] = None,
        until: Annotated[
            str | None, typer.Option(help="Or a time, as 2026-12-04T23:59 (the course's zone).")
        ] = None,
        none: Annotated[bool, typer.Option("--none", help="Take the extension back.")] = False,
        course: CourseFolder = None,
        db: Database = None,
    ) -> None:
        """Give a student more time for a notebook; without arguments, list the extensions.

        Example: kqa course extend ada 01 --days 3
        """
        from autograder.build.release import chosen
        from autograder.course.log import log
        from autograder.gradebook.due_dates import (
            all_extensions,
            days_after,
            due_dates,
            shown_span,
            shown_time,
        )
        from autograder.gradebook.due_dates import extend as run
        from autograder.paths import course_folder
        from autograder.people.roster import find_student
        from autograder.submissions.student_names import logged_name
        from kqa_core.errors import UserError

        folder, dates = course_folder(), due_dates(course_folder(), db)
        options = [value for value in (days, until, none or None) if value is not None]
        if not options and notebook is None:
            granted = {
                key: seconds
                for key, seconds in all_extensions(folder, db).items()
                if student in (None, key[0])
            }
            for (who, name), seconds in sorted(granted.items()):
                end = f", until {shown_time(dates[name] + seconds)}" if name in dates else ""
                print(f"{who}, {name}: {shown_span(seconds)}{end}")
            if not granted:
                print("no extensions")
            return
        if student is None or notebook is None or len(options) != 1:
            raise UserError(
                "course extend: expected a student, a notebook, and one of --days, --until and --none"
            )
        find_student(student, folder, db)
        (name,) = chosen([notebook])
        if name not in dates and not none:
            raise UserError(
                f"{name}: has no due date, so nothing can be extended; set one with `kqa course due"
                f" {notebook} TIME`"
            )
        seconds = (
            0.0
            if none
            else (
                days_after(dates[name], days) - dates[name]
                if days is not None
                else moment(str(until), "--until", passed=False) - dates[name]
            )
        )
        if not none and not 0 < seconds < 3.2e8:
            end = shown_time(dates[name])
            raise UserError(
                f"course extend: {name} is due {end}; expected a time after that, and less than ten years"
            )
        run(folder, student, name, seconds, db)
        outcome = (
            f"{shown_span(seconds)}, until {shown_time(dates[name] + seconds)}" if seconds else "no extension"
        )
        log(folder, "extension", f"{logged_name(student)} {name}: {outcome}")
        print(f"{student}, {name}: {outcome}; marks follow at the next `kqa course grade`")
