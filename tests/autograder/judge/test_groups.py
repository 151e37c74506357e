"""Groups that submit together: one submission is judged once and counts for every member.

The workers are stand-ins that answer as told; what decides which submission counts, and for whom, is real.
"""

from __future__ import annotations

import shutil

import pytest
from recorded import RUBRIC
from tiny_course import LIMITS, NAME, hand_in, write_course
from workers_stand_in import WorkersStandIn

from autograder.course.grade import grade
from autograder.course.tables import class_table
from autograder.export.export import export
from autograder.export.marks import Target
from autograder.gradebook import feedback
from autograder.gradebook.due_dates import extend, set_due
from autograder.gradebook.gradebook import gradebook_marks, open_gradebook
from autograder.grading.config import GradingConfig
from autograder.grading.published import latest
from autograder.people.groups import import_groups, read_groups
from autograder.report.answers import class_answers
from kqa_core.errors import UserError

DUE, DAY = 1.7e9, 86400.0
PAIRS = "group,student\nred,ann\nred,bo\n"


@pytest.fixture
def workers(monkeypatch):
    made = WorkersStandIn.instead_of_workers(monkeypatch)
    monkeypatch.setattr(feedback, "find_key", {"why": RUBRIC}.get)
    return made


@pytest.fixture
def course(tmp_path, empty):
    made = write_course(tmp_path / "course")
    shutil.copy(empty, made)
    return made


@pytest.fixture
def hand(course, tmp_path):
    """A student submits at a time, and the class is graded."""

    def hand(student, text, at):
        folder = tmp_path / "submitted"
        shutil.rmtree(folder, ignore_errors=True)
        hand_in(folder, student, double=text)
        return grade(
            GradingConfig(
                submissions=folder, workers=1, course=course, limits=LIMITS, tier="forked", received_at=at
            )
        )

    return hand


def imported(course, tmp_path, text=PAIRS, known=(), notebooks=()):
    path = tmp_path / "pairs.csv"
    path.write_text(text)
    return import_groups(path, course, known, notebooks)


def marks(course):
    return {student: mark[0] for student, mark in gradebook_marks(course, NAME).items()}


@pytest.mark.slow
def test_one_submission_counts_for_all_members_and_is_judged_once(workers, course, hand, tmp_path):
    imported(course, tmp_path)
    made = hand("ann", "x = 1", DUE)
    assert (
        made.differences == []
        and workers.asked == ["endless", "ann"]
        and marks(course) == {"ann": 2.0, "bo": 2.0}
    )
    assert {student: (each.student, each.version) for student, each in latest(course, NAME).items()} == {
        "ann": ("ann", 1),
        "bo": ("bo", 1),
    }
    said = "Group red (ann, bo): version 1 of ann counts for all."
    for student in ("ann", "bo"):
        assert said in (course / "feedback" / student / NAME / f"{NAME}.html").read_text()
        assert latest(course, NAME)[student].notes[-1] == said
    assert [line.rpartition(",")[2] for line in export(to=Target.CSV, course=course).text.splitlines()] == [
        "group",
        "red",
        "red",
    ]
    # the list of similar answers does not compare a group with itself
    assert list(class_answers(course, NAME)) == ["ann"]


@pytest.mark.slow
def test_another_member_submits_again_and_the_last_in_time_counts(workers, course, hand, tmp_path):
    imported(course, tmp_path)
    set_due(course, NAME, DUE)
    hand("ann", "x = 1", DUE - 9)
    workers.says = {"bo": 1.0}
    hand("bo", "x = 2", DUE - 5)
    assert marks(course) == {"ann": 1.0, "bo": 1.0}
    assert (
        latest(course, NAME)["ann"]
        .notes[-1]
        .endswith("Version 1 of ann was received earlier, so it does not count.")
    )
    workers.says = {"ann": 0.0}
    hand("ann", "x = 3", DUE + DAY)
    assert marks(course) == {"ann": 1.0, "bo": 1.0} and latest(course, NAME)["ann"].late == 0.0
    extend(course, "bo", NAME, 2 * DAY)
    workers.says = {"ann": 0.5}
    (course / "nbgrader_config.py").write_text(
        'c = get_config()\nc.LateSubmissionPlugin.penalty_method = "zero"\n'
    )
    hand("ann", "x = 4", DUE + DAY)
    assert marks(course) == {"ann": 0.5, "bo": 0.5} and latest(course, NAME)["bo"].late == 0.0


