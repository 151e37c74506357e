"""Answer keys lie in the folder of their course, and reach no copy that a student gets or sees.

A sign is written into each key of a new course. It must be in none of the copies: the released assignment,
the students' zip with its wheel, the exchange, the reading site, the sandbox. The wheel of this course and
the students' images are looked at in `test_packaging.py` and `deploy/test_images.py`.
"""

from __future__ import annotations

import hashlib
import io
import os
import zipfile
from pathlib import Path

import pytest
from another_course import working_on
from warm_python import python

from autograder.course.new_course import new_course
from autograder.paths import COURSE, read_course
from autograder.sandbox.mounts import course_paths, interpreter_paths
from kqa_core.commands import student
from kqa_core.errors import UserError

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("keys")]  # one course, built once
NAME = "01_sorting"
SIGN = "this line is for instructors only"


def holders(content, name=""):
    """The names of the files that hold the sign: below a folder, or within an archive."""
    if isinstance(content, Path):
        files = [content] if content.is_file() else [path for path in content.rglob("*") if path.is_file()]
        return [held for path in files for held in holders(path.read_bytes(), str(path))]
    if zipfile.is_zipfile(io.BytesIO(content)):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return [
                held
                for inside in archive.namelist()
                for held in holders(archive.read(inside), f"{name}: {inside}")
            ]
    return [name] if SIGN.encode() in content else []


def run(*words, cwd, **environment):
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("KQA_", "JUPYTER"))}
    done = python("-m", *words, cwd=cwd, env=clean | environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A new course with the sign in each key, built, and its reading site."""
    folder = tmp_path_factory.mktemp("course") / "sorting"
    new_course(folder)
    for key in (folder / "keys").glob("*/*.py"):
        key.write_text(f'{key.read_text(encoding="utf-8")}\nSIGN = "{SIGN}"\n', encoding="utf-8")
    (folder / "keys" / NAME / "written.toml").write_text(
        f'[why]\nmodel_answer = "{SIGN}"\nrubric = [[1, "{SIGN}"]]\n', encoding="utf-8"
    )
    for step in ("build", "site"):
        run("kqa_core.cli", "course", step, "--course", folder, cwd=folder)
    return folder


def test_the_sign_is_found_where_it_is(course, tmp_path):
    keys = [name for name in holders(course / "keys") if "__pycache__" not in name]
    assert len(keys) == 3
    with zipfile.ZipFile(tmp_path / "inner.zip", "w") as archive:
        archive.write(course / "keys" / NAME / "insert_sorted.py", "key.py")
    with zipfile.ZipFile(tmp_path / "outer.zip", "w") as archive:
        archive.write(tmp_path / "inner.zip", "wheel.whl")
    assert len(holders(tmp_path / "outer.zip")) == 1


@pytest.mark.parametrize("copy", [f"release/{NAME}", "dist/sorting.zip", "site"])
def test_a_copy_for_students_holds_no_key(course, copy):
    assert (course / copy).exists() and holders(course / copy) == []


def test_no_built_notebook_holds_a_key_as_it_is_written(course):
    assert holders(course / "source") == []


def test_the_exchange_of_nbgrader_holds_no_key(course, tmp_path):
    exchange, home = tmp_path / "exchange", tmp_path / "home"
    exchange.mkdir()
    exchange.chmod(0o777)
    home.mkdir()
    words = ("nbgrader", "release_assignment", NAME, f"--Exchange.root={exchange}", "--course", "sorting")
    run(*words, cwd=course, HOME=str(home))
    handed_out = exchange / "sorting" / "outbound" / NAME
    assert (handed_out / f"{NAME}.ipynb").is_file() and (handed_out / "exercises").is_dir()
    assert holders(exchange) == []


def test_the_sandbox_shows_no_key(course):
    for folder in (COURSE, course):
        with working_on(folder):
            keys, shown = (
                read_course().keys,
                [Path(path).resolve() for path in (*course_paths(), *interpreter_paths())],
            )
        assert any(keys.iterdir())
        assert [path for path in shown if keys.is_relative_to(path) or path.is_relative_to(keys)] == []
        assert [path for path in shown if folder.resolve().is_relative_to(path)] == [], (
            "the course as a whole"
        )


def test_the_working_copy_of_make_lab_holds_no_key(tmp_path):
    """Of this course: the notebooks as released, and nothing else."""
    student._released(tmp_path)
    keys = {hashlib.sha256(path.read_bytes()).digest() for path in (COURSE / "keys").rglob("*.*")}
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(keys) > 100 and len(files) > 150
    assert [path for path in files if hashlib.sha256(path.read_bytes()).digest() in keys] == []
    assert [path for path in files if "keys" in path.relative_to(tmp_path).parts] == []


@pytest.mark.parametrize("place", ["data/keys", "source", f"source/{NAME}/exercises", "release/keys"])
def test_keys_where_students_would_get_them_are_refused(tmp_path, place):
    new_course(tmp_path / "sorting")
    (tmp_path / "sorting" / place).mkdir(parents=True, exist_ok=True)
    (tmp_path / "sorting" / "course.toml").write_text(f'keys = "{place}"\n')
    with pytest.raises(
        UserError, match=r"course.toml: keys = .* which students get; name a folder of its own"
    ):
        read_course(tmp_path / "sorting")
