"""`kqa course report`: what was graded, for people to read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def register(course: typer.Typer) -> None:
    """Add these commands."""

    @course.command()
    def report(out: Annotated[Path | None, typer.Option(help="Folder for the report; default: report/.")] = None) -> None:
        """Write an HTML report of what was graded: exercises, their commonest mistakes, a page for each student.

        Example: kqa course report
        """
        from autograder.course.report import report as run

        print(f"report {run(out)}")
