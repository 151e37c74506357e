"""Paths through a course: which exercises count for a class of an evening, of twelve hours, or of a term.

- `course.toml` names them, the shortest first, in tables `[paths.NAME]`. A path has its own `exercises` and
  those of the paths before it; the last one has every exercise that no other path names.
- `path = "NAME"` chooses one; without it, the last is chosen. Exercises outside of it are extra credit.
- The core is all paths but the last. What only the last one has is optional.
- `reading` says how many minutes the text and the code cells take that a path adds, by number of notebook.
- A released notebook has no `course.toml` near it: the same tables lie in `exercises/paths.json` there.
"""

from __future__ import annotations

import functools
import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from kqa_core.check.exercise import Exercise
from kqa_core.errors import UserError, suggest

RELEASED = "paths.json"  # in the folder of released exercises
SETTINGS = "course.toml"
KEYS = ("about", "reading", "exercises")


@dataclass(frozen=True)
class Paths:
    """The paths of a course, the shortest first. Without any, all exercises are equal."""

    about: Mapping[str, str] = field(default_factory=dict)  # path → what it covers
    reading: Mapping[str, Mapping[str, int]] = field(
        default_factory=dict
    )  # path → number of notebook → minutes
    own: Mapping[str, str] = field(default_factory=dict)  # exercise → the shortest path that has it
    chosen: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the paths, the shortest first."""
        return tuple(self.about)

    def placed(self, exercise: Exercise) -> Exercise:
        """The exercise with what the paths decide: `path`, `core`, `outside` and `extra`."""
        if not self.names:
            return exercise
        path = self.own.get(exercise.id, self.names[-1])
        outside = self.names.index(path) > self.names.index(self.chosen)
        core, extra = path != self.names[-1], exercise.extra or outside
        return replace(exercise, path=path, core=core, outside=outside, extra=extra)

    def minutes(self, exercises: Iterable[Exercise]) -> dict[str, dict[str, int]]:
        """Notebook → path → the minutes that the path adds there: its reading and its exercises."""
        added: dict[str, dict[str, int]] = {}
        for exercise in exercises:
            number = exercise.notebook.partition("_")[0]
            if exercise.notebook not in added:
                added[exercise.notebook] = {name: self.reading[name].get(number, 0) for name in self.names}
            added[exercise.notebook][self.placed(exercise).path] += exercise.minutes
        return added

    def tables(self) -> dict[str, Any]:
        """The settings that `read` takes, for a released notebook."""
        tables = {
            name: {
                "about": self.about[name],
                "reading": dict(self.reading[name]),
                "exercises": [exercise for exercise, path in self.own.items() if path == name],
            }
            for name in self.names
        }
        return {"path": self.chosen, "paths": tables} if tables else {}


def read(settings: Mapping[str, Any], where: Path) -> Paths:
    """The paths in the settings of a course. Raises UserError, which names `where`, for a mistake in them."""
    tables = settings.get("paths", {})
    if not isinstance(tables, dict) or not all(isinstance(table, dict) for table in tables.values()):
        raise UserError(f"{where}: paths; expected tables, such as [paths.short]")
    about: dict[str, str] = {}
    reading: dict[str, dict[str, int]] = {}
    own: dict[str, str] = {}
    for name, table in tables.items():
        if unknown := [key for key in table if key not in KEYS]:
            raise UserError(f"{where}: [paths.{name}] {unknown[0]}; expected only {', '.join(KEYS)}")
        about[name], reading[name] = table.get("about", ""), table.get("reading", {})
        if not isinstance(about[name], str):
            raise UserError(f"{where}: [paths.{name}] about = {about[name]!r}; expected a text")
        if not isinstance(reading[name], dict) or not all(map(_is_count, reading[name].values())):
            raise UserError(
                f"{where}: [paths.{name}] reading; expected minutes of notebooks, such as {{ 01 = 30 }}"
            )
        for exercise in _texts(table.get("exercises", []), f"{where}: [paths.{name}] exercises"):
            if exercise in own:
                raise UserError(
                    f"{where}: [paths.{name}] names {exercise}, which [paths.{own[exercise]}] has already; a"
                    " path includes those before it, so remove one of the two"
                )
            own[exercise] = name
    chosen = settings.get("path") or (list(about)[-1] if about else "")
    if chosen and chosen not in about:
        known = suggest(str(chosen), list(about)) if about else "this course has no paths; remove the line"
        raise UserError(f"{where}: path = {chosen!r}; {known}")
    return Paths(about, reading, own, chosen)


def beside(folder: Path) -> Paths:
    """The paths that decide for a folder `exercises`: those released with it, or those of its course."""
    released = folder / RELEASED
    settings = folder.parents[2] / SETTINGS if len(folder.parents) > 2 else folder / SETTINGS
    for path in (released, settings):
        if path.is_file() and (path is released or folder.parents[1].name == "source"):
            return _read(path, path.stat().st_mtime_ns)
    return Paths()


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0


def _texts(value: object, where: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise UserError(f"{where}; expected a list of names of exercises")
    return value


@functools.cache  # of this version of the file
def _read(path: Path, changed: int) -> Paths:
    try:
        text = path.read_text(encoding="utf-8")
        settings = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except (OSError, ValueError) as problem:
        raise UserError(f"{path}: cannot be read ({problem}); correct it") from None
    return read(settings, path)
