"""`kqa course try EXERCISE ANSWER.py`, and `kqa course try --batch FOLDER`: judge answers from files.

- The setup cells of the exercise's notebook run before an answer. The inputs are the same in every call, so
  that you can examine a verdict; a student's own inputs differ.
- The config's tier says where answers run. As they are your own files, the command's default is ordinary
  processes (`sandbox.unconfined`): the judge, the limits and the verdict are those of a class, and only the
  sandbox is left out.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from autograder.course.answer_files import FileAnswer, read_text
from autograder.grading.config import JudgeConfig
from autograder.grading.workers import run_tasks
from autograder.judge.results import ExerciseResult, Status
from autograder.sandbox.errors import InfrastructureError
from kqa_core.errors import UserError
from kqa_core.progress import remaining

T = TypeVar("T")
LINES = 5  # where the output is no terminal
CLEAR = "\r\x1b[K"  # the line of a terminal
UNCONFINED = (
    "answers run in processes of this command, with the judge's limits and your own rights; --sandbox runs"
    " them as for a class"
)


def try_answer(exercise: str, path: Path, config: JudgeConfig) -> ExerciseResult:
    """The judge's result on the answer in the file at `path`.

    Python that does not parse is a wrong answer, as in a notebook. Raises UserError for an unknown or a
    written exercise, for a file that cannot be read as text, and if the judge itself fails.
    """
    answer = FileAnswer(exercise, str(path), read_text(path))
    ((_, result),) = try_answers([answer], replace(config, workers=1))
    if isinstance(result, InfrastructureError):
        raise UserError(f"{exercise}: the judge failed, which says nothing about the answer: {result}")
    if result.status is Status.BROKEN:
        raise UserError(f"{exercise}: {result.sentence}; this says nothing about the answer")
    return result


def try_answers(
    answers: Sequence[FileAnswer], config: JudgeConfig
) -> Iterator[tuple[FileAnswer, ExerciseResult | InfrastructureError]]:
    """The result on each answer, as they become ready; InfrastructureError where the judge failed.

    Raises UserError, before anything is judged, for an unknown or a written exercise; later for an exercise
    whose file has a mistake.
    """
    from autograder.judge.tasks import AnswerTask
    from kqa_core.check.registry import find

    instructors = {
        name: _instructor(name, config) for name in dict.fromkeys(answer.exercise for answer in answers)
    }
    tasks = {
        AnswerTask(answer.exercise, answer.place, answer.source, instructors[answer.exercise]): answer
        for answer in answers
    }
    for task, result in run_tasks(tasks, config):
        if isinstance(result, InfrastructureError):
            find(task.exercise)  # a mistake in its file is told in one line
        yield tasks[task], result


def counted(results: Iterable[T], total: int) -> Iterator[T]:
    """The results as they come, with a line on stderr that counts them: how many a second, and how long it
    still takes. It changes in place on a terminal; elsewhere it is printed five times.
    """
    began, printed = time.monotonic(), 0
    in_place = sys.stderr.isatty()
    for done, result in enumerate(results, start=1):
        if in_place:
            sys.stderr.write(CLEAR)
        yield result
        taken = max(time.monotonic() - began, 1e-6)
        left = f"{remaining(taken / done * (total - done))} left" if done < total else remaining(taken)
        line = f"judged {done} of {total}, {done / taken:.1f} a second, {left}"
        if in_place:
            sys.stderr.write(line if done < total else f"{line}\n")
            sys.stderr.flush()
        elif done * LINES // total > printed:
            printed = done * LINES // total
            print(line, file=sys.stderr, flush=True)


def _instructor(name: str, config: JudgeConfig) -> Path:
    """The instructor's notebook that has this exercise. The exercise is not imported, so that the workers
    need not wait until this process has imported what the exercises use.
    """
    from kqa_core.check.registry import find, notebook_folder
    from kqa_core.check.written import exercises_in

    try:
        folder = notebook_folder(name)
    except KeyError:
        find(name)  # raises UserError with the nearest names
        raise
    if name in exercises_in(folder / "exercises"):
        raise UserError(f"{name} is a written answer: a person reads it, so nothing can be tried")
    instructor = config.course / "source" / folder.name / f"{folder.name}.ipynb"
    if not instructor.is_file():
        raise UserError(
            f"{instructor}: the instructor's notebook is missing; make it with `kqa course build`"
        )
    return instructor
