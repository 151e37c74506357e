"""A notebook with its exercises and their keys in one file: `source/NN_name/NN_name.py`.

- It is the text source of the notebook with more cells: the statement names the points, the solution cell
  holds the reference, a cell `visible` the check that students see, a cell `key` everything else that decides
  (docs/new_course.md has the table). `kqa course build` makes of it the files that the rest of the grader
  reads: `exercises/NAME.py` for students, `keys/NN_name/NAME.py` for the grader.
- So the student's half and the key are never in one file that is released. An author who outgrows one file
  goes on with those that were made.
- A file that was made begins with a line that says so. Only such a file is replaced or removed.
- Python, because a text file can be compared, reviewed and merged; a notebook is what students get.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.paths import read_course
from kqa_core.check import registry
from kqa_core.errors import UserError
from kqa_core.files import write_whole

MADE = '"""Made by `kqa course build` from {}: change that file."""'
FACTS = ("points", "title", "difficulty", "importance", "minutes", "source", "extra")
OURS = {"visible": "code", "key": "code", "model_answer": "markdown", "rubric": "markdown"}
FOLDER = re.compile(r"\d+_\w+")  # nbgrader releases no text source of such a name
POINT = re.compile(r"-\s+(\d+(?:\.\d+)?)\s*:\s+(.+)")
NOT_RIGHT = re.compile(r"-\s+not\s*:\s+(.+)")
CHECK_IMPORTS = (
    "from kqa_core.check.answer import Build, Handle\n"
    "from kqa_core.check.exercise import Exercise, NotYet, expect, right"
)
# what a key cell may define, beside `right_…`, `wrong_…` and helpers
HIDDEN, INPUTS, VALUES, COMMENTARY = "hidden", "inputs", "values", "commentary"
SAME = '''
def hidden(answer, rng):
    """It gives what the reference gives."""
    return agrees(answer, {name}, inputs(rng), {values})
'''
NO_INPUTS = '''
def inputs(rng):
    """None: no mistake is named by what an answer returns."""
    return []
'''


@dataclass
class _Parts:
    """The cells of one exercise, and where its statement is."""

    name: str
    order: int
    facts: dict[str, Any]
    hints: list[str]
    cells: dict[str, str] = field(default_factory=dict)


def read_cells(path: Path) -> list[Any]:
    """The cells of a text source as jupytext reads them. Raises UserError if it cannot be read."""
    import jupytext

    try:
        return list(jupytext.read(path, fmt="py:percent").cells)
    except FileNotFoundError:
        raise UserError(
            f"{path}: no such notebook source; it should hold the notebook in percent format"
        ) from None
    except UnicodeDecodeError:
        raise UserError(f"{path}: is not UTF-8 text; save it as UTF-8") from None


def is_one_file(raws: Iterable[Any]) -> bool:
    """Whether any exercise of a text source is written in it."""
    return any(_facts(raw) or raw.metadata.get("role") in OURS for raw in raws)


def halves(path: Path, raws: Sequence[Any]) -> dict[Path, str]:
    """The files to make of a text source, with their text. Raises UserError for a mistake in it."""
    keys = read_course().keys / path.stem
    setup = "\n\n".join(raw.source.strip("\n") for raw in raws if raw.metadata.get("role") == "setup")
    made: dict[Path, str] = {}
    for exercise in _parts(path, raws):
        first = MADE.format(path.name)
        student, key = (
            _written_halves(path, exercise)
            if "visible" not in exercise.cells
            else _checked_halves(path, exercise, setup)
        )
        made[path.parent / "exercises" / f"{exercise.name}.py"] = f"{first}\n\n{student}"
        made[keys / f"{exercise.name}.py"] = f"{first}\n\n{key}"
    return made


def write_halves(path: Path) -> None:
    """Make the files of a text source, and remove those that it no longer describes. Raises UserError."""
    made = halves(path, read_cells(path))
    ours = MADE.format(path.name)
    places = (path.parent / "exercises", read_course().keys / path.stem)
    there = [file for place in places for file in place.glob("*.py")]
    old = [file for file in there if file.read_text(encoding="utf-8").startswith(ours)]
    for file in made:
        if file.exists() and file not in old:
            raise UserError(
                f"{path}: exercise {file.stem} is in this file, and {file} was written by hand; remove one"
            )
    for file in old:
        if file not in made:
            file.unlink()
    for file, text in made.items():
        if file not in old or file.read_text(encoding="utf-8") != text:
            write_whole(file, text)
    if made:  # the folder of exercises may be new
        registry.use(registry.exercise_folders(path.parents[1]))


def plain_cells(path: Path, raws: Sequence[Any]) -> list[Any]:
    """The cells of the notebook alone: without keys, with a stub for each solution, a call of each check, and
    a cell for each written answer.
    """
    if not is_one_file(raws):
        return list(raws)
    exercises = {exercise.name: exercise for exercise in _parts(path, raws)}
    cells: list[Any] = []
    for raw in raws:
        role, name = raw.metadata.get("role"), raw.metadata.get("exercise")
        if name not in exercises:
            cells.append(raw)
        elif role == "statement":
            text = _without_hints(raw.source)[0]
            cells.append(_cell(raw, text, {"exercise": name, "role": "statement"}))
        elif role == "solution":
            cells += [
                _cell(raw, _stub(path, name, raw.source), raw.metadata),
                _cell(raw, f'check("{name}", {name})', {"exercise": name, "role": "check"}),
            ]
        elif role == "model_answer":
            cells.append(_cell(raw, "", {"exercise": name, "role": "written"}))
    return cells


def _parts(path: Path, raws: Sequence[Any]) -> list[_Parts]:
    """The exercises that a text source describes, in order."""
    found: dict[str, _Parts] = {}
    order = 0
    for raw in raws:
        role, name = raw.metadata.get("role"), raw.metadata.get("exercise")
        order += role == "statement"
        facts = _facts(raw)
        if facts and role == "statement":
            if not (isinstance(name, str) and name.isidentifier()):
                raise UserError(f'{path}: exercise={name!r}; expected a name such as exercise="count_words"')
            if name in found:
                raise UserError(f"{path}: two statements for exercise {name}; keep one")
            found[name] = _Parts(name, order, facts, _without_hints(raw.source)[1])
        elif name in found and role not in {"solution", *OURS}:
            raise UserError(
                f"{path}: exercise {name} is written in this file, so it has no cell of role {role!r};"
                f" expected statement, solution, {', '.join(OURS)}"
            )
        elif facts:
            raise UserError(
                f"{path}: exercise {name}: {', '.join(facts)} belong to its cell of role statement"
            )
        elif role in OURS or (role == "solution" and name in found):
            if name not in found:
                raise UserError(
                    f"{path}: the {role} cell of exercise {name!r} comes before a statement with points=…;"
                    f' begin with # %% [markdown] exercise="{name}" role="statement" points=1'
                )
            if OURS.get(role, "code") != raw.cell_type:
                raise UserError(
                    f"{path}: the {role} cell of exercise {name} must be {OURS.get(role, 'code')}"
                )
            if role in found[name].cells:
                raise UserError(f"{path}: exercise {name} has two cells of role {role}; keep one")
            found[name].cells[role] = raw.source.strip("\n")
    if found and not FOLDER.fullmatch(path.stem):
        raise UserError(f"{path}: holds keys, so its name must be such as 01_sorting: a number, _ and a name")
    for exercise in found.values():
        _complete(path, exercise)
    return list(found.values())


def _complete(path: Path, exercise: _Parts) -> None:
    """Raise UserError for what is missing."""
    if "points" not in exercise.facts:
        raise UserError(f"{path}: exercise {exercise.name} has no points; expected points=… in its statement")
    needed, ruled_out = {"solution", "visible"}, {"model_answer", "rubric"}
    if exercise.cells.keys() & ruled_out:
        needed, ruled_out = ruled_out, needed | {"key"}
    for role in sorted(needed - exercise.cells.keys()):
        raise UserError(f"{path}: exercise {exercise.name} has no cell of role {role}; add one")
    for role in sorted(ruled_out & exercise.cells.keys()):
        raise UserError(
            f"{path}: exercise {exercise.name} has a model answer for a person who marks it, so its cell of"
            f" role {role} has no use; remove one of them"
        )


def _checked_halves(path: Path, exercise: _Parts, setup: str) -> tuple[str, str]:
    """The student's half and the key of an exercise that a check grades."""
    name, where = exercise.name, f"{path}: exercise {exercise.name}"
    visible, key = exercise.cells["visible"], exercise.cells.get("key", "")
    defined, ours = _defined(f"{where}, visible", visible), _defined(f"{where}, key", key)
    solution = _defined(f"{where}, solution", exercise.cells["solution"])
    if "check" not in defined:
        raise UserError(f"{where}: its visible cell defines no function check(answer, rng); add it")
    if name not in solution:
        raise UserError(f"{where}: its solution cell defines no function {name}; add it, as the reference")
    student = [_imports(setup), CHECK_IMPORTS, "", "", visible]
    student += ["", "", _exercise(exercise, "check")]
    shared = ", ".join(sorted(defined))
    values = VALUES if VALUES in {*defined, *ours} else "None"
    text = [
        setup,
        "from autograder.answer_key import AnswerKey, agrees",
        CHECK_IMPORTS,
        f"from course_exercises.{name} import {shared}",
        *("", "", exercise.cells["solution"], "", "", key),
    ]
    if INPUTS not in ours:
        text.append(NO_INPUTS)
    if HIDDEN not in ours:
        text.append(SAME.format(name=name, values=values) if INPUTS in ours else "\n\nhidden = check")
    right, wrong = ([each for each in ours if each.startswith(kind)] for kind in ("right_", "wrong_"))
    commentary = COMMENTARY if COMMENTARY in ours else '""'
    text.append(
        f"\n\nKEY = AnswerKey(\n    {name!r}, hidden, {name}, ({_listed(right)}), ({_listed(wrong)}), inputs,"
        f"\n    commentary={commentary}, values={values},\n)\n"
    )
    return "\n".join(student), "\n".join(text)


