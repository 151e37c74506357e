"""A cheap course, and a class of any size that submits it: for `kqa bench scale` and its test.

- Each notebook has an exercise of one line, one with a long answer, and a written one, all with keys and
  checks as usual.
- Each student draws answers of their own: right, wrong or untouched in the short exercise, a long text in the
  other two. One student of twenty has the long answer of the student before, and one submission of thirty is
  missing.
- `judged_at_once` stands for the workers: it reads the stored file and sets the answers into our notebook
  as the
  judge does. But no student code runs, because the key says what each answer is.
"""

from __future__ import annotations

import functools
import json
import random
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import nbformat

from autograder.answer_key import answer_source, find_checked, sentence
from autograder.build.assemble import assemble
from autograder.build.source import Cell
from autograder.course.new_course import TEMPLATE
from autograder.judge.canaries import ENDLESS_SECONDS
from autograder.judge.results import ExerciseResult, Judged, Status, SubmissionResult, overall
from autograder.judge.tasks import AnswerTask, SubmissionTask
from autograder.paths import use_course
from autograder.submissions.cells import parse_cells
from autograder.submissions.merge import graft
from autograder.submissions.skeleton import Skeleton, load_skeleton
from kqa_core.check.exercise import Exercise
from kqa_core.check.registry import find

NEIGHBOUR, ABSENT = 20, 30  # one student of so many copies; one submission of so many is missing
OPERATORS = ["+", "-", "*", "//", "%", "@", "&", "|", "^"]
BUILTINS = ["abs", "min", "max", "sum", "len", "sorted", "round", "all", "any", "bool"]
STARTS, ENDS = (
    ("ka", "lo", "mi", "ne", "ru", "sa", "ti", "vo"),
    ("bel", "dor", "fin", "gal", "hun", "jem", "pol", "zet"),
)
WORDS = [start + end for start in STARTS for end in ENDS]
EXERCISE = """from kqa_core.check.exercise import Exercise, expect, right


def check(answer, rng):
    x = rng.randint(2, 9)
    expect(answer(x) == 2 * x, f"twice {{x}} is {{2 * x}}")
    return right("doubled")


EXERCISE = Exercise(
    id="{name}", order={order}, points=2, check={check},
    difficulty=1, importance=1, minutes=1, source="made up", hints=("a", "b", "c"),
)
"""
KEY = """from autograder.answer_key import AnswerKey
from kqa_core.check.exercise import expect, right


def hidden(answer, rng):
    expect(all(answer(x) == 2 * x for x in range(9)), "some number is not doubled")
    return right()


def {name}(x):
    return 2 * x


def squared(x):
    '''You square the number; double it.'''
    return x * x


KEY = AnswerKey("{name}", hidden, {name}, (), (squared,), lambda rng: [(3,), (5,)])
"""
WRITTEN_KEY = """from autograder.answer_key import WrittenKey

KEY = WrittenKey("{name}", "Because two and two are four.", ((2.0, "the sum"),))
"""


def notebook_name(number: int) -> str:
    """The name of a notebook, from 1."""
    return f"{number:02}_made"


def write_course(course: Path, notebooks: int) -> None:
    """Write the course, and work on it from now on in this process."""
    course.mkdir(parents=True)
    shutil.copy(TEMPLATE / "nbgrader_config.py", course)
    for number in range(1, notebooks + 1):
        exercises, keys = (
            course / "source" / notebook_name(number) / "exercises",
            course / "keys" / notebook_name(number),
        )
        exercises.mkdir(parents=True)
        keys.mkdir(parents=True)
        (exercises.parent / f"{notebook_name(number)}.py").touch()  # exercises count only beside a notebook
        for order, kind in enumerate(("short", "long", "why"), start=1):
            name = f"{kind}_{number:02}"
            check = "None" if kind == "why" else "check"
            (exercises / f"{name}.py").write_text(
                EXERCISE.format(name=name, order=order, check=check), encoding="utf-8"
            )
            (keys / f"{name}.py").write_text(
                (WRITTEN_KEY if kind == "why" else KEY).format(name=name), encoding="utf-8"
            )
    use_course(course)
    for number in range(1, notebooks + 1):
        name = notebook_name(number)
        cells = [cell for kind in ("short", "long", "why") for cell in _cells(find(f"{kind}_{number:02}"))]
        nbformat.write(assemble(cells), course / "source" / name / f"{name}.ipynb")


def _cells(exercise: Exercise) -> list[Cell]:
    name = exercise.id
    cells = [Cell(f"statement_{name}", "statement", "Double it.", exercise, f"statement_{name}")]
    if exercise.written:
        return [*cells, Cell(name, "written", "", exercise, name)]
    stub = f"def {name}(x):\n    raise NotImplementedError({json.dumps(exercise.stub_message)})"
    cells.append(Cell(name, "solution", stub, exercise, name))
    return [*cells, Cell(f"check_{name}", "check", f'check("{name}", {name})', exercise, f"check_{name}")]


