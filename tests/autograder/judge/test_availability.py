"""What one submission can bring about stays with it:
the others are judged and published, and it ends with a status.
"""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import replace

import pytest
from tiny_course import EXERCISES, KEY, KEYS, LIMITS, NAME, RIGHT, hand_in, notebook, stub, write_course

from autograder.course.grade import grade
from autograder.gradebook.gradebook import gradebook_marks
from autograder.gradebook.recorder import Recorder
from autograder.grading.config import GradingConfig
from autograder.grading.published import latest
from autograder.judge import verdict
from autograder.judge.canaries import CanaryDeviates
from autograder.judge.results import Status
from autograder.judge.stages import OTHERS
from autograder.judge.tasks import Slow, SubmissionTask, perform
from autograder.judge.verdict import STOPPED, JudgeContext
from autograder.submissions import skeleton
from autograder.submissions.store import Submission


@pytest.fixture
def course(tmp_path, empty):
    made = write_course(tmp_path / "course")
    shutil.copy(empty, made)
    return made


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "submitted"
    for student in ("ann", "bo", "cy"):
        hand_in(made, student, double=f"def double(x): return {student!r}")
    return made


def graded(course, folder):
    return grade(GradingConfig(submissions=folder, workers=1, course=course, limits=LIMITS, tier="forked"))


@pytest.mark.slow
def test_what_cannot_be_recorded_is_listed_and_the_others_are_published(workers, course, folder, monkeypatch):
    plain = Recorder.record

    def fails(self, judged, **facts):
        if judged.result.student == "bo":
            raise UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates not allowed")
        plain(self, judged, **facts)

    with monkeypatch.context() as patch:
        patch.setattr(Recorder, "record", fails)
        made = graded(course, folder)
    (line,) = made.differences
    assert (
        line.startswith(f"bo, {NAME}: was judged, but could not be recorded (UnicodeEncodeError")
        and "\ud800" not in line
    )
    assert set(gradebook_marks(course, NAME)) == {"ann", "cy"}
    assert graded(course, folder).differences == [] and set(gradebook_marks(course, NAME)) == {
        "ann",
        "bo",
        "cy",
    }


@pytest.mark.slow
def test_a_slow_submission_is_judged_after_all_others_and_once_more_only(
    workers, course, folder, monkeypatch
):
    plain = workers.result
    monkeypatch.setattr(
        workers,
        "result",
        lambda task: Slow() if task.submission.student == "ann" and not task.patient else plain(task),
    )
    there = []
    monkeypatch.setattr(
        workers,
        "began",
        lambda task: there.append({path.parents[1].name for path in course.glob("feedback/*/*/*.html")}),
    )
    made = graded(course, folder)
    assert workers.asked == ["endless", "ann", "bo", "cy", "ann"]
    assert there == [set(), set(), set(), {"bo", "cy"}], (
        "the others have their pages before it is judged again"
    )
    assert {each.student: each.marks for each in made.results} == {"ann": 2.0, "bo": 2.0, "cy": 2.0}


@pytest.mark.slow
def test_while_a_new_version_is_slow_the_result_of_the_old_one_stays_published(
    workers, course, folder, monkeypatch
):
    graded(course, folder)
    hand_in(folder, "ann", double="def double(x): return x + x")
    plain, published = workers.result, []

    def result(task):
        published.append(sorted(latest(course, NAME)))
        return plain(task) if task.patient else Slow()

    monkeypatch.setattr(workers, "result", result)
    graded(course, folder)
    assert published == [["ann", "bo", "cy"]] * 2


