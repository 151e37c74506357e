"""Every state an exercise can end in, each from a submission that brings it about. Answers that are judged
in one runner: each gets the verdict that it gets alone.
"""

from __future__ import annotations

import re

import pytest
from tiny_course import KEY, KEYS, LIMITS, RIGHT, SKELETON, stub, submitted

from autograder.judge import verdict
from autograder.judge.results import Status, overall
from autograder.judge.verdict import JudgeContext, judge, judge_answers
from autograder.submissions.merge import with_answer
from kqa_core.check.exercise import fits, observed_and_cause, right
from kqa_core.check.run import CLOCKS, INCIDENTS, NEEDS


def test_right_answers_get_their_points_and_the_visible_checks_sentence(judged):
    results = judged(submitted(**RIGHT, why="because"))
    assert [(each.status, each.outcome, each.marks) for each in results.values()] == [
        (Status.GRADED, "right", 2.0),
        (Status.GRADED, "right", 2.0),
        (Status.PERSON, "written", None),
    ]
    assert results["double"].sentence == "doubled"


def test_an_untouched_copy_is_unattempted_throughout(judged):
    results = judged(submitted())
    assert {each.status for each in results.values()} == {Status.UNATTEMPTED}
    assert sum(each.marks for each in results.values()) == 0
    assert overall(tuple(results.values())) is Status.UNATTEMPTED


def test_a_stub_with_only_its_comments_and_spacing_changed_is_unattempted(judged):
    stub = (
        'def double( x ):  # my turn\n\n    raise NotImplementedError("exercise double: replace this line'
        ' with your answer")'
    )
    assert judged(submitted(double=stub))["double"].status is Status.UNATTEMPTED


def test_a_stub_line_left_above_the_answer_reads_unattempted(judged):
    code = (
        'def double(x):\n    raise NotImplementedError("exercise double: replace this line with your'
        ' answer")\n    return 2 * x'
    )
    assert judged(submitted(double=code))["double"].status is Status.UNATTEMPTED


def test_a_known_mistake_gets_its_own_sentence_and_name(judged):
    result = judged(submitted(double="def double(x):\n    return x ** 2"))["double"]
    assert (result.outcome, result.marks, result.mistake) == ("not yet", 0.0, "squared")
    seen, cause = observed_and_cause(result.sentence)
    assert cause == "You square the number; double it." and result.sentence == f"{seen} {fits(2)}{cause}"
    assert re.fullmatch(r"twice \d+ is \d+\.", seen)  # what the check itself saw comes first


def test_an_unknown_mistake_keeps_the_checks_sentence(judged):
    result = judged(submitted(double="def double(x):\n    return x + 100"))["double"]
    assert result.mistake is None and result.sentence.startswith("twice ")


def test_an_answer_that_only_fits_the_visible_check_is_not_right(judged):
    result = judged(submitted(double="def double(x):\n    return 2 * x if 0 < x < 10 else 7"))["double"]
    assert (result.outcome, result.marks) == ("not yet", 0.0)


def test_a_known_mistake_that_only_the_hidden_check_sees_is_named(judged, with_check):
    with_check("double", lambda answer, rng: right())
    result = judged(submitted(double="def double(x):\n    return x * x"))["double"]
    assert (result.outcome, result.mistake, result.stage) == ("not yet", "squared", "hidden")


def test_an_answer_that_needs_another_exercise_for_some_inputs_is_told_this_and_no_mistake(
    judged, with_check
):
    with_check("double", lambda answer, rng: right())
    code = "def double(x):\n    return x * x if x in (3, 5) else total([x, x])"
    result = judged(submitted(double=code))["double"]
    assert (result.outcome, result.sentence) == ("error", NEEDS.format("total"))


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (
            "def double(x):\n    return x / 0",
            "a ZeroDivisionError: division by zero (line 2 of its cell: return x / 0; in the call double(…))",
        ),
        (
            "class Odd(KeyError): pass\ndef double(x):\n    raise Odd",
            "a KeyError (line 3 of its cell: raise Odd; in the call double(…))",
        ),
        (
            "def double(x):\n    import sys; sys.exit(3)",
            "a SystemExit: 3 (line 2 of its cell: import sys; sys.exit(3); in the call double(…))",
        ),
        (
            "def double():\n    return 2",
            "a TypeError: double() takes 0 positional arguments but 1 was given (in the call double(…))",
        ),
    ],
)
def test_an_exception_is_named_by_its_builtin_kind_with_its_message_and_line(judged, code, kind):
    result = judged(submitted(double=code))["double"]
    # the visible check's input: a number
    sentence = re.sub(r"double\(\d\)", "double(…)", result.sentence)
    assert (result.outcome, sentence) == ("error", f"your code stopped with {kind}")


