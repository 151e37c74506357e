"""Answers in files, which `kqa course try` judges.

- A file EXERCISE/NAME.py holds the text of one solution cell.
- A module EXERCISE.py holds many answers. A function or class `right_NAME` or `wrong_NAME` is a cell that
  defines the exercise's function or class. A cell that is more than that is a string of such a name. A string
  of any other name holds text that several cells share: `wrong_NAME = shared + "…"`. The comment right
  above belongs to the cell. A module that gets too long goes on in EXERCISE_2.py.
- A module is read and never imported: only a runner runs an answer.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from kqa_core.errors import UserError

MAX_FILE = 2**20
PART = re.compile(r"_\d+$")  # of a module's name: it goes on with another module's answers
NAMED = re.compile(r"(right|wrong)_\w+")
EXPECTED = "expected functions, classes or strings named right_NAME or wrong_NAME"
Definition = ast.FunctionDef | ast.ClassDef


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
    shared: dict[str, str] = {}
    for node in module.body:
        name, text_of = _name(node), _text_of(node, shared)
        if isinstance(node, Definition):
            text_of = _definition(node, lines, exercise)
        if name is not None and text_of is not None and NAMED.fullmatch(name):
            source = _comment_above(node, lines) + text_of.removeprefix("\n")
            yield FileAnswer(exercise, f"{path}::{name}", source, name.startswith("right_"))
        elif name is not None and isinstance(node, ast.Assign) and text_of is not None:
            shared[name] = text_of
        elif not isinstance(node, ast.Import | ast.ImportFrom) and not _is_docstring(node):
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
    """The name that a definition or an assignment gives."""
    if isinstance(node, Definition):
        return node.name
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id
    return None


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and _text(node.value, {}) is not None


def _text_of(node: ast.stmt, shared: Mapping[str, str]) -> str | None:
    """The text that an assignment gives a name; None if it is anything else."""
    return _text(node.value, shared) if isinstance(node, ast.Assign) else None


def _text(value: ast.expr, shared: Mapping[str, str]) -> str | None:
    """A string, the name of a shared one, or a sum of these."""
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return value.value
    if isinstance(value, ast.Name):
        return shared.get(value.id)
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
        left, right = _text(value.left, shared), _text(value.right, shared)
        return None if left is None or right is None else left + right
    return None


def _first_line(node: ast.stmt) -> int:
    """The number of its first line, from 0, decorators included."""
    decorators = node.decorator_list if isinstance(node, Definition) else []
    return min([node.lineno, *(decorator.lineno for decorator in decorators)]) - 1


def _comment_above(node: ast.stmt, lines: list[str]) -> str:
    end = begin = _first_line(node)
    while begin > 0 and lines[begin - 1].startswith("#"):
        begin -= 1
    return "".join(lines[begin:end])


def _definition(node: ast.FunctionDef | ast.ClassDef, lines: list[str], exercise: str) -> str:
    """The text of a function or class, under the exercise's name."""
    source = "".join(lines[_first_line(node) : node.end_lineno])
    return re.sub(rf"\b(def|class)(\s+){node.name}\b", rf"\1\2{exercise}", source, count=1)
