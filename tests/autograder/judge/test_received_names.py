"""A student's name as a folder: which are taken as they are, and how others are spelt; whose a submission is;
and `kqa course receive`, as a person types it.
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
from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.submissions.exchange_stamp import SECRET, TIMESTAMP
from autograder.submissions.identity import ANYBODY, NO_ROSTER, Identity
from autograder.submissions.store import NOT_IN_THE_EXCHANGE, WITHOUT_SECRET, manifest, receive_folder
from autograder.submissions.student_names import BAD_NAME, MANIFEST, safe_name
from autograder.submissions.versions import opened
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


class Stranger(Identity):
    """What is known of people, where the files of bo's folder belong to somebody else."""

    def contradicted(self, student, facts, folder):
        return "belongs to ann" if student == "bo" else None

    def has_account(self, student):
        return True


def with_stamp(klass, student: str, secret: str | None = None, timestamp: str | None = None) -> None:
    """The same notebook, with what nbgrader puts beside it."""
    folder = klass.hand_in(student, "x").parent
    for name, text in ((SECRET, secret), (TIMESTAMP, timestamp)):
        (folder / name).unlink(missing_ok=True)
        if text is not None:
            (folder / name).write_text(text)


def received(klass, identity: Identity = ANYBODY, exchange: bool = False, at: float | None = 100.0):
    """The lines of what was received, and who was set aside, for what."""
    with opened(klass.store) as store:
        result = receive_folder(
            store, klass.folder, NAMES, Limits(), at, identity=identity, exchange=exchange
        )
    return result.lines, [(one.student, one.why) for one in result.set_aside]


@pytest.mark.parametrize("exchange", [False, True])
def test_what_bears_a_name_outside_of_the_roster_is_set_aside_and_an_empty_folder_is_nothing(klass, exchange):
    klass.hand_in("ann", "x")
    (klass.folder / "cy" / ONE).mkdir(parents=True)
    identity = Identity(roster=frozenset())
    assert received(klass, identity, exchange) == ([], [("ann", NO_ROSTER)])
    assert klass.manifest() == []


def test_what_belongs_to_somebody_else_is_set_aside(klass):
    klass.hand_in("ann", "x")
    klass.hand_in("bo", "x")
    assert received(klass, Stranger()) == ([f"ann, {ONE}: version 1"], [("bo", "belongs to ann")] * 2)


def test_beside_an_exchange_a_notebook_needs_a_secret_that_came_through_it(klass):
    (klass.folder / "cy" / ONE).mkdir(parents=True)
    with_stamp(klass, "ann", "s1")
    for at in (100.0, None):
        assert received(klass, Stranger(), True, at) == ([], [("ann", NOT_IN_THE_EXCHANGE)])
    assert received(klass) == ([f"ann, {ONE}: version 1"], []), "in a folder of one's own it needs none"
    assert received(klass, Stranger(), exchange=True) == ([], [])
    klass.hand_in("ann", "other")
    (klass.folder / "ann" / ONE / SECRET).unlink()
    assert received(klass, Stranger(), exchange=True) == ([], [("ann", WITHOUT_SECRET)])


def test_what_came_through_the_exchange_is_taken_again_only_to_correct_its_time(klass):
    with_stamp(klass, "ann", "s1")
    received(klass)
    klass.hand_in("ann", "y", file="other.ipynb")  # a note would name it
    assert received(klass, Stranger(), exchange=True, at=None) == ([], [])
    lines, _ = received(klass, Stranger(), exchange=True, at=50.0)
    assert lines == [f"ann, {ONE}: version 1 was received earlier"]
    (klass.folder / "ann" / ONE / f"{ONE}.ipynb").unlink()  # then other.ipynb is a wrong name, and refused
    assert received(klass, Stranger(), exchange=True, at=50.0) == ([], [])


def test_the_same_bytes_with_a_new_secret_are_a_submission_of_their_own(klass):
    lines = []
    for secret in ("s1", "s2", "s2", "s1", None):
        with_stamp(klass, "ann", secret)
        lines.append(klass.receive(at=100.0))
    assert lines == [[f"ann, {ONE}: version 1"], [f"ann, {ONE}: version 2"], [], [], []]
    assert klass.one("ann").stamp == ("s2", None)
    assert klass.receive(at=50.0) == [f"ann, {ONE}: version 2 was received earlier"]


def test_the_same_bytes_with_another_time_are_a_submission_of_their_own(klass):
    lines = []
    for timestamp in ("t1", None, "t1", "t2"):
        with_stamp(klass, "ann", None, timestamp)
        lines.append(klass.receive(at=100.0))
    assert lines == [[f"ann, {ONE}: version 1"], [], [], [f"ann, {ONE}: version 2"]]
    assert klass.one("ann").stamp == (None, "t2")


def test_a_version_that_came_without_the_exchanges_files_gets_them_and_keeps_them(klass):
    lines = []
    for at, stamp in ((100.0, ()), (100.0, ("s1", "t1")), (50.0, ())):
        with_stamp(klass, "ann", *stamp)
        lines.append(klass.receive(at=at))
    assert lines == [
        [f"ann, {ONE}: {what}"] for what in ("version 1", "version 1 again", "version 1 was received earlier")
    ]
    assert (klass.one("ann").stamp, klass.one("ann").received) == (("s1", "t1"), 50.0)


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
