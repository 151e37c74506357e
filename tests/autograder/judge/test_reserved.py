"""Functions of `kqa_core` that would be an answer to an exercise: an answer may not call them."""

from __future__ import annotations

import importlib

import pytest

from autograder.farm.config import JudgeConfig
from autograder.farm.pool import run_tasks
from autograder.judge.results import ExerciseResult
from autograder.judge.tasks import AnswerTask
from kqa_core.check.exercise import Outcome
from kqa_core.check.local import LocalAnswer
from kqa_core.check.registry import all_exercises, find
from kqa_core.check.run import run_check

RESERVED = [(exercise.id, name) for exercise in all_exercises() for name in exercise.reserved]
OWN = "def split_heads(x, n_head):\n    B, T, C = x.shape\n    return x.view(B, T, n_head, C // n_head).transpose(1, 2)\n"


def judged(exercise: str, source: str) -> ExerciseResult:
    config = JudgeConfig(workers=1)
    name = find(exercise).notebook
    ((_, result),) = run_tasks([AnswerTask(exercise, "", source, config.course / "source" / name / f"{name}.ipynb")], config)
    assert isinstance(result, ExerciseResult), result
    return result


@pytest.mark.parametrize(("exercise", "name"), RESERVED)
def test_what_is_reserved_would_pass_the_visible_check(exercise, name):
    module, function = name.split(":")
    check = find(exercise).check
    assert check is not None
    assert run_check(check, LocalAnswer(getattr(importlib.import_module(module), function)), 3).outcome is Outcome.RIGHT


def test_an_answer_that_is_or_calls_a_reserved_function_gets_no_marks():
    theirs = "from kqa_core.model.attention import split_heads as theirs\n"
    for source in (
        "from kqa_core.model.attention import split_heads",
        theirs + "def split_heads(x, n_head):\n    return theirs(x, n_head)",
        "import kqa_core.model.attention as a\ndef split_heads(x, n_head):\n    return a.split_heads(x, n_head)",
    ):
        result = judged("split_heads", source)
        assert result.marks == 0 and "kqa_core.model.attention.split_heads is an answer to an exercise" in result.sentence


def test_the_library_may_call_it_itself():
    uses = "import torch\nfrom kqa_core.model import GPT, GPTConfig\nmodel = GPT(GPTConfig(16, 8, 1, 2, d_model=8))\n"
    uses += "assert model(torch.zeros(1, 4, dtype=torch.long)) is not None\n"
    assert judged("split_heads", uses + OWN).marks == 1
