"""nbgrader's own `submit` and `collect`, by people with accounts: a name can be typed, an owner cannot."""

from __future__ import annotations

import multiprocessing
import os
import pwd
import shutil
import tempfile
from pathlib import Path

import pytest
from exchange_course import ADA, MAL, NAME, RIGHT, WRONG, Course, accounts, give
from nbgrader.auth import Authenticator
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange.default import ExchangeSubmit
from traitlets.config import Config

from autograder.submissions.store import manifest

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("impersonation commands")]


class Student:
    """Somebody with an account, who submits as that user: nbgrader's own code, in a process of theirs."""

    def __init__(self, root: Path, account: str, released: Path) -> None:
        self.account, self.work, self.exchange = account, root / account, root / "exchange"
        shutil.copytree(released, self.work / NAME)
        give(self.work, account)

    def submit(self, student: str = "*") -> None:
        """As `nbgrader submit`, with `--student` if a name is given."""
        process = multiprocessing.get_context("fork").Process(target=self._submit, args=(student,))
        process.start()
        process.join()
        assert process.exitcode == 0

    def _submit(self, student: str) -> None:
        uid = pwd.getpwnam(self.account).pw_uid
        config = Config()
        config.CourseDirectory = Config(course_id="sorting", assignment_id=NAME, student_id=student)
        config.Exchange = Config(
            root=str(self.exchange), cache=str(self.work / "cache"), assignment_dir=str(self.work)
        )
        directory, authenticator = CourseDirectory(config=config), Authenticator(config=config)
        submit = ExchangeSubmit(coursedir=directory, authenticator=authenticator, config=config)
        os.setgroups([])
        os.setuid(uid)
        submit.start()


@pytest.fixture(scope="module")
def course():
    """A released course whose exchange everybody reaches."""
    with accounts(ADA, MAL), tempfile.TemporaryDirectory() as name:
        root = Path(name)
        root.chmod(0o755)
        made = Course(root)
        released = root / "exchange" / "sorting" / "outbound" / NAME
        made.students = {account: Student(root, account, released) for account in (ADA, MAL)}
        yield made


def answer(course, account: str, line: str) -> None:
    """Somebody writes an answer."""
    course.ada.work = course.students[account].work
    give(course.answer(line), account)


def test_submit_under_a_name_that_was_typed_is_set_aside_though_nbgrader_collects_it(course):
    answer(course, ADA, RIGHT)
    answer(course, MAL, WRONG)
    course.students[ADA].submit()
    course.students[MAL].submit(ADA)
    course.students[MAL].submit()
    assert "cheating attempt" in course.teacher.nbgrader("collect", NAME, "--update")
    told = course.teacher.run("-m", "kqa_core.cli", "course", "receive", "--course", course.folder)
    assert f"{ADA}, {NAME}: version 1" in told and f"{MAL}, {NAME}: version 1" in told
    assert f"set aside: {ADA}, {NAME}: belongs to {MAL}; " in told
    entries = {entry.student: entry for entry in manifest(course.folder / "received", NAME)}
    hers = (course.folder / "received" / entries[ADA].file).read_text()
    assert "sorted([*numbers, x])" in hers and set(entries) == {ADA, MAL}
    (folder,) = (
        path
        for path in (course.folder.parent / "exchange" / "sorting" / "inbound").iterdir()
        if path.name.startswith(ADA) and path.owner() == ADA
    )
    assert entries[ADA].secret == (folder / "submission_secret.txt").read_text()
    assert RIGHT in (course.folder / "submitted" / ADA / NAME / f"{NAME}.ipynb").read_text()
