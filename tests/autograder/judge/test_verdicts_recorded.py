"""What a mark becomes on its way into the gradebook: every turn at which it could be another.

The mutants of `tests/mutants` are these turns taken the other way.
"""

from __future__ import annotations

import datetime
import shutil
import struct
import warnings
from dataclasses import replace
from types import SimpleNamespace

import pytest
from recorded import judged, record, result
from sqlalchemy.exc import OperationalError
from tiny_course import KEYS, SKELETON

from autograder.gradebook import feedback as shown
from autograder.gradebook import recorder
from autograder.gradebook.exchange_files import collected
from autograder.gradebook.gradebook import (
    gradebook_exists,
    gradebook_marks,
    gradebook_names,
    marks_of,
    open_gradebook,
)
from autograder.gradebook.lateness import Lateness
from autograder.gradebook.recorder import Recorder, _score, unfit_name
from autograder.judge.results import Judged, Status, SubmissionResult
from kqa_core.errors import UserError


@pytest.fixture
def course(tmp_path, empty, monkeypatch):
    shutil.copy(empty, tmp_path)
    monkeypatch.setattr(shown, "find_key", KEYS.get)
    return tmp_path


def grade_of(manual=None, flag=False, auto=9.0):
    return SimpleNamespace(auto_score=auto, manual_score=manual, needs_manual_grade=flag)


@pytest.mark.parametrize(
    ("status", "marks", "auto"),
    [
        (Status.GRADED, 2.0, 2.0),
        (Status.GRADED, 0.0, 0.0),
        (Status.INCIDENT, 0.0, 0.0),
        (Status.UNATTEMPTED, 0.0, 0.0),
        (Status.BROKEN, None, None),
        (Status.PERSON, None, None),
        (None, None, 0.0),  # refused: there is no result
    ],
)
@pytest.mark.parametrize("manual", [None, 0.0, 1.5])
@pytest.mark.parametrize("flag", [True, False])
@pytest.mark.parametrize("changed", [True, False])
def test_the_score_is_the_judges_and_the_flag_waits_for_a_person(status, marks, auto, manual, flag, changed):
    grade = grade_of(manual, flag)
    _score(grade, None if status is None else result("double", marks, status), changed)
    assert (grade.auto_score, grade.manual_score) == (auto, manual)
    waits = status in (Status.BROKEN, Status.PERSON)
    # a person gave a mark, and nothing happened since
    looked_at = manual is not None and not changed and not flag
    assert grade.needs_manual_grade is (not looked_at if waits else manual is not None and (changed or flag))


def test_an_answer_to_look_at_keeps_its_score_and_waits_and_an_unreadable_file_has_none():
    doubtful = grade_of()
    _score(doubtful, replace(result("double", 2.0), look="a person looks"), changed=False)
    assert (doubtful.auto_score, doubtful.needs_manual_grade) == (2.0, True)
    unreadable = grade_of()
    _score(unreadable, None, changed=False, unreadable=True)
    assert (unreadable.auto_score, unreadable.needs_manual_grade) == (None, True)


@pytest.mark.parametrize(
    ("name", "fits"),
    [
        *[(name, True) for name in ("a", "ann", "O'Neill, Zoë (2)", "x" * 128, "...", "a.b", "a&b")],
        *[
            (name, False)
            for name in ("", ".", "..", "a/b", "a\0b", "x" * 129, "a<b", "a>b", 'a"b', "a\nb", "a\u202eb")
        ],
    ],
)
def test_a_name_fits_where_nbgrader_can_show_it(name, fits):
    assert (unfit_name(name) is None) is fits


def test_the_gradebook_knows_each_cell_as_nbgrader_would(course):
    record(course)
    with open_gradebook(course) as book:
        notebook = book.find_notebook("tiny", "tiny")
        graded = {cell.name: (cell.max_score, cell.cell_type) for cell in notebook.grade_cells}
        sources = {cell.name: (cell.locked, cell.cell_type, cell.source) for cell in notebook.source_cells}
        checks = dict.fromkeys(("check_double", "check_total"), (2.0, "code"))
        assert graded == {**checks, "why": (2.0, "markdown")}
        assert sorted(cell.name for cell in notebook.solution_cells) == ["double", "total", "why"]
    cells = [cell for cell in SKELETON.cells if cell.grade_id]
    locked = {cell.grade_id: cell.role not in ("solution", "written") for cell in cells}
    assert {name: facts[0] for name, facts in sources.items()} == locked and sum(locked.values()) == 4
    assert all(sources[cell.grade_id][1:] == (cell.kind, cell.source) for cell in cells)


def marks(course, student="ann"):
    """What stands in the gradebook: score, a person's mark, flag; and the comment that the judge gave."""
    with open_gradebook(course) as book:
        notebook = book.find_submission_notebook("tiny", "tiny", student)
        comments = {each.name: each.auto_comment for each in notebook.comments}
        grades = {
            each.name.removeprefix("check_"): (each.auto_score, each.manual_score, each.needs_manual_grade)
            for each in notebook.grades
        }
        return {name: (*grade, comments[name]) for name, grade in grades.items()}


