"""`kqa course grade|run`: judging a class."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.options import Workers


def register(course: typer.Typer) -> None:
    """Add these commands."""

    @course.command()
    def grade(
        assignment: Annotated[str | None, typer.Argument(help="The notebook to grade: its name or number.")] = None,
        every: Annotated[bool, typer.Option("--all", help="Grade every notebook of the course.")] = False,
        class_folder: Annotated[
            Path | None,
            typer.Option("--class", help="Folder of submissions, STUDENT/NOTEBOOK/NOTEBOOK.ipynb; default: notebooks/submitted."),
        ] = None,
        workers: Workers = None,
    ) -> None:
        """Judge a class's submissions and record the marks in nbgrader's gradebook.

        Example: kqa course grade 01 --class data/sample_class/submitted
        """
        from tqdm import tqdm

        from autograder.course.grade import grade as run
        from autograder.course.tables import class_table, show
        from kqa_core.errors import UserError

        if (assignment is None) == (not every):
            raise UserError("course grade: name one notebook, as in `kqa course grade 01`, or say --all")
        with tqdm(desc="grade", unit="notebook", disable=None, leave=False) as bar:
            graded = run(
                None if every else assignment, class_folder, workers, began=bar.reset, done=lambda each: bar.update() and None
            )
        show(class_table(graded.results))
        print(f"gradebook {graded.gradebook}")
        print(f"feedback {graded.feedback}")
        for difference in graded.differences:
            print(f"NOT RECONCILED {difference}", file=sys.stderr)
        if graded.differences:
            raise typer.Exit(1)

    @course.command("run")
    def run_all(
        workers: Workers = None,
        retrain: Annotated[
            bool, typer.Option(help="Train again where a finished run of the same data and recipe is there.")
        ] = False,
    ) -> None:
        """Do the main job on the shipped data, as `make course` does: prove, grade the sample class, train, report.

        Example: kqa course run
        """
        from autograder.course.main_job import run

        raise typer.Exit(run(workers, retrain))
