"""A student's name as a folder: which are taken as they are, and how others are spelt; and
`kqa course receive`, as a person types it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
import typer
from another_course import working_on
from test_received import NAMES, ONE, Class
from typer.testing import CliRunner

from autograder.commands import receiving
from autograder.submissions.store import manifest
from autograder.submissions.student_names import BAD_NAME, MANIFEST, safe_name
from kqa_core.errors import UserError


@pytest.fixture
def klass(tmp_path: Path) -> Class:
    return Class(tmp_path)


@pytest.mark.parametrize(
    "name",
    [
        *(
            "-rf",
            ".ann",
            " ann",
            "ann ",
            "a\nb",
            "a\x1bb",
            "a\u202eb",
            "x" * 101,
            MANIFEST,
            "Manifest.JSONL",
            "ann~0123abcd",
        ),
        "-" + "\U0001d4b3" * 63,  # letters of four bytes
    ],
)
def test_a_name_that_cannot_be_used_is_refused_under_a_safe_spelling(klass, name):
    klass.hand_in(name, "x")
    klass.hand_in("bob", "bob's")
    klass.receive()
    safe = safe_name(name)
    assert safe != name and safe.isprintable() and len(os.fsencode(safe)) <= 200 and safe[0].isalnum()
    assert klass.one(safe).refused == BAD_NAME and klass.one(safe, name=NAMES[1]).refused is None
    assert klass.one("bob").version == 1


def test_a_name_that_is_no_text_is_refused_under_a_safe_spelling(klass):
    klass.hand_in(os.fsdecode(b"\xff\xfe"), "x")
    klass.receive()
    assert [each.refused for each in manifest(klass.store, ONE)] == [BAD_NAME]


def test_two_bad_names_never_share_a_spelling_nor_take_a_good_one():
    bad = ["-ann", ".ann", "_ann\n", "ann\n", "ann\t"]
    assert len({safe_name(each) for each in bad}) == len(bad)
    for each in bad:
        # as a folder's own name, the spelling cannot be used
        assert safe_name(safe_name(each)) != safe_name(each)


@pytest.mark.parametrize("name", ["a", "ann", "Ann Lee", "zoë", "李雷", "a.b_c-d@uni.example", "x" * 100])
def test_an_everyday_name_is_the_identity(name):
    assert safe_name(name) == name


@pytest.mark.parametrize(
    "name", ["", "a<b", "a>b", 'a"b', "a\nb", ".a", " a", "a ", "-a", "x" * 101, "ann~0123abcd", MANIFEST]
)
def test_a_name_that_would_do_harm_is_spelt_otherwise(name):
    assert safe_name(name) != name and safe_name(safe_name(name)) != safe_name(name)


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
