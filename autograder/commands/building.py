"""`kqa course new|adopt|build|site|prove|try|link`: making a course, proving that its checks decide rightly,
and an address for students.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.options import CourseFolder, Notebooks, ReadCourse, Sandbox, Workers, checked
from autograder.grading.config import JudgeConfig
from kqa_core.errors import UserError

TRIED = ("exercise", "outcome", "marks", "points", "sentence", "incident", "mistake")  # of a result, as JSON
Repository = Annotated[
    str | None,
    typer.Option(
        help="Where the student copy is published, OWNER/NAME[@BRANCH] on GitHub: notebooks get launch links."
    ),
]


def register(course: typer.Typer) -> None:
    """Add these commands."""
    _add_try(course)
    _add_link(course)

    @course.command()
    def new(
        folder: Annotated[Path, typer.Argument(help="The folder to make; it must be new or empty.")],
        like: Annotated[
            str | None,
            typer.Option(
                help=(
                    "One exercise in one file, with an answer of this kind: pandas, plot, sql, text or a"
                    " tensor's library; default: sorting, with a file for each half of an exercise."
                )
            ),
        ] = None,
    ) -> None:
        """Make a small complete course on another subject, to start your own from.

        Example: kqa course new shop --like sql
        """
        from autograder.course.new_course import new_course

        for line in new_course(folder, like):
            print(line)

    @course.command()
    def adopt(
        notebook: Annotated[Path, typer.Argument(help="The instructor's notebook of the assignment.")],
        folder: Annotated[Path, typer.Argument(help="The course to make; the folder must be new or empty.")],
    ) -> None:
        """Make a course of an assignment that was made for nbgrader, and list what is not as it was.

        Example: kqa course adopt source/ps1/problem1.ipynb problems
        """
        from autograder.course.adopt import adopt as run

        adopted = run(notebook, folder)
        print(f"course {adopted.folder}")
        print(f"exercises: {', '.join(adopted.exercises)}")
        for line in adopted.changes:
            print(f"CHANGED {line}")
        print("look at these, and then:")
        for step in ("build", "prove"):
            print(f"  kqa course {step} --course {adopted.folder}")

    @course.command()
    def build(
        notebook: Notebooks = None,
        course: CourseFolder = None,
        out: Annotated[
            Path | None, typer.Option(help="Folder for the student's bundle; default: the course's dist/.")
        ] = None,
        force: Annotated[
            bool, typer.Option(help="Run every notebook, also where nothing has changed.")
        ] = False,
        repository: Repository = None,
        path: Annotated[
            str | None,
            typer.Option(
                "--path",
                help=(
                    "Which exercises give regular points: a path of course.toml, such as evening. The choice"
                    " is written there, because grading needs it."
                ),
            ),
        ] = None,
    ) -> None:
        """Make the executed notebooks, the students' version and the students' bundle.

        Example: kqa course build -n 01
        """
        from autograder.build.build import build as run
        from autograder.course.tables import listed

        result = run(notebook or (), out=out, force=force, repository=repository, path=path)
        for name, executed in result.sources.items():
            print(f"{name}: {'executed' if executed else 'up to date'}")
        for released in result.released:
            print(f"released {released}")
        if result.bundle is not None or (notebook and not result.leaks):
            print(f"bundle {result.bundle or 'as it was: a build without -n makes it anew'}")
        if not listed("LEAK", result.leaks):
            if not notebook:
                print("no bundle was written; an earlier one is as it was", file=sys.stderr)
            raise typer.Exit(1)

    @course.command()
    def paths(
        course: CourseFolder = None,
        picture: Annotated[
            Path | None, typer.Option("--map", help="A PNG file to write: the minutes of each notebook.")
        ] = None,
    ) -> None:
        """Show the paths through the course: their time, their exercises, and which is chosen.

        Example: kqa course paths
        """
        from autograder.build.build import path_table
        from kqa_core.check.registry import path_minutes

        print(path_table())
        if picture is not None:
            from kqa_core.show.figures.nb00_map import course_map, save_map

            save_map(course_map(*path_minutes()), picture)
            print(f"map {picture}")

    @course.command()
    def site(
        out: Annotated[
            Path | None, typer.Argument(help="The folder to write; default: the course's site/.")
        ] = None,
        repository: Repository = None,
        course: CourseFolder = None,
        stills: Annotated[bool, typer.Option("--stills", help="Run nothing: widgets are pictures.")] = False,
    ) -> None:
        """Write the notebooks as HTML pages, without answers or network; widgets move, so their cells run.

        Example: kqa course site public
        """
        from autograder.build.launch_links import published
        from autograder.site.site import site as run

        index = run(
            out, launch=published(repository), stills=stills, say=lambda line: print(line, file=sys.stderr)
        )
        print(f"site {index}")

    @course.command()
    def prove(
        notebook: Notebooks = None,
        course: ReadCourse = None,
        workers: Workers = None,
        sandbox: Sandbox = None,
    ) -> None:
        """Prove that the judge decides as the answer keys say; exit 1 where it does not.

        Example: kqa course prove -n 01
        """
        from autograder.course.main_job import proved

        if not proved(checked(JudgeConfig(workers=workers, tier=sandbox)), notebook or ()):
            raise typer.Exit(1)


def _add_try(course: typer.Typer) -> None:
    @course.command("try")
    def try_command(
        exercise: Annotated[
            str | None, typer.Argument(help="The exercise's id, such as average_two.")
        ] = None,
        answer: Annotated[
            Path | None, typer.Argument(help="A file with what a student would put in the solution cell.")
        ] = None,
        batch: Annotated[
            Path | None,
            typer.Option(
                "--batch",
                help=(
                    "Instead of both: a folder with EXERCISE/NAME.py or with modules EXERCISE.py, or one"
                    " such module; a module holds functions right_NAME and wrong_NAME."
                ),
            ),
        ] = None,
        as_json: Annotated[bool, typer.Option("--json", help="Print JSON, one object a line.")] = False,
        course: ReadCourse = None,
        sandbox: Annotated[
            bool,
            typer.Option(
                "--sandbox",
                help=(
                    "Run each answer in the sandbox, as for a class. Without it, an answer has your own"
                    " rights: try only files that you trust."
                ),
            ),
        ] = False,
    ) -> None:
        """Judge one answer from a file, or all of a folder, with the judge and the limits of a class. Exit 0:
        right, or in a module as named; 1: not so (Python that does not parse, too); 2: unusable.

        Example: kqa course try average_two answer.py --json
        """
        from autograder.course.answer_files import FileAnswer, answers_in
        from autograder.course.try_answers import UNCONFINED, counted, try_answer, try_answers
        from autograder.judge.results import ExerciseResult
        from autograder.sandbox.unconfined import TIER

        config = JudgeConfig(tier=None if sandbox else TIER)
        if batch is not None and exercise is None:
            answers = answers_in(batch)
            if not sandbox:
                print(UNCONFINED, file=sys.stderr)
            results = counted(try_answers(answers, config), len(answers))
        elif batch is None and exercise is not None and answer is not None:
            results = iter([(FileAnswer(exercise, str(answer), ""), try_answer(exercise, answer, config))])
        else:
            raise UserError("try: expected an exercise and a file, or --batch FOLDER")
        right = True
        for tried, result in results:
            if isinstance(result, ExerciseResult):
                tree = {name: getattr(result, name) for name in TRIED}
                line = f"{result.outcome}, {result.marks or 0:g} of {result.points}: {result.sentence}"
            else:
                line = f"the judge failed, which says nothing about the answer: {result}"
                tree = {"exercise": tried.exercise, "outcome": "infrastructure error", "sentence": line}
            if as_json:
                print(json.dumps(tree | {"file": tried.place}, ensure_ascii=False), flush=True)
            else:
                print(f"{tried.place}: {line}", flush=True)
            right = right and isinstance(result, ExerciseResult) and tried.as_named(result.outcome)
        if not right:
            raise typer.Exit(1)


def _add_link(course: typer.Typer) -> None:
    @course.command()
    def link(
        hub: Annotated[str, typer.Option(help="The JupyterHub's address.")],
        repo: Annotated[str, typer.Option(help="The address of the repository that holds the student copy.")],
        branch: Annotated[str, typer.Option(help="Its branch.")] = "main",
        path: Annotated[
            str, typer.Option(help="The notebook to open, as the repository names it; default: its folder.")
        ] = "",
    ) -> None:
        """Print a link that copies the student files to a home on a JupyterHub (which needs nbgitpuller).

        Example: kqa course link --hub https://hub.example.org --repo https://github.com/owner/name
        """
        from autograder.build.jupyterhub_link import jupyterhub_link

        print(jupyterhub_link(hub, repo, branch, path))
