"""The queue of submissions: which of them wait, in which order, and until when.
There is no clock and no judge here.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from autograder.course.publisher import Plan
from autograder.course.watch_queue import AGAIN, LIMIT, Day, waiting
from autograder.course.watch_screen import sentence
from autograder.grading.answers import Answer
from autograder.people.groups import Group, share
from autograder.submissions.store import Submission

DAY = Day(now=1000.0, begins=500.0, ends=2000.0)


def submission(student, received=900.0, version=1, **more):
    return Submission(
        student, "01", f"{student}.ipynb", f"digest of {student} {version}", received, version, **more
    )


def plan_of(*entries, due=None, extensions=None, groups=()):
    dealt = {"01": {who: group for group in groups for who in group.members}}
    return Plan(*share(list(entries), dealt), {"01": due}, extensions or {})


def queue(plan, answered=(), today=None, daily=None, day=DAY, later=None):
    last = {(each.student, each.assignment): each for each in answered}
    return waiting(plan, last, Counter(today or {}), day, daily, later)


def answers(plan):
    """The rows that are entered when everything in this plan is answered."""
    return [
        Answer(who, "01", each.entry.version, each.marks[who], each.work, each.entry.received, 950.0)
        for each in queue(plan)
        for who in each.members
    ]


def names(found):
    return [each.entry.student for each in found]


def test_fewest_answers_today_come_first_then_the_earliest():
    plan = plan_of(submission("ada", 700.0), submission("bo", 600.0), submission("cleo", 800.0))
    assert names(queue(plan)) == ["bo", "ada", "cleo"]
    assert names(queue(plan, today={"bo": 1})) == ["ada", "cleo", "bo"]


def test_what_was_answered_does_not_wait_and_a_new_version_does():
    old = plan_of(submission("ada"), Submission("bo", "01"))
    done = answers(old)
    assert [each.student for each in done] == ["ada"], "nobody waits who submitted nothing"
    assert queue(old, done) == []
    (again,) = queue(plan_of(submission("ada", 950.0, version=2)), done)
    assert again.entry.version == 2 and again.counts


def test_the_same_file_submitted_again_is_answered_again_and_costs_nothing():
    first = submission("ada", secret="old", same_since=1)
    done = answers(plan_of(first))
    again = replace(first, version=2, secret="new")  # the same bytes, with a secret of their own
    (found,) = queue(plan_of(again), done, {"ada": 3}, daily=3)
    assert found.until is None and not found.counts
    assert found.stamps == {"ada": ("new", None)}


def test_a_later_version_that_does_not_count_changes_no_answer():
    first = submission("ada", secret="first")
    done = answers(plan_of(first))
    note = "version 1 counts; version 2 came after the due date"
    assert queue(plan_of(replace(first, notes=(note,), about=(note,))), done) == []


def test_over_the_limit_it_waits_until_midnight_behind_all_others():
    plan = plan_of(submission("ada", 600.0), submission("bo", 900.0))
    first, second = queue(plan, today={"ada": 2, "bo": 1}, daily=2)
    assert (first.entry.student, first.until) == ("bo", None)
    assert (second.entry.student, second.until, second.why) == ("ada", DAY.ends, LIMIT)
    (tomorrow,) = queue(plan_of(submission("ada", 600.0)), daily=2, day=Day(2001.0, 2000.0, 3000.0))
    assert tomorrow.until is None


@pytest.mark.parametrize(
    ("due", "extension", "until"),
    [
        (None, 0.0, DAY.ends),
        (1500.0, 0.0, 1500.0),  # due today: then it is answered
        (2500.0, 0.0, DAY.ends),
        (950.0, 0.0, None),  # was due, and this version counts for good
        (950.0, 100.0, 1050.0),  # the student's own due date is still to come
    ],
)
def test_what_counts_at_the_due_date_is_answered_then(tmp_path, due, extension, until):
    plan = plan_of(submission("ada", 900.0), due=due, extensions={("ada", "01"): extension})
    (found,) = queue(plan, today={"ada": 5}, daily=5)
    assert found.until == until


def test_late_work_is_limited_like_any_other():
    done = answers(plan_of(submission("ada", 900.0), due=950.0))
    late = submission("ada", 990.0, 2, late=40.0)
    (found,) = queue(plan_of(late, due=950.0), done, {"ada": 5}, daily=5)
    assert found.until == DAY.ends


def test_a_moved_due_date_is_answered_without_judging_again():
    done = answers(plan_of(submission("ada", late=40.0), due=860.0))
    (found,) = queue(plan_of(submission("ada"), due=999.0), done, {"ada": 5}, daily=5)
    assert found.until is None and not found.counts


def test_a_group_is_answered_together_and_has_the_limit_of_its_busiest_member():
    group = Group("pair", ("ada", "bo"))
    plan = plan_of(submission("ada"), submission("cleo"), Submission("bo", "01"), groups=(group,))
    pair, cleo = sorted(queue(plan, today={"bo": 2}, daily=2), key=lambda each: each.place)
    assert pair.members == ("ada", "bo") and pair.until == DAY.ends and cleo.until is None
    done = answers(plan)
    assert {each.student for each in done} == {"ada", "bo", "cleo"}
    assert queue(plan, done) == []
    assert names(queue(plan, [each for each in done if each.student != "bo"])) == ["ada"], (
        "one was not answered"
    )


def test_what_could_not_be_judged_is_tried_again_later_unless_a_new_version_comes():
    plan = plan_of(submission("ada"))
    (found,) = queue(plan)
    later = {("ada", "01"): (found.work, 1300.0)}
    (held,) = queue(plan, later=later)
    assert (held.until, held.why) == (1300.0, AGAIN)
    (new,) = queue(plan_of(submission("ada", version=2)), later=later)
    assert new.until is None


def test_a_day_is_that_of_the_courses_zone():
    # 26 November 2025, 00:30 in Rome, still the 25th in UTC
    day = Day.of(1_764_113_400.0, ZoneInfo("Europe/Rome"))
    assert (day.begins, day.ends) == (1_764_111_600.0, 1_764_198_000.0)
    assert Day.of(1_764_113_400.0, ZoneInfo("UTC")).begins == 1_764_028_800.0


def test_those_who_wait_are_told_their_place_or_the_time():
    plan = plan_of(submission("ada"))
    (ready,) = queue(plan)
    assert "number 7 in the queue" in sentence(ready, 7, False, None)
    assert "is being graded now" in sentence(ready, 7, True, None)
    (held,) = queue(plan, today={"ada": 3}, daily=3)
    assert "you have had 3 graded submissions today, and the limit is 3" in sentence(held, 1, False, 3)