def states(*each, student="ann", received=1.7e9):
    """A recorded submission in which the exercises ended so: status, marks."""
    base = judged(student=student, received=received)
    ended = tuple(
        replace(one, status=status, marks=given, outcome=outcome)
        for one, (status, given, outcome) in zip(base.result.exercises, each, strict=True)
    )
    return replace(base, result=replace(base.result, exercises=ended))


BROKEN = (Status.BROKEN, None, "error")
BLANK = (Status.UNATTEMPTED, 0.0, "unattempted")
RIGHT = (Status.GRADED, 2.0, "right")
PERSON = (Status.PERSON, None, "written")


@pytest.mark.slow
def test_every_state_of_an_exercise_has_its_own_rows(course):
    record(course, states(RIGHT, BLANK, PERSON), states(BROKEN, RIGHT, BLANK, student="bo"))
    assert marks(course) == {
        "double": (2.0, None, False, None),
        "total": (0.0, None, False, "No response."),
        "why": (None, None, True, None),
    }
    assert marks(course, "bo") == {
        "double": (None, None, True, None),
        "total": (2.0, None, False, None),
        "why": (0.0, None, False, "No response."),
    }
    record(course, states(RIGHT, RIGHT, PERSON))
    assert marks(course)["total"] == (2.0, None, False, None)  # the old comment is gone
    assert gradebook_marks(course, "tiny") == {"ann": (4.0, 6.0, True), "bo": (2.0, 6.0, True)}
    assert gradebook_marks(course, "none") == {} and gradebook_names(course) == (["tiny"], ["ann", "bo"])


def page(course, student="ann"):
    return (course / f"feedback/{student}/tiny/tiny.html").read_text()


@pytest.mark.slow
def test_what_a_person_gave_stands_on_the_page_in_place_of_ours(course):
    record(course, states(RIGHT, BLANK, PERSON))
    with open_gradebook(course) as book:
        book.find_grade("check_double", "tiny", "tiny", "ann").manual_score = 0.5
        written = book.find_grade("why", "tiny", "tiny", "ann")
        written.manual_score, written.needs_manual_grade = 1.5, False
        book.find_comment("why", "tiny", "tiny", "ann").manual_comment = "Well <said>."
        book.find_comment("double", "tiny", "tiny", "ann").manual_comment = "See me."
        book.db.commit()
    record(course, states(RIGHT, BLANK, PERSON), changed=False)
    text = page(course)
    parts = {part.partition('"')[0]: part for part in text.split('<section aria-labelledby="of-')[1:]}
    assert (
        ">0.5 of 2 points<" in parts["double"]
        and ">0 of 2 points<" in parts["total"]
        and ">1.5 of 2 points<" in parts["why"]
    )
    assert "Your grader: Well &lt;said&gt;." in parts["why"] and "Your grader: See me." in parts["double"]
    assert "Your grader" not in parts["total"] and gradebook_marks(course, "tiny")["ann"] == (2.0, 6.0, False)
    assert ">2 of 6 points<" in text


@pytest.mark.slow
@pytest.mark.parametrize("status", [Status.BROKEN, Status.MISSING])
def test_what_was_not_judged_or_not_handed_in_writes_nothing(course, status):
    record(course, Judged(SubmissionResult("ann", "tiny", status, reason="lost")))
    assert gradebook_marks(course, "tiny") == {} and not (course / "feedback").exists()


def test_what_was_refused_is_nothing_and_says_why_to_the_student(course):
    record(course, Judged(SubmissionResult("ann", "tiny", Status.REFUSED, reason="empty", received=None)))
    assert {each[0] for each in marks(course).values()} == {0.0} and not (course / "autograded").exists()
    assert "refused: empty" in page(course) and "points from the checks" not in page(course)


def test_a_submission_that_is_broken_in_one_exercise_is_recorded(course):
    base = states(BROKEN, RIGHT, PERSON)
    record(course, replace(base, result=replace(base.result, status=Status.BROKEN)))
    assert marks(course)["double"][0] is None and marks(course)["total"][0] == 2.0


@pytest.mark.slow
def test_lateness_goes_by_the_time_of_receipt_whatever_the_exchange_says(course, monkeypatch):
    asked = []
    monkeypatch.setattr(
        recorder.Lateness,
        "penalise",
        lambda self, submission, notebook, _: asked.append(submission.timestamp),
    )
    exchange(course, "2020-02-02 02:02:02 UTC")
    for received in (1.7e9, 0.0):
        record(course, judged(received=received))
        assert asked.pop().replace(tzinfo=datetime.UTC).timestamp() == received
    record(course, judged(student="bo", received=None))
    assert asked == [None]


def exchange(course, text, student="ann"):
    """What nbgrader's exchange lays beside a notebook that it collects."""
    folder = course / "submitted" / student / "tiny"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "timestamp.txt").write_bytes(text if isinstance(text, bytes) else text.encode())


def kept_time(course):
    with open_gradebook(course) as book:
        return book.find_submission("tiny", "ann").timestamp