def _written_halves(path: Path, exercise: _Parts) -> tuple[str, str]:
    """The student's half and the key of an exercise that a person reads."""
    where = f"{path}: exercise {exercise.name}"
    rubric: list[tuple[float, str]] = []
    misconceptions: list[str] = []
    for line in filter(None, map(str.strip, re.sub(r"\n\s+", " ", exercise.cells["rubric"]).splitlines())):
        if point := POINT.fullmatch(line):
            rubric.append((float(point[1]) if "." in point[1] else int(point[1]), point[2]))
        elif wrong := NOT_RIGHT.fullmatch(line):
            misconceptions.append(wrong[1])
        else:
            raise UserError(
                f"{where}: the line {line!r:.60} of its rubric; expected - POINTS: an idea, or - not: a"
                " mistake"
            )
    key = (
        "from autograder.answer_key import WrittenKey\n\n"
        f"KEY = WrittenKey(\n    {exercise.name!r},\n    {exercise.cells['model_answer']!r},\n"
        f"    {tuple(rubric)!r},\n    {tuple(misconceptions)!r},\n)\n"
    )
    return f"from kqa_core.check.exercise import Exercise\n\n{_exercise(exercise, 'None')}", key


def _exercise(exercise: _Parts, check: str) -> str:
    facts = [f"    {key}={value!r}," for key, value in exercise.facts.items()]
    hints = [f"    hints={tuple(exercise.hints)!r},"] if exercise.hints else []
    head = [f"    id={exercise.name!r},", f"    order={exercise.order},"]
    return "\n".join(["EXERCISE = Exercise(", *head, *facts, *hints, f"    check={check},", ")", ""])


