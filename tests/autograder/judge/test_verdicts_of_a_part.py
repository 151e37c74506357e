"""Only a part of a class is judged, as the watcher does: the others stay as they are, and what is new is said
once. And which cell of a submission is the answer to which exercise.
"""

from __future__ import annotations

import datetime
import json
from dataclasses import replace
from types import SimpleNamespace

import pytest
from recorded import ALL, graded, write_class, write_submitted
from tiny_course import EXERCISES, LIMITS, NAME, RIGHT, SKELETON, hand_in, submitted

from autograder.course.grade import judge_and_publish
from autograder.course.publisher import Plan, Publisher
from autograder.gradebook.gradebook import open_gradebook
from autograder.grading.config import GradingConfig
from autograder.grading.published import latest
from autograder.judge.tasks import Slow
from autograder.runner.notebook_parser import cells_of
from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.submissions.cells import SubmittedCell
from autograder.submissions.merge import defines, graft
from autograder.submissions.store import Submission, manifest, receive


@pytest.fixture
def course(tmp_path, empty):
    return write_class(tmp_path, empty)


@pytest.fixture
def folder(tmp_path):
    return write_submitted(tmp_path)


def carried_out(course, students, shared=(), whole=False, **more):
    """What comes of judging only these students' submissions, as the watcher does."""
    config = GradingConfig(workers=1, course=course, limits=LIMITS, tier="forked", **more)
    publisher = Publisher(config)
    plan = publisher.plan((NAME,))
    part = plan.part([each for each in plan.entries if each.student in students])
    return judge_and_publish(replace(part, shared=list(shared), whole=whole), publisher)


@pytest.mark.slow
def test_a_part_of_a_class_leaves_the_others_as_they_are_and_says_who_failed(workers, course, folder):
    workers.says = {"bo": 0.0}
    graded(course, folder)
    hand_in(folder, "ann", double="def double(x): return 'another'")
    receive(folder, course / "received", (NAME,), Limits())
    workers.says = {"ann": 1.0}
    made = carried_out(course, {"ann"})
    assert (made.marks, made.failed, made.differences) == ({}, set(), [])
    assert {name: each.marks for name, each in latest(course, NAME).items()} == {
        "ann": 1.0,
        "bo": 0.0,
        "cy": 0,
        "dee": 0,
    }
    hand_in(folder, "ann", double="def double(x): return 'a third'")
    receive(folder, course / "received", (NAME,), Limits())
    workers.says = {"ann": None}
    assert carried_out(course, {"ann", "bo"}, whole=True).failed == {("ann", NAME)}
    assert carried_out(course, set(ALL), whole=True).marks.keys() == {("ann", NAME), ("bo", NAME)}


def test_the_plan_of_a_part_has_the_groups_of_its_entries_and_is_not_whole():
    ann, bo = Submission("ann", NAME), Submission("bo", NAME)
    shared = [SimpleNamespace(entry=ann), SimpleNamespace(entry=bo)]
    part = Plan([ann, bo], shared, {NAME: 5.0}, {("ann", NAME): 1.0}).part([bo])
    assert part == Plan([bo], shared[1:], {NAME: 5.0}, {("ann", NAME): 1.0}, whole=False)


@pytest.mark.slow
def test_slow_submissions_are_left_for_another_time_if_they_may_not_be_judged_now(
    workers, course, folder, monkeypatch
):
    plain, published = workers.result, []
    monkeypatch.setattr(
        workers, "result", lambda task: Slow() if task.submission.student == "ann" else plain(task)
    )
    receive(folder, course / "received", (NAME,), Limits())
    publisher = Publisher(GradingConfig(workers=1, course=course, limits=LIMITS, tier="forked"))
    graded_now = judge_and_publish(publisher.plan((NAME,)), publisher, after=published.append, slow=False)
    assert workers.asked == ["endless", "ann", "bo"] and published == [graded_now]
    assert sorted(latest(course, NAME)) == ["bo", "cy", "dee"] and publisher.published


def test_the_time_that_was_kept_beside_a_submission_is_the_one_that_counts(workers, course, folder):
    receive(folder, course / "received", (NAME,), Limits())
    kept = course / "submitted" / "ann" / NAME / "timestamp.txt"
    kept.parent.mkdir(parents=True)
    kept.write_text("2020-02-02 02:02:02 UTC")
    carried_out(course, {"ann"})
    with open_gradebook(course) as book:
        assert book.find_submission(NAME, "ann").timestamp == datetime.datetime(2020, 2, 2, 2, 2, 2)


