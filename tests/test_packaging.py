"""What is handed out: the wheel, the student bundle, and the environment file that goes with them."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

from autograder.course.bundle import TOP, build_wheel, make_bundle
from autograder.course.leaks import scan
from autograder.course.release import notebook_names, release
from kqa_core.shipped_models import SHIPPED

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return build_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    released = release(notebook_names(), out=tmp_path_factory.mktemp("release"))
    return make_bundle(released, tmp_path_factory.mktemp("bundle"))


def test_the_wheel_holds_all_of_kqa_core_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    sources = [path for path in (ROOT / "kqa_core").rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert names == {str(path.relative_to(ROOT)) for path in sources}


def test_the_wheel_names_the_command_and_the_requirements(wheel):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    with zipfile.ZipFile(wheel) as archive:
        info = next(name.partition("/")[0] for name in archive.namelist() if ".dist-info/" in name)
        metadata = archive.read(f"{info}/METADATA").decode()
        assert archive.read(f"{info}/entry_points.txt").decode().strip() == "[console_scripts]\nkqa = kqa_core.cli:main"
    for requirement in project["dependencies"]:
        assert f"Requires-Dist: {requirement}" in metadata


def test_the_wheel_leaks_nothing(wheel):
    assert scan([wheel]) == []


def test_the_wheel_works_without_the_instructors_package(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); sys.modules['autograder'] = None\n"
        "import kqa_core; assert kqa_core.__file__.startswith(sys.argv[1])\n"
        "from kqa_core.check import check, hint\n"
        "hint('weighted_average'); check('weighted_average', lambda values, weights: weights @ values)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "weighted_average: right"


def test_the_bundle_holds_what_a_student_needs(bundle):
    with zipfile.ZipFile(bundle) as archive:
        names = set(archive.namelist())
        requirements = archive.read(f"{TOP}/requirements.txt").decode()
    assert {f"{TOP}/{name}/{name}.ipynb" for name in notebook_names()} <= names
    assert {f"{TOP}/START_HERE.txt", f"{TOP}/constraints.txt", f"{TOP}/environment.yml", f"{TOP}/.kqa/README.txt"} <= names
    made = {f"{TOP}/data/checkpoints/{name}/model.safetensors" for name in SHIPPED}
    assert {*made, f"{TOP}/data/checkpoints/manifest.json", f"{TOP}/data/world/small/truth.tsv"} <= names
    named = requirements.split()[-1].removeprefix("./")
    assert f"{TOP}/{named}" in names and named.endswith(".whl")


def test_the_bundles_environment_installs_the_bundled_wheel(bundle):
    with zipfile.ZipFile(bundle) as archive:
        pip = _pip(archive.read(f"{TOP}/environment.yml").decode())
        assert f"{TOP}/{pip[-1].removeprefix('./')}" in archive.namelist()


def test_the_bundle_leaks_nothing(bundle):
    assert scan([bundle]) == []


def test_the_same_inputs_give_the_same_bundle(bundle, tmp_path):
    released = release(notebook_names(), out=tmp_path / "release")
    assert make_bundle(released, tmp_path).read_bytes() == bundle.read_bytes()


def _pip(text: str) -> list[str]:
    return next(entry["pip"] for entry in yaml.safe_load(text)["dependencies"] if isinstance(entry, dict))


def test_environment_and_pyproject_agree():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    environment = (ROOT / "environment.yml").read_text(encoding="utf-8")
    assert _pip(environment) == [*project["dependencies"], *project["optional-dependencies"]["grade"], "-e ."]
    plain = [entry for entry in yaml.safe_load(environment)["dependencies"] if isinstance(entry, str)]
    assert plain == [f"python{project['requires-python']}", "pip"]


def test_the_tested_versions_lie_within_the_ranges():
    from packaging.requirements import Requirement

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = dict(re.fullmatch(r"([\w.\-]+)==(\S+)", line).groups() for line in lines if line and not line.startswith("#"))
    pinned = {name.lower().replace("_", "-"): version for name, version in pinned.items()}
    for text in [*project["dependencies"], *project["optional-dependencies"]["grade"], *project["optional-dependencies"]["dev"]]:
        requirement = Requirement(text)
        assert pinned[requirement.name.lower()].partition("+")[0] in requirement.specifier, text
