"""`kqa course report|similar|solutions`: what people read when a notebook was graded."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.options import CourseFolder, Database, Notebooks
from autograder.commands.receiving import moment

SHOWN = 20  # pairs on the screen; the page has them all


def register(course: typer.Typer) -> None:
    """Add these commands."""

    @course.command()
    def report(
        course: CourseFolder = None,
        out: Annotated[
            Path | None, typer.Option(help="Folder for the report; default: the course's report/.")
        ] = None,
        db: Database = None,
    ) -> None:
        """Write an HTML report of what was graded: exercises, common mistakes, a page for each student.

        Example: kqa course report
        """
        from autograder.report.report import report as run

        print(f"report {run(out, db=db)}")

    @course.command()
    def similar(
        notebook: Annotated[str, typer.Argument(help="The notebook: its name or number.")],
        course: CourseFolder = None,
        at: Annotated[float, typer.Option(help="Similarity from which a pair is looked at, up to 1.")] = 0.8,
        out: Annotated[
            Path | None, typer.Option(help="The page to write; default: report/similar_NOTEBOOK.html.")
        ] = None,
    ) -> None:
        """List answers that are more alike than chance explains. Similarity is not proof.

        Example: kqa course similar 01
        """
        from autograder.paths import read_course
        from autograder.report.similarity import find_similar, similarity_page
        from kqa_core.files import write_whole, writing

        similar = find_similar(notebook, threshold=at)
        path = out or read_course().out / "report" / f"similar_{similar.assignment}.html"
        with writing(path):
            write_whole(path, similarity_page(similar))
        for pair in similar.pairs[:SHOWN]:
            print(
                f"{pair.similarity:.0%}  {pair.exercise}: {pair.first.student}, {pair.second.student}"
                f" ({pair.bits:.0f} bits)"
            )
        for students, count in similar.identical:
            print(f"identical: all {count} answers of {', '.join(students)}")
        rest = f"; {len(similar.pairs) - SHOWN} more on the page" if len(similar.pairs) > SHOWN else ""
        print(f"pairs worth a look: {len(similar.pairs)}{rest}; similarity is not proof")
        print(f"page {path}")

    @course.command()
    def solutions(
        notebook: Notebooks = None,
        course: CourseFolder = None,
        since: Annotated[
            str | None,
            typer.Option("--from", help="Before this time, such as 2026-11-20T23:59, write nothing."),
        ] = None,
        out: Annotated[
            Path | None, typer.Option(help="Folder for them; default: the course's solutions/.")
        ] = None,
    ) -> None:
        """Write model answers that all can read, for the class; students' copies hold the same files locked.

        Example: kqa course solutions -n 01 --from 2026-11-20T23:59
        """
        from time import time

        from autograder.build.build import chosen
        from autograder.build.solutions import write_solutions
        from autograder.paths import course_folder
        from kqa_core.errors import UserError

        if not notebook:
            raise UserError(
                "course solutions: name the notebooks whose answers you publish, as in `kqa course solutions"
                " -n 01`"
            )
        locked = since is not None and moment(since, "--from", passed=False) > time()
        for name in chosen(notebook):
            if locked:
                print(f"{name}: locked until {since}; nothing is written")
            else:
                folder = (out or course_folder() / "solutions") / name
                print(f"open {write_solutions(folder, course_folder(), opened=True)}")
