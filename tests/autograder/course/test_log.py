"""The course's log: a line for each event, and nothing in it that a student wrote."""

from __future__ import annotations

import re
import threading

import pytest

from autograder.course import log as module
from autograder.course.log import LOG, log, log_received, log_result
from autograder.judge.results import ExerciseResult, Status, SubmissionResult
from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.submissions.store import receive_folder
from autograder.submissions.versions import opened

NAME = "01_a"
LINE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4} (INFO|WARNING|ERROR) +(\S+) (\w+): (.*)")
SECRET = "x = 'what a student wrote'"


def lines(course):
    """Level, event and text of each line."""
    found = [LINE.fullmatch(line) for line in (course / LOG).read_text(encoding="utf-8").splitlines()]
    return [(each[1], each[3], each[4]) for each in found]


def result(status, outcome="right", marks=2.0, **facts):
    exercise = ExerciseResult("double", status, outcome, marks, 2, SECRET, **facts)
    return SubmissionResult("ada", NAME, status, (exercise,), reason=SECRET, notes=(SECRET,))


def test_each_status_has_its_level_and_no_text_of_a_students(tmp_path):
    log_result(tmp_path, "judged", result(Status.GRADED))
    log_result(tmp_path, "judged", result(Status.INCIDENT, "error", 0.0, incident="time"))
    log_result(tmp_path, "judged", result(Status.BROKEN, "error", None))
    log_result(tmp_path, "recorded", SubmissionResult("ada", NAME, Status.REFUSED, reason=SECRET))
    log_result(
        tmp_path,
        "judged",
        SubmissionResult("ada", NAME, Status.BROKEN, reason=f"FileNotFoundError: {SECRET}"),
    )
    assert lines(tmp_path) == [
        ("INFO", "judged", "ada 01_a: graded, 2 of 2 by the checks"),
        ("WARNING", "judged", "ada 01_a: graded with incident, 0 of 2 by the checks; double: time"),
        ("ERROR", "judged", "ada 01_a: infrastructure error; double: infrastructure error"),
        ("WARNING", "recorded", "ada 01_a: refused"),
        ("ERROR", "judged", "ada 01_a: infrastructure error (FileNotFoundError)"),
    ]


def test_an_answer_that_a_person_must_look_at_and_an_unreadable_submission_are_warnings(tmp_path):
    log_result(tmp_path, "judged", result(Status.GRADED, "not yet", 0.0, look="found by its place"))
    log_result(tmp_path, "judged", SubmissionResult("ada", NAME, Status.UNREADABLE, reason=SECRET))
    assert lines(tmp_path) == [
        ("WARNING", "judged", "ada 01_a: graded, 0 of 2 by the checks; double: found by its place"),
        ("WARNING", "judged", "ada 01_a: unreadable"),
    ]


def test_what_was_received_and_refused_is_logged_without_the_names_of_files(tmp_path):
    for student, file in (("ada", f"{NAME}.ipynb"), ("bo", f"{SECRET}.ipynb"), ("cy", "notes.txt")):
        (tmp_path / "submitted" / student / NAME).mkdir(parents=True)
        (tmp_path / "submitted" / student / NAME / file).write_text(SECRET)
    with opened(tmp_path / "received") as store:
        received = receive_folder(store, tmp_path / "submitted", [NAME], Limits())
    assert any(SECRET in line for line in received.lines)
    log_received(tmp_path, received.news)
    assert lines(tmp_path) == [
        ("INFO", "received", "ada 01_a: version 1"),
        ("WARNING", "received", "bo 01_a: refused"),
        ("INFO", "received", "cy 01_a: holds no notebook"),
    ]


def test_a_full_log_is_put_aside_and_five_old_ones_stay(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "SIZE", 300)
    for number in range(60):
        log(tmp_path, "due", f"{NAME}: number {number}")
    assert sorted(path.name for path in tmp_path.glob("kqa.log*")) == [
        LOG,
        *(f"{LOG}.{old}" for old in range(1, 6)),
    ]
    assert lines(tmp_path)[-1] == ("INFO", "due", f"{NAME}: number 59")


def test_lines_of_several_writers_do_not_mix(tmp_path):
    writers = [
        threading.Thread(target=log, args=(tmp_path, "due", *[f"{NAME}: {who}"] * 20)) for who in "abc"
    ]
    for each in writers:
        each.start()
    for each in writers:
        each.join()
    assert sorted(text for _, _, text in lines(tmp_path)) == sorted(f"{NAME}: {who}" for who in "abc" * 20)


def test_a_log_that_cannot_be_written_is_one_warning_and_stops_nothing(tmp_path):
    (tmp_path / LOG).mkdir()
    with pytest.warns(UserWarning, match=r"kqa\.log: cannot be written .*; the command goes on without it"):
        log(tmp_path, "due", "nothing")


def test_a_line_has_no_control_characters(tmp_path):
    log(tmp_path, "due", "one\ntwo\x1b[2J")
    ((_, _, text),) = lines(tmp_path)
    assert text == "one two\N{REPLACEMENT CHARACTER}[2J"
