"""`kqa course export`: marks for other programs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.options import CourseFolder, Database
from autograder.export.export import Target


def register(course: typer.Typer) -> None:
    """Add these commands."""

    @course.command()
    def export(
        notebooks: Annotated[
            list[str] | None, typer.Argument(help="Notebooks: their names or numbers; default: all that are graded.")
        ] = None,
        course: CourseFolder = None,
        to: Annotated[Target, typer.Option(help="Who will read the file.")] = Target.CSV,
        out: Annotated[Path | None, typer.Option(help="The file to write; default: the terminal.")] = None,
        db: Database = None,
        roster: Annotated[
            Path | None, typer.Option(help="The CSV that the platform exports: its lines are kept, our columns filled.")
        ] = None,
        zeros: Annotated[bool, typer.Option(help="Write 0, and no empty cell, for a refused or missing submission.")] = False,
    ) -> None:
        """Export the gradebook's marks as a file that Canvas or Moodle imports, or as a plain table.

        Example: kqa course export 01 --to canvas --roster grades.csv --out marks.csv
        """
        from autograder.course.tables import listed
        from autograder.export.export import export as run

        made = run(notebooks or (), to, out, db, roster, zeros=zeros)
        if out is None:
            sys.stdout.write(made.text)
        else:
            print(f"export {out}")
        if not listed("NOT RECONCILED", made.differences):
            raise typer.Exit(1)
