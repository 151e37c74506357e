"""Answers in files, which `kqa course try` judges.

- A file EXERCISE/NAME.py holds the text of one solution cell.
- A module EXERCISE.py holds many answers. A function `right_NAME` or `wrong_NAME` is a cell that defines the
  exercise's function. A cell that is more than one function is a string of such a name. The comment right
  above belongs to the cell. A module that gets too long goes on in EXERCISE_2.py.
- A module is read and never imported: only a runner runs an answer.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from kqa_core.errors import UserError

MAX_FILE = 2**20
PART = re.compile(r"_\d+$")  # of a module's name: it goes on with another module's answers
NAMED = re.compile(r"(right|wrong)_\w+")
EXPECTED = "expected functions or strings named right_NAME or wrong_NAME"


@dataclass(frozen=True)
class FileAnswer:
    """An answer from a file."""

    exercise: str
    place: str  # its file, and in a module its name: average_two.py::wrong_sum
    source: str  # the text of the solution cell
    right: bool | None = None  # what the name in a module says of it; None for one that is a file

    def as_named(self, outcome: str) -> bool:
        """Whether `outcome` is what the answer's name says, or right where it says nothing."""
        return (outcome == "right") == (self.right is not False)


def answers_in(place: Path) -> list[FileAnswer]:
    """The answers of a module, or of a folder: its files EXERCISE/NAME.py, and those in its modules.

    Raises UserError for a folder without answers, a file that cannot be read as text, and a module that holds
    anything but answers, imports and its docstring.
    """
    from kqa_core.check.registry import names

    exercises = names()
    if place.is_file():
        return list(_answers_of(place, exercises))
    if not place.is_dir():
        raise UserError(f"{place}: no such folder; expected one that holds EXERCISE.py or EXERCISE/NAME.py")
    answers = [FileAnswer(path.parent.name, str(path), read_text(path)) for path in place.glob("*/*.py")]
    answers += [answer for path in place.glob("*.py") for answer in _answers_of(path, exercises)]
    if not answers:
        raise UserError(
            f"{place}: holds no answers; expected EXERCISE/NAME.py, such as average_two/answer.py, or modules"
            " EXERCISE.py"
        )
    return sorted(answers, key=lambda answer: (answer.exercise, answer.place))


def _answers_of(path: Path, exercises: Collection[str]) -> Iterator[FileAnswer]:
    """The answers in a module, in order."""
    exercise = path.stem if path.stem in exercises else PART.sub("", path.stem)
    text = read_text(path)
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UserError(f"{path}: is no Python ({error}); {EXPECTED}") from None
    lines = [f"{line}\n" for line in text.split("\n")]  # as the parser counts them
    for node in module.body:
        name = _name(node)
        if name is not None and NAMED.fullmatch(name):
            source = _comment_above(node, lines) + _cell(node, name, lines, exercise)
            yield FileAnswer(exercise, f"{path}::{name}", source, name.startswith("right_"))
        elif not isinstance(node, ast.Import | ast.ImportFrom) and not _is_text(node):
            raise UserError(f"{path}, line {node.lineno}: is no answer; {EXPECTED}")


def read_text(path: Path) -> str:
    """The text of a file. Raises UserError if it is no UTF-8 text, is too large, or cannot be read."""
    try:
        if path.stat().st_size > MAX_FILE:
            raise UserError(f"{path}: is larger than 1 MiB; expected the text of one solution cell")
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise UserError(f"{path}: is not UTF-8 text; expected the Python of one solution cell") from None
    except FileNotFoundError:
        raise UserError(f"{path}: no such file; expected the Python of one solution cell") from None
    except OSError as error:
        raise UserError(
            f"{path}: cannot be read ({error.strerror}); expected the Python of one solution cell"
        ) from None


def _name(node: ast.stmt) -> str | None:
    """The name of a function, or of a string."""
    if isinstance(node, ast.FunctionDef):
        return node.name
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and _is_text(node):
        return node.targets[0].id
    return None


def _is_text(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Assign | ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _first_line(node: ast.stmt) -> int:
    """The number of its first line, from 0, decorators included."""
    decorators = node.decorator_list if isinstance(node, ast.FunctionDef) else []
    return min([node.lineno, *(decorator.lineno for decorator in decorators)]) - 1


def _comment_above(node: ast.stmt, lines: list[str]) -> str:
    end = begin = _first_line(node)
    while begin > 0 and lines[begin - 1].startswith("#"):
        begin -= 1
    return "".join(lines[begin:end])


def _cell(node: ast.stmt, name: str, lines: list[str], exercise: str) -> str:
    """The text of a cell: the string, or the function under the exercise's name."""
    if isinstance(node, ast.Assign):
        assert isinstance(node.value, ast.Constant)
        return str(node.value.value).removeprefix("\n")
    source = "".join(lines[_first_line(node) : node.end_lineno])
    return re.sub(rf"\bdef(\s+){name}\b", rf"def\1{exercise}", source, count=1)
