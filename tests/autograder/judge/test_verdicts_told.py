"""What a runner's replies may say, and what a student is told about an exception."""

from __future__ import annotations

import random
import re
from contextlib import closing
from dataclasses import replace

import pytest
from tiny_course import KEY, KEYS, LIMITS, RIGHT, SKELETON, submitted

from autograder.judge.replies import read_reply
from autograder.judge.seeds import seed_for
from autograder.judge.session import RemoteAnswer, Session
from autograder.judge.stages import NO_VALUE
from autograder.submissions.merge import GraftedCell, graft
from kqa_core.check.answer import AnswerDied, AnswerFailed, AnswerMissing, AnswerRaised, AnswerUnreadable
from kqa_core.check.exercise import NotYet, expect, right
from kqa_core.check.helpers.effects import leaves_alone

CELLS = (
    GraftedCell("setup", "code", "import torch"),
    GraftedCell("solution", "code", "def double(x):\n    return y", "double"),
)


def failure_of(reply, shows_messages=True):
    with pytest.raises(AnswerFailed) as failed:
        read_reply(reply, CELLS, shows_messages)
    return failed.value


def test_a_value_is_one_only_as_the_runner_must_say_it():
    assert read_reply(("value", 4), (), True) == 4 and read_reply(("value", None), (), True) is None
    forged = [None, (), ["value", 4], ("value",), ("value", 4, 5), ("right", 2.0), (True,), "value"]
    forged += [("raised", "KeyError"), ("raised", "KeyError", None), ("raised", 3, "double", "", 0, 0, 0)]
    forged += [
        ("raised", "KeyError", True, "", 0, 0, 0),
        ("raised", "KeyError", None, "", 0, 0.5, 0),
        ("raised", "KeyError", None, 3, 0, 0, 0),
        ("raised", "KeyError", None, "", 0, 0, "3"),
    ]
    forged += [("odd", "KeyError", None)]
    for reply in forged:
        failed = failure_of(reply)
        assert type(failed) is AnswerDied and failed.incident == "died", reply


def test_a_failure_is_told_by_its_kind_and_by_nothing_the_student_named():
    assert (
        type(failure_of(("missing",))) is AnswerMissing
        and type(failure_of(("unreadable",))) is AnswerUnreadable
    )
    for said, kind, stub, kept in [
        ("KeyError", "KeyError", None, None),
        ("Odd", "Exception", None, None),
        ("OSError", "OSError", "double", "double"),
        ("OSError", "OSError", "the_third_input_is_7", None),
    ]:
        failed = failure_of(("raised", said, stub, "", 0, 0, 0))
        assert type(failed) is AnswerRaised and (failed.kind, failed.stub) == (kind, kept)


def test_the_line_is_the_submissions_own_and_a_message_is_kept_only_where_it_may_be_shown():
    for cell, line, shown in [
        (1, 2, "line 2 of its cell: return y"),
        (0, 1, "line 1 of its cell: import torch"),
    ]:
        failed = failure_of(("raised", "KeyError", None, "no such key", cell, line, 0))
        assert (failed.line, failed.message) == (shown, "no such key")
    for cell, line in [(1, 0), (1, 3), (1, -1), (2, 1), (-1, 1), (10**30, 1)]:
        assert failure_of(("raised", "KeyError", None, "", cell, line, 0)).line == ""
    # IPython drops the blank lines at the beginning of a cell before it runs it
    later = [GraftedCell("extra", "code", "\n  \ndef f(x):\n    return y")]
    with pytest.raises(AnswerRaised) as raised:
        read_reply(("raised", "NameError", None, "", 0, 2, 0), later, True)
    assert raised.value.line == "line 4 of its cell: return y"
    hidden = failure_of(("raised", "KeyError", None, "the third input is 7", 1, 2, 0), shows_messages=False)
    assert hidden.message == ""


def test_an_argument_that_was_changed_is_told_from_an_exception_of_the_answer(launcher):
    calls = (
        "calls = []\n"
        "def stops(x):\n"
        "    calls.append(x)\n"
        "    if len(calls) == 2:\n"
        "        raise Exception('I change nothing')"
    )
    source = f"def changes(x):\n    x.append(1)\n{calls}"
    with closing(Session(launcher, [GraftedCell("solution", "code", source, "changes")], LIMITS)) as session:
        with pytest.raises(NotYet, match="changes x in place"):
            leaves_alone(RemoteAnswer(session, "changes"), ("x",), [1, 2])
        with pytest.raises(AnswerRaised, match="I change nothing") as raised:
            leaves_alone(RemoteAnswer(session, "stops"), ("x",), [1, 2])
    assert type(raised.value) is AnswerRaised and raised.value.line.startswith("line 7 of its cell: raise")


