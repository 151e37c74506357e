"""`kqa course try EXERCISE ANSWER.py`, and `kqa course try --batch FOLDER`: judge answers from files, in
workers as for a class.

A file holds the text of a solution cell. The setup cells of the exercise's notebook run before it. The inputs
are the same in every call, so that you can examine a verdict; a student's own inputs differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.farm.config import JudgeConfig
from autograder.farm.pool import run_tasks
from autograder.judge.results import ExerciseResult, Status
from autograder.sandbox.errors import InfrastructureError
from kqa_core.errors import UserError

if TYPE_CHECKING:
    from autograder.judge.tasks import AnswerTask

MAX_FILE = 2**20


def try_answer(exercise: str, path: Path, config: JudgeConfig) -> ExerciseResult:
    """The judge's result on the answer in the file at `path`.

    Python that does not parse is a wrong answer, as in a notebook. Raises UserError for an unknown or a
    written exercise, for a file that cannot be read as text, and if the judge itself fails.
    """
    ((_, result),) = run_tasks([_task(exercise, path, config)], replace(config, workers=1))
    if isinstance(result, InfrastructureError):
        raise UserError(f"{exercise}: the judge failed, which says nothing about the answer: {result}")
    assert isinstance(result, ExerciseResult)
    if result.status is Status.BROKEN:
        raise UserError(f"{exercise}: {result.sentence}; this says nothing about the answer")
    return result


def try_batch(
    folder: Path, config: JudgeConfig
) -> Iterator[tuple[Path, ExerciseResult | InfrastructureError]]:
    """The result on each file FOLDER/EXERCISE/*.py, as they become ready; InfrastructureError where the judge
    failed.

    Raises UserError, before anything is judged, for what `try_answer` raises it, and for a folder without
    such files.
    """
    if not folder.is_dir():
        raise UserError(f"{folder}: no such folder; expected one that holds EXERCISE/NAME.py")
    paths = sorted(folder.glob("*/*.py"))
    if not paths:
        raise UserError(
            f"{folder}: holds no answers; expected EXERCISE/NAME.py, such as average_two/answer.py"
        )
    tasks = {_task(path.parent.name, path, config): path for path in paths}
    for task, result in run_tasks(tasks, config):
        yield tasks[task], result


def _task(exercise: str, path: Path, config: JudgeConfig) -> AnswerTask:
    from autograder.judge.tasks import AnswerTask
    from kqa_core.check.registry import find

    found = find(exercise)
    if found.written:
        raise UserError(f"{exercise} is a written answer: a person reads it, so nothing can be tried")
    instructor = config.course / "source" / found.notebook / f"{found.notebook}.ipynb"
    if not instructor.is_file():
        raise UserError(
            f"{instructor}: the instructor's notebook is missing; make it with `kqa course build`"
        )
    return AnswerTask(exercise, str(path), _read(path), instructor)


def _read(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_FILE:
            raise UserError(f"{path}: is larger than 1 MiB; expected the text of one solution cell")
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise UserError(f"{path}: is not UTF-8 text; expected the Python of one solution cell") from None
    except FileNotFoundError:
        raise UserError(f"{path}: no such file; expected the Python of one solution cell") from None
    except OSError as error:
        raise UserError(
            f"{path}: cannot be read ({error.strerror}); expected the Python of one solution cell"
        ) from None
