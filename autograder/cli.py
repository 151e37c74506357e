"""`kqa course …`: the instructor's commands. Thin: each calls one function of `autograder.course` and prints what it returns.

Heavy imports happen inside the commands, so that `--help` is instant.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

course = typer.Typer(
    name="course",
    help="Build, prove and grade the course (for instructors).",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
Notebooks = Annotated[list[str] | None, typer.Option("--notebook", "-n", help="A notebook: its name or number. Repeatable.")]
Workers = Annotated[int | None, typer.Option(min=1, help="Checkers side by side; default: one for each core.")]


def register(app: typer.Typer) -> None:
    """Add `course` to the command line."""
    app.add_typer(course)


@course.command()
def build(
    notebook: Notebooks = None,
    out: Annotated[Path | None, typer.Option(help="Folder for the student's bundle; default: dist/.")] = None,
    force: Annotated[bool, typer.Option(help="Run every notebook, also where nothing has changed.")] = False,
) -> None:
    """Make the executed notebooks, the students' version and the students' bundle.

    Example: kqa course build -n 01
    """
    from autograder.course.build import build as run

    made = run(notebook or (), out=out, force=force)
    for name, executed in made.sources.items():
        print(f"{name}: {'executed' if executed else 'up to date'}")
    for path in made.released:
        print(f"released {path}")
    if made.bundle is not None:
        print(f"bundle {made.bundle}")
    for leak in made.leaks:
        print(f"LEAK {leak}", file=sys.stderr)
    if made.leaks:
        raise typer.Exit(1)


@course.command()
def prove(notebook: Notebooks = None, workers: Workers = None) -> None:
    """Prove that the judge decides as the answer keys say; exit 1 where it does not.

    Example: kqa course prove -n 01
    """
    from tqdm import tqdm

    from autograder.course.prove import prove as run
    from autograder.course.tables import proof_table, show

    with tqdm(desc="prove", unit="answer", disable=None, leave=False) as bar:

        def began(total: int) -> None:
            bar.reset(total)

        proof = run(notebook or (), workers=workers, began=began, done=lambda name: bar.update() and None)
    show(proof_table(proof))
    for deviation in proof.deviations:
        print(f"DEVIATION {deviation}")
    for leak in proof.leaks:
        print(f"LEAK {leak}")
    if not proof.holds:
        raise typer.Exit(1)


@course.command("try")
def try_command(
    exercise: Annotated[str, typer.Argument(help="The exercise's id, such as average_two.")],
    answer: Annotated[Path, typer.Argument(help="A file with what a student would put in the solution cell.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Judge one answer from a file. Exit 0: right; 1: not right (Python that does not parse, too); 2: unusable.

    Example: kqa course try average_two answer.py --json
    """
    from autograder.course.try_one import try_answer

    result = try_answer(exercise, answer)
    if as_json:
        shown = ("exercise", "outcome", "marks", "points", "sentence", "incident", "mistake")
        print(json.dumps({name: getattr(result, name) for name in shown}, ensure_ascii=False))
    else:
        print(f"{result.exercise}: {result.outcome}, {result.marks:g} of {result.points}: {result.sentence}")
    if result.outcome != "right":
        raise typer.Exit(1)


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
    retrain: Annotated[bool, typer.Option(help="Train again where a finished run of the same data and recipe is there.")] = False,
) -> None:
    """Do the main job on the shipped data, as `make course` does: prove, grade the sample class, train, report.

    Example: kqa course run
    """
    from autograder.course.main_job import run

    raise typer.Exit(run(workers, retrain))


@course.command()
def report(out: Annotated[Path | None, typer.Option(help="Folder for the report; default: report/.")] = None) -> None:
    """Write an HTML report of what was graded: exercises, their commonest mistakes, a page for each student.

    Example: kqa course report
    """
    from autograder.course.report import report as run

    print(f"report {run(out)}")
