"""Options that several commands share."""

from __future__ import annotations

import sys
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


def warn(sandbox: str | None) -> None:
    """Say what the tier that was asked for does not do. Raises UserError where there is none of that name, before any work."""
    if sandbox is not None:
        from autograder.judge.sandbox import known_tier

        known_tier(sandbox)
    if sandbox == "limits":
        print("warning: sandbox limits hides nothing: students' code reads whatever its user can read", file=sys.stderr)
