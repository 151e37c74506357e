"""Cells that hang or die, and how the runner is brought back without them."""

from __future__ import annotations

import threading
import time
from contextlib import closing
from dataclasses import replace
from types import SimpleNamespace

import pytest
from tiny_course import EXERCISES, LIMITS, submitted

from autograder.judge import stages
from autograder.judge.replies import read_reply
from autograder.judge.results import Status
from autograder.judge.runner_watch import RunnerWatch
from autograder.judge.session import UNREADABLE, RemoteAnswer, Session, parsed
from autograder.runner.notebook_parser import Refused
from autograder.sandbox.errors import InfrastructureError
from autograder.sandbox.processes import Used
from autograder.submissions.merge import GraftedCell
from kqa_core.check.answer import (
    AnswerDied,
    AnswerRaised,
    AnswerTimeout,
    AnswerUnreadable,
)
from kqa_core.check.exercise import Outcome, Verdict
from kqa_core.check.run import INCIDENTS

RIGHT = {
    "double": "def double(x):\n    return twice(x)",
    "total": "def total(numbers):\n    return sum(numbers)",
}
HELPER = "def twice(x):\n    return 2 * x"


def test_a_helper_in_an_extra_cell_counts(judged):
    results = judged(submitted([("statement_double", HELPER)], **RIGHT))
    assert results["double"].marks == 2


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param("while True: pass", marks=pytest.mark.slow),
        "import os; os._exit(0)",
        "raise ValueError",
        "1 +",
        "import os; os.kill(os.getpid(), 9)",
    ],
)
def test_an_extra_cell_that_goes_wrong_costs_nothing(judged, bad):
    results = judged(
        submitted([("statement_double", bad), ("statement_double", HELPER), ("total", bad)], **RIGHT)
    )
    assert [results[name].marks for name in ("double", "total")] == [2, 2]


def test_an_incident_in_the_first_exercise_leaves_what_later_ones_need(judged):
    results = judged(
        submitted(
            [("statement_double", "base = 0")],
            double="import os\ndef double(x): os._exit(0)",
            total="def total(numbers):\n    return base + sum(numbers)",
        )
    )
    assert (results["double"].incident, results["total"].marks) == ("died", 2)


BREAKS_IMPORTS = (
    "import builtins, time\nreal = builtins.__import__\nbuiltins.__import__ = lambda *a, **k: time.sleep(60)"
)


def test_a_student_who_breaks_a_setup_cell_from_a_cell_above_it_loses_only_that_cell(launcher):
    cells = [
        GraftedCell("extra", "code", BREAKS_IMPORTS),
        GraftedCell("setup", "code", "import fractions"),
        GraftedCell("solution", "code", "def f(): return str(fractions.Fraction(1, 2))", "f"),
    ]
    opened = Session(launcher, cells, LIMITS)
    try:
        assert RemoteAnswer(opened, "f")() == "1/2"
    finally:
        opened.close()


def test_a_setup_cell_of_the_course_that_fails_is_our_fault(launcher):
    opened = Session(launcher, [GraftedCell("setup", "code", "import no_such_module")], LIMITS)
    with pytest.raises(InfrastructureError, match="setup cell"):
        opened.start()
    opened.close()


def test_after_an_incident_the_next_call_gets_a_fresh_worker(launcher):
    source = (
        "import os, time\ndef f(x):\n    if x == 1: os._exit(0)\n    if x == 2: time.sleep(60)\n    return x"
    )
    opened = Session(launcher, [GraftedCell("solution", "code", source, "f")], LIMITS)
    answer = RemoteAnswer(opened, "f")
    try:
        for bad, failure in ((1, AnswerDied), (2, AnswerTimeout)):
            with pytest.raises(failure):
                answer(bad)
            assert answer(7) == 7
    finally:
        opened.close()


@pytest.mark.parametrize(
    "forged",
    [
        b"\x00\x00\x00\x03abc",  # a frame that is no message
        b"\xff\xff\xff\xff",  # a frame of 4 GiB
        b"\x00\x00\x00\x00",  # an empty frame
    ],
)
def test_bytes_forged_on_the_channel_are_an_incident_and_nothing_else(launcher, forged):
    source = (
        "import os, socket\n"
        "def f():\n"
        "    for fd in range(3, 64):\n"
        "        try: socket.socket(fileno=os.dup(fd)).send(" + repr(forged) + ")\n"
        "        except OSError: pass\n"
        "    return 1\n"
    )
    opened = Session(launcher, [GraftedCell("solution", "code", source, "f")], LIMITS)
    try:
        with pytest.raises((AnswerUnreadable, AnswerDied)):
            RemoteAnswer(opened, "f")()
    finally:
        opened.close()


