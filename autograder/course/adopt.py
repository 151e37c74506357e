"""`kqa course adopt NOTEBOOK.ipynb FOLDER`: a course of an assignment that was made for nbgrader.

- A function with tests becomes an exercise that a check grades; an answer for a person and a task become
  written exercises. The result is one text source (`autograder.build.one_file`), which the instructor edits.
- The tests run in the grader's process and only call the function in the student's. So what they do besides,
  such as looking at other names of the student's, is not carried over. It is listed.
- A picture beside the notebook goes into its text, a file of data with it.
- No solution and no hidden test goes to a place that students get, whatever became of its exercise.
"""

from __future__ import annotations

import ast
import base64
import math
import re
import shutil
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from autograder.build.leak_scan import KINDS
from autograder.course.nbgrader_cells import (
    HIDDEN,
    MARKERS,
    Cell,
    bound_names,
    free_names,
    parsed,
    read_assignment,
    read_names,
    test_code,
    without_magics,
)
from autograder.course.new_course import write_course
from kqa_core.errors import UserError
from kqa_core.files import writing

SCHEME = re.compile(r"[#=]+ ?BEGIN MARK SCHEME[^\n]*(.*?)[#=]+ ?END MARK SCHEME[^\n]*", re.DOTALL)
SETUP = "from kqa_core.check import attempted, check, hint, progress, solution"
PICTURES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif"}
CLEARED = "# your code here"


@dataclass
class _Exercise:
    """A function with tests."""

    name: str
    node: ast.FunctionDef
    source: str  # of the reference
    points: float = 0.0
    tests: list[str] = field(default_factory=list)  # what students see
    all_tests: list[str] = field(default_factory=list)  # with the hidden ones
    cells: list[str] = field(default_factory=list)  # their ids


@dataclass
class Adopted:
    """The course that was made, and a line for everything that is not as it was."""

    folder: Path
    exercises: list[str]
    changes: list[str]


