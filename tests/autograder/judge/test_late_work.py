"""Late work: whether the course takes marks for it, by nbgrader's own setting or a plugin, what Formgrader
lists, and the final mark. The two files about its time that nbgrader's exchange needs beside a page.
"""

from __future__ import annotations

import datetime
import os
from types import SimpleNamespace

import pytest
from nbgrader.utils import parse_utc
from recorded import judged, record
from tiny_course import SKELETON

from autograder.gradebook.due_dates import set_due
from autograder.gradebook.gradebook import final_mark, gradebook_marks, open_gradebook
from autograder.gradebook.lateness import Lateness
from autograder.gradebook.recorder import Recorder
from autograder.judge.results import Judged, Status, SubmissionResult
from autograder.submissions.exchange_stamp import read_stamp


def late_course(course, settings="", due=1.7e9):
    """A course whose notebook is due at `due`, with these lines in nbgrader's settings."""
    (course / "nbgrader_config.py").write_text(f"c = get_config()\n{settings}\n")
    with Recorder(course) as one:
        one.prepare(SKELETON)
    with open_gradebook(course) as book:
        book.find_assignment("tiny").duedate = datetime.datetime.fromtimestamp(due, datetime.UTC).replace(
            tzinfo=None
        )
        book.db.commit()


def penalty(course, student="ann"):
    with open_gradebook(course) as book:
        return book.find_submission_notebook("tiny", "tiny", student).late_submission_penalty


HOURLY = """
from nbgrader.plugins import BasePlugin

class Hourly(BasePlugin):
    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return {penalty}
"""


def plugin(course, penalty):
    (course / f"plugin_of_{course.name}.py").write_text(HOURLY.format(penalty=penalty))
    late_course(course, f'c.AssignLatePenalties.plugin_class = "plugin_of_{course.name}.Hourly"')


def test_the_due_date_is_nbgraders_in_seconds(course):
    late_course(course, due=1.7e9)
    with Recorder(course) as one:
        assert one.due("tiny") == 1.7e9
        assert one.due("never heard of") is None
    with open_gradebook(course) as book:
        book.find_assignment("tiny").duedate = None
        book.db.commit()
    with Recorder(course) as one:
        assert one.due("tiny") is None


def test_without_a_plugin_of_the_course_late_work_keeps_its_marks(course):
    late_course(course)
    record(course, judged(received=1.7e9 + 3600))
    assert penalty(course) is None and gradebook_marks(course, "tiny")["ann"][0] == 2.0


def listed_by_formgrader(course):
    """Student → whether formgrader's list of submissions calls them autograded; by its own code."""
    from nbgrader.apps import NbGraderAPI
    from nbgrader.coursedir import CourseDirectory

    directory = CourseDirectory(root=str(course))
    return {each["student"]: each["autograded"] for each in NbGraderAPI(directory).get_submissions("tiny")}


@pytest.mark.slow
def test_formgrader_takes_what_we_graded_for_graded_until_the_exchange_brings_something_newer(course):
    def collected(student, time):
        folder = course / "submitted" / student / "tiny"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "timestamp.txt").write_text(time)

    (course / "submitted/ann/tiny").mkdir(parents=True)  # a folder of the instructor's own: no time in it
    collected("bo", "2023-11-14 22:00:00.123456 UTC")
    assert listed_by_formgrader(course) == {"ann": False, "bo": False}
    record(course, judged(received=1.7e9), judged(student="bo", received=1.7e9 + 60))
    assert listed_by_formgrader(course) == {"ann": True, "bo": True}
    collected("bo", "2023-11-15 09:00:00.123456 UTC")
    assert listed_by_formgrader(course) == {"ann": True, "bo": False}
    record(course, judged(student="bo", received=1.7e9 + 90000))
    assert listed_by_formgrader(course) == {"ann": True, "bo": True}


