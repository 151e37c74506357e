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


def check_sandbox(sandbox: str | None) -> None:
    """Raises UserError for the name of no tier, before any work; says what the weakest one does not do."""
    if sandbox is not None:
        from autograder.sandbox.tiers import check_tier

        check_tier(sandbox)
    if sandbox == "limits":
        print("warning: sandbox limits hides nothing: students' code reads whatever its user can read", file=sys.stderr)