def test_an_exception_in_the_visible_check_is_told_with_its_message_and_line(judged):
    code = "def double(x):\n    note = f'got {x + 10}'\n    raise ValueError(note)"
    sentence = judged(submitted(double=code, total=RIGHT["total"]))["double"].sentence
    assert re.fullmatch(
        r"your code stopped with a ValueError: got 1(\d) \(line 3 of its cell: raise ValueError\(note\);"
        r" in the call double\(\1\)\)",
        sentence,
    )


def test_the_call_that_raised_is_named_among_many_and_never_one_of_the_hidden_check(launcher):
    source = "def double(x):\n    return 6 // (x - 3)"
    with closing(Session(launcher, [GraftedCell("solution", "code", source, "double")], LIMITS)) as session:
        answer = RemoteAnswer(session, "double")
        for shows, call in ((True, "double(3)"), (False, "")):
            session.shows_messages = shows
            with pytest.raises(AnswerRaised) as raised:
                answer.map([(1,), (2,), (3,), (4,)])
            assert raised.value.call == call


def test_no_message_line_or_kind_of_exception_tells_an_input_of_the_hidden_check(judged):
    for what in ("raise ValueError(f'got {x}')", "import os; os._exit(x)", "return 'x' * 10**7", "return y"):
        code = f"def double(x):\n    if 2 <= x <= 9: return 2 * x\n    {what}"
        each = judged(submitted(double=code, total=RIGHT["total"]))["double"]
        assert (each.outcome, each.sentence, each.stage) == ("not yet", NO_VALUE, "hidden")


REMEMBERS = """
import builtins
builtins.seen = []
def double(x):
    builtins.seen.append(x)
    return 2 * x
"""
TELLS = """
import builtins
def total(numbers):
    raise ValueError(f"seen {len(builtins.seen)}: {builtins.seen}")
"""


def test_what_the_hidden_check_of_one_exercise_asked_is_unknown_to_the_visible_check_of_the_next(judged):
    """The visible check calls `double` once, the hidden one sixty times."""
    each = judged(submitted(double=REMEMBERS, total=TELLS))
    assert each["double"].outcome == "right" and "ValueError: seen 1: [" in each["total"].sentence


def test_what_the_hidden_check_asked_is_unknown_where_its_sentence_is_found(judged, monkeypatch):
    """The answer returns how many calls it has seen, and a check may tell what an answer returns."""

    def hidden(answer, rng):
        for _ in range(5):
            value = answer(rng.randint(10, 10**6))
            expect(value == 0, f"{value} is not 0")
        return right()

    monkeypatch.setitem(KEYS, "double", replace(KEYS["double"], hidden=hidden))
    code = (
        "seen = []\ndef double(x):\n    seen.append(x)\n    return 2 * x if x < 10 else seen[-1] + len(seen)"
    )
    told = judged(submitted(double=code, total=RIGHT["total"]))["double"].sentence
    key, digest = (KEY, "ann", "double"), graft(SKELETON, submitted(double=code, total=RIGHT["total"])).code
    decided, explained = (
        random.Random(seed_for(*key, which, digest)).randint(10, 10**6) for which in ("hidden", "explained")
    )
    assert told == f"{explained + 1} is not 0" and str(decided) not in told


def test_each_submission_has_new_hidden_inputs_and_the_same_code_the_same_ones(judged, monkeypatch):
    asked = []

    def hidden(answer, rng):
        asked.append(rng.random())
        return right()

    monkeypatch.setitem(KEYS, "double", replace(KEYS["double"], hidden=hidden))
    for code in (RIGHT["double"], RIGHT["double"], RIGHT["double"] + "  # again"):
        judged(submitted(double=code))
    judged(submitted(double=RIGHT["double"]), "bo")
    assert asked[0] == asked[1] and len(set(asked)) == 3


@pytest.mark.parametrize("text", ["raise KeyError(3)", "return 3", "import sys; sys.exit()"])
def test_an_exception_whose_own_message_fails_has_none(judged, text):
    code = f"class Odd(ValueError):\n    def __str__(self):\n        {text}\ndef double(x):\n    raise Odd"
    assert judged(submitted(double=code, total=RIGHT["total"]))["double"].outcome == "error"


def test_what_looks_at_the_processor_works_in_a_worker(judged):
    lines = [
        "half = torch.ones(3).half().float()",
        "bag = F.embedding_bag(torch.tensor([[1, 2]]), torch.ones(5, 8))",
    ]
    code = (
        "import torch\nimport torch.nn.functional as F\n" + "\n".join(lines) + "\ndef double(x): return 2 * x"
    )
    assert judged(submitted(double=code, total=RIGHT["total"]))["double"].outcome == "right"
