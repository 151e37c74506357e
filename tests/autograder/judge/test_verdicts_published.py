"""From the class's folder to what is published:
who is judged, whose result counts, and what the run must say about it.

The workers are stand-ins that answer as told; all that decides what becomes of its answers is real. The
mutants of `tests/mutants` are these turns taken the other way."""

from __future__ import annotations

import datetime
import shutil
from dataclasses import replace

import pytest
from recorded import ALL, graded, states, write_class, write_submitted
from tiny_course import LIMITS, NAME, hand_in
from workers_stand_in import ENDED

from autograder.course import grade as grading
from autograder.course.grade import grade
from autograder.course.publisher import Publisher
from autograder.gradebook.gradebook import gradebook_marks, open_gradebook
from autograder.grading import batch
from autograder.grading.config import GradingConfig
from autograder.grading.published import graded_notebooks, latest, latest_cells
from autograder.judge.canaries import CanaryDeviates
from autograder.judge.seeds import course_key
from autograder.sandbox.errors import InfrastructureError
from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.submissions.store import receive
from kqa_core.errors import UserError


@pytest.fixture
def course(tmp_path, empty):
    return write_class(tmp_path, empty)


@pytest.fixture
def folder(tmp_path):
    return write_submitted(tmp_path)


@pytest.mark.slow
def test_every_student_has_one_state_and_it_is_published(workers, course, folder):
    workers.says = {"bo": 0.0}
    began, done = [], []
    made = graded(course, folder, began=began.append, done=done.append)
    assert states(made.results) == ALL and made.differences == [] and began == [4]
    assert sorted(each.student for each in done) == sorted(ALL) and {each.student: each for each in done} == {
        each.student: each for each in made.results
    }
    reasons = {each.student: each.reason for each in made.results}
    assert (
        reasons["ann"] is None
        and "is a link" in reasons["cy"]
        and reasons["dee"] == "no notebook was submitted"
    )
    assert [line.partition(":")[0] for line in made.news] == [f"ann, {NAME}", f"bo, {NAME}", f"cy, {NAME}"]
    assert {name: marks[0] for name, marks in gradebook_marks(course, NAME).items()} == {
        "ann": 2.0,
        "bo": 0.0,
        "cy": 0.0,
    }
    assert latest(course, NAME) == {each.student: each for each in made.results} and graded_notebooks(
        course
    ) == [NAME]
    assert [[cell.source for cell in latest_cells(course, NAME)[name]] for name in ("ann", "dee")] == [
        ["x = 1"],
        [],
    ]
    assert made.gradebook == str((course / "gradebook.db").resolve()) and made.feedback == course / "feedback"


@pytest.mark.slow
def test_of_two_notebooks_each_keeps_its_own_results(workers, course, folder):
    other = course / "source" / "other" / "other.ipynb"
    other.parent.mkdir()
    other.write_text((course / "source" / NAME / f"{NAME}.ipynb").read_text())
    for student in ("ann", "eve"):
        mine = folder / student / "other" / "other.ipynb"
        mine.parent.mkdir(parents=True)
        mine.write_text(other.read_text())
    results = graded(course, folder).results
    for name in (NAME, "other"):
        assert latest(course, name) == {each.student: each for each in results if each.assignment == name}
        assert {each.assignment for each in latest(course, name).values()} == {name}


@pytest.mark.slow
def test_what_was_judged_is_not_judged_again_unless_it_is_asked_for(workers, course, folder):
    workers.says = {"bo": 0.0}
    first = graded(course, folder)
    assert workers.asked == ["endless", "ann", "bo"]
    workers.says, workers.asked[:] = {"bo": 1.0}, []
    assert graded(course, folder).results == first.results and workers.asked == []
    anew = graded(course, folder, again=True)
    assert workers.asked == ["endless", "ann", "bo"] and states(anew.results) == {
        **ALL,
        "bo": ("graded", 1.0),
    }
    assert gradebook_marks(course, NAME)["bo"][0] == 1.0


