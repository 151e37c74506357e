"""`kqa course roster|groups`: who takes the course, and who submits together."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.options import (
    CourseFolder,
    Database,
    Notebooks,
    ReadCourse,
    Sandbox,
    Workers,
    checked,
)
from autograder.grading.config import JudgeConfig


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
        from_students: Annotated[
            bool,
            typer.Option(
                "--from-students", help="Those that students have formed, where course.toml lets them."
            ),
        ] = False,
        course: CourseFolder = None,
        db: Database = None,
        sandbox: Sandbox = None,
        workers: Workers = None,
    ) -> None:
        """Import the groups that submit together, for some notebooks or all, or take those that students have
        formed; without a file, list them.

        Example: kqa course groups pairs.csv -n 05
        """
        from autograder.build.release import chosen
        from autograder.course.log import log
        from autograder.paths import course_folder
        from autograder.people.groups import import_groups, read_groups
        from autograder.people.roster import known_students
        from kqa_core.errors import UserError

        folder, names = course_folder(), chosen(notebook) if notebook else []
        if (file is not None) + none + from_students > 1:
            raise UserError("course groups: expected one of a file, --none and --from-students")
        if from_students:
            _from_students(names, checked(JudgeConfig(workers=workers, tier=sandbox)), db)
            return
        if file is None and not none:
            for name, groups_of in sorted(read_groups(folder).items()):
                for group in groups_of if not names or name in names else ():
                    print(f"{name or 'every notebook'}: {group.name}: {', '.join(group.members)}")
            return
        imported = import_groups(file, folder, known_students(folder, db), names)
        where = ", ".join(names) or "every notebook"
        students = sum(len(group.members) for group in imported)
        log(folder, "groups", f"{where}: {len(imported)} groups, {students} students")
        print(
            f"{where}: groups: {len(imported)}, students: {students}; the next `kqa course grade` uses them"
        )


def _from_students(names: list[str], config: JudgeConfig, db: str | None) -> None:
    """Take the groups that students have formed for these notebooks; default: for all that may have some."""
    from autograder.build.release import chosen
    from autograder.course.log import log
    from autograder.course.tables import listed
    from autograder.paths import course_folder
    from autograder.people.forming_groups import form_groups, most_members, notebooks_with_groups
    from kqa_core.errors import UserError

    folder = course_folder()
    names = names or (chosen(allowed) if (allowed := notebooks_with_groups(folder)) else [])
    if not names:
        raise UserError("course groups: course.toml lets students form none; see `student_groups`")
    for name in names:
        most_members(folder, name)
    refused, look = list[str](), list[str]()
    for name in names:
        formed = form_groups(folder, name, config, db)
        for group in formed.groups:
            print(f"{name}: {', '.join(group.members)}")
        log(folder, "groups", f"{name}: {len(formed.groups)} formed by students")
        print(f"{name}: {len(formed.groups)} groups of students; the next `kqa course grade` uses them")
        refused, look = refused + formed.refused, look + formed.look
    if not all([listed("NO GROUP", refused), listed("LOOK", look)]):
        raise typer.Exit(1)
