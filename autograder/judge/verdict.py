"""Decides, in a trusted process, the worker, what each answer of a submission is worth.

- For each exercise it runs the visible check, then the hidden one, on inputs drawn from a seed of this
  student and exercise.
- A mark needs an explicit right from both. A check that fails by itself is an infrastructure error, never a
  mark or a zero.
- The worker's own computing has a time limit, too: an answer may be an expression that takes for ever.
  The limit is an alarm signal, which Python code cannot block; a hang inside one C call is ended from outside
  (`grading.worker`).
- A student only reads our own sentences: a check's, a rejected answer's, or one from `kqa_core.check.run`.
"""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from types import FrameType

from autograder.answer_key import AnswerKey, find_checked
from autograder.judge.diagnose import SEED, diagnose, known
from autograder.judge.results import ExerciseResult, Judged, Status, SubmissionResult, overall
from autograder.judge.seeds import seed_for
from autograder.judge.session import OverBudget, RemoteAnswer, Session
from autograder.sandbox.interface import Launcher
from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.submissions.merge import Graft
from autograder.submissions.store import Submission
from kqa_core.check.answer import AnswerFailed, AnswerRaised
from kqa_core.check.display import parts_text
from kqa_core.check.exercise import Exercise, JudgeError, Outcome, Verdict
from kqa_core.check.run import INCIDENTS, MISSING, UNATTEMPTED, failed_verdict, raised_text, run_check
from kqa_core.errors import readable

SLOW = (
    "your answer could not be judged within the time and memory that a check may take: give it in a simpler"
    " form"
)
HEAVY = "judging your answer takes too much memory: give it in a simpler form"
STOPPED = (
    "your answer could not be judged: the check stopped at what it returns, and your instructor can see where"
)
EMPTY = "not attempted yet: nothing is written here"
EVERY = "*"  # in `given_up`: no exercise of this submission is judged any more
CELLS = "the cells"  # reported as being judged while the cells run


class OutOfTime(BaseException):
    """The worker's time is up. No `except Exception`, ours or a package's, may catch it."""


@contextlib.contextmanager
def clock(seconds: float) -> Iterator[None]:
    """Raise OutOfTime inside the block after `seconds`, and again every second.

    Works in the main thread only; elsewhere it does nothing.
    """

    def ring(number: int, frame: FrameType | None) -> None:
        raise OutOfTime

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001), 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@dataclass(frozen=True)
class JudgeContext:
    """Key, launcher and limits: they are the same for everything that is judged."""

    key: bytes  # of the course
    launcher: Launcher
    limits: Limits
    given_up: frozenset[str] = frozenset()  # exercises on which a worker hung or ended before
    again: bool = False  # whether this is the second attempt, because a runner was killed or a worker ended
    # called with what comes next, and how long that may take
    begin: Callable[[str, float], None] = lambda what, seconds: None


def judge_submission(graft: Graft, entry: Submission, context: JudgeContext) -> Judged:
    """The result of one submission, and the notebook it is about. Raises InfrastructureError."""
    results = judge(graft, entry.student, context)
    broken = [result for result in results if result.status is Status.BROKEN]
    notes = (
        *entry.notes,
        *graft.notes,
        *(f"{result.exercise}: {readable(result.sentence)}" for result in broken),
    )
    results = tuple(_stopped(result) if result.status is Status.BROKEN else result for result in results)
    tier = context.launcher.tier
    result = SubmissionResult.of(entry, overall(results), exercises=results, notes=notes, sandbox=tier)
    return Judged(result, graft.cells)


def _stopped(result: ExerciseResult) -> ExerciseResult:
    """The result of an exercise whose check stopped, as its student reads it. The same answer would stop it
    again, so this is final; the submission's notes tell the instructor, who can correct the check and judge
    again.
    """
    return replace(result, status=Status.INCIDENT, marks=0.0, sentence=STOPPED, incident="check")


def judge(graft: Graft, student: str, context: JudgeContext) -> tuple[ExerciseResult, ...]:
    """The results of every exercise of one submission, in order. Raises InfrastructureError."""
    with contextlib.closing(_session(graft, context)) as session:
        return _results(graft, student, session, context)


def judge_answers(grafts: Sequence[Graft], student: str, context: JudgeContext) -> tuple[ExerciseResult, ...]:
    """The results of answers of our own, each the one answer of its graft. They are judged one after the
    other in one runner, which forgets its names in between. Raises InfrastructureError.
    """
    results: list[ExerciseResult] = []
    with contextlib.closing(_session(grafts[0], context)) as session:
        for graft in grafts:
            if graft is not grafts[0]:
                session.renew(graft.run)
            results += _results(graft, student, session, context)
    return tuple(results)


def _session(graft: Graft, context: JudgeContext) -> Session:
    reserved = [name for exercise in graft.skeleton.exercises for name in exercise.reserved]
    return Session(context.launcher, graft.run, context.limits, context.again, reserved)


def _results(
    graft: Graft, student: str, session: Session, context: JudgeContext
) -> tuple[ExerciseResult, ...]:
    present = {cell.grade_id for cell in graft.cells}
    exercises = [exercise for exercise in graft.skeleton.exercises if exercise.id in present]
    return tuple(_exercise(graft, exercise, student, session, context) for exercise in exercises)


