"""`kqa course roster`: who takes the course."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.options import CourseFolder, Database


def register(course: typer.Typer) -> None:
    """Add these commands."""
    roster = typer.Typer(help="Who takes the course: names, e-mail addresses, sections.", no_args_is_help=True)

    @roster.command("import")
    def import_command(
        file: Annotated[Path, typer.Argument(help="A CSV of Canvas or Moodle, or: id, first name, last name, email, section.")],
        column: Annotated[
            str | None, typer.Option("--id", help="The heading of the students' ids; default: the one that fits the course.")
        ] = None,
        course: CourseFolder = None,
        db: Database = None,
    ) -> None:
        """Take names, e-mail addresses and sections into the gradebook; all lines, or none.

        Example: kqa course roster import grades.csv
        """
        from autograder.paths import course_folder
        from autograder.people.roster import import_roster

        made = import_roster(file, course_folder(), db, column)
        for word, lines in (("added", made.added), ("changed", made.changed), ("not in the file", made.gone)):
            for line in lines:
                print(f"{word} {line}")
        counts = f"{len(made.added)} added, {len(made.changed)} changed, {len(made.gone)} not in the file"
        print(f"roster: {counts}; ids are those of the column {made.column!r}")

    @roster.command("list")
    def list_command(course: CourseFolder = None, db: Database = None) -> None:
        """List the students: id, name, e-mail address, section.

        Example: kqa course roster list
        """
        from autograder.paths import course_folder
        from autograder.people.roster import read_people

        for each in read_people(course_folder(), db).values():
            print("  ".join(part for part in (each.id, each.name, each.email, each.section) if part))

    course.add_typer(roster, name="roster")