def adopt(path: Path, folder: Path) -> Adopted:
    """Make the course. Raises UserError for a file that is no assignment, and unless `folder` is empty."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UserError(f"{folder}: already exists and is not empty; name a new folder")
    cells = read_assignment(path)
    name = re.sub(r"\W+", "_", path.stem).strip("_").lower()
    notebook = name if re.fullmatch(r"\d+_\w+", name) else f"01_{name or 'assignment'}"
    work = _Work(cells)
    source = work.source(path.stem)
    if not work.named:
        why = "; ".join(work.changes) or "it has no graded cell"
        raise UserError(f"{path}: nothing of it could be carried over: {why}")
    files = [file for file in sorted(path.parent.iterdir()) if file.is_file() and file.name in source]
    for file in (file for file in files if file.suffix in PICTURES):
        data = base64.b64encode(file.read_bytes()).decode()
        source = source.replace(f"]({file.name})", f"](data:{PICTURES[file.suffix]};base64,{data})")
    with writing(folder):
        write_course(folder, notebook, source)
        for file in files:
            if file.suffix in KINDS - {".ipynb", ".py"}:
                shutil.copy(file, folder / "source" / notebook)
            elif file.suffix not in PICTURES:
                work.changes.append(f"the file {file.name} was left out: it cannot be searched for solutions")
    return Adopted(folder, work.named, work.changes)


class _Work:
    """One assignment."""

    def __init__(self, cells: list[Cell]) -> None:
        self.cells = cells
        self.changes: list[str] = []
        self.named: list[str] = []  # of the exercises
        self.functions: dict[str, _Exercise] = {}
        self.ours: dict[int, list[_Exercise]] = {}  # those of each solution cell
        # names that cells without answers define, with the statement that does
        self.shared: dict[str, str] = {}
        for place, cell in enumerate(cells):
            if cell.kind == "code" and cell.solution and not cell.graded:
                self.ours[place] = list(self._answers(cell))
            elif cell.kind == "code" and not cell.graded:
                self._share(cell)
        for cell in cells:
            if cell.tests:
                self._take(cell)
                self._share(cell)  # what one cell of tests imports, later ones use
        self.scale = self._scale()

    def source(self, title: str) -> str:
        """The text source of the course's notebook."""
        pieces: list[str] = []
        statement: int | None = None  # the text that belongs to the next answer
        for place, cell in enumerate(self.cells):
            if cell.kind == "markdown" and not cell.solution and not cell.task:
                statement = len(pieces)
                pieces.append(_markdown(cell.text))
            elif cell.kind == "code" and not cell.solution and not cell.graded:
                pieces.append(self._plain(cell))
            elif place in self.ours:
                pieces += self._checked(cell, self.ours[place], pieces, statement)
                statement = None
            elif cell.solution or cell.task:
                pieces += self._written(cell, pieces, statement)
                statement = None
            elif cell.kind not in ("markdown", "code"):
                self.changes.append(f"a cell of kind {cell.kind} was left out")
        if not pieces or not pieces[0].startswith("# %% [markdown]\n# # "):
            pieces.insert(0, _markdown(f"# {title}"))
        pieces.insert(1, _code(SETUP, 'role="setup"'))
        return "\n\n".join(pieces) + "\n"

    def _scale(self) -> int:
        """By what all points are multiplied."""
        points = [exercise.points for exercise in self.functions.values() if exercise.all_tests]
        points += [cell.points for cell in self.cells if (cell.graded and cell.solution) or cell.task]
        scale = math.lcm(*(Fraction(number).limit_denominator(100).denominator for number in points))
        if scale > 1:
            self.changes.append(f"all points were multiplied by {scale}, because here they are whole numbers")
        return scale

    def _points(self, points: float) -> int:
        return max(1, round(points * self.scale))

    def _answers(self, cell: Cell) -> Iterator[_Exercise]:
        """The functions of a solution cell."""
        code = MARKERS.sub("", cell.text)
        tree = parsed(code)
        for node in tree.body if tree is not None else ():
            if isinstance(node, ast.FunctionDef):
                exercise = _Exercise(node.name, node, ast.get_source_segment(code, node) or "")
                self.functions[node.name] = exercise
                yield exercise

    def _share(self, cell: Cell) -> None:
        code = without_magics(HIDDEN.sub("", cell.text))
        tree = parsed(code)
        for node in tree.body if tree is not None else ():
            for name in bound_names(node) - self.functions.keys():
                self.shared[name] = ast.get_source_segment(code, node) or ""

    def _take(self, cell: Cell) -> None:
        """Give the tests of a cell to the functions that they call, statement by statement."""
        every, shown = parsed(MARKERS.sub("", cell.text)), parsed(HIDDEN.sub("", cell.text))
        if every is None or shown is None:
            self._lost(cell, "it is not plain Python")
            return
        used = [name for name in self.functions if name in read_names(every)]
        changed = {name for node in ast.walk(every) for name in bound_names(node)} & set(used)
        deleted = {
            part.id
            for node in ast.walk(every)
            if isinstance(node, ast.Delete)
            for part in node.targets
            if isinstance(part, ast.Name)
        }
        if not used:
            self._lost(cell, "it calls no function that a solution cell defines")
        elif changed or deleted & set(used):
            self._lost(cell, f"it replaces {', '.join(sorted(changed | deleted))}, which is the student's")
        elif missing := sorted(free_names(every) - set(used) - self.shared.keys()):
            self._lost(cell, f"it uses {', '.join(missing)} of a student's cell")
        elif any(len(read_names(node) & set(used)) > 1 for node in every.body):
            self._lost(cell, f"one of its statements calls {' and '.join(used)} together")
        else:
            for name in used:
                exercise = self.functions[name]
                others = set(used) - {name}
                exercise.all_tests.append(test_code(every, others))
                if text := test_code(shown, others):
                    exercise.tests.append(text)
                exercise.cells.append(cell.name)
            self.functions[used[-1]].points += cell.points

    def _lost(self, cell: Cell, why: str) -> None:
        self.changes.append(f"the tests {cell.name} ({cell.points:g} points) were left out: {why}")

    def _plain(self, cell: Cell) -> str:
        """A cell that is no answer: setup if answers may need it, else a demonstration."""
        code = without_magics(cell.text)
        tree = parsed(code)
        if (
            tree is None
            or not any(bound_names(node) for node in tree.body)
            or self.functions.keys() & read_names(tree)
        ):
            return _code(cell.text)
        if code != cell.text:
            self.changes.append(
                f"magic commands were left out of the cell {cell.text.splitlines()[0][:40]!r}"
            )
        return _code(code.strip("\n"), 'role="setup"')

    def _checked(
        self, cell: Cell, exercises: list[_Exercise], pieces: list[str], statement: int | None
    ) -> list[str]:
        """The cells of a solution cell: one exercise for each function that has tests."""
        tested = [exercise for exercise in exercises if exercise.all_tests]
        if not tested:
            why = "no test calls a function of it" if exercises else "it defines no function"
            self.changes.append(f"the answer {cell.name} was left out: {why}; students get an empty cell")
            return [_code(CLEARED)]
        made: list[str] = []
        for exercise in tested:
            name, points = exercise.name, self._points(exercise.points)
            if len(exercise.cells) > 1:
                ids = ", ".join(exercise.cells)
                self.changes.append(f"{name}: the points of {ids} are given together, for all tests or none")
            header = f'exercise="{name}" role="statement" points={points}'
            if statement is not None:
                pieces[statement] = pieces[statement].replace("[markdown]", f"[markdown] {header}", 1)
                statement = None
            else:
                made.append(_markdown(f"Write the function `{name}`.", header))
            made.append(_code(self._reference(exercise, exercises), f'exercise="{name}" role="solution"'))
            made += self._halves(exercise)
            self.named.append(name)
        return made

    def _reference(self, exercise: _Exercise, beside: list[_Exercise]) -> str:
        """The function with the others of the student's that it calls inside: a key stands alone."""
        needed: list[_Exercise] = []
        names = read_names(exercise.node) - {exercise.name}
        while more := [self.functions[name] for name in sorted(names) if name in self.functions]:
            fresh = [each for each in more if each not in needed]
            if not fresh:
                break
            needed = [*fresh, *needed]
            names = {name for each in fresh for name in read_names(each.node)} - {exercise.name}
        for helper in (each for each in beside if each in needed and not each.all_tests):
            self.changes.append(f"{exercise.name}: its helper {helper.name} left the student's cell")
        if not needed:
            return exercise.source
        lines = exercise.source.splitlines()
        first = exercise.node.body[0]
        has_doc = ast.get_docstring(exercise.node) is not None
        place = (first.end_lineno if has_doc else first.lineno - 1) or 0
        place -= exercise.node.lineno - 1
        inner = "\n\n".join(each.source for each in needed)
        return "\n".join([*lines[:place], textwrap.indent(inner, " " * first.col_offset), *lines[place:]])

    def _halves(self, exercise: _Exercise) -> list[str]:
        """The visible check and the key of a function's tests."""
        name, parameters = exercise.name, ast.unparse(exercise.node.args)
        values = ", ".join(
            argument.arg for argument in exercise.node.args.posonlyargs + exercise.node.args.args
        )
        plain = not (exercise.node.args.vararg or exercise.node.args.kwarg or exercise.node.args.kwonlyargs)
        bind = f", lambda {parameters}: ({values},)" if plain and values and ":" not in parameters else ""

        def check(called: str, tests: Iterable[str]) -> str:
            body = textwrap.indent("\n\n".join(tests) or "pass", "        ")
            return (
                f'def {called}(answer, rng):\n    """The tests of {", ".join(exercise.cells)}."""\n'
                f"    {name} = called(answer{bind})\n    with asserted(rng):\n{body}\n    return right()"
            )

        shared = self._needed([*exercise.all_tests, f"lambda {parameters}: None"])
        visible = ["from kqa_core.check.helpers.asserted import asserted, called", *shared]
        visible += ["", "", check("check", exercise.tests)]
        cells = [_code("\n".join(visible), f'exercise="{name}" role="visible"')]
        if exercise.all_tests != exercise.tests:
            key = ["from kqa_core.check.helpers.asserted import asserted, called", *shared]
            key += ["", "", check("hidden", exercise.all_tests)]
            cells.append(_code("\n".join(key), f'exercise="{name}" role="key"'))
        return cells

    def _needed(self, tests: list[str]) -> list[str]:
        """The statements of other cells that tests need, in their order."""
        found: dict[str, None] = {}
        names = {name for test in tests for name in free_names(ast.parse(test))}
        seen: set[str] = set()
        while names - seen:
            name = sorted(names - seen)[0]
            seen.add(name)
            if name in self.shared:
                found[self.shared[name]] = None
                names |= free_names(ast.parse(self.shared[name]))
        needed = [text for text in dict.fromkeys(self.shared.values()) if text in found]
        return [test_code(ast.parse(text), set()) for text in needed]

    def _written(self, cell: Cell, pieces: list[str], statement: int | None) -> list[str]:
        """A written exercise: an answer for a person, or a task."""
        name = re.sub(r"\W+", "_", cell.name).strip("_") or f"answer_{len(self.named) + 1}"
        name = name if name.isidentifier() else f"answer_{name}"
        name = f"{name}_{len(self.named) + 1}" if name in {*self.named, *self.functions} else name
        points = self._points(cell.points)
        header = f'exercise="{name}" role="statement" points={points}'
        made, model = [], MARKERS.sub("", cell.text).strip()
        if cell.task:
            scheme = SCHEME.search(cell.text)
            made.append(_markdown(SCHEME.sub("", cell.text).strip(), header))
            model = scheme[1].strip() if scheme else ""
        elif statement is not None:
            pieces[statement] = pieces[statement].replace("[markdown]", f"[markdown] {header}", 1)
        else:
            made.append(_markdown("Answer here.", header))
        if cell.task or cell.kind == "code":
            what = "a task" if cell.task else "code for a person"
            self.changes.append(
                f"{name}: {what} became a written answer: students write into one cell of text"
            )
            model = f"```python\n{model}\n```" if cell.kind == "code" and model else model
        self.changes.append(
            f"{name}: nbgrader has no rubric; it has one line with all points, write your own"
        )
        made += [
            _markdown(
                model or "The assignment has no model answer.", f'exercise="{name}" role="model_answer"'
            ),
            _markdown(f"- {points}: The answer is right", f'exercise="{name}" role="rubric"'),
        ]
        self.named.append(name)
        return made


def _markdown(text: str, header: str = "") -> str:
    lines = [f"# {line}".rstrip() for line in text.strip("\n").splitlines()]
    return "\n".join([f"# %% [markdown] {header}".rstrip(), *lines])


def _code(text: str, header: str = "") -> str:
    return "\n".join([f"# %% {header}".rstrip(), text.strip("\n")])
