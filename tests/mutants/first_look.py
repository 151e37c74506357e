"""A first look at a mutant of an answer: the same checks on the same inputs, without a runner.
It takes a quarter of the time.

An answer that is wrong here is wrong: answers behave in a notebook as they do in a runner. About all others,
and about what gives no verdict here, the judge itself decides.
"""

from __future__ import annotations

import contextlib
import functools
import linecache
from pathlib import Path
from typing import Any

from autograder.answer_key import find_checked
from autograder.judge.clock import OutOfTime, clock
from autograder.judge.results import ExerciseResult, Status
from autograder.judge.seeds import seed_for
from autograder.judge.tasks import AnswerTask
from autograder.judge.tasks import perform as by_the_judge
from autograder.judge.verdict import JudgeContext
from autograder.submissions.merge import with_answer
from autograder.submissions.skeleton import Skeleton, load_skeleton
from kqa_core.check.exercise import Outcome
from kqa_core.check.local import LocalAnswer
from kqa_core.check.registry import find
from kqa_core.check.run import run_check

SECONDS = 10.0  # after which the judge decides


def perform(task: AnswerTask, context: JudgeContext) -> Any:
    """The result of a task: "not yet" from here, or whatever the judge says."""
    context.begin(task.exercise, SECONDS)
    with contextlib.suppress(Exception, OutOfTime), clock(SECONDS):
        if not _right(task, context.key):
            return ExerciseResult.of(
                find(task.exercise), Status.GRADED, str(Outcome.NOT_YET), 0.0, "wrong at first look"
            )
    return by_the_judge(task, context)


def _right(task: AnswerTask, key: bytes) -> bool:
    """Whether an answer passes both checks."""
    exercise, names = find(task.exercise), {"__name__": "__main__"}
    grafted = with_answer(_skeleton(task.instructor), task.exercise, task.source)
    for cell in grafted.run:
        linecache.cache["<cell>"] = (len(cell.source), None, cell.source.splitlines(keepends=True), "<cell>")
        exec(compile(cell.source, "<cell>", "exec"), names)
    for check, which in ((exercise.check, "visible"), (find_checked(task.exercise).hidden, "hidden")):
        assert check is not None
        whose = ("prove", task.exercise)
        calls, inputs = (seed_for(key, *whose, each, grafted.code) for each in (f"{which} calls", which))
        verdict = run_check(check, LocalAnswer(names[task.exercise], calls), inputs, task.exercise)
        if verdict.outcome is not Outcome.RIGHT:
            return False
    return True


@functools.cache
def _skeleton(path: Path) -> Skeleton:
    return load_skeleton(path)
