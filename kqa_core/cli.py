"""`kqa`: the course's command line.

- Each module of `kqa_core.commands` registers its commands on the app by a function `register(app)`.
- Other packages add commands by the entry points `kqa.commands`. `autograder`, which only a clone has, adds
  `kqa course`.
- A course that does not use the library of models has a small wheel, without the commands that train and
  evaluate. A command whose packages are not installed says which extra brings them.
- A person's mistake is a `UserError`: one line on stderr, exit status 2.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import os
import re
import sys

import typer

from kqa_core.errors import UserError
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
DISTRIBUTION = "keys-queries-attention"


def _register() -> None:
    for name in MODULES:
        if importlib.util.find_spec(name) is not None:  # a course without the library has two of them
            importlib.import_module(name).register(app)
    for register in plugins(COMMANDS).values():
        register(app)


def main() -> None:
    """Entry point of the `kqa` command."""
    _register()
    try:
        app()
    except UserError as error:
        print(f"kqa: {error}", file=sys.stderr)
        sys.exit(2)
    except ModuleNotFoundError as missing:
        extra = _extra_with(missing.name or "")
        if extra is None:
            raise
        print(
            f"kqa: this needs {missing.name}, which is not installed; in a clone:"
            f" python -m pip install -e '.[{extra}]' -c constraints.txt",
            file=sys.stderr,
        )
        sys.exit(2)
    except BrokenPipeError:  # `kqa … | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def _extra_with(module: str) -> str | None:
    """The extra of our distribution that brings `module`; None if none does."""
    try:
        requirements = importlib.metadata.requires(DISTRIBUTION) or []
    except importlib.metadata.PackageNotFoundError:  # run from a folder, without an installation
        return None
    for text in requirements:
        named = re.match(r"([\w.-]+)[^;]*;.*extra == ['\"](\w+)['\"]", text)
        if named and named[1].replace("-", "_") == module.partition(".")[0]:
            return named[2]
    return None


if __name__ == "__main__":
    main()
