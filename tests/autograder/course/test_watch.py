"""A watcher and its students: submissions come through nbgrader's exchange or in a folder,
and answers go back.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
import watched_course
from exchange_course import NAME
from watched_course import RIGHT, WRONG, Watched, until

from autograder.course import watch as watching
from autograder.gradebook.due_dates import set_due
from autograder.submissions.store import manifest
from kqa_core.files import write_whole

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("watch")]


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course with two graded submissions a day.
    Ada and Bo have submitted, and so have people with bad intentions.
    """
    made = Watched(tmp_path_factory.mktemp("watch"))
    made.secrets = {"ada": made.submit("ada", WRONG), "bo": made.submit("bo", RIGHT)}
    made.secrets["eve"] = made.submit("eve", "import os; os._exit(0)")
    linked = made.inbound / f"mallory+{NAME}+2026-01-01 00:00:00.000000 UTC+x"
    linked.mkdir()
    (linked / f"{NAME}.ipynb").symlink_to(made.course / "source" / NAME / f"{NAME}.ipynb")
    made.secrets["mode"] = made.submit("mode", RIGHT)
    (made.inbound / next(each.name for each in made.inbound.iterdir() if each.name.startswith("mode"))).chmod(
        0o500
    )
    for name in (f"zed+{NAME}+no time+x", f"..+{NAME}+2026-01-01 00:00:00.000000 UTC+x"):
        (made.inbound / name).mkdir()
    made.watcher = made.start(daily=2)
    yield made
    if made.watcher.is_alive():
        made.stop(made.watcher)


def test_each_student_gets_the_answer_to_their_own_submission(course):
    until(lambda: {who for who, _ in course.answered()} >= {"ada", "bo", "eve", "mode"})
    assert "You put x at the end" in course.page(course.secrets["ada"])
    for student in ("bo", "mode"):
        assert "the number is in its place" in course.page(course.secrets[student])


def test_hostile_submissions_are_answered_or_named_and_stop_nobody(course):
    assert "insert_sorted" in course.page(course.secrets["eve"]) and course.scores()["eve"] == 0.0
    incidents = " ".join(course.lines("WARNING"))
    assert "eve, 01_sorting: insert_sorted: died" in incidents
    until(lambda: "mallory" in dict(course.answered()))
    log = (course.course / "kqa.log").read_text()
    assert f"mallory {NAME}: refused" in log
    said = course.said.read_text()
    assert f"received mallory, {NAME}: refused: {NAME}.ipynb is a link" in said
    assert "is a link" not in log, "a reason may quote a student"
    assert f"set aside: student~5ec1f7e7, {NAME}: the student" in said, "a name that leads out of the folder"
    assert (
        not (course.course / "submitted" / "mallory").exists()
        and not (course.course / "judged" / NAME).exists()
    )


def test_over_the_limit_a_submission_waits_and_its_student_is_told(course):
    second = course.submit("ada", RIGHT)
    until(lambda: ("ada", 2) in course.answered())
    assert "the number is in its place" in course.page(second)
    third = course.submit("ada", WRONG)
    until(lambda: course.page(third))
    told = course.page(third)
    assert "the limit is 2" in told and "is graded after" in told and "Fetch the feedback again later" in told
    page = course.course / "report" / "watch.html"
    until(lambda: "limit of the day" in page.read_text())  # it is written after what students get
    assert 'http-equiv="refresh"' in page.read_text()
    assert course.scores()["ada"] == 2.0, "the last graded version counts until then"


def test_what_waits_is_answered_when_it_is_due(course):
    (third,) = (each for each in manifest(course.course / "received", NAME) if each.student == "ada")
    set_due(course.course, NAME, third.received + 1)
    until(lambda: ("ada", 3) in course.answered())
    assert course.scores()["ada"] == 0.0
    set_due(course.course, NAME, None)


def test_ctrl_c_ends_it_and_the_page_says_so(course):
    course.stop(course.watcher)
    assert "Watcher: stopped" in (course.course / "report" / "watch.html").read_text()
    assert course.lines("stopped") == ["stopped; start it again to go on"]


def test_a_student_who_submits_twice_gets_each_page_in_its_place(course):
    """The second version comes while the first is being judged."""
    first = course.submit("bo", WRONG)
    later = []

    def change():
        real = watching.judge_and_publish

        def judge_and_publish(*arguments, **options):
            if not later:
                later.append(course.submit("bo", RIGHT))
                write_whole(course.root / "later", later[0])
                until(lambda: len(list((course.course / "received" / "bo" / NAME).iterdir())) == 3)
            return real(*arguments, **options)

        watching.judge_and_publish = judge_and_publish

    watcher = course.start(change)
    until(lambda: ("bo", 3) in course.answered())
    course.stop(watcher)
    assert "You put x at the end" in course.page(first)
    assert "the number is in its place" in course.page((course.root / "later").read_text())


def test_a_slow_submission_is_answered_after_one_that_came_later(course):
    slow, quick = course.submit("amy", "import time; time.sleep(600)"), course.submit("ben", RIGHT)
    limits = replace(watched_course.LIMITS, call_seconds=5.0, exercise_seconds=5.0, first_seconds=4.0)
    watcher = course.start(lambda: setattr(watched_course, "LIMITS", limits))
    until(lambda: ("amy", 1) in course.answered())
    course.stop(watcher)
    assert course.answered()[-2:] == [("ben", 1), ("amy", 1)]
    assert "the number is in its place" in course.page(quick) and "did not finish" in course.page(slow)


def test_a_folder_is_watched_and_the_status_lies_beside_the_feedback(course, tmp_path):
    folder = tmp_path / "class"
    course.write(folder / "ada" / NAME, WRONG)
    course.forget()
    watcher = course.start(folder=folder, daily=1)
    feedback = course.course / "feedback" / "ada" / NAME
    until(lambda: course.answered() == [("ada", 1)])
    assert "You put x at the end" in (feedback / f"{NAME}.html").read_text()
    course.write(folder / "ada" / NAME, RIGHT)
    until((feedback / "status.txt").is_file)
    assert "the limit is 1" in (feedback / "status.txt").read_text()
    course.stop(watcher)
    assert course.once(folder=folder) == 0 and course.answered() == [("ada", 1), ("ada", 2)]
    assert (
        "the number is in its place" in (feedback / f"{NAME}.html").read_text()
        and not (feedback / "status.txt").exists()
    )
