"""Which way a verdict goes: every turn at which a wrong answer could get marks, or a right one lose them.

The mutants of `tests/mutants` are these turns taken the other way.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace

import pytest
from tiny_course import EXERCISES, KEYS, RIGHT, stub, submitted

from autograder.judge import stages
from autograder.judge.results import Status
from kqa_core.check.answer import (
    AnswerDied,
    AnswerFailed,
    AnswerMissing,
    AnswerRaised,
    AnswerTimeout,
    AnswerUnreadable,
    Handle,
)
from kqa_core.check.exercise import JudgeError, NotYet, Outcome, Verdict, expect, right
from kqa_core.check.run import (
    INCIDENTS,
    MISSING,
    NEEDS,
    UNATTEMPTED,
    behaviour,
    failed_verdict,
    run_check,
)
from kqa_core.check.same_behaviour import same_behaviour

ENDLESS = "def double(x):\n    while True: pass"
G, I, U = Status.GRADED, Status.INCIDENT, Status.UNATTEMPTED  # noqa: E741


# The worker


def answer_of(function):
    """An answer that lives here, for checks that are tried alone."""

    class Here:
        def __call__(self, *args):
            return function(*args)

    return Here()


def raising(failure):
    def fail(*args):
        raise failure

    return answer_of(fail)


def call_it(answer, rng):
    answer(1)
    return right("fine")


@pytest.mark.parametrize(
    ("failure", "verdict"),
    [
        (AnswerRaised("KeyError"), Verdict(Outcome.ERROR, "your code stopped with a KeyError")),
        (
            AnswerRaised("OSError", "no\nfile"),
            Verdict(Outcome.ERROR, "your code stopped with an OSError: no"),
        ),
        (AnswerRaised("KeyError", " \n"), Verdict(Outcome.ERROR, "your code stopped with a KeyError")),
        (AnswerRaised("NotImplementedError", "x", stub="double"), Verdict(Outcome.UNATTEMPTED, UNATTEMPTED)),
        (AnswerMissing(), Verdict(Outcome.ERROR, MISSING)),
        (AnswerTimeout(), Verdict(Outcome.ERROR, INCIDENTS["time"], "time")),
        (AnswerDied(), Verdict(Outcome.ERROR, INCIDENTS["died"], "died")),
        (AnswerDied("", "memory"), Verdict(Outcome.ERROR, INCIDENTS["memory"], "memory")),
        (AnswerDied("", "unheard of"), Verdict(Outcome.ERROR, INCIDENTS["died"], "died")),
        (AnswerUnreadable(), Verdict(Outcome.ERROR, INCIDENTS["output"], "output")),
        (AnswerFailed(), Verdict(Outcome.ERROR, INCIDENTS["died"], "died")),
    ],
)
def test_an_answer_that_gives_no_value_is_never_right(failure, verdict):
    assert failed_verdict(failure) == verdict == run_check(call_it, raising(failure), 0)


class Looks(Verdict):
    """A verdict of another making."""


@pytest.mark.parametrize(
    "returned",
    [
        None,
        True,
        Outcome.RIGHT,
        Looks(Outcome.RIGHT, "fine"),
        Verdict("right", "fine"),
        Verdict(True, "fine"),
    ],
)
def test_nothing_but_a_verdict_of_ours_is_a_verdict(returned):
    with pytest.raises(JudgeError, match="must return a Verdict"):
        run_check(lambda answer, rng: returned, raising(NotYet()), 0)


def test_a_check_says_right_not_yet_or_that_it_is_broken():
    assert (
        run_check(call_it, answer_of(abs), 0) == Verdict(Outcome.RIGHT, "fine")
        and right().outcome is Outcome.RIGHT
    )
    expect(True, "fine")
    with pytest.raises(NotYet, match="wrong"):
        expect(False, "wrong")
    with pytest.raises(JudgeError):
        expect(1, "wrong")
    with pytest.raises(JudgeError, match="mine"):
        run_check(call_it, raising(JudgeError("mine")), 0)
    assert EXERCISES["why"].written and not EXERCISES["double"].written


@pytest.mark.parametrize("failure", [AnswerRaised("KeyError"), AnswerMissing()])
def test_behaviour_goes_on_after_an_exception_and_ends_with_an_incident(failure):
    assert behaviour(raising(failure), [(1,), (2,)]) == [failure, failure]
    timeout = AnswerTimeout()
    assert behaviour(raising(timeout), [(1,), (2,)]) == [timeout]


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        (AnswerRaised("KeyError"), AnswerRaised("KeyError"), True),
        (AnswerRaised("KeyError"), AnswerRaised("OSError"), False),
        (AnswerRaised("KeyError"), AnswerMissing(), False),
        (AnswerMissing(), AnswerMissing(), True),
        (AnswerMissing(), None, False),
        (None, AnswerMissing(), False),
        ([1, 2], (1, 2), True),
        ([1, 2], [1, 3], False),
        ([1, 2], [3, 2], False),
        ([1, 2], [1], False),
        ([1], 1, False),
        (1, [1], False),
        ({"a": 1}, {"a": 1}, True),
        ({"a": 1}, {"a": 2}, False),
        ({"a": 1}, {"b": 1}, False),
        ({"a": 1, "b": 2}, {"a": 1, "b": 3}, False),
        ({"a": 1, "b": 2}, {"a": 0, "b": 2}, False),
        ({"a": 1}, [1], False),
        ([1], {"a": 1}, False),
        (Handle(1, "Linear"), Handle(2, "Linear"), True),
        (Handle(1, "Linear"), Handle(1, "Tensor"), False),
        (Handle(1, "Linear"), "Linear", False),
        ("Linear", Handle(1, "Linear"), False),
        ("a", "a", True),
        ("a", "b", False),
        ("1", 1, False),
        (1, "1", False),
        (True, True, True),
        (True, False, False),
        (True, 1, False),
        (1, True, False),
        ({1}, {1}, True),
        ({1}, {2}, False),
        ({1}, frozenset({1}), False),
        (None, None, True),
        (None, False, False),
        (3, 3.0, True),
        (3, 4, False),
        (math.nan, math.nan, True),
        (b"a", b"a", False),  # no value that crosses
    ],
)
def test_what_behaves_the_same(a, b, same):
    assert same_behaviour(a, b) is same


def test_expressions_behave_the_same_where_they_are_equal():
    from sympy import Matrix, Symbol

    x, y = Symbol("x"), Symbol("y")
    assert same_behaviour(x + x, 2 * x) and same_behaviour(x - x, 0) and same_behaviour(0, x - x)
    assert not same_behaviour(x, y) and not same_behaviour(x, 0) and not same_behaviour(0, x)
    assert not same_behaviour(x, "x") and not same_behaviour("x", x) and not same_behaviour(x, None)
    assert same_behaviour(Matrix([[x, y]]), Matrix([[x, y]]))
    assert not same_behaviour(Matrix([[x, y]]), Matrix([[x, x]])) and not same_behaviour(
        Matrix([[x, y]]), Matrix([[y, y]])
    )
    assert not same_behaviour(Matrix([[x, y]]), Matrix([[x], [y]])) and not same_behaviour(Matrix([[x]]), x)
    assert not same_behaviour(x, Matrix([[x]]))


def test_who_decided_and_what_was_paid_stands_in_the_result(judged):
    def parts(code, **limits):
        each = judged(submitted(double=code), **limits)["double"]
        return each.status, each.outcome, each.marks, each.points, each.stage, each.incident, each.mistake

    assert parts(RIGHT["double"]) == (G, "right", 2.0, 2, "hidden", None, None)
    assert parts("def double(x):\n    return x + 100") == (G, "not yet", 0.0, 2, "visible", None, None)
    assert parts("def double(x):\n    return 2 * x if 0 < x < 10 else 7") == (
        G,
        "not yet",
        0.0,
        2,
        "hidden",
        None,
        None,
    )
    assert parts("def double(x):\n    return x * x") == (G, "not yet", 0.0, 2, "visible", None, "squared")
    assert parts("def double(x):\n    return 1 / 0") == (G, "error", 0.0, 2, "visible", None, None)
    assert parts("def double(x):\n    import os; os._exit(0)") == (
        I,
        "error",
        0.0,
        2,
        "visible",
        "died",
        None,
    )
    assert parts("x = 1") == (G, "error", 0.0, 2, None, None, None)
    assert parts(ENDLESS, call_seconds=1.0) == (I, "error", 0.0, 2, "visible", "time", None)


def test_an_answer_that_is_the_stub_for_hidden_inputs_alone_is_no_unattempted_one(judged):
    code = f"{stub('double')}\nraised = double\ndef double(x):\n    return 2 * x if 0 < x < 10 else raised(x)"
    each = judged(submitted(double=code))["double"]
    assert (each.status, each.outcome, each.marks, each.stage) == (G, "error", 0.0, "hidden")
    assert each.sentence.startswith("for some inputs your code still raises")


@pytest.mark.parametrize(
    "code",
    [
        "def double(x):\n    return total([x, x])",
        "def double(x):\n    return 2 * x if 0 < x < 10 else total([x])",
    ],
)
def test_an_answer_that_calls_an_undone_exercise_is_an_error_that_names_it(judged, code):
    """Skipped, or answered later: the student has tried this one. `total` itself stays unattempted."""
    each = judged(submitted(double=code))
    assert (each["double"].status, each["double"].outcome, each["double"].marks) == (G, "error", 0.0)
    assert each["double"].sentence == NEEDS.format("total") and each["total"].outcome == "unattempted"


BECAUSE = "double is not defined, because the solution cell stopped with"


@pytest.mark.parametrize(
    ("code", "said", "incident"),
    [
        ("def twice(x): return 2 * x", MISSING, None),
        ("double = 2", MISSING, None),
        (
            "1 / 0\ndef double(x): return 2 * x",
            f"{BECAUSE} a ZeroDivisionError: division by zero (line 1 of its",
            None,
        ),
        ("def double(x) return", f"{BECAUSE} a SyntaxError: expected ':'", None),
        ("raise OSError", f"{BECAUSE} an OSError (line 1 of its cell: raise OSError)", None),
        ("import os; os._exit(0)", INCIDENTS["died"], "died"),
        ("while True: pass", INCIDENTS["time"], "time"),
    ],
)
def test_where_no_such_function_is_defined_the_cell_tells_why(judged, code, said, incident):
    each = judged(
        submitted(double=code, total=RIGHT["total"]), **({"cell_seconds": 0.5} if incident == "time" else {})
    )
    assert each["double"].sentence.startswith(said) and each["double"].incident == incident
    assert (each["double"].status, each["double"].outcome, each["double"].marks) == (
        I if incident else G,
        "error",
        0.0,
    )
    assert each["total"].marks == 2.0


def test_a_cell_that_fails_behind_its_definition_costs_nothing(judged):
    assert judged(submitted(double=f"{RIGHT['double']}\n1 / 0"))["double"].marks == 2.0


def test_a_blank_written_answer_is_unattempted_and_scores_nothing(judged):
    each = judged(submitted())["why"]
    assert (each.status, each.outcome, each.marks, each.written) == (U, "unattempted", 0.0, True)
    assert each.sentence.startswith("not attempted yet: nothing is written")
    assert judged(submitted())["double"].sentence == UNATTEMPTED


@pytest.mark.slow
def test_a_wrong_answer_that_cannot_be_diagnosed_in_time_stays_wrong(judged, monkeypatch):
    def slow(key, answer, said):
        while True:
            sum(range(1000))

    monkeypatch.setattr(stages, "diagnose", slow)
    each = judged(
        submitted(double="def double(x):\n    return x * x", total=RIGHT["total"]), call_seconds=2.0
    )
    double = each["double"]
    assert (double.status, double.outcome, double.marks, double.stage) == (G, "not yet", 0.0, "visible")
    assert double.sentence.startswith("twice ") and double.mistake is None and each["total"].marks == 2.0


@pytest.mark.slow
def test_what_the_keys_own_answers_give_is_not_computed_in_the_answers_time(judged, monkeypatch):
    def slow(rng):
        until = time.process_time() + 1.2
        while time.process_time() < until:
            pass
        return [(3,), (5,)]

    monkeypatch.setitem(KEYS, "double", replace(KEYS["double"], fingerprint=slow))
    each = judged(submitted(double="def double(x):\n    return x ** 2"), call_seconds=1.0)
    assert each["double"].mistake == "squared" and each["double"].incident is None


def test_an_exercise_has_no_more_time_than_its_own_and_the_next_one_all_of_its(judged, with_check):
    code = (
        "import time\nasked = []\ndef double(x):\n    asked.append(x)\n    time.sleep(0.8)\n    return 2 * x"
    )

    def patient(answer, rng):
        for number in range(4):
            answer(number)
        return right()

    with_check("double", patient)
    each = judged(submitted(double=code, total=RIGHT["total"]), exercise_seconds=2.0)
    assert (each["double"].marks, each["double"].incident) == (0.0, "time") and each["total"].marks == 2.0
