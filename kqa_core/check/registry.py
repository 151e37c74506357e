"""Find exercises by name. To add one, write a file `exercises/NAME.py` beside its notebook, or a table
`[NAME]` in `exercises/written.toml` for one that a person reads (`kqa_core.check.written`).

- The student's half of an exercise is in the folder of its notebook and is released with it, so a fetched
  assignment is complete.
- Folders are searched around the working directory (for a kernel, its notebook's folder), then in this clone.
  The grader and its runners fix them with `use`, because a student's files may be in their working directory.
- A file or table that is added while a kernel runs is found. A Python file that is changed is read again only
  by the next kernel.
- All folders together form one package, `course_exercises`. So the names of exercises and of helpers
  (`_NAME.py`) are unique in a course, and an exercise imports a helper with
  `from course_exercises._NAME import …`.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import os
import sys
import traceback
from collections.abc import Sequence
from dataclasses import replace
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

from kqa_core.check import course_paths, value_kinds, written
from kqa_core.check.exercise import Exercise, FieldError
from kqa_core.errors import UserError, first_line, suggest

PACKAGE = "course_exercises"
COURSE_VARIABLE = "KQA_COURSE"  # the environment variable that names a course's folder
CLONE = Path(__file__).resolve().parents[2] / "notebooks"  # in a clone; an installed wheel has no such folder
_fixed: tuple[Path, ...] | None = None


def use(folders: Sequence[Path]) -> None:
    """Take the exercises of this process from these folders and nowhere else."""
    global _fixed
    _fixed = tuple(folders)


def exercise_folders(above: Path) -> tuple[Path, ...]:
    """The folders `above/NN_name/exercises` beside a notebook NN_name, in order."""
    return tuple(
        sorted(
            folder
            for folder in above.glob("*/exercises")
            if any(
                (folder.parent / f"{folder.parent.name}{suffix}").is_file() for suffix in (".ipynb", ".py")
            )
        )
    )


def folders(beside: Path | None = None) -> tuple[Path, ...]:
    """The folders of exercises for a student in the folder `beside`; default: the working directory."""
    if _fixed is not None:
        return _fixed
    if named := os.environ.get(COURSE_VARIABLE):
        return exercise_folders(Path(named) / "source")
    here = (beside or Path.cwd()).resolve()
    if (here / f"{here.name}.ipynb").is_file() and (around := exercise_folders(here.parent)):
        return around
    # for a notebook that was renamed
    own = (here / "exercises",) if _files((here / "exercises",)) else ()
    return exercise_folders(here) or own or exercise_folders(CLONE / "source")


def files_in(folder: Path) -> list[Path]:
    """The files of a folder of exercises, or of one of answer keys; helpers are among them."""
    return sorted([*folder.glob("*.py"), *folder.glob(written.FILE)])


def mount(package: str, folders: Sequence[Path]) -> str:
    """Make the modules in `folders` importable as `package.NAME`; returns `package`.
    Modules of other folders are unloaded.
    """
    paths = [str(folder) for folder in folders]
    there = sys.modules.get(package)
    if there is None or list(there.__path__) != paths:
        for name in [name for name in sys.modules if name == package or name.startswith(f"{package}.")]:
            del sys.modules[name]
        spec = ModuleSpec(package, None, is_package=True)
        spec.submodule_search_locations = paths
        sys.modules[package] = importlib.util.module_from_spec(spec)
        importlib.invalidate_caches()
    return package


def names() -> frozenset[str]:
    """The names of all exercises. Their files are not imported, because that takes half a second in all."""
    return names_in(folders())


def names_in(folders: tuple[Path, ...]) -> frozenset[str]:
    """The names of the exercises in these folders."""
    return frozenset(_files(folders))


def all_exercises(beside: Path | None = None) -> tuple[Exercise, ...]:
    """Every exercise of the course, in the order a student meets them. `beside` is as in `folders`."""
    at = folders(beside)
    paths = {folder: course_paths.beside(folder) for folder in at}
    exercises = [paths[path.parent].placed(_load(at, name, path)) for name, path in _files(at).items()]
    return tuple(sorted(exercises, key=lambda exercise: (exercise.notebook, exercise.order)))


def find(name: str) -> Exercise:
    """The exercise called `name`. Raises UserError with the nearest names if there is none."""
    at = folders()
    path = _file(at, name)
    if path is not None:
        return course_paths.beside(path.parent).placed(_load(at, name, path))
    in_order = [exercise.id for exercise in all_exercises()]
    if not in_order:
        raise UserError(
            f"no exercise is called {name!r}: there is no folder `exercises` beside the notebook; fetch the"
            " assignment again"
        )
    raise UserError(f"no exercise is called {name!r}: {suggest(name, in_order)}")


def notebook_folder(name: str) -> Path:
    """The folder of the notebook that has the exercise `name`. Raises KeyError if there is none."""
    path = _file(folders(), name)
    if path is None:
        raise KeyError(name)
    return path.parents[1]


def of_notebook(notebook: str) -> tuple[Exercise, ...]:
    """The exercises of one notebook, in order."""
    return tuple(exercise for exercise in all_exercises() if exercise.notebook == notebook)


def imported(module: str, path: Path) -> ModuleType:
    """The module of an exercise or of a key, from the file `path`. Raises UserError for a mistake in it: one
    line with file, field and what is expected, or with the place where Python stopped. Raises
    ModuleNotFoundError for a package of the library that is not installed.
    """
    try:
        return importlib.import_module(module)
    except UserError as problem:
        raise UserError(str(problem) if str(path) in str(problem) else f"{path}: {problem}") from None
    except FieldError as problem:
        raise UserError(f"{path}: {problem}") from None
    except Exception as problem:
        if isinstance(problem, ModuleNotFoundError) and problem.name in value_kinds.MODULES:
            raise
        lines = [
            line
            for frame, line in traceback.walk_tb(problem.__traceback__)
            if frame.f_code.co_filename == str(path)
        ]
        lines += [problem.lineno or 0] if isinstance(problem, SyntaxError) else []
        where = f", line {lines[-1]}" if lines else ""
        raise UserError(
            f"{path}{where}: {type(problem).__name__}: {first_line(problem)}; correct it"
        ) from problem


def path_minutes() -> tuple[dict[str, dict[str, int]], dict[str, str]]:
    """The minutes that each path through the course adds, by notebook, and what each path covers."""
    there = [course_paths.beside(folder) for folder in folders()]
    course = there[0] if there else course_paths.Paths()
    return course.minutes(all_exercises()), dict(course.about)


def _files(folders: tuple[Path, ...]) -> dict[str, Path]:
    """Name → file of every exercise. Raises UserError if two files hold the same name."""
    found: dict[str, Path] = {}
    for folder in folders:
        for path in sorted(folder.glob("*.py")):
            _add(found, path.stem, path)
        for name in written.exercises_in(folder):
            _add(found, name, folder / written.FILE)
    return {name: path for name, path in found.items() if not name.startswith("_")}


def _file(folders: tuple[Path, ...], name: str) -> Path | None:
    """The file of one exercise, without a list of all. Raises UserError if two files hold the name."""
    found: dict[str, Path] = {}
    for folder in folders if not name.startswith("_") else ():
        if folder.is_dir():
            with os.scandir(folder) as entries:  # which tells cases apart on every file system
                if any(entry.name == f"{name}.py" for entry in entries):
                    _add(found, name, folder / f"{name}.py")
        if name in written.exercises_in(folder):
            _add(found, name, folder / written.FILE)
    return found.get(name)


def _add(found: dict[str, Path], name: str, path: Path) -> None:
    if name in found:
        raise UserError(f"{path}: there is another {name}, in {found[name]}; rename one of them")
    found[name] = path


def _load(folders: tuple[Path, ...], name: str, path: Path) -> Exercise:
    return written.exercises_in(path.parent)[name] if path.name == written.FILE else _imported(folders, path)


@functools.cache
def _imported(folders: tuple[Path, ...], path: Path) -> Exercise:
    name = path.stem
    importlib.invalidate_caches()  # the file may be new
    module = imported(f"{mount(PACKAGE, folders)}.{name}", path)
    exercise = getattr(module, "EXERCISE", None)
    if not isinstance(exercise, Exercise) or exercise.id != name:
        raise UserError(f"{path}: expected EXERCISE = Exercise(id={name!r}, …), got {exercise!r:.80}")
    return replace(exercise, notebook=path.parents[1].name)
