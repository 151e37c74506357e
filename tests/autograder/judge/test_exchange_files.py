"""The two files that nbgrader's exchange needs beside a feedback page."""

from __future__ import annotations

import os

import pytest
from nbgrader.utils import parse_utc
from recorded import judged, record

from autograder.judge.results import Judged, Status, SubmissionResult
from autograder.submissions.exchange_stamp import read_stamp

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
