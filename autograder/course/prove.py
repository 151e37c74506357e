"""`kqa course prove`: check that the judge decides as the answer keys say.

Every reference and every accepted answer must be right. Every rejected answer must be not yet, with its own
sentence. The untouched stub must score 0 and be reported as *unattempted*. The workers that judge a class
judge all of them, several answers to an exercise in one runner. One that is not decided as the key says is
judged again, alone, and that verdict counts. The leak scan of the student's copy is part of the proof.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from autograder.answer_key import agrees, answer_source, find_checked, sentence
from autograder.build.release import chosen
from autograder.grading.config import SILENT, Events, JudgeConfig
from autograder.grading.workers import run_tasks
from autograder.judge.diagnose import chance
from autograder.judge.results import ExerciseResult
from autograder.judge.tasks import AnswersTask, AnswerTask
from autograder.paths import course_folder, read_course
from autograder.sandbox.errors import InfrastructureError
from autograder.submissions.cells import parse_cells
from autograder.submissions.merge import graft
from autograder.submissions.skeleton import Skeleton, load_skeleton
from kqa_core.check.exercise import Exercise, observed_and_cause
from kqa_core.check.registry import find

ACCEPTED, REJECTED = 4, 8  # known answers of an exercise that are recommended; none is required
NOT_NAMED = (
    "on the key's inputs it must give something else than the reference and than every other rejected answer"
)
WEAK = 1e-4  # of all students, those whose inputs may let a rejected answer pass
TOGETHER = 12  # answers in one runner


@dataclass
class ProofLine:
    """The proof of one exercise: how many answers of each kind, and how many were decided correctly."""

    exercise: str
    answers: dict[str, int] = field(default_factory=dict)  # by kind: reference, accepted, rejected, stub
    correct: dict[str, int] = field(default_factory=dict)
    stages: dict[str, int] = field(default_factory=dict)  # rejected answers by the check that refused them
    late: list[str] = field(default_factory=list)  # rejected answers that only the hidden check refused


@dataclass
class Proof:
    """The outcome of a proof. It holds if there is no deviation and no leak."""

    lines: list[ProofLine]
    deviations: list[str]
    leaks: list[str]
    # a line for each rejected answer that some students' inputs would let pass
    weak: list[str] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Whether everything was decided correctly and nothing leaks."""
        return not self.deviations and not self.leaks

    def total(self, kind: str) -> tuple[int, int]:
        """The number of answers of a kind that were decided correctly, and the number of all."""
        return sum(line.correct.get(kind, 0) for line in self.lines), sum(
            line.answers.get(kind, 0) for line in self.lines
        )


def recommended(proof: Proof) -> str | None:
    """A line about exercises with fewer known answers than recommended; None if there are none. They are
    proved all the same.
    """
    few = [
        f"{line.exercise} ({line.answers.get('accepted', 0)} and {line.answers.get('rejected', 0)})"
        for line in proof.lines
        if line.answers.get("accepted", 0) < ACCEPTED or line.answers.get("rejected", 0) < REJECTED
    ]
    if not few:
        return None
    return f"recommended are {ACCEPTED} accepted and {REJECTED} rejected answers; fewer: {', '.join(few)}"


def prove(notebooks: Sequence[str], config: JudgeConfig, events: Events = SILENT) -> Proof:
    """Prove the notebooks' exercises (default: all). `events.done` gets the exercise of each answer."""
    course = config.course
    skeletons = {
        name: load_skeleton(course / "source" / name / f"{name}.ipynb") for name in chosen(notebooks, course)
    }
    lines: dict[str, ProofLine] = {}
    deviations: list[str] = []
    tasks: list[AnswerTask] = []
    expected: dict[AnswerTask, str | None] = {}
    for name, skeleton in skeletons.items():
        deviations += _untouched(skeleton, course)
        for exercise in skeleton.exercises:
            if not exercise.written:
                lines[exercise.id] = ProofLine(exercise.id)
                for task, sentence_due in _tasks(
                    exercise, skeleton, course / "source" / name / f"{name}.ipynb"
                ):
                    tasks.append(task)
                    expected[task] = sentence_due
    events.began(len(tasks))
    alone: list[AnswerTask] = []
    for together, results in run_tasks(_together(tasks), config, events):
        if isinstance(results, InfrastructureError):
            alone += together.answers
            continue
        for task, result in zip(together.answers, results, strict=True):
            if _problem(task, result, expected[task]) is None:
                _enter(lines[task.exercise], task, result, expected[task], deviations)
                events.done(task.exercise)
            else:
                alone.append(task)
    for task, result in run_tasks(alone, config, events) if alone else ():
        _enter(lines[task.exercise], task, result, expected[task], deviations)
        events.done(task.exercise)
    return Proof(list(lines.values()), sorted(deviations), _leaks(skeletons, course), _weak(lines.values()))


