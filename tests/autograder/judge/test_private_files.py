"""Who may read what a class leaves behind, and what a full disk and odd names become in lines for people."""

from __future__ import annotations

import os
import shutil
import stat
from types import SimpleNamespace

import pytest
from recorded import judged, record
from sqlalchemy.exc import OperationalError
from tiny_course import LIMITS, NAME, hand_in, write_course

from autograder.course.grade import grade
from autograder.course.log import log_received
from autograder.course.private_files import keep_private
from autograder.gradebook import gradebook
from autograder.gradebook.gradebook import open_gradebook
from autograder.gradebook.recorder import Recorder
from autograder.grading.config import GradingConfig
from autograder.submissions.store import News
from autograder.submissions.student_names import logged_name
from kqa_core.errors import UserError

OPEN = 0o077


@pytest.fixture
def course(tmp_path, empty, workers):
    made = write_course(tmp_path / "course")
    made.chmod(0o755)
    shutil.copy(empty, made)
    (made / "gradebook.db").chmod(0o644)
    hand_in(made / "submitted", "ann", double="def double(x): return x + x")
    return made


def graded(course):
    return grade(GradingConfig(course=course, workers=1, limits=LIMITS, tier="forked", assignment=NAME))


def rights(course, *names):
    return {name: stat.S_IMODE((course / name).stat().st_mode) & OPEN for name in names}


CLASS = ("submitted", "received", "judged", "autograded", "feedback", "gradebook.db", "kqa.log")


def test_what_a_class_leaves_is_its_owners_alone(course):
    before = os.umask(0o022)
    try:
        graded(course)
    finally:
        os.umask(before)
    assert set(rights(course, *CLASS).values()) == {0}
    kept = [path for path in (course / "received").rglob("*") if path.name != ".lock"]
    assert len(kept) == 4 and all(not path.stat().st_mode & OPEN for path in kept)


def test_what_was_open_before_is_closed_and_a_group_of_instructors_keeps_its_rights(course):
    graded(course)
    for name in CLASS:
        (course / name).chmod(0o777 if (course / name).is_dir() else 0o666)
    assert keep_private(course) == [] and set(rights(course, *CLASS).values()) == {0}
    course.chmod(0o775)
    (course / "feedback").chmod(0o775)
    assert keep_private(course) == [] and rights(course, "feedback") == {"feedback": 0o070}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_what_belongs_to_somebody_else_is_named(course, monkeypatch):
    graded(course)
    (course / "feedback").chmod(0o755)
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    (line,) = [line for line in keep_private(course) if "feedback" in line]
    assert line.endswith(f"its owner should type: chmod go-rwx {course / 'feedback'}")


@pytest.mark.parametrize("free", [0, 5000])
def test_a_full_disk_is_named_and_no_backup_is_asked_for(course, monkeypatch, free):
    (course / "gradebook.db").unlink()
    (course / "gradebook.db").mkdir()  # whatever SQLite says about it
    monkeypatch.setattr(gradebook.shutil, "disk_usage", lambda path: SimpleNamespace(free=free))
    with pytest.raises(UserError, match=r"the disk is full \(\d KiB free\); nothing is lost, make room"):
        open_gradebook(course)


@pytest.mark.parametrize(
    ("free", "reason"),
    [(0, r": the disk is full \(0 KiB free\)"), (2**40, r" \(OperationalError\); check the server")],
)
def test_what_could_not_be_recorded_says_whether_the_disk_is_full(course, monkeypatch, free, reason):
    def fails(self, *what):
        raise OperationalError("INSERT", {}, Exception("disk I/O error"))

    monkeypatch.setattr(Recorder, "_grades", fails)
    monkeypatch.setattr(gradebook.shutil, "disk_usage", lambda path: SimpleNamespace(free=free))
    with pytest.raises(UserError, match=f"ann, tiny could not be recorded{reason}"):
        record(course, judged())


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("ada", "ada"),
        ("Zoë.M+x@uni-b.example", "Zoë.M+x@uni-b.example"),
        ("Ann Lee", "Ann%20Lee"),
        ("eve 01_x: graded, 24 of 24", "eve%2001_x%3A%20graded%2C%2024%20of%2024"),
        ("100%20", "100%2520"),
        ("x, ada", "x%2C%20ada"),
    ],
)
def test_a_name_in_the_log_cannot_look_like_the_rest_of_a_line(name, shown):
    assert logged_name(name) == shown


def test_a_line_about_an_odd_name_is_about_that_name(course):
    log_received(course, [News(f"ada, {NAME}: version 9", NAME, "version 1")])
    (line,) = (course / "kqa.log").read_text().splitlines()
    assert line.endswith(f"received: ada%2C%20{NAME}%3A%20version%209 {NAME}: version 1")
