"""Answers of our own that are judged in one runner: each gets the verdict that it gets alone."""

from __future__ import annotations

import pytest
from tiny_course import KEY, KEYS, LIMITS, RIGHT, SKELETON, stub

from autograder.judge import verdict
from autograder.judge.verdict import JudgeContext, judge, judge_answers
from autograder.submissions.merge import with_answer

ANSWERS = {
    "right": RIGHT["double"],
    "with a name of its own": "factor = 2\ndef double(x):\n    return factor * x",
    "with a name of the one before": "def double(x):\n    return factor * x",
    "another setup": "LIMIT = 1\n" + RIGHT["double"],
    "a mistake": "def double(x):\n    return x * x",
    "nothing": stub("double") + "\npass",
    "dies": "import os\ndef double(x):\n    os._exit(0)",
    "needs the setup": "def double(x):\n    return 2 * x if LIMIT == 100 and math.pi else 0",
    "another name": "def twice(x):\n    return 2 * x",
    "no Python": "def double(x) return",
    "right at the end": RIGHT["double"],
}


class Counted:
    """A launcher that counts the runners it starts."""

    def __init__(self, launcher):
        self._launcher, self.tier, self.limits = launcher, launcher.tier, launcher.limits
        self.started = 0

    def start(self):
        self.started += 1
        return self._launcher.start()


@pytest.fixture
def counted(launcher, monkeypatch):
    monkeypatch.setattr(verdict, "find_checked", KEYS.__getitem__)
    return Counted(launcher)


def test_the_verdict_is_that_of_the_answer_alone_and_the_runner_stays_until_an_incident(counted):
    context = JudgeContext(KEY, counted, LIMITS)
    grafts = [with_answer(SKELETON, "double", source) for source in ANSWERS.values()]
    together = dict(zip(ANSWERS, judge_answers(grafts, "prove", context), strict=True))
    assert counted.started == 2, "the second one is for those after the answer that died"
    alone = {name: judge(graft, "prove", context)[0] for name, graft in zip(ANSWERS, grafts, strict=True)}
    assert together == alone
    assert [name for name, result in alone.items() if result.outcome == "right"] == [
        "right",
        "with a name of its own",
        "another setup",
        "needs the setup",
        "right at the end",
    ]


def test_functions_that_are_reserved_stay_so(counted, monkeypatch):
    exercise = next(each for each in SKELETON.exercises if each.id == "double")
    monkeypatch.setitem(vars(exercise), "reserved", ("kqa_core.stats:wilson",))
    forbidden = "from kqa_core import stats\ndef double(x):\n    stats.wilson(1, 2)\n    return 2 * x"
    grafts = [with_answer(SKELETON, "double", source) for source in (RIGHT["double"], forbidden, forbidden)]
    results = judge_answers(grafts, "prove", JudgeContext(KEY, counted, LIMITS))
    assert [result.outcome for result in results] == ["right", "error", "error"] and counted.started == 1
    assert "is an answer to an exercise" in results[2].sentence