def test_a_cell_that_cannot_run_is_an_error_that_names_the_kind(judged):
    result = judged(submitted(double="def double(x)\n    return 2 * x", total=RIGHT["total"]))
    assert "SyntaxError" in result["double"].sentence
    assert result["total"].marks == 2


def test_a_renamed_function_is_an_error_that_says_so(judged):
    assert "keep the name" in judged(submitted(double="def twice(x):\n    return 2 * x"))["double"].sentence


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "incident"),
    [
        ("def double(x):\n    while True: pass", "time"),
        ("import time\ndef double(x):\n    time.sleep(60)", "time"),
        (
            (
                "def double(x):\n"
                "    while True:\n"
                "        try:\n"
                "            while True: pass\n"
                "        except BaseException: pass"
            ),
            "time",
        ),
        ("import os\ndef double(x):\n    os._exit(0)", "died"),
        ("import ctypes\ndef double(x):\n    ctypes.string_at(0)", "died"),
        (
            "def double(x):\n    kept = [bytearray(b'x' * 2**24) for _ in range(20)]\n    while True: pass",
            "memory",
        ),
        ("import torch\ndef double(x):\n    return torch.zeros(1).expand(10**9)", "output"),
        ("def double(x):\n    return 'x' * (5 * 10**6)", "output"),
        ("def double(x):\n    r = []\n    for _ in range(1000): r = [r]\n    return r", "output"),
        ("while True: pass", "time"),
        ("import os\nos._exit(1)", "died"),
    ],
)
def test_an_incident_costs_only_the_exercise_it_happened_in(judged, code, incident):
    short = {"call_seconds": 1.0, "cell_seconds": 1.0} if incident == "time" else {}
    results = judged(submitted(double=code, total=RIGHT["total"]), **short)
    assert (results["double"].status, results["double"].incident, results["double"].marks) == (
        Status.INCIDENT,
        incident,
        0.0,
    )
    assert results["double"].sentence == (CLOCKS["waiting"] if "sleep" in code else INCIDENTS[incident])
    assert (results["total"].status, results["total"].marks) == (Status.GRADED, 2.0)


@pytest.mark.slow
def test_a_hostile_expression_cannot_hang_the_worker(judged, with_check):
    def slow(answer, rng):
        answer(1)
        while True:  # stands for sympy at work on an expression with no end
            try:
                sum(range(1000))
            except Exception:
                continue

    with_check("double", slow)
    results = judged(submitted(**RIGHT), exercise_seconds=1.5)
    assert (results["double"].outcome, results["double"].incident, results["double"].marks) == (
        "not yet",
        "time",
        0.0,
    )
    assert "could not be judged within the time and memory" in results["double"].sentence
    assert results["total"].marks == 2.0


@pytest.mark.parametrize(
    "check",
    [lambda answer, rng: answer(1) + None, lambda answer, rng: True, lambda answer, rng: answer(object())],
)
def test_a_check_that_misbehaves_is_our_fault_and_gives_no_mark_at_all(judged, with_check, check):
    with_check("double", check)
    results = judged(submitted(**RIGHT))
    assert (results["double"].status, results["double"].marks) == (Status.BROKEN, None)
    assert results["total"].marks == 2.0
    assert overall(tuple(results.values())) is Status.BROKEN


@pytest.mark.parametrize(
    "value",
    [
        *(
            "None",
            "float('nan')",
            "float('inf')",
            "'4'",
            "object()",
            "lambda: 1",
            "True",
            "4.0",
            "[4]",
            "{}",
            "double",
            "b'4'",
        ),
        *(
            "__import__('torch').zeros(0)",
            "__import__('numpy').int64(4)",
            "__import__('sympy').oo",
            "10**300",
            "1j",
            "...",
        ),
        "type('Yes', (int,), {'__eq__': lambda s, o: True, '__hash__': None})(4)",
    ],
)
def test_junk_values_are_refused_and_never_break_a_check(judged, value):
    result = judged(submitted(double=f"def double(x):\n    return {value}"))["double"]
    assert (result.outcome, result.marks, result.incident) == ("not yet", 0.0, None)


ANSWERS = {
    "right": RIGHT["double"],
    "with a name of its own": "factor = 2\ndef double(x):\n    return factor * x",
    "with a name of the one before": "def double(x):\n    return factor * x",
    "another setup": "LIMIT = 1\n" + RIGHT["double"],
    "a mistake": "def double(x):\n    return x * x",
    "right for some": "def double(x):\n    return 2 * x if 0 < x < 10 else 7",
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