@pytest.mark.slow
def test_nbgraders_own_setting_takes_all_marks_of_late_work_and_gives_them_back(course):
    late_course(course, 'c.LateSubmissionPlugin.penalty_method = "zero"')
    record(course, judged(received=1.7e9 + 1), judged(student="bo", received=1.7e9))
    assert (penalty(course), penalty(course, "bo")) == (2.0, None)
    assert {student: mark[0] for student, mark in gradebook_marks(course, "tiny").items()} == {
        "ann": 0.0,
        "bo": 2.0,
    }
    assert "Submitted late: 2 points are taken off." in (course / "feedback/ann/tiny/tiny.html").read_text()
    assert "late" not in (course / "feedback/bo/tiny/tiny.html").read_text()
    with open_gradebook(course) as book:
        book.grant_extension("tiny", "ann", hours=1)
    record(course, judged(received=1.7e9 + 1), changed=False)
    assert penalty(course) is None and gradebook_marks(course, "tiny")["ann"][0] == 2.0


@pytest.mark.slow
def test_a_due_date_that_is_moved_back_afterwards_takes_the_penalty_back_and_the_other_way_round(course):
    late_course(course, 'c.LateSubmissionPlugin.penalty_method = "zero"')
    page = course / "feedback/ann/tiny/tiny.html"
    for due, mark in ((1.7e9, 0.0), (1.7e9 + 7200, 2.0), (None, 2.0), (1.7e9 - 60, 0.0)):
        set_due(course, "tiny", due)
        record(course, judged(received=1.7e9 + 3600), changed=False)
        assert gradebook_marks(course, "tiny")["ann"][0] == mark
        assert ("Submitted late" in page.read_text()) == (mark == 0.0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("said", "given"), [("total_seconds_late / 3600", 0.5), ("score + 1", 2.0), ("-1", 0.0), ("None", None)]
)
def test_a_plugin_of_the_course_decides_within_nbgraders_bounds(course, said, given):
    plugin(course, said)
    record(course, judged(received=1.7e9 + 1800))
    assert penalty(course) == given
    assert gradebook_marks(course, "tiny")["ann"][0] == 2.0 - (given or 0.0)


@pytest.mark.slow
@pytest.mark.parametrize("said", ["1 / 0", "float('nan')", "'much'"])
def test_a_plugin_that_fails_costs_one_warning_and_no_marks(course, said):
    plugin(course, said)
    with pytest.warns(UserWarning, match="the plugin for late penalties failed") as warned:
        record(course, judged(received=1.8e9), judged(student="bo", received=1.8e9))
    assert len(warned) == 1
    assert {mark[0] for mark in gradebook_marks(course, "tiny").values()} == {2.0} and penalty(course) is None


def test_a_plugin_that_is_not_there_costs_one_warning_and_no_marks(course):
    late_course(course, 'c.AssignLatePenalties.plugin_class = "no_such_module.Plugin"')
    with pytest.warns(UserWarning, match="no_such_module"):
        record(course, judged(received=1.8e9))
    assert gradebook_marks(course, "tiny")["ann"][0] == 2.0


def late(seconds, score=2.0, due=True, says=None, penalty=9.0, config=None):
    """The penalty that a plugin's word becomes, and what it was asked."""
    asked = []

    def plugin(*about):
        asked.append(about)
        return says(*about) if callable(says) else says

    lateness = Lateness.__new__(Lateness)
    lateness.__dict__ |= {"_warned": False, "_plugin": SimpleNamespace(late_submission_penalty=plugin)}
    assignment = SimpleNamespace(duedate=1 if due else None)
    submission = SimpleNamespace(
        total_seconds_late=seconds, assignment=assignment, student=SimpleNamespace(id="ann")
    )
    notebook = SimpleNamespace(late_submission_penalty=penalty, score=score)
    lateness.penalise(submission, notebook)
    return notebook.late_submission_penalty, asked


@pytest.mark.parametrize(
    ("says", "penalty"),
    [(0.5, 0.5), (0, 0.0), (1, 1.0), (2.0, 2.0), (2.5, 2.0), (-1.0, 0.0), (None, None), (1e300, 2.0)],
)
def test_a_penalty_lies_between_nothing_and_all_that_was_earned(says, penalty):
    assert late(60.0, says=says) == (penalty, [("ann", 2.0, 60.0)])