def write_class(course: Path, folder: Path, students: int) -> None:
    """Write what the class submits: FOLDER/STUDENT/NOTEBOOK/NOTEBOOK.ipynb."""
    skeletons = [load_skeleton(path) for path in sorted(course.glob("source/*/*.ipynb"))]
    for number in range(students):
        for skeleton in skeletons:
            if random.Random(f"{number} {skeleton.name}").randrange(ABSENT) == 0:
                continue
            path = folder / f"student{number:05}" / skeleton.name / f"{skeleton.name}.ipynb"
            path.parent.mkdir(parents=True)
            path.write_text(_submission(skeleton, number), encoding="utf-8")


def _submission(skeleton: Skeleton, number: int) -> str:
    cells: list[dict[str, Any]] = []
    for cell in skeleton.cells:
        source = (
            _answer(cell.exercise.id, number)
            if cell.role in ("solution", "written") and cell.exercise
            else cell.source
        )
        code: dict[str, Any] = {"outputs": [], "execution_count": None} if cell.kind == "code" else {}
        marks = {"nbgrader": {"grade_id": cell.grade_id}}
        cells.append(
            {
                "cell_type": cell.kind,
                "id": cell.id,
                "metadata": marks,
                "source": source or cell.source,
                **code,
            }
        )
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def _answer(exercise: str, number: int) -> str:
    """The answer of student `number`; "" for the untouched cell."""
    kind, copied = exercise.partition("_")[0], number % NEIGHBOUR == NEIGHBOUR - 1
    rng = random.Random(f"{number - copied if kind == 'long' else number} {exercise}")
    if kind == "why":
        return " ".join(rng.choice(WORDS) for _ in range(40))
    right, wrong = known(exercise)
    if kind == "short":
        return rng.choices([right, wrong, ""], (6, 3, 1))[0]
    own = "\n".join(
        f"    {'y' if copied else 'x'} = {_term(rng)} {rng.choice(OPERATORS)} {_term(rng)}" for _ in range(8)
    )
    return f"def helper(a, b, c):\n{own}\n    return a\n\n\n{right}"


def _term(rng: random.Random) -> str:
    return f"{rng.choice(BUILTINS)}({rng.choice(BUILTINS)}(a) {rng.choice(OPERATORS)} b[c])"


@functools.cache
def known(exercise: str) -> tuple[str, str]:
    """The right and the wrong answer of the key."""
    key = find_checked(exercise)
    return answer_source(exercise, key.reference), answer_source(exercise, key.rejected[0])


def judged_at_once(
    tasks: Iterable[SubmissionTask | AnswerTask], *how: object
) -> Iterator[tuple[object, object]]:
    """Stands for `run_tasks`: each task with its result."""
    for task in tasks:
        if isinstance(task, AnswerTask):  # the endless canary
            assert task.call_seconds == ENDLESS_SECONDS
            yield (
                task,
                ExerciseResult.of(
                    find(task.exercise), Status.INCIDENT, "error", 0.0, "did not finish", incident="time"
                ),
            )
        else:
            yield task, _judged(task)


skeleton_of = functools.cache(load_skeleton)


def _judged(task: SubmissionTask) -> Judged:
    entry, skeleton = task.submission, skeleton_of(task.instructor)
    assert entry.file is not None
    grafted = graft(skeleton, parse_cells((task.store / entry.file).read_bytes()))
    sources = {str(cell.grade_id): cell.source for cell in grafted.cells if cell.role == "solution"}
    results = tuple(
        _result(exercise, sources, grafted.untouched(exercise)) for exercise in skeleton.exercises
    )
    result = SubmissionResult.of(
        entry, overall(results), exercises=results, notes=entry.notes, sandbox="none: made up"
    )
    return Judged(result, grafted.cells)


def _result(exercise: Exercise, sources: dict[str, str], untouched: bool) -> ExerciseResult:
    if exercise.written:
        return ExerciseResult.of(exercise, Status.PERSON, "written", None, "a person reads it")
    if untouched:
        return ExerciseResult.of(exercise, Status.UNATTEMPTED, "unattempted", 0.0, "not attempted")
    if sources[exercise.id].endswith(known(exercise.id)[0]):
        return ExerciseResult.of(
            exercise, Status.GRADED, "right", float(exercise.points), "doubled", stage="hidden"
        )
    wrong = find_checked(exercise.id).rejected[0]
    return ExerciseResult.of(
        exercise, Status.GRADED, "not yet", 0.0, sentence(wrong), mistake=wrong.__name__, stage="visible"
    )
