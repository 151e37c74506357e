"""The functions of the exercises that students receive (`course_exercises`) are no answers:
checks compute with them.
"""

from __future__ import annotations

import importlib
from contextlib import closing
from dataclasses import replace

import pytest
from tiny_course import LIMITS

from autograder.judge.session import RemoteAnswer, Session
from autograder.submissions.merge import GraftedCell
from kqa_core.check.answer import AnswerRaised, Build
from kqa_core.check.registry import PACKAGE, folders

HALVES = [f"{PACKAGE}.{path.stem}" for folder in folders() for path in sorted(folder.glob("*.py"))]
SOURCE = """
import importlib
from course_exercises._leaks import witness
def tried(names):
    said = []
    for full in names:
        module, name = full.split(":")
        try:
            getattr(importlib.import_module(module), name)()
            said.append("called")
        except Exception as error:
            said.append(f"{type(error).__name__}: {error}")
    return said
def applied(machine, x):
    return machine(x)
"""


@pytest.fixture(scope="module")
def session(launcher):
    limits = replace(LIMITS, call_seconds=60.0)  # all exercises are imported
    with closing(Session(launcher, [GraftedCell("solution", "code", SOURCE, "tried")], limits)) as made:
        yield made


def functions():
    """`module:name` of every function of the students' half."""
    for name in HALVES:
        for what, value in vars(importlib.import_module(name)).items():
            if callable(value) and getattr(value, "__module__", None) == name and not isinstance(value, type):
                yield f"{name}:{what}"


def test_an_answer_can_call_no_function_of_any_exercise(session):
    names = list(functions())
    assert len(names) > 400 and f"{PACKAGE}.split_heads:by_number" in names
    said = RemoteAnswer(session, "tried")(names)
    told = {name: f"RuntimeError: {name.replace(':', '.')} is part of a check, so" for name in names}
    assert [name for name, each in zip(names, said, strict=True) if not each.startswith(told[name])] == []


def test_it_cannot_be_one_either(session):
    with pytest.raises(AnswerRaised) as raised:
        RemoteAnswer(session, "witness")("delayed")
    assert raised.value.message.startswith("course_exercises._leaks.witness is part of a check")


def test_checks_may_build_arguments_with_them(session):
    kept = RemoteAnswer(session, "applied")(Build("course_exercises._leaks:witness", ("twice",)), 4)
    assert kept == 8
