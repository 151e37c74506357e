"""A command refuses the folder of another clone, and writes in no course but the one it names."""

from __future__ import annotations

import pytest
import typer
from another_course import working_on

from autograder import paths
from autograder.cli import register
from autograder.commands.options import _choose_course
from autograder.course.new_course import new_course
from autograder.paths import ROOT, use_course


def leaves(command, *words):
    """Every command below this one, with its words."""
    for name, part in getattr(command, "commands", {}).items():
        yield from leaves(part, *words, name)
    if not hasattr(command, "commands"):
        yield words, command


def _all_commands():
    app = typer.Typer()
    register(app)
    app.callback()(lambda: None)
    return {" ".join(words[1:]): command for words, command in leaves(typer.main.get_command(app))}


COMMANDS = _all_commands()
OPTION = {
    name: parameter.callback
    for name, command in COMMANDS.items()
    for parameter in command.params
    if parameter.name == "course"
}
DUMMIES = {"mark": ["a.json"], "link": ["--hub", "https://a.b", "--repo", "https://c.d/e"]}


def needed_words(name):
    """What must be typed with a command: a word for each argument that it requires."""
    arguments = [part for part in COMMANDS[name].params if part.param_type_name == "argument"]
    return DUMMIES.get(name) or ["01" for part in arguments if part.required]


def tree(*folders):
    """Each file and folder, with its time and content."""
    return {
        path: (path.stat().st_mtime_ns, path.read_bytes() if path.is_file() else b"")
        for folder in folders
        for path in (folder, *folder.rglob("*"))
    }


def write_clones(folder):
    """A course, and another clone with a course of its own."""
    mine, other = folder / "mine" / "notebooks", folder / "other" / "notebooks"
    for course in (mine, other):
        new_course(course)
    (other.parent / "kqa_core").mkdir()
    (other.parent / "autograder").mkdir()
    (other.parent / "autograder" / "paths.py").touch()
    return mine, other


@pytest.fixture(scope="module")
def written_clones(tmp_path_factory):
    """Two that no test changes."""
    return write_clones(tmp_path_factory.mktemp("clones"))


@pytest.fixture
def clones(written_clones, monkeypatch):
    """The course of this process, and another clone."""
    monkeypatch.delenv("KQA_COURSE", raising=False)
    with working_on(written_clones[0]):
        yield written_clones


def test_every_command_but_three_takes_a_course_and_names_it_unless_it_only_reads():
    assert COMMANDS.keys() - OPTION.keys() == {"new", "adopt", "link"}
    silent = {name for name, callback in OPTION.items() if callback.__wrapped__ is _choose_course}
    assert silent == {"try", "prove", "roster list", "regrade-requests"} and len(OPTION) > 15


@pytest.mark.parametrize("name", OPTION)
def test_a_command_typed_in_another_clone_is_refused_and_writes_nothing(
    clones, name, kqa_in_process, monkeypatch
):
    mine, other = clones
    before = tree(mine, other.parent)
    monkeypatch.chdir(other)
    status, printed = kqa_in_process("course", *name.split(), *needed_words(name))
    assert status == 2 and printed.out == "" and printed.err.count("\n") == 1, printed
    assert f"the clone {other.parent}, but this `kqa` is that of {ROOT}; nothing was done" in printed.err
    assert tree(mine, other.parent) == before and paths.course_folder() == mine


@pytest.mark.slow
def test_a_command_that_is_told_so_writes_to_the_course_it_names_and_nowhere_else(
    clones, kqa_in_process, monkeypatch, tmp_path
):
    mine, other = clones
    named = tmp_path / "named"
    new_course(named)
    (tmp_path / "roster.csv").write_text("id,first name,last name,email,section\nann,Ann,Lee,,\n")
    (tmp_path / "pairs.csv").write_text("group,student\none,ann\n")
    (named / "source" / "01_sorting" / "01_sorting.ipynb").write_text(
        '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
    )
    before = tree(mine, other.parent)
    monkeypatch.chdir(other)
    for words in (
        ("roster", "import", tmp_path / "roster.csv"),
        ("due", "01", "2026-12-01T23:59"),
        ("extend", "ann", "01", "--days", "3"),
        ("groups", tmp_path / "pairs.csv"),
        ("receive", named / "sample_class" / "submitted"),
        ("backup", tmp_path / "class.tar.gz"),
        ("restore", tmp_path / "class.tar.gz", "--replace"),
    ):
        there = tree(named, *tmp_path.glob("*.gz"))
        status, printed = kqa_in_process("course", *words, "--course", named)
        assert status == 0 and printed.err.startswith(f"course {named}\n"), (words, printed)
        assert tree(named, *tmp_path.glob("*.gz")) != there, words
    assert tree(mine, other.parent) == before


@pytest.mark.slow
def test_a_command_means_the_course_that_it_is_typed_in(clones, kqa_in_process, monkeypatch, tmp_path):
    mine, other = write_clones(tmp_path)
    use_course(mine)
    monkeypatch.chdir(other.parent)
    assert kqa_in_process("course", "roster", "list")[0] == 2, "a clone, outside of its course"
    for path in ("autograder/paths.py", "autograder", "kqa_core"):
        place = other.parent / path
        place.rmdir() if place.is_dir() else place.unlink()
    for place, course in ((other, other), (other / "source" / "01_sorting", other), (mine.parent, None)):
        monkeypatch.chdir(place)
        assert kqa_in_process("course", "roster", "list")[0] == 0
        assert paths.course_folder() == (course or other), "elsewhere it stays as it is"
    monkeypatch.setenv("KQA_COURSE", str(mine))
    monkeypatch.chdir(other)
    status, printed = kqa_in_process("course", "roster", "list")
    assert status == 2 and f"lies in the course {other}, but KQA_COURSE names {mine}" in printed.err
    assert kqa_in_process("course", "roster", "list", "--course", other)[0] == 0
    new_course(other / "inner")
    monkeypatch.chdir(other / "inner")
    status, printed = kqa_in_process("course", "roster", "list")
    assert status == 2 and f"lies in two courses, {other / 'inner'} and {other}; nothing" in printed.err
