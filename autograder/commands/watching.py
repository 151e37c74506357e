"""`kqa course watch`: grading while submissions come."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.options import (
    CourseFolder,
    Database,
    Notebooks,
    Sandbox,
    Solutions,
    Workers,
    checked,
)
from autograder.grading.config import GradingConfig, WatchConfig


def register(course: typer.Typer) -> None:
    """Add this command."""

    @course.command()
    def watch(
        notebook: Notebooks = None,
        course: CourseFolder = None,
        folder: Annotated[
            Path | None,
            typer.Option(
                "--from",
                help="Folder of submissions, STUDENT/NOTEBOOK/NOTEBOOK.ipynb; default: nbgrader's exchange.",
            ),
        ] = None,
        daily: Annotated[
            int | None,
            typer.Option(min=1, help="Graded submissions for each student and day; default: no limit."),
        ] = None,
        every: Annotated[float, typer.Option(min=1.0, help="Seconds between two looks.")] = 10.0,
        once: Annotated[bool, typer.Option("--once", help="Answer what waits now, and end.")] = False,
        workers: Workers = None,
        db: Database = None,
        sandbox: Sandbox = None,
        solutions: Solutions = False,
    ) -> None:
        """Collect, grade and release while submissions come, until Ctrl-C. Start it again after an
        interruption: it goes on.

        Example: kqa course watch -n 01 --daily 3
        """
        from autograder.build.release import chosen
        from autograder.course.watch import watch as run
        from autograder.grading.own_memory import COORDINATOR, limited_memory
        from autograder.paths import read_course

        grading = GradingConfig(workers=workers, tier=sandbox, db=db, solutions=solutions)
        page = read_course().out / "report" / "watch.html"
        names = tuple(chosen(notebook or ()))
        if not once:
            typer.echo(f"Ctrl-C stops the watcher; {page} shows what waits", err=True)
        with limited_memory(COORDINATOR):
            run(
                WatchConfig(
                    grading=checked(grading),
                    names=names,
                    folder=folder,
                    daily=daily,
                    every=every,
                    once=once,
                    page=page,
                )
            )