def _exercise(
    graft: Graft, exercise: Exercise, student: str, session: Session, context: JudgeContext
) -> ExerciseResult:
    if graft.untouched(exercise):
        return _result(exercise, Verdict(Outcome.UNATTEMPTED, EMPTY if exercise.written else UNATTEMPTED))
    if exercise.written:
        return ExerciseResult.of(exercise, Status.PERSON, "written", None, "a person reads this answer")
    if {exercise.id, EVERY} & context.given_up:
        return _result(exercise, Verdict(Outcome.NOT_YET, SLOW, "time"))
    answer_key = find_checked(exercise.id)
    context.begin(CELLS, session.limits.submission_seconds)
    try:
        # outside the exercise's clock: running the cells again after an incident is not this answer's time
        session.start()
    except OverBudget as spent:
        return _result(exercise, failed_verdict(spent))
    context.begin(exercise.id, session.limits.exercise_seconds + session.limits.call_seconds)
    try:
        decided = _verdict(exercise, answer_key, student, context.key, session)
    except JudgeError as error:
        return ExerciseResult.of(exercise, Status.BROKEN, "error", None, f"the check is broken: {error}")
    return _result(exercise, *decided)


def _result(
    exercise: Exercise, verdict: Verdict, stage: str | None = None, mistake: str | None = None
) -> ExerciseResult:
    full = verdict.outcome is Outcome.RIGHT
    marks = float(exercise.points if full else sum(exercise.parts[name] for name in verdict.right_parts))
    status = Status.GRADED if verdict.incident is None else Status.INCIDENT
    if verdict.outcome is Outcome.UNATTEMPTED:
        status = Status.UNATTEMPTED
    facts = {"incident": verdict.incident, "mistake": mistake, "stage": stage}
    return ExerciseResult.of(exercise, status, str(verdict.outcome), marks, verdict.sentence, **facts)


def _verdict(
    exercise: Exercise, key: AnswerKey, student: str, secret: bytes, session: Session
) -> tuple[Verdict, str | None, str | None]:
    """The verdict, the check that decided, and the name of the mistake."""
    limits = session.limits
    try:
        session.deadline = time.monotonic() + limits.exercise_seconds
        with clock(limits.exercise_seconds):
            verdict, stage = _checked(exercise, key, student, secret, session)
    except (OutOfTime, MemoryError) as spent:
        session.drop()
        if isinstance(spent, MemoryError):
            return Verdict(Outcome.NOT_YET, HEAVY, "memory"), None, None
        return Verdict(Outcome.NOT_YET, SLOW, "time"), None, None
    if verdict.outcome is not Outcome.NOT_YET:
        return verdict, stage, None
    sentence, mistake = verdict.sentence, None
    try:
        known(key)  # what its own answers give is not this answer's time
        session.deadline = time.monotonic() + limits.call_seconds
        with clock(limits.call_seconds):
            sentence, mistake = diagnose(key, RemoteAnswer(session, exercise.id, SEED), sentence)
    except (OutOfTime, MemoryError):
        session.drop()
    except Exception as error:  # such as an unusual one of a package's, on a value that the check has refused
        raise JudgeError(f"naming the mistake stopped with {type(error).__name__}: {error}") from error
    more = (f"; it stopped with {verdict.raised}" if verdict.raised else "") + parts_text(
        exercise, verdict.right_parts
    )
    return replace(verdict, sentence=sentence.removesuffix(".") + more if more else sentence), stage, mistake


def _checked(
    exercise: Exercise, key: AnswerKey, student: str, secret: bytes, session: Session
) -> tuple[Verdict, str | None]:
    """The verdict of the visible check or, if that is right, of the hidden one; and which of them decided.

    A part of an exercise is right if both checks say so.
    """
    assert exercise.check is not None
    undefined = _undefined(exercise, session)
    if undefined is not None:
        return undefined, None
    visible = run_check(
        exercise.check, *_seeded(session, exercise.id, secret, student, "visible"), exercise.id
    )
    if visible.outcome is not Outcome.RIGHT and not visible.right_parts:
        return visible, "visible"
    hidden = run_check(key.hidden, *_seeded(session, exercise.id, secret, student, "hidden"), exercise.id)
    if hidden.outcome is Outcome.UNATTEMPTED:
        hidden = Verdict(
            Outcome.ERROR, "for some inputs your code still raises the first line of the solution cell"
        )
    if visible.outcome is not Outcome.RIGHT:
        both = (
            visible.right_parts
            if hidden.outcome is Outcome.RIGHT
            else visible.right_parts & hidden.right_parts
        )
        return replace(visible, right_parts=both), "visible"
    return visible if hidden.outcome is Outcome.RIGHT else hidden, "hidden"


def _seeded(
    session: Session, exercise: str, secret: bytes, student: str, check: str
) -> tuple[RemoteAnswer, int]:
    """The answer, and the seed of the check's inputs.

    The answer's own random numbers have another seed, because the runner knows it and could draw the inputs
    from it in advance.
    """
    session.shows_messages = check == "visible"
    answer = RemoteAnswer(session, exercise, seed_for(secret, student, exercise, f"{check} calls"))
    return answer, seed_for(secret, student, exercise, check)


def _undefined(exercise: Exercise, session: Session) -> Verdict | None:
    """The verdict if the notebook does not define the function, else None."""
    try:
        if session.request("get", exercise.id) is True:
            return None
    except AnswerFailed as failed:
        incident = failed.incident or "died"
        return Verdict(Outcome.ERROR, INCIDENTS[incident], incident)
    failure = session.cell_failure(exercise.id)
    if failure is not None and failure.incident is not None:
        return Verdict(Outcome.ERROR, INCIDENTS[failure.incident], failure.incident)
    if isinstance(failure, AnswerRaised):
        why = f"the solution cell stopped with {raised_text(failure)}"
        return Verdict(Outcome.ERROR, f"{exercise.id} is not defined, because {why}")
    return Verdict(Outcome.ERROR, MISSING)
