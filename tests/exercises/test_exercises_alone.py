"""An exercises folder travels with its notebook alone,
so nothing in it may need another notebook's folder.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from autograder.course.new_course import TEMPLATE
from autograder.paths import COURSE
from kqa_core.check.registry import exercise_folders

CODE = """
import importlib, sys
from pathlib import Path
from kqa_core.check import registry
for folder in map(Path, sys.argv[1:]):
    registry.mount(registry.PACKAGE, [folder])
    for path in sorted(folder.glob("*.py")):
        try:
            importlib.import_module(f"{registry.PACKAGE}.{path.stem}")
        except ImportError as problem:
            print(f"{folder.parent.name}/exercises/{path.name}: {problem}")
"""


def problems(*folders):
    """One line for each file that cannot be imported with nothing but its own folder there."""
    command = [sys.executable, "-c", CODE, *map(str, folders)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


@pytest.mark.slow
def test_every_exercise_imports_where_only_its_own_folder_is_there():
    assert problems(*exercise_folders(COURSE / "source"), *exercise_folders(TEMPLATE / "source")) == []


def test_one_that_needs_another_folder_is_named(tmp_path):
    for name, text in (("01_one", "X = 1\n"), ("02_two", "from course_exercises.first import X\n")):
        (tmp_path / name / "exercises").mkdir(parents=True)
        (tmp_path / name / "exercises" / f"{'first' if name == '01_one' else 'second'}.py").write_text(text)
    found = problems(tmp_path / "01_one" / "exercises", tmp_path / "02_two" / "exercises")
    assert found == ["02_two/exercises/second.py: No module named 'course_exercises.first'"]
