"""`kqa course grade|run`: judging a class."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.options import CourseFolder, Database, Sandbox, Solutions, Workers, checked
from autograder.commands.receiving import moment
from autograder.grading.config import GradingConfig, JudgeConfig


def register(course: typer.Typer) -> None:
    """Add these commands."""

    @course.command()
    def grade(
        assignment: Annotated[
            str | None, typer.Argument(help="The notebook to grade: its name or number.")
        ] = None,
        every: Annotated[
            bool, typer.Option("--all", help="Grade every notebook that anybody submitted.")
        ] = False,
        course: CourseFolder = None,
        class_folder: Annotated[
            Path | None,
            typer.Option(
                "--class",
                help=(
                    "Folder of submissions, STUDENT/NOTEBOOK/NOTEBOOK.ipynb; default: submitted/ of the"
                    " course."
                ),
            ),
        ] = None,
        workers: Workers = None,
        db: Database = None,
        sandbox: Sandbox = None,
        again: Annotated[
            bool, typer.Option("--again", help="Also judge again what was judged before.")
        ] = False,
        solutions: Solutions = False,
        received_at: Annotated[
            str | None,
            typer.Option(
                help=(
                    "When the submissions were received, as 2026-10-31T23:59 (the course's zone) or with"
                    " +00:00."
                )
            ),
        ] = None,
    ) -> None:
        """Judge a class's submissions and record the marks in nbgrader's gradebook.

        If it is interrupted, run the same command again: it goes on where it stopped.

        Example: kqa course grade 01 --class data/sample_class/submitted
        """
        from autograder.build.release import chosen
        from autograder.course.main_job import graded
        from autograder.course.tables import listed
        from autograder.grading.own_memory import COORDINATOR, limited_memory
        from autograder.paths import course_folder
        from autograder.submissions.intake import ignored_entries
        from autograder.submissions.store import ASKS
        from kqa_core.errors import UserError

        if (assignment is None) == (not every):
            raise UserError("course grade: name one notebook, as in `kqa course grade 01`, or give --all")
        config = GradingConfig(
            assignment=None if every else assignment,
            submissions=class_folder,
            workers=workers,
            tier=sandbox,
            db=db,
            again=again,
            solutions=solutions,
            received_at=None if received_at is None else moment(received_at, "--received-at"),
        )
        with limited_memory(COORDINATOR):
            result = graded(checked(config))
        if result is None:
            raise typer.Exit(1)
        print(f"received {len(result.news)} new")
        if asking := sum(line.endswith(ASKS) for line in result.news):
            print(f"{asking} ask for a second look at a mark: `kqa course regrade-requests`")
        for line in result.set_aside:
            print(line, file=sys.stderr)
        for line in ignored_entries(class_folder or course_folder() / "submitted", chosen(())):
            print(line, file=sys.stderr)
        print(f"gradebook {result.gradebook}")
        print(f"feedback {result.feedback}")
        if not listed("NOT RECONCILED", result.differences):
            raise typer.Exit(1)

    @course.command("run")
    def run_all(
        course: CourseFolder = None,
        workers: Workers = None,
        sandbox: Sandbox = None,
        retrain: Annotated[
            bool, typer.Option(help="Train again where a finished run of the same data and recipe is there.")
        ] = False,
    ) -> None:
        """Do the main job, as `make course` does: build, prove, grade the sample class, own job, report.

        Example: kqa course run
        """
        from autograder.course.main_job import run

        raise typer.Exit(run(checked(JudgeConfig(workers=workers, tier=sandbox)), retrain))