@pytest.mark.slow
def test_what_was_published_before_slow_ones_stays_if_a_known_answer_deviates_then(
    workers, course, folder, monkeypatch
):
    """Nothing of a round is published before its known answers held, and what is published says so."""
    plain = workers.result

    def slow(task):
        if task.patient:
            raise CanaryDeviates("the right answer: is not yet")
        return Slow() if task.submission.student == "ann" else plain(task)

    monkeypatch.setattr(workers, "result", slow)
    with pytest.raises(CanaryDeviates) as deviation:
        graded(course, folder)
    assert deviation.value.published and set(latest(course, NAME)) == set(gradebook_marks(course, NAME)) == {
        "bo",
        "cy",
    }
    monkeypatch.setattr(workers, "result", plain)
    workers.asked.clear()
    assert graded(course, folder).differences == [] and workers.asked == ["endless", "ann"]


def test_nothing_is_published_before_slow_ones_if_a_known_answer_deviates(
    workers, course, folder, monkeypatch
):
    monkeypatch.setattr(workers, "result", lambda task: Slow())
    workers.endless = "no result at all"
    with pytest.raises(CanaryDeviates) as deviation:
        graded(course, folder)
    assert not deviation.value.published and latest(course, NAME) == {} and not (course / "feedback").exists()


ENTRY = Submission("ann", NAME, "version.ipynb", None, 5.0, 1, 0.0, None, ())


@pytest.fixture
def judged(tmp_path, launcher, monkeypatch):
    """Judge a submission of these answers."""
    monkeypatch.setattr(verdict, "find_checked", KEYS.__getitem__)
    monkeypatch.setattr(skeleton, "find", EXERCISES.__getitem__)

    made = write_course(tmp_path / "course")

    def run(answers, patient=False, **limits):
        (tmp_path / "version.ipynb").write_text(notebook(**answers))
        digest = hashlib.sha256((tmp_path / "version.ipynb").read_bytes()).hexdigest()
        task = SubmissionTask(
            replace(ENTRY, sha256=digest), tmp_path, made / "source" / NAME / f"{NAME}.ipynb", patient=patient
        )
        return perform(task, JudgeContext(KEY, launcher, replace(LIMITS, **limits)))

    return run


@pytest.mark.slow
def test_a_submission_that_takes_long_is_put_off_and_then_has_all_its_time(judged):
    slow = {**RIGHT, "double": f"import time\ntime.sleep(1)\n{RIGHT['double']}"}
    assert isinstance(judged(slow, first_seconds=0.5), Slow)
    assert judged(slow, patient=True, first_seconds=0.5).result.marks == 4.0


@pytest.mark.slow
def test_what_its_time_does_not_reach_says_so(judged):
    made = judged(
        {**RIGHT, "double": "import time\ntime.sleep(60)"},
        patient=True,
        cell_seconds=20.0,
        submission_seconds=5.0,
    ).result
    assert made.status is Status.INCIDENT and made.marks == 0
    assert {each.incident for each in made.exercises if not each.written} == {"budget"}


@pytest.mark.parametrize("which", ["visible", "hidden"])
def test_a_check_that_stops_at_an_answer_is_an_incident_of_that_exercise_and_a_note(
    judged, monkeypatch, which
):
    """That a hidden check stopped could tell an input: only the instructor reads it."""

    def stops(answer, rng):
        raise ValueError("\x1b[31m exceeds the limit")

    if which == "hidden":
        monkeypatch.setitem(KEYS, "double", replace(KEYS["double"], hidden=stops))
    else:
        monkeypatch.setitem(vars(EXERCISES["double"]), "check", stops)
    # the line that it replaces still stands above it, which is odd in a written answer alone
    made = judged({**RIGHT, "double": f"{stub('double')}\n\n\n{RIGHT['double']}"}).result
    first = made.exercises[0]
    assert made.status is Status.INCIDENT and made.marks == 2.0
    assert (first.status, first.marks, first.sentence, first.incident) == (
        Status.INCIDENT,
        0.0,
        STOPPED if which == "visible" else OTHERS,
        "check",
    )
    assert first.outcome == ("error" if which == "visible" else "not yet")
    (note,) = made.notes
    assert note.startswith("double: the check is broken: ") and "ValueError" in note and "\x1b" not in note
