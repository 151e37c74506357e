"""An answer key: the half of an exercise that only an instructor has.

Each file `keys/NN_name/NAME.py` of a course defines one `KEY`; adding the file is all it takes. The keys of
written exercises are data: the tables `[NAME]` of `keys/NN_name/written.toml`. Answers are ordinary
functions, or classes where the student writes one:

- `reference`: has the exercise's name; the instructor's notebook shows its body as the solution;
- `accepted`: right answers that are written quite differently from the reference; 4 are recommended, none is
  required;
- `rejected`: wrong answers; 8 are recommended, none is required; the *docstring* of each is the sentence a
  student who made that mistake should read. `mistakes` makes those that differ from a right answer in a line
  or two.

Answers must be self-contained: they see only the names of their notebook's setup cell (the file imports the
same at its top).
"""

from __future__ import annotations

import ast
import functools
import importlib.util
import inspect
import linecache
import random
import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.paths import key_folders, mount_keys, use_course
from kqa_core.check import written
from kqa_core.check.answer import Answer, Handle
from kqa_core.check.exercise import Check, Verdict, expect, expect_field, is_name, right
from kqa_core.check.helpers.read_values import kind_of
from kqa_core.check.local import LocalAnswer
from kqa_core.check.registry import imported
from kqa_core.check.same_behaviour import same_behaviour
from kqa_core.errors import UserError

Function = Callable[..., Any]


def answer_source(exercise: str, answer: Function) -> str:
    """The solution cell of a student who submits `answer`: its source without docstring, renamed."""
    source = textwrap.dedent(inspect.getsource(answer))
    if answer.__doc__:
        lines = source.splitlines(keepends=True)
        node = ast.parse(source).body[0]
        assert isinstance(node, ast.FunctionDef | ast.ClassDef)
        doc = node.body[0]
        del lines[doc.lineno - 1 : doc.end_lineno]
        if len(node.body) == 1:
            lines.append("    pass\n")
        source = "".join(lines)
    return source if answer.__name__ == exercise else f"{source}\n{exercise} = {answer.__name__}\n"


def mistakes(right: Function, changes: Mapping[str, tuple[str, Mapping[str, str]]]) -> tuple[Function, ...]:
    """Rejected answers: the function `right` with passages of its source replaced.

    `changes` is {name: (feedback, {old: new, …})}. Raises ValueError for an old text that does not stand in
    the source exactly once.
    """
    return tuple(_changed(right, name, *change) for name, change in changes.items())


def _changed(right: Function, name: str, feedback: str, passages: Mapping[str, str]) -> Function:
    source = answer_source(right.__name__, right)
    for old in passages:
        if source.count(old) != 1:
            raise ValueError(f"{name}: expected {old!r} once in {right.__name__}, got {source.count(old)}")
    source = source.replace(f"def {right.__name__}(", f"def {name}(", 1)
    source = re.sub("|".join(map(re.escape, passages)), lambda found: passages[found[0]], source)
    lines = source.splitlines(keepends=True)
    definition = ast.parse(source).body[0]
    assert isinstance(definition, ast.FunctionDef)
    lines.insert(definition.body[0].lineno - 1, f"    {feedback!r}\n")
    file = f"<{right.__module__}.{name}>"
    linecache.cache[file] = (len(source), None, lines, file)  # where inspect.getsource looks
    names: dict[str, Function] = {}
    exec(compile("".join(lines), file, "exec"), right.__globals__, names)
    return names[name]


def sentence(answer: Function) -> str:
    """The feedback that names a rejected answer's mistake: its docstring, on one line."""
    return " ".join((answer.__doc__ or "").split())


@dataclass(frozen=True)
class AnswerKey:
    """Key of an exercise that a check grades."""

    id: str
    hidden: Check  # grades on fresh random inputs; its rng is seeded per student and exercise
    reference: Function
    accepted: tuple[Function, ...]
    rejected: tuple[Function, ...]
    # calls on which a failed answer is compared with `rejected`
    fingerprint: Callable[[random.Random], list[tuple[object, ...]]]
    # Markdown: why the reference is right, for the students who may read the model answer
    commentary: str = ""
    # what a result that is no value is compared by: `lambda answer, frame: answer.method(frame, "to_dict")`
    values: Callable[[Answer, Any], object] | None = None

    def __post_init__(self) -> None:
        for name, correct, expected in (
            ("id", is_name(self.id), "the exercise's name"),
            ("hidden", callable(self.hidden), "a function hidden(answer, rng)"),
            ("reference", _is_answer(self.reference), "a function or a class"),
            ("accepted", _are_answers(self.accepted), "a tuple of functions or classes, which may be empty"),
            ("rejected", _are_answers(self.rejected), "a tuple of functions or classes, which may be empty"),
            (
                "fingerprint",
                callable(self.fingerprint),
                "a function that gives a list of tuples of arguments",
            ),
            ("commentary", isinstance(self.commentary, str), "a text"),
            ("values", self.values is None or callable(self.values), "a function values(answer, result)"),
        ):
            expect_field(correct, name, getattr(self, name), expected)


