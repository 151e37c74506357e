"""Time on a busy machine: an answer gets the verdict that it gets on a quiet one.

The machine is a stand-in: a real runner whose process is said to have waited for a processor for nineteen of
twenty seconds, which its sleep stands for.
"""

from __future__ import annotations

import random
import time
from contextlib import closing
from dataclasses import replace

import pytest
from tiny_course import KEY, KEYS, LIMITS, RIGHT, SKELETON, submitted

from autograder.judge import stages, verdict
from autograder.judge.budget import Limit, Meter, Reading
from autograder.judge.session import BUSY, RemoteAnswer, Session
from autograder.judge.verdict import JudgeContext, judge
from autograder.sandbox.errors import InfrastructureError
from autograder.sandbox.processes import Used
from autograder.submissions.merge import GraftedCell, graft
from kqa_core.check.answer import AnswerTimeout
from kqa_core.check.exercise import Outcome
from kqa_core.check.run import CLOCKS, INCIDENTS, failed_verdict

SLOW = "import time\ndef double(x):\n    time.sleep(0.4)\n    return 2 * x"
QUICK = replace(LIMITS, call_seconds=0.2, exercise_seconds=0.3)


class Loaded:
    """A launcher of runners that wait for a processor for this share of their time."""

    def __init__(self, launcher, share):
        self._launcher, self._share = launcher, share
        self.tier, self.limits, self.secret = launcher.tier, launcher.limits, ()

    def start(self):
        runner, began = self._launcher.start(), time.monotonic()
        runner.used = lambda: Used(0.001, self._share * (time.monotonic() - began))
        return runner


def outcomes(launcher, monkeypatch, share):
    """What an honest submission gets on a machine with this load."""
    monkeypatch.setattr(verdict, "find_checked", {**KEYS, "double": replace(KEYS["double"], hidden=once)}.get)
    context = JudgeContext(KEY, Loaded(launcher, share), QUICK)
    results = judge(graft(SKELETON, submitted(double=SLOW, total=RIGHT["total"])), "ann", context)
    return [(each.exercise, each.outcome, each.incident) for each in results if not each.written]


def once(answer, rng):
    """A hidden check of one call."""
    return KEYS["total"].hidden(lambda numbers: sum(numbers) if answer(3) == 6 else 0, random.Random(1))


@pytest.mark.slow
def test_an_honest_submission_gets_on_a_machine_at_load_20_what_it_gets_on_a_quiet_one(launcher, monkeypatch):
    """Its calls take four tenths of a second there, of which it runs for a fiftieth."""
    right = [("double", "right", None), ("total", "right", None)]
    assert outcomes(launcher, monkeypatch, 0.95) == right
    assert outcomes(launcher, monkeypatch, 0.0) == [("double", "error", "time"), right[1]]


def test_a_machine_that_lets_a_runner_do_nothing_is_our_fault_and_then_nobodys_mark(launcher):
    cell = GraftedCell("solution", "code", "import time\ndef f():\n    time.sleep(60)", "f")
    limits = replace(LIMITS, call_seconds=0.1, busy=4.0)
    for again, failure, said in (
        (False, InfrastructureError, BUSY),
        (True, AnswerTimeout, "no value in time"),
    ):
        with closing(Session(Loaded(launcher, 1.0), [cell], limits, again)) as session:
            session.start()
            with pytest.raises(failure, match=said) as failed:
                RemoteAnswer(session, "f")()
    told = failed_verdict(failed.value)
    assert (told.outcome, told.sentence, told.incident) == (Outcome.ERROR, CLOCKS["wall"], "time")


def test_the_larger_of_processor_time_and_of_the_wall_clock_without_waiting_counts():
    begin = Reading(10.0, 5.0, 100.0)
    for now, seconds in [
        (Reading(12.0, 5.0, 103.0), 3.0),  # it ran for two seconds and slept for one
        (Reading(12.0, 25.0, 122.0), 2.0),  # a busy machine
        (Reading(18.0, 5.0, 102.0), 8.0),  # four processes at once
        (Reading(10.0, 5.0, 130.0), 30.0),  # it sleeps
    ]:
        assert now.since(begin) == seconds
    assert Limit(4.0, begin).left(Reading(12.0, 5.0, 103.0)) == 1.0


@pytest.mark.parametrize(
    ("now", "clock", "said"),
    [
        (Reading(3.0, 0.0, 3.0), "processor", INCIDENTS["time"]),
        (Reading(1.0, 0.0, 2.0), "processor", INCIDENTS["time"]),  # half of it
        (Reading(0.1, 0.0, 3.0), "waiting", CLOCKS["waiting"]),
    ],
)
def test_the_sentence_says_which_clock_has_struck(now, clock, said):
    mark = Reading(10.0, 5.0, 100.0)
    later = Reading(
        *(now_ + before for now_, before in zip(vars(now).values(), vars(mark).values(), strict=True))
    )
    struck = Limit(2.0, mark).struck(later)
    assert struck == clock and failed_verdict(AnswerTimeout("", struck)).sentence == said


def test_a_meter_adds_up_the_runners_of_a_submission_and_no_time_between_requests(monkeypatch):
    clock = iter([0.0, 1.0, 50.0, 52.0, 53.0])
    monkeypatch.setattr("autograder.judge.budget.time.monotonic", lambda: next(clock))
    meter = Meter()
    meter.begin()
    meter.end()
    meter.add(Used(0.5, 0.25))
    meter.begin()
    assert meter.read(Used(1.0, 0.5)) == Reading(1.5, 0.75, 3.0)
    meter.end()
    assert meter.read(Used()) == Reading(0.5, 0.25, 4.0)


@pytest.mark.slow
def test_the_workers_own_computing_has_a_clock_of_processor_time(launcher, monkeypatch):
    """A check that waits is not late, one that computes is."""
    monkeypatch.setattr(verdict, "find_checked", KEYS.get)

    def slow(check, answer, seed, own=""):
        time.sleep(0.6) if answer._name == "total" else sum(range(10**8))
        return real(check, answer, seed, own)

    real = stages.run_check
    monkeypatch.setattr(stages, "run_check", slow)
    context = JudgeContext(KEY, launcher, replace(LIMITS, exercise_seconds=0.3))
    results = judge(graft(SKELETON, submitted(**RIGHT)), "ann", context)
    assert [(each.outcome, each.sentence) for each in results[:2]] == [
        ("not yet", stages.SLOW),
        ("right", "added up"),
    ]
