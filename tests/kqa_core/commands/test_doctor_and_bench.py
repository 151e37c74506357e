"""`kqa doctor` and `kqa bench`."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest
import typer
from typer.testing import CliRunner

from autograder.judge import container
from kqa_core.commands import machine


@pytest.fixture
def app():
    app = typer.Typer()
    machine.register(app)
    return app


def test_the_doctor_tells_of_everything_the_course_uses(app):
    result = CliRunner().invoke(app, ["doctor", "--json"])
    rows = json.loads(result.stdout)
    assert [row["name"] for row in rows] == [
        *("python", "torch", "jupyterlab", "nbgrader", "processor", "gpu", "triton", "sandbox", "browser"),
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
    assert "jupyterlab  missing  not installed" in table
    assert "-m pip install 'jupyterlab'" in fixes
    assert "apt-get install bubblewrap" in fixes
    assert "apt-get install chromium" in fixes


def test_a_sandbox_that_may_not_make_namespaces_is_not_ok(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/bwrap")
    refused = subprocess.CompletedProcess([], 1, stdout="", stderr="bwrap: No permissions to create new namespace\n")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: refused)
    monkeypatch.setattr(container, "_engine", lambda: None)
    finding = machine._sandbox()
    assert finding.state == "absent"
    assert finding.found.startswith("sandbox: none works here (bubblewrap: this user may not make namespaces")
    assert "No permissions to create new namespace" in finding.found
    assert finding.fix


def test_a_benchmark_is_run_by_name(tmp_path, monkeypatch, app, capfd):
    (tmp_path / "benchmarks").mkdir()
    (tmp_path / "benchmarks" / "adding.py").write_text("def main() -> None:\n    print('adding: 2 (bar 2)')\n")
    (tmp_path / "benchmarks" / "helper.py").write_text("X = 1\n")
    monkeypatch.setattr(machine, "ROOT", tmp_path)
    for name in ("adding", "all"):
        result = CliRunner().invoke(app, ["bench", name])
        assert result.exit_code == 0
        assert result.stdout == "adding: 2 (bar 2)\n"