@pytest.mark.slow
def test_what_was_changed_after_grading_is_said_by_the_export_until_it_is_graded_again(
    workers, course, hand, tmp_path
):
    (course / "nbgrader_config.py").write_text(
        'c = get_config()\nc.LateSubmissionPlugin.penalty_method = "zero"\n'
    )

    def outdated():
        return [line.partition(",")[0] for line in export(to=Target.CSV, course=course).outdated]

    set_due(course, NAME, DUE - DAY)
    made = hand("ann", "x = 1", DUE)
    assert marks(course) == {"ann": 0.0} and outdated() == []
    table = class_table(made.results, made.marks)
    assert list(table.columns[5].cells) == ["late by 1 day, 2 points off"]
    set_due(course, NAME, DUE)
    assert outdated() == [f"{NAME}: for 1 of 1 students"] and marks(course) == {"ann": 0.0}
    made = hand("ann", "x = 1", DUE)
    assert marks(course) == {"ann": 2.0} and outdated() == []
    assert list(class_table(made.results, made.marks).columns[5].cells) == [""]
    imported(course, tmp_path)
    assert outdated() == [f"{NAME}: for 1 of 2 students"]
    hand("ann", "x = 1", DUE)
    assert marks(course) == {"ann": 2.0, "bo": 2.0} and outdated() == []
    with open_gradebook(course) as book:  # as a build with other points does
        book.find_grade_cell("check_double", NAME, NAME).max_score += 1
        book.db.commit()
    assert outdated() == [f"{NAME}: for 2 of 2 students"]


@pytest.mark.slow
def test_without_the_group_everybody_has_their_own_again(workers, course, hand, tmp_path):
    workers.says = {"bo": 1.0}
    imported(course, tmp_path)
    hand("bo", "x = 2", DUE - 5)
    hand("ann", "x = 1", DUE)
    assert marks(course) == {"ann": 2.0, "bo": 2.0}
    import_groups(None, course, ())
    hand("ann", "x = 1", DUE)
    assert marks(course) == {"ann": 2.0, "bo": 1.0} and read_groups(course) == {}


@pytest.mark.slow
def test_a_persons_mark_on_one_copy_becomes_everybodys_and_a_conflict_is_said(
    workers, course, hand, tmp_path
):
    imported(course, tmp_path)
    hand("ann", "x = 1", DUE)

    def give(student, mark, comment="well said"):
        with open_gradebook(course) as book:
            grade_row = book.find_grade("why", NAME, NAME, student)
            grade_row.manual_score, grade_row.needs_manual_grade = mark, False
            book.find_comment("why", NAME, NAME, student).manual_comment = comment
            book.db.commit()

    give("bo", 1.0)
    assert hand("ann", "x = 1", DUE).differences == [] and marks(course) == {"ann": 3.0, "bo": 3.0}
    with open_gradebook(course) as book:
        assert book.find_comment("why", NAME, NAME, "ann").manual_comment == "well said"
    give("ann", 0.5)
    assert hand("ann", "x = 1", DUE).differences == [] and marks(course) == {"ann": 2.5, "bo": 2.5}
    give("ann", 1.0)
    give("bo", 0.25)
    (line,) = hand("ann", "x = 1", DUE).differences
    assert (
        line == f"group red, {NAME}, why: ann has 1.0, bo has 0.25; give all members the same in formgrader"
    )
    assert marks(course) == {"ann": 3.0, "bo": 2.25}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("blue,ann", r"line 4: student 'ann' is in group 'red' \(line 2\) and in 'blue'; expected one group"),
        ("blue,dee", "line 4: student 'dee' is unknown in this course"),
        ("blue,", "line 4: has no student; expected a group and a student"),
        ("<b>,cy", "line 4: group '<b>' is no name"),
    ],
)
def test_a_line_that_cannot_be_used_is_named_and_nothing_changes(course, tmp_path, line, said):
    imported(course, tmp_path, notebooks=[NAME])
    before = read_groups(course)
    with pytest.raises(UserError, match=rf"pairs\.csv: {said}.*nothing was imported"):
        imported(course, tmp_path, f"{PAIRS}{line}\n", known=["ann", "bo", "cy"], notebooks=[NAME])
    assert read_groups(course) == before and list(before) == [NAME]
