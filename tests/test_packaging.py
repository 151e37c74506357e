"""What is handed out: the wheel, the student bundle,
the source archive, and the environment file that goes with them.

"Empty" is an environment that holds what the wheel's own requirements bring and nothing else: not this
repository, and nothing that only its developers or instructors have.
"""

from __future__ import annotations

import configparser
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile

import pytest
from environments import BASE, CORE, EXTRAS, ROOT, brought, environment_with, install, pip_packages, run

from autograder.build.assistants import RULES, rules, write_rules
from autograder.build.bundle import build_wheel, make_bundle, needs
from autograder.build.leak_scan import scan
from autograder.build.release import notebook_names, release
from autograder.paths import COURSE
from kqa_core.check.registry import all_exercises
from kqa_core.errors import UserError

TOP = "keys-queries-attention"
# they share what `kqa course build` made
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("newcomer")]
IMPORT_ALL = """
import importlib.util, pkgutil
import kqa_core
assert "site-packages" in kqa_core.__file__, kqa_core.__file__
for module in pkgutil.walk_packages(kqa_core.__path__, "kqa_core."):
    if not module.name.endswith("_triton"):  # the extra `gpu`; imported when a kernel is launched
        importlib.import_module(module.name)
assert importlib.util.find_spec("autograder") is None
from kqa_core.check import check, hint
hint("weighted_average")
check("weighted_average", lambda values, weights: weights @ values)
"""
CALL_ALL = """
import sys
from pathlib import Path
from kqa_core.check import check, cockpit, hint, progress, reset
from kqa_core.check.registry import names
from kqa_core.text.packaged import recorded_file, runs, shipped
shown, used = sys.argv[1:]
assert {shown, used} <= names()
hint(used)
try:
    check(used, lambda *_: None)
except Exception as problem:
    print(type(problem).__name__, problem)
progress("all")
cockpit("all")
reset(used)
package = Path(sys.prefix)
folders = [shipped(name) for name in ("world/small", "checkpoints", "sentiment", "encoder")]
assert all(folder.is_relative_to(package) for folder in (*folders, recorded_file("ladder.json"))), folders
kept = runs("x")
assert kept == Path.cwd().parent / "runs" / "x", kept
kept.rmdir(), kept.parent.rmdir()
print("data in the installed package, runs beside the notebook's folder")
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return build_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def bundle(built):
    return built.course / "dist" / f"{TOP}.zip"


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    """An empty environment, with what the wheel's requirements bring."""
    return environment_with(CORE, tmp_path_factory.mktemp("empty"))


@pytest.fixture(scope="module")
def installed(empty, wheel):
    """The empty environment, once the wheel is installed in it."""
    install(empty, str(wheel))
    return empty


def test_the_wheel_holds_all_of_kqa_core_and_its_data_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    sources = [
        path for path in (ROOT / "kqa_core").rglob("*") if path.is_file() and "__pycache__" not in path.parts
    ]
    data = [
        (ROOT / "data" / name, f"data/{name}")
        for name in ("world/tiny", "world/small", "checkpoints", "sentiment", "encoder", "people")
    ]
    shipped = {
        f"kqa_core/{inside}/{path.relative_to(folder)}"
        for folder, inside in [*data, (ROOT / "benchmarks" / "results", "data/results")]
        for path in folder.rglob("*")
        if path.is_file()
    }
    assert names == {str(path.relative_to(ROOT)) for path in sources} | shipped
    assert wheel.stat().st_size < 10e6
    assert "kqa_core/py.typed" in names  # type checkers read our annotations in the installed package


def test_the_wheel_names_the_command_and_the_requirements(wheel):
    with zipfile.ZipFile(wheel) as archive:
        info = next(name.partition("/")[0] for name in archive.namelist() if ".dist-info/" in name)
        metadata = archive.read(f"{info}/METADATA").decode()
        offered = configparser.ConfigParser()
        offered.read_string(archive.read(f"{info}/entry_points.txt").decode())
    assert dict(offered["console_scripts"]) == {"kqa": "kqa_core.cli:main"}
    for requirement in BASE:
        assert f"Requires-Dist: {requirement}\n" in metadata
    for extra in ("library", "huggingface"):
        for requirement in EXTRAS[extra]:
            assert f"Requires-Dist: {requirement}; extra == '{extra}'" in metadata


