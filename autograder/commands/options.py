"""Options that several commands share."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, TypeVar

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


def _use_course(folder: Path | None) -> Path | None:
    """Work on the course in `folder`, if one is named. Raises UserError where there is none."""
    if folder is not None:
        from autograder.paths import use_course

        use_course(folder)
    return folder


CourseFolder = Annotated[
    Path | None,
    typer.Option(
        "--course",
        envvar="KQA_COURSE",
        callback=_use_course,
        help=(
            "The folder of the course, as `kqa course new` makes one; default: the course of this repository."
        ),
    ),
]


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
