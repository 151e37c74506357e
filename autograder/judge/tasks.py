"""The tasks of a worker: judge a submission or one answer alone, or read a version. A task names files."""

from __future__ import annotations

import functools
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from autograder.judge.results import ExerciseResult, Judged, Status, SubmissionResult
from autograder.judge.seeds import FIXED_KEY
from autograder.judge.session import parsed
from autograder.judge.verdict import JudgeContext, judge, judge_answers, judge_submission
from autograder.runner.notebook_parser import Program
from autograder.submissions.cells import SubmittedCell, cells_from
from autograder.submissions.intake import Refused
from autograder.submissions.merge import Graft, graft, with_answer
from autograder.submissions.skeleton import Skeleton, read_skeleton
from autograder.submissions.store import Submission
from autograder.submissions.stored_bytes import DamagedVersion, stored_bytes


@dataclass(frozen=True)
class SubmissionTask:
    """Judge one entry of the manifest, which has a file."""

    submission: Submission
    store: Path  # where the versions lie
    instructor: Path  # the instructor's notebook
    # whether it may take all the time of a submission, because the others have had their turn
    patient: bool = False


@dataclass(frozen=True)
class Slow:
    """The result of a task that took longer than `first_seconds`:
    it is judged again, patiently, after all others.
    """


@dataclass(frozen=True)
class AnswerTask:
    """Judge the text of one solution cell, with the setup cells of its notebook and nothing else."""

    exercise: str
    label: str
    source: str
    instructor: Path
    call_seconds: float | None = None  # its own clock for a call, where it is not the batch's


@dataclass(frozen=True)
class AnswersTask:
    """Judge answers of our own to one exercise, one after the other in one runner."""

    answers: tuple[AnswerTask, ...]

    @property
    def instructor(self) -> Path:
        """The instructor's notebook."""
        return self.answers[0].instructor


@dataclass(frozen=True)
class ReadTask:
    """Read a version, and judge nothing."""

    submission: Submission
    store: Path
    instructor: Path


@dataclass(frozen=True)
class ReadVersion:
    """What a version holds; nothing where it cannot be read."""

    cells: tuple[SubmittedCell, ...] = ()
    answers: Mapping[str, str] = field(default_factory=dict)  # exercise → the student's source
    answered: int = 0  # exercises of which something is there


LONG_ANSWER = 20_000  # characters
NO_PROGRAM: Program = (None, [])
Task = SubmissionTask | AnswerTask | AnswersTask | ReadTask
Result = Judged | Slow | ExerciseResult | tuple[ExerciseResult, ...] | ReadVersion


def perform(task: Task, context: JudgeContext) -> Result:
    """Do one task. Raises InfrastructureError."""
    skeleton = _skeleton(task.instructor, task.instructor.read_text(encoding="utf-8"))
    if isinstance(task, SubmissionTask):
        return _submission(task, skeleton, context)
    if isinstance(task, ReadTask):
        return _read(task, skeleton, context)
    # ours: where the class's own key draws the inputs, a known answer must have the verdict of its proof
    context = replace(context, key=FIXED_KEY)
    if isinstance(task, AnswersTask):
        return judge_answers([_graft(each, skeleton, context) for each in task.answers], "prove", context)
    if task.call_seconds is not None:
        context = replace(context, limits=replace(context.limits, call_seconds=task.call_seconds))
    (decided,) = judge(_graft(task, skeleton, context), "prove", context)
    return decided


def _read(task: ReadTask, skeleton: Skeleton, context: JudgeContext) -> ReadVersion:
    try:
        cells = cells_from(
            parsed(context.launcher, stored_bytes(task.store, task.submission), context.limits)
        )
    except (DamagedVersion, Refused):
        return ReadVersion()
    grafted = graft(skeleton, cells)
    exercises = skeleton.exercises
    answers = {exercise.id: grafted.source(exercise.id) for exercise in exercises}
    return ReadVersion(cells, answers, sum(not grafted.untouched(exercise) for exercise in exercises))


def _graft(task: AnswerTask, skeleton: Skeleton, context: JudgeContext) -> Graft:
    return with_answer(skeleton, task.exercise, task.source, _parsed(task.source, context))


def _parsed(source: str, context: JudgeContext) -> dict[str, Program]:
    """A long answer as the parser in the sandbox read it:
    some texts keep a parser busy for minutes. Nothing for a short one.
    """
    if len(source) < LONG_ANSWER:
        return {}
    about: dict[str, Any] = {"id": "answer", "metadata": {}, "outputs": [], "execution_count": None}
    notebook = {
        "cells": [{"cell_type": "code", "source": source, **about}],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    try:
        (read,) = cells_from(parsed(context.launcher, json.dumps(notebook).encode(), context.limits))
    except Refused:
        return {source: NO_PROGRAM}
    return {source: read.program or NO_PROGRAM}


def _submission(task: SubmissionTask, skeleton: Skeleton, context: JudgeContext) -> Judged | Slow:
    entry = task.submission
    assert entry.file is not None, "an entry without a file is not for a worker"
    tier = context.launcher.tier
    try:
        data = stored_bytes(task.store, entry)
    except DamagedVersion as damage:
        return Judged(SubmissionResult.of(entry, Status.BROKEN, reason=str(damage), sandbox=tier))
    try:
        cells = cells_from(parsed(context.launcher, data, context.limits))
    except Refused as refused:
        return Judged(SubmissionResult.of(entry, Status.REFUSED, reason=str(refused), sandbox=tier))
    grafted, first_seconds = graft(skeleton, cells), context.limits.first_seconds
    if task.patient:
        return judge_submission(grafted, entry, context)
    until = time.monotonic() + first_seconds
    judged = judge_submission(grafted, entry, replace(context, until=until))
    return Slow() if time.monotonic() > until else judged


@functools.lru_cache(maxsize=64)
def _skeleton(path: Path, text: str) -> Skeleton:
    return read_skeleton(path, text)