@pytest.mark.nightly  # the search of the bundle looks into its wheel
def test_the_wheel_leaks_nothing(wheel):
    assert scan([wheel]) == []


def test_an_empty_environment_holds_neither_the_course_nor_its_instructors_side(empty, tmp_path):
    done = run(empty, "-c", "import typer; import kqa_core", cwd=tmp_path)
    assert done.returncode == 1 and "No module named 'kqa_core'" in done.stderr
    assert (
        "jupytext" not in brought(CORE)
        and "distributed" not in brought(CORE)
        and "pytest" not in brought(CORE)
    )


def test_the_installed_wheel_and_a_notebooks_folder_are_all_that_a_student_needs(installed, tmp_path):
    shutil.copytree(COURSE / "source" / "00_start_here" / "exercises", tmp_path / "exercises")
    done = run(installed, "-c", IMPORT_ALL, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "weighted_average: right"


def test_everything_a_student_calls_works_where_one_notebook_was_fetched_alone(installed, tmp_path):
    [path] = release(["08_what_does_the_model_know"], out=tmp_path)
    done = run(installed, "-c", CALL_ALL, "mcnemar", "name_bias", cwd=path.parent)
    assert done.returncode == 0, done.stderr
    assert "name_bias, hint 1 of 3 (nudge): " in done.stdout and "name_bias: unattempted again" in done.stdout
    assert "data in the installed package, runs beside the notebook's folder" in done.stdout
    assert {each.name for each in path.parent.iterdir()} == {
        path.name, "exercises", ".kqa", "AGENTS.md", "CLAUDE.md", "GEMINI.md",
    }  # fmt: skip


def test_and_where_the_whole_bundle_is_there(installed, tmp_path):
    release(["00_start_here", "08_what_does_the_model_know"], out=tmp_path)
    (tmp_path / ".kqa").mkdir()
    done = run(installed, "-c", CALL_ALL, "weighted_average", "name_bias", cwd=tmp_path / "00_start_here")
    assert done.returncode == 0, done.stderr
    assert "weighted_average" in done.stdout and "name_bias: unattempted again" in done.stdout
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        ".kqa",
        "00_start_here",
        "08_what_does_the_model_know",
    ]


