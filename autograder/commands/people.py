"""`kqa course roster|groups`: who takes the course, and who submits together."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.options import CourseFolder, Database, Notebooks, ReadCourse


def register(course: typer.Typer) -> None:
    """Add these commands."""
    roster = typer.Typer(
        help="Who takes the course: names, e-mail addresses, sections.", no_args_is_help=True
    )

    @roster.command("import")
    def import_command(
        file: Annotated[
            Path,
            typer.Argument(help="A CSV of Canvas or Moodle, or: id, first name, last name, email, section."),
        ],
        column: Annotated[
            str | None,
            typer.Option(
                "--id", help="The heading of the students' ids; default: the one that fits the course."
            ),
        ] = None,
        course: CourseFolder = None,
        db: Database = None,
    ) -> None:
        """Take names, e-mail addresses and sections into the gradebook; all lines, or none.

        Example: kqa course roster import grades.csv
        """
        from autograder.course.log import log
        from autograder.paths import course_folder
        from autograder.people.roster import import_roster

        changes = import_roster(file, course_folder(), db, column)
        for word, lines in (
            ("added", changes.added),
            ("changed", changes.changed),
            ("not in the file", changes.gone),
        ):
            for line in lines:
                print(f"{word} {line}")
        for name in changes.left_out:
            print(f"left out {name}: is no student, but Canvas's own for trying")
        counts = (
            f"{len(changes.added)} added, {len(changes.changed)} changed, {len(changes.gone)} not in the file"
        )
        log(course_folder(), "roster", counts)
        print(f"roster: {counts}; ids are those of the column {changes.column!r}")

    @roster.command("list")
    def list_command(course: ReadCourse = None, db: Database = None) -> None:
        """List the students: id, name, e-mail address, section.

        Example: kqa course roster list
        """
        from autograder.paths import course_folder
        from autograder.people.roster import read_people

        for person in read_people(course_folder(), db).values():
            print("  ".join(part for part in (person.id, person.name, person.email, person.section) if part))

    course.add_typer(roster, name="roster")

    @course.command()
    def groups(
        file: Annotated[Path | None, typer.Argument(help="A CSV with the columns group and student.")] = None,
        notebook: Notebooks = None,
        none: Annotated[bool, typer.Option("--none", help="Forget the groups.")] = False,
        course: CourseFolder = None,
        db: Database = None,
    ) -> None:
        """Import the groups that submit together, for some notebooks or all; without a file, list them.

        Example: kqa course groups pairs.csv -n 05
        """
        from autograder.build.release import chosen
        from autograder.course.log import log
        from autograder.paths import course_folder
        from autograder.people.groups import import_groups, read_groups
        from autograder.people.roster import known_students
        from kqa_core.errors import UserError

        folder, names = course_folder(), chosen(notebook) if notebook else []
        if file is not None and none:
            raise UserError("course groups: expected a file or --none, not both")
        if file is None and not none:
            for name, groups_of in sorted(read_groups(folder).items()):
                for group in groups_of if not names or name in names else ():
                    print(f"{name or 'every notebook'}: {group.name}: {', '.join(group.members)}")
            return
        imported = import_groups(file, folder, known_students(folder, db), names)
        where = ", ".join(names) or "every notebook"
        students = sum(len(group.members) for group in imported)
        log(folder, "groups", f"{where}: {len(imported)} groups, {students} students")
        print(f"{where}: {len(imported)} groups, {students} students; the next `kqa course grade` uses them")
