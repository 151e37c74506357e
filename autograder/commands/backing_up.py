"""`kqa course backup|restore`: a class in one file, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.options import CourseFolder, Database


def register(course: typer.Typer) -> None:
    """Add these commands."""

    @course.command()
    def backup(
        file: Annotated[
            Path, typer.Argument(help="The new file. Only you may read it: it holds the secret course key.")
        ],
        course: CourseFolder = None,
        db: Database = None,
    ) -> None:
        """Back up a class: submissions, gradebook, ledger, key, people, marks, feedback. A grading may run.

        Example: kqa course backup class_week4.tar.gz
        """
        from autograder.course.backup import backup as run
        from autograder.paths import course_folder

        result = run(course_folder(), file, db)
        for name in result.left_out:
            print(f"left out {name}: is no regular file")
        print(
            f"backup {file}: {result.students} students, {result.files} files; keep it secret,"
            " the course key is in it"
        )

    @course.command()
    def restore(
        file: Annotated[Path, typer.Argument(help="A file that `kqa course backup` made.")],
        replace: Annotated[
            bool,
            typer.Option(
                "--replace", help="Move away the class that is there, to the course's replaced-TIME/."
            ),
        ] = False,
        only: Annotated[
            str | None,
            typer.Option(
                help="Restore one part: submissions, gradebook, key or people. The others stay as they are."
            ),
        ] = None,
        course: CourseFolder = None,
        db: Database = None,
    ) -> None:
        """Restore a class from its backup: every file is checked before anything changes.

        Example: kqa course restore class_week4.tar.gz
        """
        from autograder.course.restore import restore as run
        from autograder.paths import course_folder

        result = run(course_folder(), file, replace, db, only)
        print(
            f"restored {only or 'the class'} as of {result.made};"
            f" {result.files} files were compared with their digests"
        )
        if result.replaced is not None:
            print(f"the class that was there is in {result.replaced}")
