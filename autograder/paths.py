"""Where things are: this installation, and the course that is being built or graded.

- A course is a folder: an nbgrader course directory. Each notebook has its exercises beside it
  (`source/NN_name/exercises/NAME.py`, and `written.toml` for those that a person reads). Answer keys are in
  `keys/NN_name`, in files of the same names, a made-up class is in `sample_class`, and other files that
  students read are in `data`. `course.toml` can change this: its keys are the fields of `Course`.
- A process works on one course: the one that the environment variable KQA_COURSE names when it starts (every
  process that grades is started with it), or the one that `use_course` chooses. Without either, it is this
  repository's.
- Commands that a person types choose it with `choose_course`, which looks around the working directory and
  refuses where that belongs to another course or clone. No process that grades does so: it never loads a
  check or a key from its working directory, where a student's files may be.
"""

from __future__ import annotations

import functools
import importlib.metadata
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from kqa_core.check import course_paths, registry, value_kinds
from kqa_core.check.course_paths import SETTINGS, Paths
from kqa_core.errors import UserError, suggest
from kqa_core.files import write_whole

ROOT = Path(__file__).resolve().parents[1]  # of the repository
COURSE = ROOT / "notebooks"  # the course of this repository
KEYS_PACKAGE = "course_keys"
PATH_LINE = re.compile(r"""^path *= *(?:"[^"\n]*"|'[^'\n]*')""", re.MULTILINE)


@dataclass(frozen=True)
class Course:
    """A course folder and what its `course.toml` says. Paths in that file are relative to the folder."""

    folder: Path
    title: str  # shown to people; default: the folder's name
    name: str  # of the students' zip; default: the folder's name
    about: str = ""  # one or two sentences for the reading site
    keys: Path = Path("keys")
    sample_class: Path = Path("sample_class")
    sample_notebooks: tuple[str, ...] = ()  # numbers of those that the sample class submits; default: all
    out: Path = Path()  # where dist, report, site and runs are made
    # extra requirements of the students' package that the notebooks use; with "library", the package holds
    # models, data and figures, without it only what checks an answer
    extras: tuple[str, ...] = ()
    # other packages that the notebooks import, as pip names them, such as "pandas>=2": students install them
    requirements: tuple[str, ...] = ()
    install_note: str = ""  # what students should know when they install it, such as how to save gigabytes
    # modules that the notebooks import: the grader imports them once, before it forks a runner for each
    # student, knows the values of those in `kqa_core.check.value_kinds`, and judges again when the version of
    # one changes
    packages: tuple[str, ...] = ()
    # where the student copy is published on GitHub, OWNER/NAME[@BRANCH]; empty: no launch links
    repository: str = ""
    # the course's address on Canvas, https://HOST/courses/NUMBER, for `kqa course push canvas`
    canvas: str = ""
    # the hub's file of launches, such as /opt/kqa/lti/launches.json, for `kqa course push lti`
    lti: str = ""
    # the account under which the servers of all students run, where they have none of their own: then nothing
    # but the name on a submission tells whose it is
    shared_account: str = ""
    # the file with the rules for code assistants that lies beside each released notebook; empty: the usual
    # rules; "none": no file
    assistants: str = ""
    # notebooks for which students may form groups themselves, with the most members: "05:3"
    student_groups: tuple[str, ...] = ()
    zone: str = ""  # of the times that people write and read, such as Europe/Rome; empty: this machine's
    # the ways through the course: tables [paths.NAME], of which `path` chooses one
    paths: Paths = field(default_factory=Paths)
    job: str = ""  # "module:function" that `kqa course run` calls before the report, with again=True or False

    @property
    def data(self) -> Path:
        """The folder of other files that students get. It need not exist."""
        return self.folder / "data"

    @property
    def time_zone(self) -> ZoneInfo | None:
        """The zone of the times that people write and read; None for this machine's. Raises UserError."""
        try:
            return ZoneInfo(self.zone) if self.zone else None
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise UserError(
                f'{SETTINGS}: zone = "{self.zone}" is no time zone; expected one such as "Europe/Rome"'
            ) from None

    def versions(self) -> list[str]:
        """numpy and the course's packages with their versions, as installed here. A package that is not
        installed, or lies in this repository, has none.
        """
        named = dict.fromkeys(["numpy", *(name.partition(".")[0] for name in self.packages)])
        own = {path.name for path in ROOT.iterdir()}
        return [f"{name} {_version(name)}" for name in named if name not in own]


def read_course(folder: Path | None = None) -> Course:
    """The course in `folder` (default: this process's). Raises UserError for a wrong `course.toml`."""
    folder = folder or course_folder()
    path = folder / SETTINGS
    try:
        settings = _settings(path.read_text(encoding="utf-8")) if path.is_file() else {}
    except (OSError, ValueError) as problem:
        raise UserError(f"{path}: cannot be read ({problem}); correct it") from None
    known = {one.name: one for one in fields(Course) if one.name not in ("folder", "paths")}
    values: dict[str, object] = {"title": folder.name, "name": folder.name}
    values["paths"] = course_paths.read(settings, path)
    for key, value in settings.items():
        if key in ("path", "paths"):
            continue
        many = key in known and str(known[key].type).startswith("tuple")
        if key not in known or not (isinstance(value, list) if many else isinstance(value, str)):
            expected = (
                f"a {'list' if many else 'text'}" if key in known else f"only {', '.join(known)}, path, paths"
            )
            raise UserError(f"{path}: {key} = {value!r}; expected {expected}")
        values[key] = tuple(map(str, value)) if isinstance(value, list) else value
    for key in ("keys", "sample_class", "out"):
        values[key] = (folder / str(values.get(key, known[key].default))).resolve()
    course = Course(folder, **values)  # type: ignore[arg-type]  # the loop above has checked the types
    _check_keys(course, named="keys" in settings)
    return course


