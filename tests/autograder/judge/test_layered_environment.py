"""Environments in layers: packages that a .pth file adds reach a runner,
and nothing else that is on the import path does.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from autograder.course.new_course import TEMPLATE
from autograder.paths import COURSE, ROOT
from autograder.sandbox import mounts
from autograder.sandbox.tiers import Bubblewrap, problem_with
from kqa_core.check.registry import COURSE_VARIABLE

pytestmark = pytest.mark.slow

ASK = "import json; from autograder.judge.doctor import sandbox; print(json.dumps(sandbox()))"
PACKAGES = next(entry for entry in sys.path if Path(entry).name == "site-packages")


def layered(folder, *named):
    """The Python of a new environment that is empty but for a .pth file with these folders."""
    venv.EnvBuilder(with_pip=False, symlinks=True).create(folder)
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "layers.pth").write_text("".join(f"{each}\n" for each in named))
    return folder / "bin" / "python"


def ask(python, cwd):
    """Ask this Python's doctor about the sandbox: the state, what was found, and how to change that."""
    problem = problem_with("bubblewrap")
    if problem is not None:
        pytest.skip(problem)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL"))}
    # a course without torch, which takes seconds to import
    kept[COURSE_VARIABLE] = str(shutil.copytree(TEMPLATE, cwd / "sorting"))
    done = subprocess.run(
        [str(python), "-P", "-c", ASK], cwd=cwd, env=kept, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_runner_imports_packages_that_a_pth_file_names(tmp_path):
    python = layered(tmp_path / "upper", PACKAGES, ROOT)
    state, found, fix = ask(python, tmp_path)
    assert (state, fix) == ("ok", None), found
    assert found.startswith("bubblewrap; ")


def test_an_environment_that_is_reached_through_a_link_works(tmp_path):
    layered(tmp_path / "upper-3", PACKAGES, ROOT)
    (tmp_path / "upper").symlink_to("upper-3")
    assert ask(tmp_path / "upper" / "bin" / "python", tmp_path)[0] == "ok"


def test_the_doctor_finds_what_grading_would_find(tmp_path):
    # imported here like any folder, and no folder of packages by its name
    (tmp_path / "elsewhere").symlink_to(PACKAGES)
    state, found, fix = ask(layered(tmp_path / "upper", tmp_path / "elsewhere", ROOT), tmp_path)
    assert state == "absent"
    assert "No module named" in found and found.endswith("; grading will refuse to start, all else runs")
    assert "\n" not in found and ".pth" in fix


def test_only_folders_of_packages_are_shown_to_a_worker(tmp_path, monkeypatch):
    kept = [tmp_path / "layer" / name for name in ("site-packages", "dist-packages")]
    left_out = [Path.home(), Path.cwd(), ROOT, COURSE, ROOT / "notebooks" / "keys", tmp_path / "keys"]
    for folder in (*kept, tmp_path / "keys"):
        folder.mkdir(parents=True, exist_ok=True)
    file, gone = tmp_path / "file" / "site-packages", tmp_path / "gone" / "site-packages"
    file.parent.mkdir()
    file.touch()
    monkeypatch.setattr(sys, "path", ["", *map(str, [*left_out, *kept, file, gone])])
    assert mounts.package_folders() == [str(folder) for folder in kept]
    bound = Bubblewrap().command(["true"], tmp_path)
    shown = [bound[at + 1] for at, word in enumerate(bound) if word == "--ro-bind"]
    assert set(map(str, kept)) <= set(shown)
    assert not [folder for folder in left_out if str(folder) in shown]


def test_a_folder_of_packages_around_the_course_is_not_shown(tmp_path, monkeypatch):
    around = tmp_path / "site-packages"
    (around / "course").mkdir(parents=True)
    monkeypatch.setattr(sys, "path", [str(around)])
    assert mounts.package_folders() == [str(around)]
    inside = around.resolve() / "course"
    for name, value in (("ROOT", inside), ("course_folder", lambda: inside)):
        with monkeypatch.context() as moved:
            moved.setattr(mounts, name, value)
            assert mounts.package_folders() == []
