"""What results count and add up to, and what the gradebook keeps beside a score: lateness with
extensions, sources for autograding, and what waits for a person.

The mutants of `tests/mutants` are these turns taken the other way.
"""

from __future__ import annotations

import math
import shutil
from types import SimpleNamespace

import pytest
from nbgrader.api import SubmittedAssignment
from recorded import judged
from tiny_course import KEYS, SKELETON
from tiny_course import double_result as result

from autograder.gradebook import feedback as shown
from autograder.gradebook import recorder
from autograder.gradebook.due_dates import extend
from autograder.gradebook.gradebook import gradebook_marks, marks_of, open_gradebook
from autograder.gradebook.lateness import Lateness
from autograder.gradebook.recorder import Recorder
from autograder.judge.results import Status, SubmissionResult, overall
from kqa_core.check.exercise import JudgeError


@pytest.fixture
def course(tmp_path, empty, monkeypatch):
    shutil.copy(empty, tmp_path)
    monkeypatch.setattr(shown, "find_key", KEYS.get)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("own", "group", "more"),
    [(None, None, 0.0), (600.0, None, 0.0), (None, 900.0, 900.0), (600.0, 900.0, 300.0), (900.0, 600.0, 0.0)],
)
def test_a_group_adds_what_its_extension_has_beyond_the_students_own(course, monkeypatch, own, group, more):
    asked = []
    monkeypatch.setattr(
        recorder.Lateness, "penalise", lambda self, submission, notebook, seconds: asked.append(seconds)
    )
    if own is not None:
        extend(course, "ann", "tiny", own)
    with Recorder(course) as book:
        book.prepare(SKELETON)
        book.of_groups = {} if group is None else {("ann", "tiny"): group}
        book.record(judged(), True)
    assert asked == [more]


@pytest.mark.slow
def test_without_a_penalty_nothing_is_taken_off(course):
    with Recorder(course) as book:
        book.prepare(SKELETON)
        assert book._grades(judged(), True)[1] == 0.0


def test_the_gradebook_keeps_the_sources_with_hidden_tests(course):
    with Recorder(course) as book:
        book.prepare(SKELETON, {"check_double": "check(double)  # and more"})
    with open_gradebook(course) as book:
        kept = {cell.name: cell.source for cell in book.find_notebook("tiny", "tiny").source_cells}
    assert kept["check_double"] == "check(double)  # and more"
    assert all(
        kept[cell.grade_id] == cell.source
        for cell in SKELETON.cells
        if cell.grade_id not in (None, "check_double")
    )


def test_a_mark_says_how_many_answers_wait_and_whether_a_person_gave_any(course):
    def of_ann():
        with open_gradebook(course) as book:
            mark = marks_of(book, "tiny")["ann"]
        return mark.waiting, mark.by_hand

    with Recorder(course) as book:
        book.prepare(SKELETON)
        book.record(judged(), True)
    assert of_ann() == (1, False)
    with open_gradebook(course) as book:
        grade = book.find_grade("why", "tiny", "tiny", "ann")
        grade.manual_score, grade.needs_manual_grade = 0.0, False
        book.db.commit()
    assert of_ann() == (0, True)


def test_a_submission_without_any_answer_has_none_that_waits(course):
    with Recorder(course) as book:
        book.prepare(SKELETON)
        book.record(judged(), True)
    with open_gradebook(course) as book:
        book.db.add(
            SubmittedAssignment(assignment=book.find_assignment("tiny"), student=book.add_student("zed"))
        )
        book.db.commit()
        empty = marks_of(book, "tiny")["zed"]
    assert (empty.score, empty.waiting, empty.by_hand) == (0.0, 0, False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("status", "kept"), [(Status.REFUSED, False), (Status.MISSING, False), (Status.GRADED, True)]
)
def test_a_zero_of_what_was_refused_or_never_came_is_no_mark(course, status, kept):
    with Recorder(course) as book:
        book.prepare(SKELETON)
        book.record(judged(double=0.0), True)
    told = {"ann": SubmissionResult("ann", "tiny", status)}
    assert ("ann" in gradebook_marks(course, "tiny", results=told)) is kept and "ann" in gradebook_marks(
        course, "tiny"
    )


@pytest.mark.parametrize(
    ("late", "more", "asked"), [(900.0, 600.0, [300.0]), (600.0, 600.0, []), (300.0, 600.0, [])]
)
def test_lateness_begins_where_the_groups_extension_ends(late, more, asked):
    seconds = []
    lateness = Lateness.__new__(Lateness)
    plugin = SimpleNamespace(late_submission_penalty=lambda student, score, late: seconds.append(late))
    lateness.__dict__ |= {"_warned": False, "_plugin": plugin}
    whose = {"assignment": SimpleNamespace(duedate=1), "student": SimpleNamespace(id="ann")}
    notebook = SimpleNamespace(late_submission_penalty=9.0, score=2.0)
    lateness.penalise(SimpleNamespace(total_seconds_late=late, **whose), notebook, more)
    assert seconds == asked and notebook.late_submission_penalty is None


@pytest.mark.parametrize("marks", [0.0, 0, 0.5, 1.0, 2, 2.0, None])
def test_a_mark_from_nothing_to_all_points_is_one(marks):
    assert result(marks).marks == marks


@pytest.mark.parametrize("marks", [-1.0, -1e-9, 2.0000001, 3, math.nan, math.inf, -math.inf])
def test_a_mark_beyond_its_bounds_is_an_error_of_the_judge(marks):
    with pytest.raises(JudgeError, match="no mark between 0 and 2"):
        result(marks)


def test_marks_add_up_and_what_has_none_adds_nothing():
    each = (
        result(2.0),
        result(1.0),
        result(None, status=Status.PERSON, written=True),
        result(None, status=Status.BROKEN),
    )
    assert SubmissionResult("ann", "tiny", Status.GRADED, each).marks == 3.0
    assert SubmissionResult("ann", "tiny", Status.MISSING).marks == 0


def test_points_count_written_answers_and_not_what_is_extra():
    each = (
        result(points=2),
        result(points=3),
        result(points=4, extra=True),
        result(None, 5, Status.PERSON, written=True),
    )
    assert SubmissionResult("ann", "tiny", Status.GRADED, each).points == 10


G, I, U, P, B = Status.GRADED, Status.INCIDENT, Status.UNATTEMPTED, Status.PERSON, Status.BROKEN  # noqa: E741


@pytest.mark.parametrize(
    ("states", "whole"),
    [
        ((), U),
        ((U, U), U),
        ((U, G), G),
        ((G, G), G),
        ((P,), G),
        ((U, P), G),
        ((G, I, U), I),
        ((I, U), I),
        ((I, B, G), B),
        ((B, U), B),
    ],
)
def test_the_state_of_a_submission_is_the_gravest_of_its_exercises(states, whole):
    assert overall(tuple(result(None, status=each) for each in states)) is whole


def test_points_are_those_without_extra_ones_and_marks_are_all_that_the_judge_gave():
    each = (
        result(1.0, 2),
        result(4.0, 4, extra=True),
        result(None, 8, written=True),
        result(None, 16, written=True, extra=True),
    )
    submission = SubmissionResult("ann", "tiny", Status.GRADED, each)
    assert (submission.points, submission.marks) == (10, 5.0)
