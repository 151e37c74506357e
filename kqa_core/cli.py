"""`kqa`: the course's command line.

- Each module of `kqa_core.commands` registers its commands on the app by a function `register(app)`.
- Other packages add commands by the entry points `kqa.commands`. `autograder`, which only a clone has, adds
  `kqa course`.
- A person's mistake is a `UserError`: one line on stderr, exit status 2. If torchrun started several
  processes, the first prints it; a `LostProcess` is printed by the process that raises it.
"""

from __future__ import annotations

import importlib
import os
import sys

import typer

from kqa_core.errors import LostProcess, UserError
from kqa_core.lazy import COMMANDS, plugins

app = typer.Typer(
    name="kqa",
    help=(
        "Keys, Queries, Attention: open the course and check answers, train and evaluate its models, look"
        " after its data, and (instructors) grade it."
    ),
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

MODULES = [f"kqa_core.commands.{name}" for name in ("training", "data", "encoder", "machine", "student")]


def _register() -> None:
    for name in MODULES:
        importlib.import_module(name).register(app)
    for register in plugins(COMMANDS).values():
        register(app)


def main() -> None:
    """Entry point of the `kqa` command."""
    try:
        _run()
        status: object = 0
    except SystemExit as ended:
        status = ended.code
    others = sys.modules.get("kqa_core.training.distributed")
    if others is not None and others.has_joined():  # it leaves threads that may abort a process at its end
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status if isinstance(status, int) else int(status is not None))
    raise SystemExit(status)


def _run() -> None:
    _register()
    try:
        app()
    except UserError as error:
        if isinstance(error, LostProcess) or os.environ.get("LOCAL_RANK", "0") == "0":
            print(f"kqa: {error}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:  # `kqa … | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


if __name__ == "__main__":
    main()