@pytest.mark.slow
@pytest.mark.parametrize("fails", [InfrastructureError("the disk is full"), None])
def test_our_own_fault_is_listed_kept_for_nobody_and_no_zero(workers, course, folder, fails):
    graded(course, folder)
    workers.says = {"ann": fails}
    made = graded(course, folder, again=True)
    assert states(made.results)["ann"][0] == "infrastructure error" and states(made.results)["bo"] == (
        "graded",
        2.0,
    )
    (line,) = made.differences
    assert line.startswith(f"ann, {NAME}: infrastructure error: ") and (
        "disk is full" in line or "double: ours" in line
    )
    assert latest(course, NAME) == {each.student: each for each in made.results}
    # what could not be judged at all stays as it was
    assert gradebook_marks(course, NAME)["ann"][0] == (2.0 if fails else 0.0)
    with open_gradebook(course) as book:
        (check,) = (
            each
            for each in book.find_submission_notebook(NAME, NAME, "ann").grades
            if each.name == "check_double"
        )
        assert (check.auto_score, check.needs_manual_grade) == ((2.0, False) if fails else (None, True))
    workers.says, workers.asked[:] = {}, []
    assert states(graded(course, folder).results)["ann"] == ("graded", 2.0) and workers.asked == [
        "endless",
        "ann",
    ]


@pytest.mark.slow
def test_where_the_endless_canary_does_not_end_nothing_is_published_and_nothing_kept(workers, course, folder):
    workers.endless = replace(ENDED, incident=None, outcome="right", marks=2.0)
    with pytest.raises(CanaryDeviates, match=r"endless answer: is right with 2\.0"):
        graded(course, folder)
    assert (
        gradebook_marks(course, NAME) == {}
        and not (course / "feedback").exists()
        and latest(course, NAME) == {}
    )
    workers.endless, workers.asked[:] = ENDED, []
    graded(course, folder)
    assert workers.asked == ["endless", "ann", "bo"]


@pytest.mark.slow
def test_a_regrade_that_is_not_published_leaves_the_published_results(workers, course, folder):
    before = graded(course, folder).results
    workers.endless = replace(ENDED, incident=None, outcome="right", marks=2.0)
    with pytest.raises(CanaryDeviates):
        graded(course, folder, again=True)
    assert latest(course, NAME) == {each.student: each for each in before}
    assert [cell.source for cell in latest_cells(course, NAME)["bo"]] == ["x = 1"]


def test_a_canary_that_deviates_late_takes_back_what_came_before_it(workers, course, folder, monkeypatch):
    def late(tasks, *how):
        canary, *rest = tasks
        for task in rest:
            yield task, workers.result(task)
        yield canary, replace(ENDED, incident="died")

    with monkeypatch.context() as patch:
        patch.setattr(batch, "run_tasks", late)
        with pytest.raises(CanaryDeviates, match="by incident died"):
            graded(course, folder)
    graded(course, folder)
    assert workers.asked == ["endless", "ann", "bo"]


def test_the_workers_are_told_the_known_answers_and_how_to_judge(workers, course, folder):
    graded(course, folder)
    (config,) = workers.configs
    key = course_key(course / ".course_key")
    assert replace(config, canaries=()) == GradingConfig(
        course=course, submissions=folder, key=key, limits=LIMITS, workers=1, tier="forked"
    )
    assert config.perform.endswith("tasks:perform") and [each.outcome for each in config.canaries] == [
        "right",
        "not yet",
    ]


def manual(course, student, mark):
    with open_gradebook(course) as book:
        grade = book.find_grade("check_double", NAME, NAME, student)
        grade.manual_score, grade.needs_manual_grade = mark, False
        book.db.commit()


def flags(course):
    with open_gradebook(course) as book:
        found = {}
        for each in book.assignment_submissions(NAME):
            (check,) = (one for one in each.notebooks[0].grades if one.name == "check_double")
            found[each.student.id] = (check.manual_score, check.needs_manual_grade)
        return found


@pytest.mark.slow
@pytest.mark.parametrize("forgets", [False, True])
def test_a_persons_mark_is_looked_at_again_only_where_the_answer_changed(workers, course, folder, forgets):
    graded(course, folder)
    for student in ("ann", "bo"):
        manual(course, student, 1.5)
    workers.answers["ann"] = "def double(x): return 'another'"
    for student in ("ann", "bo"):  # bo's file is another one, and the answer in it the same
        hand_in(folder, student, double=workers.answers.get(student, "x = 1 # again"))
    if forgets:
        shutil.rmtree(course / "judged" / "ledger.db", ignore_errors=True)
        for path in (course / "judged").glob("ledger.db*"):
            path.unlink()
    graded(course, folder)
    assert flags(course) == {"ann": (1.5, True), "bo": (1.5, False), "cy": (None, False)}


