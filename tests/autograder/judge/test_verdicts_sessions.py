"""Which way a verdict goes on the way from a student's code to it: seeds, sessions and their runners.

The mutants of `tests/mutants` are these turns taken the other way.
"""

from __future__ import annotations

import random
import time
from contextlib import closing
from dataclasses import replace

import pytest
from tiny_course import LIMITS

from autograder.judge.clock import OutOfTime
from autograder.judge.session import OverBudget, RemoteAnswer, Session
from autograder.sandbox.errors import InfrastructureError
from autograder.submissions.merge import GraftedCell
from kqa_core.check.answer import (
    AnswerDied,
    AnswerRaised,
    AnswerTimeout,
    AnswerUnreadable,
    Handle,
    Seeded,
)
from kqa_core.check.exercise import JudgeError
from kqa_core.check.local import CALL_STEP

# Sessions


class Asked:
    """Stands for a session: keeps what it is asked, and answers as told."""

    def __init__(self, *values):
        self.values, self.requests = list(values), []

    def request(self, *parts):
        self.requests.append(parts)
        return self.values.pop(0)


@pytest.mark.parametrize("reserved", [(), ("kqa_core.model.attention:split_heads",)])
def test_a_session_reserves_functions_before_a_cell_runs(launcher, reserved):
    imports = "import torch\nfrom kqa_core.model.attention import split_heads\n"
    source = imports + "def f(): return split_heads(torch.ones(1, 1, 2), 2).shape"
    session = Session(launcher, [GraftedCell("solution", "code", source, "f")], LIMITS, reserved=reserved)
    with closing(session):
        if not reserved:
            assert RemoteAnswer(session, "f")() == (1, 2, 1, 1)
            return
        with pytest.raises(AnswerRaised) as caught:
            RemoteAnswer(session, "f")()
        assert caught.value.message.startswith("kqa_core.model.attention.split_heads is an answer")


def test_many_calls_in_one_have_one_value_each():
    for wrong in ([1], [1, 2, 3], (1, 2), None):
        with pytest.raises(AnswerUnreadable):
            RemoteAnswer(Asked(wrong), "double").map([(1,), (2,)])
    assert RemoteAnswer(Asked([1, 2]), "double").map([(1,), (2,)]) == [1, 2]


def test_the_nth_call_has_the_nth_seed_however_it_is_made():
    asked = Asked(0, [1, 2], 3, 4, 5)
    answer = RemoteAnswer(asked, "double", 10)
    answer("a")
    answer.map([(1,), (2,)])
    answer.attribute(Handle(1, "x"), "name")
    answer.method(Handle(1, "x"), "name", 7)
    answer("b")
    assert asked.requests == [
        ("call", "double", 10, ("a",)),
        ("map", "double", 10 + CALL_STEP, [(1,), (2,)]),
        ("attribute", Handle(1, "x"), "name"),
        ("method", Handle(1, "x"), "name", 10 + 4 * CALL_STEP, (7,)),
        ("call", "double", 10 + 5 * CALL_STEP, ("b",)),
    ]


class Counted:
    """A launcher that counts the runners it starts and those that ended."""

    def __init__(self, launcher):
        self._launcher, self.tier, self.limits = launcher, launcher.tier, launcher.limits
        self.runners = []

    def start(self):
        self.runners.append(self._launcher.start())
        return self.runners[-1]


@pytest.fixture
def opened(launcher):
    """Open sessions over cells, and close them; the runners of each are counted."""
    made = []

    def run(*cells, **limits):
        counted = Counted(launcher)
        made.append(
            Session(
                counted,
                [GraftedCell(role, "code", *rest) for role, *rest in cells],
                replace(LIMITS, **limits),
            )
        )
        return made[-1], counted.runners

    yield run
    for each in made:
        each.close()


def test_what_is_made_beside_the_answer_may_be_an_argument(opened):
    session, _ = opened(("solution", "def f(rng):\n    return rng.random()", "f"))
    assert RemoteAnswer(session, "f")(Seeded(5)) == random.Random(5).random()


def test_a_runner_that_is_killed_from_outside_is_our_fault_and_one_that_ends_by_itself_is_not(opened):
    for taken, failure in ((True, InfrastructureError), (False, AnswerDied)):
        session, _ = opened(("solution", "import os\ndef f():\n    os._exit(0)", "f"))
        session.start()
        session._runner.taken = lambda told=taken: told
        with pytest.raises(failure):
            RemoteAnswer(session, "f")()


