"""The command line: what other packages add to it, and what a person gets wrong."""

from __future__ import annotations

import sys
import tomllib
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from kqa_core.lazy import COMMANDS, DOCTOR, SOLUTIONS, plugins

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def offer(tmp_path, monkeypatch):
    """Install a package `offering` in which `offering.things` holds this code,
    and which offers `thing = …`.
    """

    def install(code, thing):
        (tmp_path / "offering").mkdir()
        (tmp_path / "offering" / "__init__.py").touch()
        (tmp_path / "offering" / "things.py").write_text(code)
        info = tmp_path / "offering-1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: offering\nVersion: 1\n")
        (info / "entry_points.txt").write_text(f"[kqa.test]\nthing = {thing}\n")

    monkeypatch.syspath_prepend(tmp_path)
    yield install
    for name in ("offering", "offering.things"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize("group", [COMMANDS, DOCTOR, SOLUTIONS])
def test_this_clone_offers_what_its_project_file_says(group):
    """Where this fails, the environment is older than pyproject.toml: `./set-up` renews it."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "entry-points"
    ][group]
    assert {entry.name: entry.value for entry in entry_points(group=group)} == declared
    offered = plugins(group)
    assert sorted(offered) == sorted(declared)
    assert all(callable(each) for each in offered.values())


def test_what_an_installed_package_offers_is_found(offer):
    offer("def add(): return 2\n", "offering.things:add")
    assert plugins("kqa.test")["thing"]() == 2


@pytest.mark.parametrize("absent", ["no_such_package.cli:register", "offering.no_such_module:register"])
def test_what_is_not_installed_is_left_out_in_silence(offer, absent, capfd):
    offer("", absent)
    assert plugins("kqa.test") == {}
    assert capfd.readouterr() == ("", "")


def test_an_installed_package_that_lacks_a_package_of_its_own_says_so(offer):
    offer("import no_such_package\n", "offering.things:add")
    with pytest.raises(ModuleNotFoundError, match="no_such_package"):
        plugins("kqa.test")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["check", "nowhere.ipynb"], "nowhere.ipynb: no such file"),
        (["check", "."], ".: is a folder"),
        (["check", "broken.ipynb"], "broken.ipynb: is not a notebook"),
        (["check", "utf16.ipynb"], "utf16.ipynb: is not a notebook"),
        (["check", "other.ipynb"], "other.ipynb: has no exercise of this course"),
        (["bench", "no_such_benchmark"], "bench: "),
        (["course", "solutions"], "course solutions: name the notebooks"),
        (["course", "solutions", "-n", "01", "--from", "soon"], "--from soon: is no time"),
        (["course", "grade", "01", "--sandbox", "none"], "sandbox 'none': no such tier"),
    ],
)
def test_one_line_and_status_2(tmp_path, arguments, said, kqa_in_process, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.ipynb").write_text("{")
    (tmp_path / "utf16.ipynb").write_text("{}", encoding="utf-16")
    (tmp_path / "other.ipynb").write_text('{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}')
    before = sorted(tmp_path.iterdir())
    status, printed = kqa_in_process(*arguments)
    assert (status, printed.out) == (2, "")
    *course, line = printed.err.splitlines()
    assert line.startswith(f"kqa: {said}")
    assert [named.partition(" ")[0] for named in course] == ["course"] * (arguments[0] == "course")
    assert sorted(tmp_path.iterdir()) == before


def test_a_time_limit_that_is_none_is_refused(tmp_path, kqa_in_process, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, printed = kqa_in_process("check", "x.ipynb", "--seconds", "0")
    assert status == 2
    assert "Traceback" not in printed.err