@pytest.mark.parametrize(("seconds", "due"), [(0, True), (-5.0, True), (60.0, False)])
def test_what_came_in_time_or_has_no_due_date_loses_nothing(seconds, due):
    assert late(seconds, due=due, says=1.0) == (None, [])


def test_a_second_is_late():
    assert late(1, says=1.0)[0] == 1.0 and late(0.5, says=1.0)[0] == 1.0


@pytest.mark.parametrize("says", [float("nan"), float("inf"), -float("inf"), "much", lambda *about: 1 / 0])
def test_a_penalty_that_is_none_is_warned_of_and_not_given(says):
    with pytest.warns(UserWarning, match="no penalty is given"):
        assert late(60.0, says=says)[0] is None


@pytest.mark.parametrize(
    ("score", "penalty", "mark"),
    [(3.0, None, 3.0), (3.0, 1.0, 2.0), (3.0, 3.0, 0.0), (1.0, 2.0, 0.0), (0.5, 0.0, 0.5)],
)
def test_a_final_mark_is_what_was_earned_less_the_penalty_and_never_below_nothing(score, penalty, mark):
    assert final_mark(SimpleNamespace(score=score, late_submission_penalty=penalty)) == mark


TIME, SECRET = "2026-11-20 12:00:00.000000 UTC", "ab" * 64
STAMP = (SECRET, TIME)


def beside(course, where, student="ann"):
    folder = course / where / student / "tiny"
    return (folder / "timestamp.txt").read_text(), (folder / "submission_secret.txt").read_text()


def test_feedback_and_the_autograded_copy_get_the_files_of_the_version(course):
    folder = course / "submitted" / "ann" / "tiny"  # where a later submission lies
    folder.mkdir(parents=True)
    (folder / "submission_secret.txt").write_text("cd" * 64)
    record(course, judged(), stamp=STAMP)
    assert beside(course, "feedback") == beside(course, "autograded") == (TIME, SECRET)
    record(course, judged(), stamp=("cd" * 64, TIME))
    assert beside(course, "feedback") == (TIME, "cd" * 64), "a later version has another secret"


def test_a_time_that_nbgrader_would_read_from_a_file_is_not_passed_on(course):
    record(course, judged(received=0.0), stamp=(SECRET, "2026-11-20 12:00:00 /proc/self/mem"))
    assert (
        beside(course, "feedback")
        == beside(course, "autograded")
        == ("1970-01-01 00:00:00.000000 UTC", SECRET)
    )
    record(course, judged(), stamp=(SECRET, "2026-11-20T13:00:00+01:00"))
    assert beside(course, "feedback") == beside(course, "autograded") == (TIME, SECRET)


def test_a_refused_submission_gets_them_beside_its_page_alone(course):
    refused = Judged(SubmissionResult("ann", "tiny", Status.REFUSED, reason="the file is empty"))
    record(course, refused, stamp=STAMP)
    assert beside(course, "feedback") == (TIME, SECRET) and not (course / "autograded").exists()


@pytest.mark.slow
def test_a_submission_that_came_another_way_gets_a_secret_of_its_own_that_stays(course):
    record(course, judged(), judged(student="bo"))
    first, other = beside(course, "feedback"), beside(course, "feedback", "bo")
    assert parse_utc(first[0]).timestamp() and len(first[1]) == 128 and first[1] != other[1]
    record(course, judged(), changed=False)
    assert beside(course, "feedback") == first


@pytest.mark.parametrize("kind", ["link", "hard link", "too long", "no text"])
def test_a_file_that_cannot_be_trusted_is_not_read(tmp_path, kind):
    folder, other = tmp_path / "ann" / "tiny", tmp_path / "other.txt"
    folder.mkdir(parents=True)
    other.write_text("not the student's")
    (folder / "timestamp.txt").write_text(TIME)
    secret = folder / "submission_secret.txt"
    if kind == "link":
        secret.symlink_to(other)
    elif kind == "hard link":
        os.link(other, secret)
    else:
        secret.write_bytes(b"x" * 2_000 if kind == "too long" else b"\xff\xfe")
    assert read_stamp(tmp_path, "ann/tiny") == (None, TIME)