def test_a_runner_that_is_killed_from_outside_again_is_the_submissions_own_doing(opened):
    session, _ = opened(("solution", "import os\ndef f():\n    os._exit(0)", "f"))
    session.again = True
    session.start()
    session._runner.taken = lambda: True
    with pytest.raises(AnswerDied):
        RemoteAnswer(session, "f")()


def test_a_submission_has_so_many_restarts_and_no_more(opened):
    session, runners = opened(("solution", "import os\ndef f():\n    os._exit(0)", "f"), restarts=2)
    for _ in range(3):
        with pytest.raises(AnswerDied):
            RemoteAnswer(session, "f")()
    with pytest.raises(OverBudget) as spent:
        RemoteAnswer(session, "f")()
    assert spent.value.incident == "budget" and len(runners) == 3


def test_a_submissions_time_ends_a_call_and_starts_no_worker(opened):
    session, runners = opened(
        ("solution", "import time\ndef f():\n    time.sleep(60)", "f"), call_seconds=60.0
    )
    session.start()
    session._end = time.monotonic() + 0.3
    with pytest.raises(OverBudget):
        RemoteAnswer(session, "f")()
    with pytest.raises(OverBudget):
        session.start()
    assert len(runners) == 1


def test_cells_end_with_the_submissions_time(opened):
    session, _ = opened(("solution", "while True:\n    pass", "f"), submission_seconds=0.5, cell_seconds=60.0)
    with pytest.raises(OverBudget):
        session.start()
    assert session.cell_failure("f").incident == "budget"


def test_a_clock_that_strikes_during_a_call_ends_it_and_the_worker(opened):
    session, runners = opened(("solution", "def f(x):\n    return x", "f"))
    session.start()

    def strike(*within):
        raise OutOfTime

    runners[0].channel.receive = strike
    with pytest.raises(OutOfTime):
        RemoteAnswer(session, "f")(1)
    assert RemoteAnswer(session, "f")(2) == 2 and len(runners) == 2


def test_one_runner_serves_until_an_incident_and_a_value_too_large_is_none(opened):
    session, runners = opened(("solution", "def f(x):\n    return 'x' * x", "f"))
    answer = RemoteAnswer(session, "f")
    assert answer(3) == "xxx" and answer(2) == "xx"
    with pytest.raises(AnswerUnreadable):
        answer(5 * 10**6)
    with pytest.raises(AnswerRaised, match="TypeError"):
        answer("a")
    assert answer(1) == "x" and len(runners) == 1
    session.drop()
    assert answer(1) == "x" and len(runners) == 2


@pytest.mark.parametrize(
    ("code", "failure", "incident"),
    [
        pytest.param("while True: pass", AnswerTimeout, "time", marks=pytest.mark.slow),
        ("import os; os._exit(0)", AnswerDied, "died"),
    ],
)
def test_after_an_incident_in_a_call_comes_a_runner_that_knows_nothing_of_it(opened, code, failure, incident):
    source = f"seen = []\ndef f(x):\n    seen.append(x)\n    if x:\n        {code}\n    return seen"
    session, runners = opened(("solution", source, "f"))
    answer = RemoteAnswer(session, "f")
    with pytest.raises(failure) as failed:
        session.request("call", "f", 0, (1,), seconds=1.0)
    assert failed.value.incident == incident and answer(0) == [0] and len(runners) == 2


def test_a_call_has_its_own_seconds_those_it_is_given_or_those_left_to_the_exercise(opened):
    session, _ = opened(
        ("solution", "import time\ndef f(x):\n    time.sleep(x)\n    return x", "f"), call_seconds=0.4
    )
    assert session.request("call", "f", 0, (0.6,), seconds=60.0) == 0.6
    with pytest.raises(AnswerTimeout):
        session.request("call", "f", 0, (0.6,))
    with session.limited(0.2), pytest.raises(AnswerTimeout):
        session.request("call", "f", 0, (0.3,), seconds=60.0)