@pytest.mark.slow
def test_marks_of_people_are_shared_within_the_groups_of_their_notebook(workers, course, folder, monkeypatch):
    graded(course, folder)
    teams = []
    monkeypatch.setattr(
        "autograder.people.group_marks.share_marks", lambda *about: teams.append(about[-1]) or ["a conflict"]
    )
    ann = next(each for each in manifest(course / "received", NAME) if each.student == "ann")
    mine, other = SimpleNamespace(members=("ann",)), SimpleNamespace(members=("bo",))
    shared = [
        SimpleNamespace(group=mine, entry=ann, notes={"ann": "together"}, stamps={"ann": ann.stamp}),
        SimpleNamespace(group=other, entry=replace(ann, assignment="other"), notes={}, stamps={}),
    ]
    made = carried_out(course, {"ann"}, shared)
    assert "together" in made.results[0].notes and teams == [[mine]] and made.differences == ["a conflict"]


def logged(course, event):
    lines = [line.partition(f" {event}: ")[2] for line in (course / "kqa.log").read_text().splitlines()]
    return [line.partition(":")[0] for line in lines if line]


@pytest.mark.slow
def test_what_is_judged_is_logged_by_the_run_that_judged_it(workers, course, folder):
    graded(course, folder)
    graded(course, folder)
    assert logged(course, "judged") == [f"ann {NAME}", f"bo {NAME}"]
    graded(course, folder, again=True)
    assert logged(course, "judged")[2:] == [f"ann {NAME}", f"bo {NAME}"]


@pytest.mark.slow
def test_what_is_recorded_anew_is_logged_once(workers, course, folder):
    graded(course, folder)
    assert sorted(logged(course, "recorded")) == [f"ann {NAME}", f"bo {NAME}", f"cy {NAME}"], (
        "dee submitted nothing"
    )
    graded(course, folder)
    assert len(logged(course, "recorded")) == 3, "nothing is new"
    hand_in(folder, "bo", double="def double(x): return 'another'")
    graded(course, folder)
    assert logged(course, "recorded")[3:] == [f"bo {NAME}"]


def test_an_unheard_of_or_changed_cell_of_ours_gives_nobody_anothers_answer():
    cells = (
        SubmittedCell("code", "stray = 1", None, "double"),  # the id of a cell of ours, without our mark
        SubmittedCell("code", RIGHT["total"], "total", None),
    )
    grafted = graft(SKELETON, cells)
    assert grafted.source("total") == RIGHT["total"] and grafted.source("why") == SKELETON.stub("why")


def test_of_a_students_own_cells_the_empty_and_the_raw_ones_are_dropped_and_the_first_stays_first():
    mine = SubmittedCell("code", "x = 1", None, None)
    cells = (
        mine,
        SubmittedCell("code", " \n", None, None),
        SubmittedCell("raw", "raw", None, None),
        *submitted(),
    )
    grafted = graft(SKELETON, cells).cells
    assert [each.role for each in grafted] == ["extra", *(cell.role for cell in SKELETON.cells)]
    assert grafted[0].source == "x = 1" and grafted[0].grade_id is None


def test_text_about_an_exercise_is_no_answer_to_it():
    about = SubmittedCell("markdown", "double = 2 * x", None, None)
    assert graft(SKELETON, (about, *submitted())).untouched(EXERCISES["double"])


@pytest.mark.parametrize(
    ("text", "untouched"),
    [("", True), (" \n", True), ("your  answer\nHERE!", True), ("Your answer here: 4", False)],
)
def test_a_written_answer_is_untouched_where_nothing_is_written(text, untouched):
    assert graft(SKELETON, submitted(why=text)).untouched(EXERCISES["why"]) is untouched


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("def double(x): pass", True),
        ("async def double(x): pass", True),
        ("class double: pass", True),
        ("a = double = 3", True),
        ("double(3)", False),
        ("if True:\n    double = 3", False),
        ("twice.double = 3", False),
        ("def double(", False),
        ("# double", False),
    ],
)
def test_what_defines_an_exercise(source, found):
    assert defines(source, "double", {}) is found
    assert defines(source, "double", {source: (None, [])}) is False  # what the sandbox found counts


@pytest.mark.parametrize(
    ("level", "marks"), [(1, 1), (2, 2), (6, 6), (0, 1), (7, 1), ("3", 1), (None, 1), (True, 1)]
)
def test_a_heading_of_an_old_notebook_has_a_level_from_1_to_6(level, marks):
    cell = {"cell_type": "heading", "source": "x", "level": level}
    tree = {"nbformat": 3, "worksheets": [{"cells": [cell]}]}
    assert cells_of(json.dumps(tree).encode())[0][:4] == ("markdown", f"{'#' * marks} x", None, None)
