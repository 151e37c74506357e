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
    """Say what the tier that was asked for does not do."""
    if sandbox == "limits":
        print("warning: sandbox limits hides nothing: students' code reads whatever its user can read", file=sys.stderr)