@pytest.mark.slow
def test_the_gradebook_keeps_the_exchanges_time_and_none_where_it_has_none(course):
    record(course, judged())
    assert kept_time(course) is None
    exchange(course, "2026-11-20 12:00:00 UTC")
    record(course, judged())
    assert kept_time(course) == datetime.datetime(2026, 11, 20, 12)


@pytest.mark.parametrize(
    ("text", "hour"),
    [
        ("2026-11-20 12:00:00.000000 UTC\n", 12),
        ("2026-11-20T12:00:00+01:00", 11),
        ("2026-11-20T12:00:00", 12),
        ("", None),
        ("yesterday", None),
        ("2026-13-40 12:00:00 UTC", None),
        ("9" * 50, None),
        (b"\xff\xfe", None),
        ("2026-11-20 12:00" + " " * 999, None),
        ("0001-01-01 00:00:00+14:00", None),
        ("2026-11-20 12:00:00 /proc/self/mem", None),
        ("2026-11-20 12:00:00 ../../../proc/self/mem", None),
        ("2026-11-20 12:00:00 {zone}", None),
    ],
)
def test_a_time_that_cannot_be_read_is_none_and_no_file_that_it_names_is_opened(tmp_path, text, hour):
    zone = tmp_path / "zone"  # an hour before UTC: nbgrader's own reader would open it
    zone.write_bytes(b"TZif" + bytes(16) + struct.pack(">6llBB4s", 0, 0, 0, 0, 1, 4, 3600, 0, 0, b"ONE"))
    exchange(tmp_path, text.format(zone=zone) if isinstance(text, str) else text)
    expected = datetime.datetime(2026, 11, 20, hour) if hour is not None else None
    assert collected(tmp_path / "submitted", judged().result) == expected


def test_a_link_in_place_of_the_exchanges_time_is_not_followed(tmp_path):
    exchange(tmp_path, "2026-11-20 12:00:00 UTC", "eve")
    (tmp_path / "submitted/ann").symlink_to("eve")
    assert collected(tmp_path / "submitted", judged().result) is None


def test_a_due_date_is_told_in_seconds_and_one_that_is_not_known_is_none(course):
    record(course)
    with open_gradebook(course) as book:
        book.find_assignment("tiny").duedate = datetime.datetime(1970, 1, 1, 0, 1)
        book.db.commit()
    with Recorder(course) as one:
        assert one.due("tiny") == 60.0 and one.due("none") is None


def test_nothing_is_recorded_before_the_notebook_is_known(course):
    with Recorder(course) as one, pytest.raises(AssertionError, match="prepare"):
        one.record(judged())


@pytest.mark.slow
def test_a_name_that_does_not_fit_is_warned_of_and_a_name_that_fits_is_not(course):
    with pytest.warns(UserWarning, match="not in the gradebook"):
        record(course, judged(student="a<b"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        record(course, judged(student="a&b"))
    assert list(gradebook_marks(course, "tiny")) == ["a&b"]


@pytest.mark.slow
def test_a_penalty_stands_on_the_page_and_in_the_final_mark(course, monkeypatch):
    def of_ann():
        with open_gradebook(course) as book:
            mark = marks_of(book, "tiny")["ann"]
        return mark.score, mark.penalty

    monkeypatch.setattr(
        recorder.Lateness,
        "penalise",
        lambda self, submission, notebook, _: setattr(notebook, "late_submission_penalty", 0.5),
    )
    record(course, judged())
    assert "Submitted late: 0.5 points are taken off." in page(course) and of_ann() == (1.5, 0.5)
    monkeypatch.setattr(
        recorder.Lateness,
        "penalise",
        lambda self, submission, notebook, _: setattr(notebook, "late_submission_penalty", None),
    )
    record(course, judged())
    assert "late" not in page(course) and of_ann() == (2.0, 0.0)


def test_a_lost_database_is_a_persons_trouble_and_not_the_students(course, monkeypatch):
    def lost(self, judged, changed):
        raise OperationalError("SELECT 1", {}, Exception("gone"))

    monkeypatch.setattr(Recorder, "_grades", lost)
    with pytest.raises(UserError, match="ann, tiny could not be recorded"):
        record(course, judged())


def test_a_student_whom_the_gradebook_knows_stays_the_one_it_knows(course):
    with open_gradebook(course) as book:
        book.add_student("ann", first_name="Ann")
    record(course, judged())
    with open_gradebook(course) as book:
        assert [(each.id, each.first_name) for each in book.students] == [("ann", "Ann")]


def test_a_gradebook_that_is_not_there_holds_nothing_and_a_server_is_asked(tmp_path):
    assert gradebook_names(tmp_path) == ([], []) and gradebook_marks(tmp_path, "tiny") == {}
    assert list(tmp_path.iterdir()) == [] and gradebook_exists(tmp_path, "postgresql://user@host/course")


def test_a_plugin_that_fails_for_many_is_told_once():
    lateness = Lateness.__new__(Lateness)
    lateness._warned = False
    with pytest.warns(UserWarning) as warned:
        lateness._warn("it failed")
        lateness._warn("it failed")
    assert len(warned) == 1