def test_the_installed_command_knows_the_students_commands_and_no_others(installed, tmp_path):
    done = run(installed.parent / "kqa", "--help", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert all(
        re.search(rf"^ +{name} ", done.stdout, re.MULTILINE)
        for name in ("check", "lab", "pretrain", "doctor", "data")
    )
    assert not re.search(r"^ +course ", done.stdout, re.MULTILINE)
    # the wheel names the instructor's entry points, which are left out without a word
    assert done.stderr == ""


def test_the_installed_doctor_knows_that_it_is_a_students(installed, tmp_path):
    done = run(installed.parent / "kqa", "doctor", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (row,) = (row for row in json.loads(done.stdout) if row["name"] == "sandbox")
    assert (row["state"], row["found"]) == ("absent", "only grading needs one, and this is a student's copy")
    done = run(installed.parent / "kqa", "doctor", "--sandbox", cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (
        2,
        1,
    ) and "only a clone of the repository" in done.stderr


def test_the_source_archive_is_the_repository_and_makes_the_same_wheel(wheel, tmp_path):
    command = [sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(tmp_path, filter="data")
    unpacked = tmp_path / archive.name.removesuffix(".tar.gz")
    listing = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\0")
    known = [name for name in listing if name and (ROOT / name).is_file()]
    assert [name for name in known if not (unpacked / name).is_file()] == []
    (tmp_path / "wheel").mkdir()
    assert build_wheel(tmp_path / "wheel", unpacked).read_bytes() == wheel.read_bytes()


def test_the_bundle_holds_what_a_student_needs(bundle):
    with zipfile.ZipFile(bundle) as archive:
        names = set(archive.namelist())
        requirements = archive.read(f"{TOP}/requirements.txt").decode()
    assert {f"{TOP}/{name}/{name}.ipynb" for name in notebook_names()} <= names
    assert {
        f"{TOP}/START_HERE.txt",
        f"{TOP}/constraints.txt",
        f"{TOP}/environment.yml",
        f"{TOP}/.kqa/README.txt",
        *(f"{TOP}/{name}" for name in ("AGENTS.md", "CLAUDE.md", "GEMINI.md")),
    } <= names
    assert {f"{TOP}/{name}/{name}_locked.json" for name in notebook_names()} <= names
    files = {
        f"{TOP}/{each.notebook}/exercises/{'written.toml' if each.written else f'{each.id}.py'}"
        for each in all_exercises()
    }
    assert files <= names and sum(name.endswith("written.toml") for name in files) == 13
    assert not any(name.startswith(f"{TOP}/data/") for name in names), "the data travels in the wheel"
    [wheel] = (name.removeprefix(f"{TOP}/") for name in names if name.endswith(".whl"))
    assert requirements.splitlines() == ["--constraint constraints.txt", f"./{wheel}[library,huggingface]"]


def test_the_rules_for_assistants_are_the_courses_the_instructors_or_none(tmp_path):
    assert rules(tmp_path) == {"AGENTS.md": RULES, "CLAUDE.md": "@AGENTS.md\n", "GEMINI.md": "@AGENTS.md\n"}
    write_rules(tmp_path / "released", tmp_path)
    (tmp_path / "course.toml").write_text('assistants = "rules.md"\n')
    with pytest.raises(UserError, match=r'course\.toml: assistants = "rules\.md": cannot be read'):
        write_rules(tmp_path / "released", tmp_path)
    (tmp_path / "rules.md").write_text("Be quiet.\n")
    write_rules(tmp_path / "released", tmp_path)
    assert (tmp_path / "released" / "AGENTS.md").read_text() == "Be quiet.\n"
    (tmp_path / "course.toml").write_text('assistants = "none"\n')
    write_rules(tmp_path / "released", tmp_path)
    assert rules(tmp_path) == {} and list((tmp_path / "released").iterdir()) == []


def test_a_file_in_the_way_of_the_bundle_is_one_line(tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(UserError, match=f"file/{TOP}.zip: cannot be written"):
        make_bundle([], tmp_path / "file")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["mine"]


def test_the_bundles_environment_installs_the_bundled_wheel_and_nothing_for_instructors(bundle):
    with zipfile.ZipFile(bundle) as archive:
        pip = pip_packages(archive.read(f"{TOP}/environment.yml").decode())
        assert pip[:-1] == [*CORE, *EXTRAS["huggingface"]]
        assert f"{TOP}/{pip[-1].removeprefix('./')}" in archive.namelist()


def test_the_bundle_installs_without_the_repository_and_checks_a_notebook(bundle, tmp_path):
    with zipfile.ZipFile(bundle) as archive:
        archive.extractall(tmp_path)
    folder = tmp_path / TOP
    assert "pip install -r requirements.txt" in (folder / "START_HERE.txt").read_text(encoding="utf-8")
    python = environment_with([*CORE, *EXTRAS["huggingface"]], folder / ".venv")
    install(python, "-r", "requirements.txt", cwd=folder)  # constraints and all
    notebook = "02_one_head_or_many"
    done = run(python.parent / "kqa", "check", f"{notebook}/{notebook}.ipynb", cwd=folder)
    assert done.returncode == 1 and re.search(r"^0 of \d+ right$", done.stdout, re.MULTILINE), (
        done.stdout + done.stderr
    )
    assert done.stdout.count("unattempted") >= 3 and done.stderr == ""


@pytest.mark.nightly  # `kqa course build` has searched it
def test_the_bundle_leaks_nothing(bundle):
    assert scan([bundle]) == []


def test_the_same_inputs_give_the_same_bundle(built, bundle, tmp_path):
    released = release(notebook_names(), out=tmp_path / "release", needs=needs)
    for path in released:  # locked with the copy's own key
        shutil.copy(
            built.course / "notebooks" / "release" / path.stem / f"{path.stem}_locked.json", path.parent
        )
    ours, theirs = (
        hashlib.sha256(path.read_bytes()).hexdigest() for path in (make_bundle(released, tmp_path), bundle)
    )
    # digests: from two long files that differ, pytest makes a diff for longer than a test may take
    assert ours == theirs
