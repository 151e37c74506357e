"""A batch: what is judged, in which order, and what several runs at once leave to each other."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from recorded import states, write_class, write_submitted
from tiny_course import KEY, LIMITS, NAME

from autograder.grading import batch
from autograder.grading.batch import Batch
from autograder.grading.config import Events, JudgeConfig
from autograder.grading.ledger import Ledger
from autograder.judge import canaries
from autograder.judge.results import Status
from autograder.judge.tasks import Slow
from autograder.sandbox.errors import InfrastructureError
from autograder.submissions.store import Submission, manifest, receive


@pytest.fixture
def course(tmp_path, empty):
    return write_class(tmp_path, empty)


@pytest.fixture
def folder(tmp_path):
    return write_submitted(tmp_path)


@contextmanager
def two_ledgers(path):
    with Ledger(path) as ours, Ledger(path) as theirs:
        yield ours, theirs


@pytest.fixture
def made(workers, course, folder):
    """Make a batch of the class over a ledger."""
    receive(folder, course / "received", [NAME], LIMITS, 5.0)
    instructors = {NAME: course / "source" / NAME / f"{NAME}.ipynb"}
    config = JudgeConfig(key=KEY, limits=LIMITS, tier="forked", workers=1)
    told = []

    def make(ledger, entries=None):
        entries = manifest(course / "received", NAME) if entries is None else entries
        return Batch(entries, course / "received", instructors, ledger, config, Events(done=told.append))

    make.told, make.ledger = told, Path(course, "judged", "ledger.db")
    return make


def parts(batch_of_some):
    """What a batch hands out, part by part."""
    judged = [batch_of_some.judge()]
    while not batch_of_some.finished:
        judged.append(batch_of_some.judge_slow())
    return judged


def to_the_end(batch_of_some):
    """What a batch hands out at once."""
    (judged,) = parts(batch_of_some)
    return judged


def test_a_result_is_told_once_and_in_the_manifests_order(made):
    with Ledger(made.ledger) as ledger:
        judged = to_the_end(made(ledger))
    assert [(each.entry.student, each.result.student) for each in judged] == [
        (each, each) for each in ("ann", "bo", "cy", "dee")
    ]
    assert sorted(each.student for each in made.told) == ["ann", "bo", "cy", "dee"]


def test_what_has_no_file_needs_no_judge_and_keeps_what_is_known_of_it(made, workers):
    entries = [
        Submission("cy", NAME, refused="a link", notes=("n",), version=3, late=4.0),
        Submission("dee", NAME),
    ]
    with Ledger(made.ledger) as ledger:
        batch_of_two = made(ledger, entries)
        assert batch_of_two.keys == {}
        one, two = (each.result for each in batch_of_two.judge())
    assert (one.status, one.reason, one.notes, one.version, one.late) == (
        Status.REFUSED,
        "a link",
        ("n",),
        3,
        4.0,
    )
    assert (two.status, two.reason, two.marks) == (
        Status.MISSING,
        "no notebook was submitted",
        0,
    ) and workers.asked == []


def test_what_another_coordinator_is_about_is_waited_for_and_its_result_taken(made, workers, monkeypatch):
    with two_ledgers(made.ledger) as (ours, theirs):
        other = made(theirs)
        theirs._owner = ("elsewhere", 1, 1.0)
        key = other.keys["ann", NAME]
        assert theirs.take(key, other.entries[0])
        waited = []

        def wait(seconds):
            waited.append(seconds)
            if len(waited) == 3:
                theirs.keep(key, workers.result(SimpleNamespace(student="ann", submission=other.entries[0])))
                theirs.proved()

        monkeypatch.setattr(batch.time, "sleep", wait)
        first, judged = parts(made(ours))
    assert waited == [batch.LOOK_SECONDS] * 3 and workers.asked == ["endless", "bo"]
    assert [each.entry.student for each in first] == ["bo", "cy", "dee"], (
        "once: they need not wait for the other coordinator"
    )
    assert states(each.result for each in judged)["ann"] == ("graded", 2.0)


def test_another_coordinator_that_ended_while_this_one_published_is_not_waited_for(
    made, workers, monkeypatch
):
    with two_ledgers(made.ledger) as (ours, theirs):
        other = made(theirs)
        theirs._owner = ("elsewhere", 1, 1.0)
        key = other.keys["ann", NAME]
        assert theirs.take(key, other.entries[0])
        batch_of_ours = made(ours)
        assert len(batch_of_ours.judge()) == 3 and not batch_of_ours.finished
        theirs.keep(key, workers.result(SimpleNamespace(student="ann", submission=other.entries[0])))
        theirs.proved()
        monkeypatch.setattr(batch.time, "sleep", lambda seconds: pytest.fail("it waits"))
        assert len(batch_of_ours.judge_slow()) == 4 and batch_of_ours.finished


@pytest.mark.parametrize("ended", ["its worker", "its process"])
def test_nothing_is_waited_for_while_there_is_something_to_judge(made, workers, ended, monkeypatch):
    """Of two that other coordinators held, one is free again, or judged by a process that ended before its
    known answers were; the other is held.
    """
    monkeypatch.setattr(batch.time, "sleep", lambda seconds: pytest.fail("it waits"))
    with two_ledgers(made.ledger) as (ours, theirs):
        other = made(theirs)
        alive = ("elsewhere", 1, 1.0)
        ann, bo = (other.keys[entry.place] for entry in other.entries[:2])
        theirs._owner = alive if ended == "its worker" else (theirs._owner[0], 2**22 + 1, 1.0)
        assert theirs.take(ann, other.entries[0])
        if ended == "its process":
            theirs.keep(ann, workers.result(SimpleNamespace(student="ann", submission=other.entries[0])))
        theirs._owner = alive
        assert theirs.take(bo, other.entries[1])
        batch_of_ours = made(ours)
        if ended == "its worker":
            theirs.release(ann)
        students = [judged.entry.student for judged in batch_of_ours.judge_slow()]
    assert "ann" in students and "bo" not in students


def test_a_damaged_version_that_was_put_back_is_told(made):
    with Ledger(made.ledger) as ledger:
        mends, told = made(ledger), []
        mends._mend = lambda entry: entry.student == "bo"
        mends.events = Events(mended=lambda entry: told.append(entry.student))
        to_the_end(mends)
    assert told == ["bo"]


def test_what_has_nothing_to_judge_is_handed_out_before_slow_ones(made, workers, monkeypatch):
    plain = workers.result
    monkeypatch.setattr(workers, "result", lambda task: plain(task) if task.patient else Slow())
    with Ledger(made.ledger) as ledger:
        first, judged = parts(made(ledger))
    assert [each.entry.student for each in first] == ["cy", "dee"] and len(judged) == 4
    assert workers.asked == ["endless", "ann", "bo", "ann", "bo"]


def test_what_could_not_be_judged_is_free_for_another_coordinator_at_once(made, workers, monkeypatch):
    plain = workers.result

    def result(task):
        if task.submission.student == "bo":
            return InfrastructureError("the disk is gone")
        return plain(task) if task.patient else Slow()

    monkeypatch.setattr(workers, "result", result)
    with two_ledgers(made.ledger) as (ours, theirs):
        one = made(ours)
        keys = one.keys["ann", NAME], one.keys["bo", NAME]
        one.judge()
        assert theirs.to_do(keys) == ([keys[1]], [], [keys[0]])


def test_a_patient_run_puts_nothing_off(made, workers, monkeypatch):
    plain = workers.result
    monkeypatch.setattr(workers, "result", lambda task: plain(task) if task.patient else Slow())
    with Ledger(made.ledger) as ledger:
        patient = made(ledger)
        patient.config = replace(patient.config, patient=True)
        judged = to_the_end(patient)
    assert workers.asked == ["endless", "ann", "bo"] and len(judged) == 4


def test_the_result_of_a_slow_one_does_not_wait_for_another_coordinator(made, workers, monkeypatch):
    plain = workers.result
    monkeypatch.setattr(workers, "result", lambda task: plain(task) if task.patient else Slow())
    with two_ledgers(made.ledger) as (ours, theirs):
        other = made(theirs)
        theirs._owner = ("elsewhere", 1, 1.0)
        key = other.keys["bo", NAME]
        assert theirs.take(key, other.entries[1])

        def wait(seconds):
            theirs.keep(key, plain(SimpleNamespace(student="bo", submission=other.entries[1])))
            theirs.proved()

        monkeypatch.setattr(batch.time, "sleep", wait)
        students = [[each.entry.student for each in part] for part in parts(made(ours))]
    assert students == [["cy", "dee"], ["ann", "cy", "dee"], ["ann", "bo", "cy", "dee"]]


def test_what_a_run_that_was_cut_short_left_waits_for_the_next_canaries(made, workers):
    with two_ledgers(made.ledger) as (ours, theirs):
        other = made(theirs)
        theirs._owner = (theirs._owner[0], 2**22 + 1, 1.0)
        for entry in other.entries[:2]:
            key = other.keys[entry.student, NAME]
            theirs.take(key, entry)
            theirs.keep(key, workers.result(SimpleNamespace(student=entry.student, submission=entry)))
        judged = to_the_end(made(ours))
        assert workers.asked == ["endless"] and states(each.result for each in judged)["ann"] == (
            "graded",
            2.0,
        )
        assert ours.to_do(list(other.keys.values())) == ([], [], [])


def test_only_notebooks_that_somebody_handed_in_have_canaries_and_without_a_key_there_are_none(
    made, workers, course, monkeypatch
):
    other = course / "source" / "other.ipynb"
    other.write_text((course / "source" / NAME / f"{NAME}.ipynb").read_text())
    with Ledger(made.ledger) as ledger:
        several = made(ledger)
        several.instructors["other"] = other
        several.entries = [*several.entries, Submission("dee", "other")]
        to_the_end(several)
        assert {each.task.instructor.stem for each in workers.configs[0].canaries} == {NAME}
        ledger.forget(list(several.keys.values()))
        workers.asked[:] = []
        monkeypatch.setattr(canaries, "find_key", lambda name: None)
        judged = to_the_end(made(ledger))
        assert states(each.result for each in judged)["ann"] == ("graded", 2.0)
    assert workers.asked == ["ann", "bo"] and workers.configs[1].canaries == ()
