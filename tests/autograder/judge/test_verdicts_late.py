"""How late a submission is where its student or their group has an extension, and what the gradebook keeps for autograding."""

from __future__ import annotations

import shutil

import pytest
from recorded import judged
from tiny_course import KEYS, SKELETON

from autograder.gradebook import feedback as shown
from autograder.gradebook import recorder
from autograder.gradebook.due_dates import extend
from autograder.gradebook.gradebook import open_gradebook
from autograder.gradebook.recorder import Recorder


@pytest.fixture
def course(tmp_path, empty, monkeypatch):
    shutil.copy(empty, tmp_path)
    monkeypatch.setattr(shown, "find_key", KEYS.get)
    return tmp_path


@pytest.mark.parametrize(
    ("own", "group", "more"),
    [(None, None, 0.0), (600.0, None, 0.0), (None, 900.0, 900.0), (600.0, 900.0, 300.0), (900.0, 600.0, 0.0)],
)
def test_a_group_adds_what_its_extension_has_beyond_the_students_own(course, monkeypatch, own, group, more):
    asked = []
    monkeypatch.setattr(recorder.Lateness, "penalise", lambda self, submission, notebook, seconds: asked.append(seconds))
    if own is not None:
        extend(course, "ann", "tiny", own)
    with Recorder(course) as book:
        book.prepare(SKELETON)
        book.of_groups = {} if group is None else {("ann", "tiny"): group}
        book.record(judged(), True)
    assert asked == [more]


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
    assert all(kept[cell.grade_id] == cell.source for cell in SKELETON.cells if cell.grade_id not in (None, "check_double"))
