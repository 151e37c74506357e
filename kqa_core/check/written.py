"""Written exercises: those that a person reads. They are data, the tables of `exercises/written.toml`.

- `[NAME]` begins the exercise NAME; its keys are fields of `Exercise`. The model answer and the rubric are
  elsewhere (`keys/NN_name/written.toml`, see `autograder.answer_key`).
- A file is read whole, and a mistake in it raises one UserError, which names file, exercise and field.
- The state of a written answer is read from the saved notebook, its mark from the newest feedback page.
- An exercise without a check in a file `exercises/NAME.py` is a written one as well.
"""

from __future__ import annotations

import functools
import json
import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from kqa_core.check.exercise import Exercise
from kqa_core.check.submitted import marks_of, saved_file, text_of
from kqa_core.errors import UserError

FILE = "written.toml"
PLACEHOLDER = "YOUR ANSWER HERE"  # in the cell of a written answer
Field = tuple[Callable[[Any], bool], str]  # whether a value is right, and what is expected, in words


def is_text(value: object) -> bool:
    """Whether this is a text with something in it."""
    return isinstance(value, str) and bool(value.strip())


def _is_rating(value: object) -> bool:
    return type(value) is int and 1 <= value <= 5


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 1


FIELDS: dict[str, Field] = {
    "title": (is_text, "a text"),
    "order": (_is_count, "a whole number from 1"),
    "points": (_is_count, "a whole number from 1"),
    "difficulty": (_is_rating, "a whole number from 1 to 5"),
    "importance": (_is_rating, "a whole number from 1 to 5"),
    "minutes": (_is_count, "a whole number from 1"),
    "source": (is_text, "a text"),
    "hints": (
        lambda value: isinstance(value, list) and len(value) <= 3 and all(map(is_text, value)),
        "a list of up to three texts",
    ),
    "optional": (lambda value: isinstance(value, bool), "true or false"),
    "extra": (lambda value: isinstance(value, bool), "true or false"),
}
# these may be left out; the first four and a title are recommended
LEFT_OUT = ("difficulty", "importance", "minutes", "hints", "source", "title", "optional", "extra")


def exercises_in(folder: Path) -> Mapping[str, Exercise]:
    """The written exercises of a folder `exercises`, by name. Raises UserError for a mistake in its file."""
    path = folder / FILE
    return _exercises(path, path.stat().st_mtime_ns) if path.is_file() else {}


def read_tables(
    path: Path, fields: Mapping[str, Field], left_out: tuple[str, ...] = ()
) -> dict[str, dict[str, Any]]:
    """The tables of a file, each with exactly these fields; those in `left_out` may be absent. Lists come
    back as tuples. Raises UserError for a file that cannot be read, and for the first wrong field.
    """
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise UserError(f"{path}: cannot be read ({problem}); correct it") from None
    for name, table in tables.items():
        if not name.isidentifier() or not isinstance(table, dict):
            raise UserError(f"{path}: {name}; expected only tables, such as [why_average]")
        for key in (*table, *(key for key in fields if key not in left_out)):
            if key not in fields:
                raise UserError(f"{path}: [{name}] {key}; expected only {', '.join(fields)}")
            right, expected = fields[key]
            if key not in table:
                raise UserError(f"{path}: [{name}] has no {key}; expected {expected}")
            if not right(table[key]):
                raise UserError(f"{path}: [{name}] {key} = {table[key]!r:.80}; expected {expected}")
    return {name: {key: _as_tuple(value) for key, value in table.items()} for name, table in tables.items()}


def _as_tuple(value: Any) -> Any:
    return tuple(map(_as_tuple, value)) if isinstance(value, list) else value


@functools.cache  # of this version of the file: a table that is added while a kernel runs is found
def _exercises(path: Path, changed: int) -> dict[str, Exercise]:
    notebook = path.parents[1].name
    return {
        name: Exercise(id=name, notebook=notebook, **table)
        for name, table in read_tables(path, FIELDS, LEFT_OUT).items()
    }


def is_empty(exercise: str, notebook: str) -> bool | None:
    """Whether a written answer is empty, or still the placeholder, in the notebook's file; None if that
    cannot be known.
    """
    path = saved_file(notebook)
    if path is None:
        return None
    try:
        cells = json.loads(path.read_text(encoding="utf-8-sig"))["cells"]
        texts = [text_of(cell) for cell in cells if marks_of(cell).get("grade_id") == exercise]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    words = [re.findall(r"\w+", text.casefold()) for text in texts]
    return all(each in ([], PLACEHOLDER.casefold().split()) for each in words) if words else None


def mark_given(exercise: str, notebook: str) -> str | None:
    """A person's mark of a written answer, such as "3 of 4 points", from the newest feedback page in the
    notebook's folder (nbgrader fetches it to `feedback/TIME/`); None if there is no page or no mark.
    """
    path = saved_file(notebook)
    pages = () if path is None else path.resolve().parent.rglob(f"{notebook}.html")
    try:
        text = max(pages, key=lambda page: page.stat().st_mtime).read_text(encoding="utf-8")
    except (OSError, ValueError):  # ValueError: there is none, or it is not UTF-8
        return None
    own = text.partition(f'id="of-{exercise}">')[2].partition("</section>")[0]
    found = re.search(r'<p class="facts">(\d[^<]*)</p>', own)
    return found[1] if found else None