def _facts(raw: Any) -> dict[str, Any]:
    return {key: raw.metadata[key] for key in FACTS if key in raw.metadata}


def _without_hints(text: str) -> tuple[str, list[str]]:
    """A statement without its paragraphs that begin with "Hint:", and these."""
    paragraphs = re.split(r"\n\s*\n", text.strip("\n"))
    hints = [re.sub(r"\s+", " ", part)[5:].strip() for part in paragraphs if part.startswith("Hint:")]
    return "\n\n".join(part for part in paragraphs if not part.startswith("Hint:")), hints


def _cell(like: Any, source: str, metadata: Any) -> Any:
    cell = type(like)(like)
    kind = {"written": "markdown", "check": "code"}.get(metadata.get("role"), like.cell_type)
    cell.update({"source": source, "metadata": type(like)(metadata), "cell_type": kind})
    return cell


def _parsed(where: str, code: str) -> ast.Module:
    try:
        return ast.parse(code)
    except SyntaxError as problem:
        raise UserError(f"{where}: is not valid Python ({problem.msg}, line {problem.lineno})") from None


def _defined(where: str, code: str) -> list[str]:
    """The names that a cell defines by def, class or assignment, in order."""
    names: list[str] = []
    for node in _parsed(where, code).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.append(node.name)
        elif isinstance(node, ast.Assign):
            names += [target.id for target in node.targets if isinstance(target, ast.Name)]
    return names


def _imports(setup: str) -> str:
    """The imports of the setup cells, but for what a notebook needs alone."""
    return "\n".join(
        ast.unparse(node)
        for node in _parsed("the setup cell", setup).body
        if isinstance(node, ast.Import)
        or (isinstance(node, ast.ImportFrom) and node.module != "kqa_core.check")
    )


def _stub(path: Path, name: str, solution: str) -> str:
    """The solution cell as students get it: the reference's body is replaced by a line that says so."""
    where = f"{path}: exercise {name}"
    functions = [
        node
        for node in _parsed(where, solution).body
        if isinstance(node, ast.FunctionDef) and node.name == name
    ]
    if len(functions) != 1:
        raise UserError(f"{where}: its solution cell must define one function {name}")
    (function,), lines = functions, solution.splitlines()
    first, doc = function.body[0], ast.get_docstring(function)
    if first.lineno == function.lineno:
        raise UserError(f"{where}: write the body of {name} on lines of its own")
    start = first.end_lineno or first.lineno  # of what goes, counted from 0
    if doc is None:
        start = first.lineno - 1
        while lines[start - 1].lstrip().startswith("#") or not lines[start - 1].strip():
            start -= 1
    end = function.end_lineno or start
    while end < len(lines) and (not lines[end].strip() or lines[end][0] in " \t#"):
        end += 1
    stub = f'raise NotImplementedError("exercise {name}: replace this line with your answer")'
    return "\n".join([*lines[:start], " " * first.col_offset + stub, *lines[end:]])


def _listed(names: Sequence[str]) -> str:
    return "".join(f"{name}, " for name in names).rstrip()