@pytest.mark.slow
def test_a_class_that_was_taken_in_before_is_graded_without_its_folder(workers, course, folder):
    receive(folder, course / "received", [NAME], LIMITS, 5.0)
    made = graded(course)
    assert (
        made.news == [] and states(made.results)["ann"] == ("graded", 2.0) and made.results[0].received == 5.0
    )
    shutil.copytree(folder / "bo", course / "submitted" / "eve")
    made = graded(course, received_at=7.0)
    with pytest.raises(UserError, match="elsewhere: no such folder"):
        graded(course, folder / "elsewhere")
    assert states(made.results)["eve"] == ("graded", 2.0) and len(made.news) == 1
    assert {each.student: each.received for each in made.results}["eve"] == 7.0


def test_where_nothing_was_ever_handed_in_the_advice_is_one_line(workers, course, tmp_path):
    with pytest.raises(UserError, match="no such folder"):
        graded(course)
    (tmp_path / "nobody").mkdir()
    with pytest.raises(UserError, match="holds no submission"):
        graded(course, tmp_path / "nobody")
    assert workers.asked == []


@pytest.mark.slow
def test_what_is_late_is_judged_and_its_lateness_told(workers, course, folder):
    graded(course, folder, received_at=100.0)
    with open_gradebook(course) as book:
        book.find_assignment(NAME).duedate = datetime.datetime(1970, 1, 1, 0, 1)
        book.db.commit()
    workers.asked[:] = []
    made = graded(course, folder)
    assert {each.student: each.late for each in made.results} == {
        "ann": 40.0,
        "bo": 40.0,
        "cy": 0.0,
        "dee": 0.0,
    }
    assert workers.asked == []


def test_of_notebooks_that_nobody_handed_in_only_the_one_asked_for_is_planned(course, tmp_path):
    folder, store = tmp_path / "handed in", course / "received"
    hand_in(folder, "ann")
    (folder / "bo" / "other").mkdir(parents=True)
    (folder / "bo" / "other" / "other.ipynb").symlink_to(folder / "ann")
    receive(folder, store, [NAME, "other", "third"], LIMITS)
    publisher = Publisher(GradingConfig(course=course))

    def places(*notebooks, **more):
        return [(each.assignment, each.student) for each in publisher.plan(notebooks, **more).entries]

    submitted = [("other", "ann"), ("other", "bo"), (NAME, "ann"), (NAME, "bo")]
    assert places("third", NAME, "other", only_submitted=True) == submitted
    assert places("third") == [("third", "ann"), ("third", "bo")]
    assert places("third", only_submitted=True) == []


@pytest.mark.parametrize(
    ("assignment", "said"),
    [(None, "no submission of any notebook of the course .tiny."), ("tiny", "knows no student")],
)
def test_where_there_is_nothing_to_grade_one_line_says_so(course, tmp_path, assignment, said):
    (tmp_path / "nobody").mkdir()
    config = GradingConfig(
        assignment=assignment, submissions=tmp_path / "nobody", course=course, tier="forked"
    )
    with pytest.raises(UserError, match=said):
        grade(config)


@pytest.mark.slow
def test_a_notebook_asked_for_by_name_is_listed_for_everybody_with_our_usual_limits(
    workers, course, folder, monkeypatch
):
    monkeypatch.setattr(grading, "best_tier", lambda: "best")
    made = grade(GradingConfig(assignment="tiny", submissions=folder, course=course))
    assert states(made.results)["ann"] == ("graded", 2.0) and (
        workers.configs[0].limits,
        workers.configs[0].tier,
    ) == (Limits(), "best")
    for student in ("ann", "bo", "cy"):
        shutil.rmtree(folder / student)
    shutil.rmtree(course / "received")
    assert states(grade(GradingConfig(assignment="tiny", submissions=folder, course=course)).results) == {
        "dee": ("missing", 0)
    }
