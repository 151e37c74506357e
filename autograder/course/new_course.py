"""`kqa course new FOLDER`: a small complete course, to start your own from.

- Without `--like`, it is a copy of the course in `template/`: one notebook on sorting, two exercises with
  their keys in files of their own, and a sample class.
- With `--like KIND`, it is a notebook with one exercise, all in one file (`template/like/KIND.py`): each kind
  shows another kind of answer.
"""

from __future__ import annotations

import importlib.metadata
import re
import shutil
import sys
from pathlib import Path

from kqa_core.check import value_kinds
from kqa_core.errors import UserError, suggest
from kqa_core.files import write_whole, writing

TEMPLATE = Path(__file__).with_name("template")
LIKE = TEMPLATE / "like"
LEFT_BEHIND = shutil.ignore_patterns("__pycache__", "*.pyc", ".ipynb_checkpoints", "like")
KINDS = tuple(sorted(path.stem for path in LIKE.glob("*.py")))
OURS = frozenset({"numpy", "kqa_core", "autograder", "course_exercises", "course_keys"})
KEPT = (".gitignore", "nbgrader_config.py")
SETTINGS = """\
# Settings of this course for `kqa course`. Every key is optional: docs/new_course.md lists them.
title = "{title}"
name = "{name}" # of the students' zip
"""


def new_course(folder: Path, like: str | None = None) -> list[str]:
    """Make the course; returns the next steps, a line each. Raises UserError unless `folder` is empty, and
    for an unknown kind.
    """
    if like is not None and like not in KINDS:
        raise UserError(f"--like {like}: there is no such kind of answer: {suggest(like, KINDS)}")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UserError(f"{folder}: already exists and is not empty; name a new folder")
    steps = ["build", "prove"]
    with writing(folder):
        if like is None:
            shutil.copytree(TEMPLATE, folder, ignore=LEFT_BEHIND, dirs_exist_ok=True)
            steps.append(f"grade --all --class {folder / 'sample_class' / 'submitted'}")
            steps += ["report", "export"]
        else:
            name = re.sub(r"\W+", "_", folder.resolve().name).strip("_") or like
            write_course(folder, f"01_{like}", (LIKE / f"{like}.py").read_text(encoding="utf-8"), name)
    return [f"course {folder}", "try it:", *(f"  kqa course {step} --course {folder}" for step in steps)]


def write_course(
    folder: Path, notebook: str, source: str, name: str | None = None, **settings: tuple[str, ...]
) -> None:
    """A course with one notebook, whose text source this is, in an empty folder. `name` is the course's
    (default: the notebook's without its number). `settings` are further lists in its `course.toml`; the
    packages that the source imports are added.
    """
    name = name or re.sub(r"^\d+_", "", notebook)
    for kept in KEPT:
        text = (TEMPLATE / kept).read_text(encoding="utf-8").replace('"sorting"', f'"{name}"')
        write_whole(folder / kept, text)
    lines = [SETTINGS.format(title=name.replace("_", " ").capitalize(), name=name)]
    for key, values in (_packages(source) | settings).items():
        lines.append(f"{key} = [{', '.join(map(quoted, values))}]\n")
    write_whole(folder / "course.toml", "".join(lines))
    write_whole(folder / "source" / notebook / f"{notebook}.py", source)
    (folder / "keys" / notebook).mkdir(parents=True, exist_ok=True)


def quoted(text: str) -> str:
    """A text in TOML."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _packages(source: str) -> dict[str, tuple[str, ...]]:
    """What a text source imports beside Python's own modules, numpy and ours, as lists of `course.toml`."""
    found: dict[str, None] = {}
    for module in re.findall(r"^\s*(?:import|from)\s+(\w+)", source, re.MULTILINE):
        if module not in sys.stdlib_module_names | OURS:
            found[module] = None
    library = tuple(module for module in found if module in value_kinds.MODULES)
    others = tuple(_distribution(module) for module in found if module not in library)
    lists = {"packages": tuple(found), "extras": ("library",) if library else (), "requirements": others}
    return {key: values for key, values in lists.items() if values}


def _distribution(module: str) -> str:
    """The name under which pip knows a module: "scikit-learn" for sklearn, where it is installed."""
    return importlib.metadata.packages_distributions().get(module, [module])[0]