@functools.lru_cache(maxsize=8)  # it is asked for many times, and parsing takes milliseconds
def _settings(text: str) -> Mapping[str, Any]:
    return tomllib.loads(text)


def choose_path(name: str, course: Path) -> None:
    """Write the choice of a path through the course into its settings. Raises UserError, and changes
    nothing, where they have no path of that name.
    """
    there, where = read_course(course).paths, course / SETTINGS
    if name not in there.names:
        known = suggest(name, there.names) if there.names else "it has no paths"
        raise UserError(f"--path {name}: {where} has no table [paths.{name}]; {known}")
    if name != there.chosen:
        text, line = where.read_text(encoding="utf-8"), f'path = "{name}"'
        replaced, count = PATH_LINE.subn(lambda _: line, text, count=1)
        write_whole(where, replaced if count else f"{line}\n{text}")


def _check_keys(course: Course, named: bool) -> None:
    """Raise UserError for answer keys that are not there, or where students would get them."""
    moved = course.keys == ROOT / "autograder" / "keys" or not course.keys.is_dir()
    if moved and (named or (course.folder / "keys").is_symlink()):
        where, what = (SETTINGS, "the line `keys`") if named else ("keys", "the link")
        raise UserError(
            f"{course.folder / where}: names {course.keys} for the answer keys, which are not there; they lie"
            f" with their course, in {course.folder.resolve() / 'keys'}: remove {what}, and put keys of your"
            " own into that folder"
        )
    for handed_out in (course.data, course.folder / "source", course.folder / "release"):
        if course.keys.is_relative_to(handed_out.resolve()):
            raise UserError(
                f"{course.folder / SETTINGS}: keys = {str(course.keys)!r} lies in {handed_out.name}, which"
                " students get; name a folder of its own"
            )


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:  # its distribution may have another name
        names = importlib.metadata.packages_distributions().get(package, [])
        return " ".join(f"{name} {importlib.metadata.version(name)}" for name in names) or "none"


def course_folder() -> Path:
    """The folder of the course that this process works on."""
    return _chosen


def use_course(folder: Path) -> None:
    """Work on the course in `folder` from now on. Raises UserError, and stays, where there is none."""
    folder = folder.resolve()
    if not (folder / "nbgrader_config.py").is_file() or not (folder / "source").is_dir():
        raise UserError(
            f"{folder}: is not a course folder (it needs nbgrader_config.py and source); `kqa course new`"
            " makes one"
        )
    _use(folder)


def choose_course(named: Path | None = None, insisted: bool = False) -> None:
    """Work on the course that a person means: the one that is `named`, else the one at or above the working
    directory, else the one of this process.

    Raises UserError, and stays, where the working directory lies in another clone or course than that, unless
    the person has `insisted` with `--course`.
    """
    try:
        here = Path.cwd().resolve()
    except OSError:  # a folder that was removed since
        here = Path("/")
    places = (here, *here.parents)
    around = [folder for folder in places if _is_course(folder)]
    clone = next((folder for folder in places if _is_clone(folder)), ROOT)
    meant = (named or (around[0] if around else course_folder())).resolve()
    if not insisted:
        stop, go = "", f"go to the folder of the course that you mean, or insist with --course {meant}"
        if clone != ROOT:
            stop = f"the clone {clone}, but this `kqa` is that of {ROOT}"
            go = f"use {clone}/.venv/bin/kqa, or insist with --course {meant}"
        elif len(around) > 1:
            stop = f"two courses, {around[0]} and {around[1]}"
        elif around and around[0] != meant:
            stop = f"the course {around[0]}, but {registry.COURSE_VARIABLE} names {meant}"
        if stop:
            raise UserError(f"the working directory lies in {stop}; nothing was done: {go}")
    if named is not None or around:
        use_course(meant)


def _is_course(folder: Path) -> bool:
    """Whether `kqa course` in this folder means it."""
    return (folder / SETTINGS).is_file() or (
        (folder / "nbgrader_config.py").is_file() and (folder / "source").is_dir()
    )


def _is_clone(folder: Path) -> bool:
    return (folder / "autograder" / "paths.py").is_file() and (folder / "kqa_core").is_dir()


def course_environment() -> dict[str, str]:
    """The environment in which to start a process that works on the same course."""
    return {**os.environ, registry.COURSE_VARIABLE: str(course_folder())}


def mount_keys(folders: tuple[Path, ...] | None = None) -> str:
    """Make answer keys and exercises importable; returns the name of the keys' package.
    `folders` is what `key_folders` gives, where that is known.
    """
    registry.mount(registry.PACKAGE, registry.folders())
    return registry.mount(KEYS_PACKAGE, key_folders() if folders is None else folders)


def key_folders() -> tuple[Path, ...]:
    """The folders `keys/NN_name` of the course, in order."""
    keys = read_course().keys
    return tuple(sorted(path for path in keys.glob("*") if path.is_dir() and path.name[0] not in "._"))


def _use(folder: Path) -> None:
    global _chosen
    _chosen = folder
    registry.use(registry.exercise_folders(folder / "source"))
    value_kinds.use(lambda: read_course(folder).packages)


_chosen: Path
_use(Path(os.environ.get(registry.COURSE_VARIABLE) or COURSE).resolve())
