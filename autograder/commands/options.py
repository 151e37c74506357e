"""Options that several commands share."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from autograder.grading.config import JudgeConfig

C = TypeVar("C", bound=JudgeConfig)

Notebooks = Annotated[
    list[str] | None, typer.Option("--notebook", "-n", help="A notebook: its name or number. Repeatable.")
]
Solutions = Annotated[bool, typer.Option("--solutions", help="Show the model answers on the feedback pages.")]
Workers = Annotated[int | None, typer.Option(min=1, help="Workers side by side; default: one for each core.")]
Database = Annotated[
    str | None,
    typer.Option(
        "--db",
        help="URL of the gradebook, such as postgresql+psycopg2://…; default: what nbgrader_config.py says.",
    ),
]
Sandbox = Annotated[
    str | None,
    typer.Option(
        "--sandbox",
        help=(
            "bubblewrap, container or limits; default: the strongest that works here, and never limits, which"
            " must be named."
        ),
    ),
]


def _choose_course(
    context: typer.Context, parameter: typer.CallbackParam, folder: Path | None
) -> Path | None:
    """Work on the course that is meant. Raises UserError where there is none, or where it is not certain."""
    if not context.resilient_parsing:
        from autograder.paths import choose_course

        source = context.get_parameter_source(str(parameter.name))
        choose_course(folder, insisted=source is not None and source.name == "COMMANDLINE")
    return folder


def _name_course(context: typer.Context, parameter: typer.CallbackParam, folder: Path | None) -> Path | None:
    """The same, for a command that writes: its first line names the course. On stderr, because others read
    what a command prints.
    """
    _choose_course(context, parameter, folder)
    if not context.resilient_parsing:
        from autograder.paths import course_folder

        print(f"course {course_folder()}", file=sys.stderr, flush=True)
    return folder


def _course_option(callback: Callable[..., Path | None]) -> Any:
    return typer.Option(
        "--course",
        envvar="KQA_COURSE",
        callback=callback,
        help=(
            "The folder of the course, as `kqa course new` makes one; default: the one at or above the"
            " working directory, else the course of this repository."
        ),
    )


CourseFolder = Annotated[Path | None, _course_option(_name_course)]
ReadCourse = Annotated[Path | None, _course_option(_choose_course)]  # of a command that writes nothing


def checked(config: C) -> C:
    """The config that a command's options make, checked. Warns of what the weakest sandbox does not do.

    Raises UserError where there is no such sandbox.
    """
    if config.tier is not None:
        from autograder.sandbox.tiers import check_tier

        check_tier(config.tier)
    if config.tier == "limits":
        print(
            "warning: sandbox limits hides nothing: students' code reads whatever its user can read",
            file=sys.stderr,
        )
    return config