@dataclass(frozen=True)
class WrittenKey:
    """Key of a written answer: a model answer and the rubric a person grades by."""

    id: str
    model_answer: str
    rubric: tuple[tuple[float, str], ...]  # (points, idea)
    misconceptions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        rubric, texts = self.rubric, self.misconceptions
        points = isinstance(rubric, tuple) and all(isinstance(point, tuple) for point in rubric)
        for name, correct, expected in (
            ("id", is_name(self.id), "the exercise's name"),
            ("model_answer", written.is_text(self.model_answer), "a text"),
            ("rubric", points and _is_rubric([*map(list, rubric)]), "a tuple of (points, idea)"),
            (
                "misconceptions",
                isinstance(texts, tuple) and all(map(written.is_text, texts)),
                "a tuple of texts",
            ),
        ):
            expect_field(correct, name, getattr(self, name), expected)


def _is_answer(value: object) -> bool:
    return inspect.isfunction(value) or inspect.isclass(value)


def _are_answers(value: object) -> bool:
    return isinstance(value, tuple) and all(map(_is_answer, value))


def agrees(
    answer: Answer,
    reference: Function,
    calls: Sequence[tuple[object, ...]],
    values: Callable[[Answer, Any], object] | None = None,
) -> Verdict:
    """A hidden check: the answer gives what the reference gives on these calls. Raises NotYet if it does not.

    `values` is as in AnswerKey.
    """
    ours = LocalAnswer(reference)
    for args in calls:
        wanted, found = (
            each if values is None else values(who, each)
            for who, each in ((ours, ours(*args)), (answer, answer(*args)))
        )
        expect(
            same_behaviour(wanted, found),
            f"for {', '.join(map(repr, args)):.200} the result must be {wanted!r:.200}; yours is"
            f" {kind_of(found) if isinstance(found, Handle) else repr(found):.200}",
        )
    return right()


def model_answer(exercise: str, course: Path | None = None) -> str:
    """The reference with its commentary, or a written exercise's model answer, in Markdown."""
    if course is not None:
        use_course(course)
    key = find_key(exercise)
    if isinstance(key, WrittenKey):
        return textwrap.dedent(key.model_answer).strip()
    code = answer_source(exercise, key.reference)
    return f"```python\n{code}```\n\n{textwrap.dedent(key.commentary).strip()}".strip()


def find_key(exercise: str) -> AnswerKey | WrittenKey:
    """The key of `exercise`. Raises UserError if there is none with that id, if there are two, and for a
    mistake in a file `written.toml`.
    """
    folders = key_folders()
    module, written_keys = f"{mount_keys(folders)}.{exercise}", _written_keys(folders)
    if importlib.util.find_spec(module) is None:
        if exercise in written_keys:
            return written_keys[exercise]
        raise UserError(
            f"exercise {exercise}: has no answer key; write keys/NN_name/{exercise}.py with KEY ="
            f" AnswerKey(…), or for a written answer the table [{exercise}] in keys/NN_name/{written.FILE}"
        )
    if exercise in written_keys:
        raise UserError(f"exercise {exercise}: has two keys, {exercise}.py and {written.FILE}; remove one")
    path = next(path for folder in folders if (path := folder / f"{exercise}.py").is_file())
    key = getattr(imported(module, path), "KEY", None)
    if not isinstance(key, AnswerKey | WrittenKey) or key.id != exercise:
        raise UserError(f"{path}: expected KEY with id {exercise!r}, got {key!r:.80}")
    if isinstance(key, AnswerKey) and key.reference.__name__ != exercise:
        raise UserError(f"{path}: reference is {key.reference.__name__}; expected a function {exercise}")
    return key


def _is_rubric(value: Any) -> bool:
    """Whether this is a list of [points, idea]."""
    return isinstance(value, list) and all(
        isinstance(point, list)
        and len(point) == 2
        and type(point[0]) in (int, float)
        and written.is_text(point[1])
        for point in value
    )


WRITTEN_FIELDS: dict[str, written.Field] = {
    "model_answer": (written.is_text, "a text"),
    "rubric": (_is_rubric, "a list of [points, idea]"),
    "misconceptions": (
        lambda value: isinstance(value, list) and all(map(written.is_text, value)),
        "a list of texts",
    ),
}


def _written_keys(folders: Sequence[Path]) -> dict[str, WrittenKey]:
    """The keys of all written exercises in these folders."""
    keys: dict[str, WrittenKey] = {}
    for path in (path for folder in folders if (path := folder / written.FILE).is_file()):
        for name, key in _keys_of(path, path.stat().st_mtime_ns).items():
            if name in keys:
                raise UserError(f"{path}: [{name}]; another notebook has a key of this name, rename one")
            keys[name] = key
    return keys


@functools.cache  # of this version of the file
def _keys_of(path: Path, changed: int) -> dict[str, WrittenKey]:
    tables = written.read_tables(path, WRITTEN_FIELDS, left_out=("misconceptions",))
    return {name: WrittenKey(id=name, **table) for name, table in tables.items()}


def find_checked(exercise: str) -> AnswerKey:
    """The key of an exercise that a check grades. Raises UserError as `find_key`, and for a written one."""
    key = find_key(exercise)
    if not isinstance(key, AnswerKey):
        raise UserError(f"exercise {exercise}: is checked, so its key should be an AnswerKey")
    return key
