"""The stages in which a submission's exercises are judged.
No text that a student reads depends on an input of a hidden check that decides.

- *Visible*: the visible check of every exercise, and what a wrong answer is told. Nothing of the submission
  has seen a hidden input yet.
- *Hidden*: the hidden check of every exercise, after all the visible ones. It says right or not, and nothing
  else. From here on, what comes of this runner is never told.
- *Explained*: what the hidden check found wrong gets its sentence from the same check on other inputs, which
  decide nothing, in a fresh runner. What the answer raised, and where, is not told: some inputs of a check
  are the same for everyone.
- Each stage has the time of an exercise. The worker's own computing has a limit, too: an answer may be an
  expression that takes for ever (`clock`).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from autograder.answer_key import AnswerKey
from autograder.judge.clock import OutOfTime, clock
from autograder.judge.diagnose import SEED, diagnose, known, other_calls
from autograder.judge.seeds import seed_for
from autograder.judge.session import RemoteAnswer, Session
from kqa_core.check.answer import Answer, AnswerFailed, AnswerRaised
from kqa_core.check.exercise import Check, Exercise, JudgeError, NotYet, Outcome, Verdict
from kqa_core.check.run import INCIDENTS, MISSING, failed_verdict, lacks_memory, raised_text, run_check

SLOW = (
    "your answer could not be judged within the time and memory that a check may take: give it in a simpler"
    " form"
)
HEAVY = "judging your answer takes too much memory: give it in a simpler form"
NO_VALUE = (
    "your answer passes the visible check, but on other inputs it gives no value: it raises an exception, or"
    " takes too much time or memory"
)
OTHERS = "your answer passes the visible check, but it is not right for all inputs: try some of your own"


@dataclass(frozen=True)
class Draws:
    """From what the inputs of one submission's checks are drawn."""

    key: bytes  # of the course
    student: str
    code: str  # the digest of what the submission runs

    def answer(self, session: Session, exercise: str, check: str) -> tuple[RemoteAnswer, int]:
        """The answer, and the seed of the check's inputs.

        The answer's own random numbers have another seed, because the runner knows it and could draw the
        inputs from it in advance.
        """
        session.shows_messages = check == "visible"
        calls, inputs = (
            seed_for(self.key, self.student, exercise, what, self.code) for what in (f"{check} calls", check)
        )
        return RemoteAnswer(session, exercise, calls), inputs


@dataclass(frozen=True)
class Decided:
    """A verdict, the check that decided, and the name of the mistake."""

    verdict: Verdict
    stage: str | None = None
    mistake: str | None = None

    @property
    def open(self) -> bool:
        """Whether the hidden check has a say: the visible one found all or a part of the answer right."""
        return self.verdict.outcome is Outcome.RIGHT or bool(self.verdict.right_parts)


Stage = Callable[[Exercise, AnswerKey, Draws, Session], Decided]


def visible(exercise: Exercise, key: AnswerKey, draws: Draws, session: Session) -> Decided:
    """What the visible check says. Raises JudgeError."""
    assert exercise.check is not None
    undefined = _undefined(exercise, session)
    if undefined is not None:
        return Decided(undefined)
    verdict = _checked(exercise.check, exercise, draws, session, "visible")
    if verdict.outcome is not Outcome.NOT_YET:
        return Decided(verdict, "visible")
    return _named(exercise, key, session, verdict, "visible")


def hidden(exercise: Exercise, key: AnswerKey, draws: Draws, session: Session) -> Decided:
    """What the hidden check says. Its sentence is for nobody. Raises JudgeError."""
    verdict = _checked(key.hidden, exercise, draws, session, "hidden")
    return Decided(verdict, "hidden")


def explained(exercise: Exercise, key: AnswerKey, draws: Draws, session: Session) -> Decided:
    """Why the hidden check may have found the answer wrong, from inputs that do not decide."""

    def check(answer: Answer, rng: random.Random) -> Verdict:
        try:
            return key.hidden(answer, rng)
        except AnswerFailed as failed:
            if isinstance(failed, AnswerRaised) and failed.stub is not None:
                raise
            raise NotYet(NO_VALUE) from None

    try:
        verdict = replace(_checked(check, exercise, draws, session, "explained"), raised=None)
        if verdict.outcome is Outcome.RIGHT:
            return Decided(Verdict(Outcome.NOT_YET, OTHERS), "hidden")
        if verdict.outcome is Outcome.UNATTEMPTED:
            why = "for some inputs your code still raises the first line of the solution cell"
            return Decided(Verdict(Outcome.ERROR, why), "hidden")
        if verdict.outcome is not Outcome.NOT_YET:  # it needs another exercise, which is not done
            return Decided(verdict, "hidden")
        return _named(exercise, key, session, verdict, "hidden")
    except JudgeError:  # the hidden stage has told it, if it happened there too
        return Decided(Verdict(Outcome.NOT_YET, OTHERS), "hidden")


def _checked(check: Check, exercise: Exercise, draws: Draws, session: Session, name: str) -> Verdict:
    """The verdict of one check, within the time of an exercise."""
    try:
        with session.limited(session.limits.exercise_seconds), clock(session.limits.exercise_seconds):
            return run_check(check, *draws.answer(session, exercise.id, name), exercise.id)
    except (OutOfTime, MemoryError) as spent:
        session.drop()
        memory = isinstance(spent, MemoryError)
        return Verdict(Outcome.NOT_YET, HEAVY if memory else SLOW, "memory" if memory else "time")


def _named(exercise: Exercise, key: AnswerKey, session: Session, verdict: Verdict, stage: str) -> Decided:
    """The verdict on a wrong answer with the sentence that names its mistake, if the key knows it."""
    if verdict.incident is not None:
        return Decided(verdict, stage)
    sentence, mistake = verdict.sentence, None
    try:
        known(key)  # what the key computes for all is not this answer's time
        other_calls(key)
        seconds = session.limits.call_seconds
        with session.limited(seconds), clock(seconds):
            sentence, mistake = diagnose(key, RemoteAnswer(session, exercise.id, SEED), sentence)
    except OutOfTime:
        session.drop()
    except Exception as error:
        if not lacks_memory(error):  # an unusual one of a package, on a value that the check refused
            raise JudgeError(f"naming the mistake stopped with {type(error).__name__}: {error}") from error
        session.drop()
    return Decided(replace(verdict, sentence=sentence), stage, mistake)


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
        return failed_verdict(failure)
    if isinstance(failure, AnswerRaised):
        why = f"the solution cell stopped with {raised_text(failure)}"
        return Verdict(Outcome.ERROR, f"{exercise.id} is not defined, because {why}")
    return Verdict(Outcome.ERROR, MISSING)
