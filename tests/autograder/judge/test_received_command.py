"""`kqa course receive`, as a person types it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
import typer
from another_course import working_on
from typer.testing import CliRunner

from autograder.commands import receiving
from autograder.submissions.store import manifest
from kqa_core.errors import UserError

NAME = "01_lookup"


@pytest.fixture
def course(tmp_path) -> Iterator[Path]:
    """A course in a folder of its own, with one notebook and a hand-in of ann's."""
    made = tmp_path / "notebooks"
    for path in (made / "source" / NAME, made / "submitted" / "ann" / NAME):
        path.mkdir(parents=True)
        (path / f"{NAME}.ipynb").write_text("{}")
    (made / "nbgrader_config.py").touch()
    with working_on(made):  # as `--course` does for the rest of the process
        yield made


@pytest.fixture
def say(course):
    """Type the command, for that course."""
    return lambda *words: typed(*words, "--course", str(course))


def typed(*words: str):
    app = typer.Typer()
    receiving.register(app)
    app.callback()(lambda: None)  # with one command alone, typer would drop its name
    return CliRunner().invoke(app, ["receive", *words])


def test_it_prints_what_is_new_and_one_summary(say, course):
    first = say()
    assert first.exit_code == 0
    assert first.stdout.splitlines() == [
        f"ann, {NAME}: version 1",
        f"1 new; 1 student in {course / 'received'}",
    ]
    assert say().stdout.splitlines() == [f"0 new; 1 student in {course / 'received'}"]


def test_another_folder_and_a_time_may_be_given(say, course, tmp_path, monkeypatch):
    monkeypatch.setenv("TZ", "Europe/Rome")
    time.tzset()
    try:
        download = tmp_path / "week4"
        (course / "submitted").rename(download)
        assert say(str(download), "--at", "2026-01-20T23:59").exit_code == 0
    finally:
        monkeypatch.undo()
        time.tzset()
    (entry,) = manifest(course / "received", NAME)
    assert entry.received == datetime.fromisoformat("2026-01-20T23:59+01:00").timestamp()


def test_what_lies_in_the_wrong_place_goes_to_stderr(say, course):
    (course / "submitted" / "bob.ipynb").write_text("{}")
    told = say()
    assert (
        told.exit_code == 0
        and "bob.ipynb: lies in no student's folder" in told.stderr
        and "bob" not in told.stdout
    )


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--at", "yesterday"], "is no time"),
        (["--at", "9999-12-31T23:59"], "is in the future"),
        (["--at", "1960-01-01"], "is before 1970"),
        (["nowhere"], "no such folder"),
    ],
)
def test_what_cannot_be_used_is_said_and_nothing_is_taken_in(say, course, words, problem):
    told = say(*words)
    assert isinstance(told.exception, UserError) and problem in str(told.exception)
    assert not (course / "received").exists()