def test_a_runner_that_holds_too_much_is_stopped_and_one_below_the_cap_is_not(opened):
    """It is looked at as it runs; at twice the cap it could not have more,
    and would stop with a MemoryError of its own.
    """
    source = (
        "import time\n"
        "def f(size, seconds):\n"
        "    kept = b'x' * size\n"
        "    time.sleep(seconds)\n"
        "    return len(kept)"
    )
    session, _ = opened(("solution", source, "f"), memory=100 * 2**20)
    assert RemoteAnswer(session, "f")(20 * 2**20, 0.3) == 20 * 2**20
    with pytest.raises(AnswerDied) as failed:
        RemoteAnswer(session, "f")(150 * 2**20, 60.0)
    assert failed.value.incident == "memory"


def test_a_runner_that_is_stopped_for_its_memory_and_takes_until_the_deadline_to_end_is_the_same_incident(
    opened,
):
    session, runners = opened(
        ("solution", "import time\ndef f(size):\n    kept = b'x' * size\n    time.sleep(60)", "f")
    )
    session.limits = replace(LIMITS, memory=10 * 2**20, call_seconds=2.0)
    session.start()
    [runner] = runners
    stop, asked = runner.kill, []
    runner.kill = lambda: stop() if asked else asked.append(1)  # what it is told first is done too late
    runner.taken = None  # only one that has ended may be asked
    with pytest.raises(AnswerDied) as failed:
        RemoteAnswer(session, "f")(50 * 2**20)
    assert failed.value.incident == "memory"


def test_an_argument_that_cannot_cross_is_the_checks_mistake(opened):
    session, runners = opened()
    with pytest.raises(JudgeError, match="cannot be sent"):
        session.request("call", "f", 0, (object(),))
    assert runners == []


def test_each_cell_is_told_how_it_ended_and_what_stops_is_run_no_more(opened):
    cells = [
        ("setup", "a = 1"),
        ("solution", "def f(): return a + b", "f"),
        ("extra", "b = 1 / 0"),
        ("solution", "import os\nos._exit(0)", "g"),
        ("extra", "b = 2"),
    ]
    session, runners = opened(*cells)
    assert RemoteAnswer(session, "f")() == 3 and len(runners) == 2
    assert session.cell_failure("f") is None and session.cell_failure("none") is None
    assert session.cell_failure("g").incident == "died" and type(session.outcomes[2]) is AnswerRaised
    assert session.outcomes[0] is None and session.outcomes[4] is None


def test_a_students_own_cells_have_little_time_each_and_all_together(opened):
    session, _ = opened(
        ("extra", "import time; time.sleep(0.4); a = 1"),
        ("setup", "b = 2"),
        ("extra", "c = 3"),
        extras_seconds=0.2,
    )
    session.start()
    assert [session.request("get", name) for name in "abc"] == [False] * 3 and set(session.outcomes) == {0, 1}
    session, runners = opened(
        ("extra", "import time; time.sleep(0.6); a = 1"),
        ("setup", "import time; time.sleep(0.6)"),
        extra_seconds=0.3,
    )
    session.start()
    assert session.outcomes[0].incident == "time" and session.outcomes[1] is None and len(runners) == 2


@pytest.mark.parametrize("bad", ["1 / 0", "import os; os._exit(0)"])
def test_a_setup_cell_that_fails_before_any_cell_of_the_students_is_our_fault(opened, bad):
    for cells in ([("setup", bad)], [("setup", "a = 1"), ("setup", bad)]):
        session, _ = opened(*cells)
        with pytest.raises(InfrastructureError, match="setup cell"):
            session.start()
    session, _ = opened(("extra", "a = 1"), ("setup", bad), ("solution", "def f(): return 1", "f"))
    assert RemoteAnswer(session, "f")() == 1


def test_of_a_setup_cell_that_stops_the_students_cells_before_it_go_first(opened):
    killer = "import os\nif 'harm' in globals(): os._exit(0)\nfine = lambda: 1"
    session, runners = opened(
        ("solution", "kept = lambda: 1", "kept"),
        ("extra", "harm = 1"),
        ("setup", killer),
        ("extra", "after = lambda: 1"),
    )
    session.start()
    assert [session.request("get", name) for name in ("kept", "harm", "fine", "after")] == [
        True,
        False,
        True,
        True,
    ]
    assert len(runners) == 2
    session, runners = opened(
        ("extra", "early = lambda: 1"), ("solution", "harm = 1", "harm"), ("setup", killer)
    )
    session.start()
    assert [session.request("get", name) for name in ("early", "fine")] == [False, False] and len(
        runners
    ) == 3