def test_an_untouched_copy_starts_no_runner_at_all(monkeypatch, judged, launcher):
    monkeypatch.setattr(launcher, "start", lambda: pytest.fail("a runner was started"))
    assert {each.status for each in judged(submitted()).values()} == {Status.UNATTEMPTED}


def test_a_reply_of_an_unheard_of_kind_is_no_exception_of_the_students():
    told = ["KeyError", None, "'x'", 0, 1, 0]
    with pytest.raises(AnswerRaised):
        read_reply(("raised", *told), (), True)
    for broken in (
        ("risen", *told),
        ("raised", *told[:4]),
        ("raised", 1, *told[1:]),
        ("value", 1, 2),
        (),
        None,
        ["value", 1],
    ):
        with pytest.raises(AnswerDied):
            read_reply(broken, (), True)


# Runners that fail


@pytest.mark.parametrize(
    ("failure", "incident"),
    [
        (AnswerTimeout(), "time"),
        (AnswerDied("", "memory"), "memory"),
        (AnswerUnreadable(), "output"),
        (AnswerDied(), "died"),
        (
            AnswerRaised("KeyError"),
            "died",
        ),  # the judge's own question raises nothing: a runner that says so is not itself any more
    ],
)
def test_a_runner_that_cannot_even_say_what_is_defined_has_an_incident(failure, incident):
    undefined = stages._undefined(EXERCISES["double"], SimpleNamespace(request=failing(failure)))
    assert undefined == Verdict(Outcome.ERROR, INCIDENTS[incident], incident)


def test_our_own_fault_on_the_way_is_nobodys_verdict():
    session = SimpleNamespace(request=failing(InfrastructureError("lost")), cell_failure=lambda name: None)
    with pytest.raises(InfrastructureError):
        stages._undefined(EXERCISES["double"], session)


def failing(failure):
    def request(*parts, **more):
        raise failure

    return request


@pytest.mark.parametrize(
    ("failure", "kind"),
    [
        (AnswerTimeout(), "time"),
        (AnswerDied("", "memory"), "memory"),
        (AnswerUnreadable(), "output"),
        (AnswerDied(), "died"),
        (AnswerRaised("KeyError"), "died"),
    ],
)
def test_a_notebook_that_stops_its_reader_is_refused_for_what_it_did(launcher, monkeypatch, failure, kind):
    monkeypatch.setattr(Session, "request", lambda self, *parts, **more: failing(failure)())
    with pytest.raises(Refused) as refused:
        parsed(launcher, b"{}", LIMITS)
    assert str(refused.value) == UNREADABLE[kind]


def test_a_runner_may_hold_what_the_cap_says_and_no_byte_more():
    looks, killed = [], threading.Event()
    held = SimpleNamespace(resident=lambda: looks.append(1) or 100, kill=killed.set, used=Used)
    watch = RunnerWatch(held, 100)
    while len(looks) < 3:
        time.sleep(0.01)
    watch.stop()
    assert not watch.passed and not killed.is_set()
    watch = RunnerWatch(held, 99)
    assert killed.wait(60)
    watch.stop()
    assert watch.passed


def test_a_runners_memory_is_watched_while_the_worker_computes(launcher):
    """The call returns at once, and a thread that it started goes on to take memory.
    The next request is the incident.
    """
    source = """
import threading, time
def grow():
    time.sleep(0.5)
    globals()["held"] = b"x" * 10**8
def double(x):
    threading.Thread(target=grow, daemon=True).start()
    return 2 * x
"""
    cell = GraftedCell("solution", "code", source, "double")
    with closing(Session(launcher, [cell], replace(LIMITS, memory=5 * 10**7))) as session:
        answer = RemoteAnswer(session, "double")
        assert answer(2) == 4
        watch, end = session._watch, time.monotonic() + 60
        while not watch.passed and time.monotonic() < end:
            time.sleep(0.01)
        with pytest.raises(AnswerDied) as died:
            answer(2)
    assert died.value.incident == "memory"