def _weak(lines: Iterable[ProofLine]) -> list[str]:
    """Rejected answers that pass for too many students, where the hidden check only compares with the
    reference: the proof draws inputs once.
    """
    weak = []
    for line in lines:
        key = find_checked(line.exercise)
        compares = getattr(key.hidden, "__globals__", {}).get("agrees") is agrees
        for function in key.rejected if compares else ():
            if function.__name__ in line.late and (passes := chance(key, function)) > WEAK:
                weak.append(
                    f"{line.exercise}: {function.__name__} is right on all inputs of 1 in {1 / passes:.0f}"
                    " students; draw more inputs"
                )
    return weak


def _tasks(exercise: Exercise, skeleton: Skeleton, instructor: Path) -> list[tuple[AnswerTask, str | None]]:
    """The answers to judge, each with the sentence that is expected (None for any)."""
    key = find_checked(exercise.id)
    # With one more line the stub's text differs, so this tests that the error it raises is recognised too.
    stub = AnswerTask(exercise.id, "stub", skeleton.stub(exercise.id) + "\npass\n", instructor)
    tasks: list[tuple[AnswerTask, str | None]] = [(stub, None)]
    tasks.append(
        (AnswerTask(exercise.id, "reference", answer_source(exercise.id, key.reference), instructor), None)
    )
    for kind, functions in (("accepted", key.accepted), ("rejected", key.rejected)):
        for function in functions:
            task = AnswerTask(
                exercise.id, f"{kind} {function.__name__}", answer_source(exercise.id, function), instructor
            )
            tasks.append((task, sentence(function) if kind == "rejected" else None))
    return tasks


def _together(tasks: Sequence[AnswerTask]) -> Iterator[AnswersTask]:
    """The answers to each exercise, a few at a time."""
    for _, group in itertools.groupby(tasks, key=lambda task: task.exercise):
        answers = tuple(group)
        for start in range(0, len(answers), TOGETHER):
            yield AnswersTask(answers[start : start + TOGETHER])


def _says(read: str, due: str) -> bool:
    """Whether this is the sentence that is due, or names it as the possible cause; an exception or the right
    parts may follow it.
    """
    begins = (f"{due}; ", f"{due.removesuffix('.')}; ")
    return any(each == due or each.startswith(begins) for each in (read, observed_and_cause(read)[1]))


def _enter(
    line: ProofLine,
    task: AnswerTask,
    result: ExerciseResult | InfrastructureError,
    due: str | None,
    deviations: list[str],
) -> None:
    kind = task.label.partition(" ")[0]
    line.answers[kind] = line.answers.get(kind, 0) + 1
    problem = _problem(task, result, due)
    if problem is not None:
        deviations.append(f"{task.exercise}: {task.label}: {problem}")
        return
    assert isinstance(result, ExerciseResult)
    line.correct[kind] = line.correct.get(kind, 0) + 1
    if kind == "rejected" and result.stage is not None:
        line.stages[result.stage] = line.stages.get(result.stage, 0) + 1
        if result.stage == "hidden":
            line.late.append(task.label.partition(" ")[2])


def _problem(task: AnswerTask, result: ExerciseResult | InfrastructureError, due: str | None) -> str | None:
    """How the result differs from what the key says; None if it does not."""
    if isinstance(result, InfrastructureError):
        return f"could not be judged: {result}"
    kind = task.label.partition(" ")[0]
    outcome, full = {"stub": ("unattempted", False), "rejected": ("not yet", False)}.get(
        kind, ("right", True)
    )
    marks_wrong = (
        result.marks != result.points if full else result.marks != 0 and not find(task.exercise).parts
    )
    if result.outcome != outcome or marks_wrong:
        return (
            f"is {result.outcome} with {result.marks} of {result.points}, expected {outcome}:"
            f" {result.sentence!r}"
        )
    if due is not None and not _says(result.sentence, due):
        return f"reads {result.sentence!r}, expected {due!r}; {NOT_NAMED}"
    return None


def _untouched(skeleton: Skeleton, course: Path) -> list[str]:
    """A line for each exercise that is not unattempted in the student's copy as it was released."""
    path = course / "release" / skeleton.name / f"{skeleton.name}.ipynb"
    if not path.is_file():
        return []
    grafted = graft(skeleton, parse_cells(path.read_bytes()))
    touched = [exercise.id for exercise in skeleton.exercises if not grafted.untouched(exercise)]
    extra = [cell for cell in grafted.cells if cell.role == "extra"]
    lines = [f"{name}: the student's copy does not read unattempted" for name in touched]
    if extra or grafted.notes:
        lines.append(
            f"{skeleton.name}: the student's copy is not made from this notebook; run `kqa course build`"
        )
    return lines


def _leaks(skeletons: dict[str, Skeleton], course: Path) -> list[str]:
    """The leaks in the released notebooks and the student's bundle."""
    from autograder.build.leak_scan import scan

    released = [course / "release" / name for name in skeletons]
    bundles = sorted((read_course().out / "dist").glob("*.zip")) if course == course_folder() else []
    there = [path for path in (*released, *bundles) if path.exists()]
    return list(scan(there)) if there else []
