"""Options that several commands share."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

Notebooks = Annotated[list[str] | None, typer.Option("--notebook", "-n", help="A notebook: its name or number. Repeatable.")]
Workers = Annotated[int | None, typer.Option(min=1, help="Checkers side by side; default: one for each core.")]
Sandbox = Annotated[
    str | None,
    typer.Option(
        "--sandbox",
        help="bubblewrap, container or limits; default: the strongest that works here, and never limits, which must be named.",
    ),
]


def _use_course(folder: Path | None) -> Path | None:
    """Let this process work on the course in `folder`. Raises UserError where there is none."""
    from autograder.paths import use_course

    use_course(folder)
    return folder


CourseFolder = Annotated[
    Path | None,
    typer.Option(
        "--course",
        envvar="KQA_COURSE",
        callback=_use_course,
        help="The folder of the course, as `kqa course new` makes one; default: the course of this repository.",
    ),
]


def check_sandbox(sandbox: str | None) -> None:
    """Raises UserError for the name of no tier, before any work; says what the weakest one does not do."""
    if sandbox is not None:
        from autograder.sandbox.tiers import check_tier

        check_tier(sandbox)
    if sandbox == "limits":
        print("warning: sandbox limits hides nothing: students' code reads whatever its user can read", file=sys.stderr)
