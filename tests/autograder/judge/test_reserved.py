"""Functions that would be an answer, of `kqa_core` and of the exercises that students receive
(`course_exercises`): an answer may not call them.
"""

from __future__ import annotations

import importlib
from contextlib import closing
from dataclasses import replace

import pytest
from tiny_course import LIMITS

from autograder.grading.config import JudgeConfig
from autograder.grading.workers import run_tasks
from autograder.judge.results import ExerciseResult
from autograder.judge.session import RemoteAnswer, Session
from autograder.judge.tasks import AnswerTask
from autograder.submissions.merge import GraftedCell
from kqa_core.check.answer import AnswerRaised, Build
from kqa_core.check.exercise import Outcome
from kqa_core.check.local import LocalAnswer
from kqa_core.check.registry import PACKAGE, all_exercises, find, folders
from kqa_core.check.run import run_check

RESERVED = [(exercise.id, name) for exercise in all_exercises() for name in exercise.reserved]
# states_of takes a model, which an answer would first make of the weights: it is not the answer itself
AS_THEY_ARE = [(exercise, name) for exercise, name in RESERVED if exercise != "llama_states"]
OWN = (
    "def split_heads(x, n_head):\n"
    "    B, T, C = x.shape\n"
    "    return x.view(B, T, n_head, C // n_head).transpose(1, 2)\n"
)
MODEL = (
    "import torch\n"
    "from kqa_core.model import GPT, GPTConfig\n"
    "model = GPT(GPTConfig(16, 8, 1, 2, d_model=8))\n"
)
THEIRS = "from kqa_core.model.attention import split_heads as theirs\n"
SOURCES = {
    "imported": "from kqa_core.model.attention import split_heads",
    "called": THEIRS + "def split_heads(x, n_head):\n    return theirs(x, n_head)",
    "called in its module": (
        "from kqa_core.model import attention as a\ndef split_heads(x, h):\n    return a.split_heads(x, h)"
    ),
    "a model of the library": MODEL + "assert model(torch.zeros(1, 4, dtype=torch.long)) is not None\n" + OWN,
}


@pytest.fixture(scope="module")
def verdicts() -> dict[str, ExerciseResult]:
    """What becomes of each of SOURCES, by its name."""
    config = JudgeConfig(workers=1)
    name = find("split_heads").notebook
    notebook = config.course / "source" / name / f"{name}.ipynb"
    found = {}
    for task, result in run_tasks(
        [AnswerTask("split_heads", what, source, notebook) for what, source in SOURCES.items()], config
    ):
        assert isinstance(result, ExerciseResult), result
        found[task.label] = result
    return found


@pytest.mark.parametrize(("exercise", "name"), AS_THEY_ARE)
def test_what_is_reserved_would_pass_the_visible_check(exercise, name):
    module, function = name.split(":")
    check = find(exercise).check
    assert check is not None
    assert (
        run_check(check, LocalAnswer(getattr(importlib.import_module(module), function)), 3).outcome
        is Outcome.RIGHT
    )


@pytest.mark.slow
@pytest.mark.parametrize("how", ["imported", "called", "called in its module"])
def test_an_answer_that_is_or_calls_a_reserved_function_gets_no_marks(verdicts, how):
    assert verdicts[how].marks == 0
    assert "kqa_core.model.attention.split_heads is an answer to an exercise" in verdicts[how].sentence


@pytest.mark.slow
def test_the_library_may_call_it_itself(verdicts):
    assert verdicts["a model of the library"].marks == 1


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
