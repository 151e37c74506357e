"""Decides, in a trusted process, the worker, what each answer of a submission is worth.

- It runs the visible checks, then the hidden ones, on inputs drawn from a seed of this student, exercise and
  submission (`autograder.judge.stages`).
- A mark needs an explicit right from both. A check that fails by itself is an infrastructure error, never a
  mark or a zero.
- A student only reads our own sentences: a check's, a rejected answer's, or one from `kqa_core.check.run`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from autograder.answer_key import find_checked
from autograder.judge.results import ExerciseResult, Judged, Status, SubmissionResult, overall
from autograder.judge.session import OverBudget, Session
from autograder.judge.stages import OTHERS, SLOW, Decided, Draws, Stage, explained, hidden, visible
from autograder.sandbox.interface import Launcher
from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.submissions.find_answers import MISSING, REST
from autograder.submissions.intake import NOT_LOOKED_AT
from autograder.submissions.merge import Graft
from autograder.submissions.store import Submission
from kqa_core.check.display import parts_text
from kqa_core.check.exercise import Exercise, JudgeError, Outcome, Verdict, observed_more
from kqa_core.check.run import UNATTEMPTED, failed_verdict
from kqa_core.errors import readable

STOPPED = (
    "your answer could not be judged: the check stopped at what it returns, and your instructor can see where"
)
EMPTY = "not attempted yet: nothing is written here"
NEWER = "not attempted yet: the notebook that was submitted does not have this exercise; it may be newer"
NOT_FOUND = (
    "no answer cell of this notebook was found in the file; a person looks at it. Open the notebook that you"
    " received, put your answers into its cells, save it with Jupyter, and submit it again"
)
ANOTHER = "nothing is written in this notebook, and another one lies beside it"
LOOK = "a person looks at this before the mark is final: "
EXPLAIN_SECONDS = 60.0  # of a submission, for all that the hidden checks found wrong
# added to the name of an exercise that is being judged
VISIBLE, HIDDEN, EXPLAINED = "", " (hidden check)", " (explanation)"
EVERY = "*"  # in `given_up`: no exercise of this submission is judged any more
CELLS = "the cells"  # reported as being judged while the cells run


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
    until: float = float("inf")  # when to give up, on time.monotonic's clock: others are waiting


def judge_submission(graft: Graft, entry: Submission, context: JudgeContext) -> Judged:
    """The result of one submission, and the notebook it is about. Raises InfrastructureError."""
    tier = context.launcher.tier
    if graft.nothing_found:
        notes = (*entry.notes, *(note for note in graft.notes if MISSING not in note and REST not in note))
        unreadable = SubmissionResult.of(
            entry, Status.UNREADABLE, reason=NOT_FOUND, notes=notes, sandbox=tier
        )
        return Judged(unreadable, graft.cells)
    results = judge(graft, entry.student, context)
    broken = [result for result in results if result.status is Status.BROKEN]
    notes = (
        *entry.notes,
        *graft.notes,
        *(f"{result.exercise}: {readable(result.sentence)}" for result in broken),
        *(
            f"{exercise.id}: look at this written answer: {remark}"
            for exercise in graft.skeleton.exercises
            if exercise.written and not graft.untouched(exercise) and (remark := graft.remark(exercise))
        ),
    )
    results = tuple(_stopped(result) if result.status is Status.BROKEN else result for result in results)
    if overall(results) is Status.UNATTEMPTED and any(NOT_LOOKED_AT in note for note in entry.notes):
        results = tuple(replace(result, look=ANOTHER) for result in results)
    result = SubmissionResult.of(entry, overall(results), exercises=results, notes=notes, sandbox=tier)
    return Judged(result, graft.cells)


def _stopped(result: ExerciseResult) -> ExerciseResult:
    """The result of an exercise whose check stopped, as its student reads it. The same answer would stop it
    again, so this is final; the submission's notes tell the instructor, who can correct the check and judge
    again. That a hidden check stopped could tell an input.
    """
    final = replace(result, status=Status.INCIDENT, marks=0.0, incident="check", sentence=STOPPED)
    if result.stage == "hidden":
        final = replace(final, sentence=OTHERS, outcome=str(Outcome.NOT_YET))
    return final


def judge(graft: Graft, student: str, context: JudgeContext) -> tuple[ExerciseResult, ...]:
    """The results of every exercise of one submission, in order. Raises InfrastructureError."""
    with contextlib.closing(_session(graft, context)) as session:
        return _Judging(graft, student, context, session).results()


def judge_answers(grafts: Sequence[Graft], student: str, context: JudgeContext) -> tuple[ExerciseResult, ...]:
    """The results of answers of our own, each the one answer of its graft. They are judged one after the
    other in one runner, which forgets its names in between. Raises InfrastructureError.
    """
    results: list[ExerciseResult] = []
    with contextlib.closing(_session(grafts[0], context)) as session:
        for graft in grafts:
            if graft is not grafts[0]:
                session.renew(graft.run)
            results += _Judging(graft, student, context, session, own=True).results()
    return tuple(results)


def _session(graft: Graft, context: JudgeContext, seconds: float | None = None) -> Session:
    reserved = [name for exercise in graft.skeleton.exercises for name in exercise.reserved]
    limits = context.limits if seconds is None else replace(context.limits, submission_seconds=seconds)
    return Session(context.launcher, graft.run, limits, context.again, reserved, context.until)


class _Judging:
    """One submission on its way through the stages (`autograder.judge.stages`)."""

    def __init__(
        self,
        graft: Graft,
        student: str,
        context: JudgeContext,
        session: Session,
        own: bool = False,  # whether we wrote the answer: then its sentence comes from the same runner
    ) -> None:
        self.graft, self.context, self.session, self.own = graft, context, session, own
        self.draws = Draws(context.key, student, graft.code)
        self.settled: dict[str, ExerciseResult] = {}

    def results(self) -> tuple[ExerciseResult, ...]:
        """The results of its exercises, in order."""
        present = {cell.grade_id for cell in self.graft.cells}
        exercises = [each for each in self.graft.skeleton.exercises if each.id in present]
        seen = self._stage(visible, VISIBLE, self._to_check(exercises), self.session)
        waiting: list[Exercise] = []
        for exercise, first in seen:
            if first.open:
                waiting.append(exercise)
            else:
                self._settle(exercise, first)
        firsts = {exercise.id: first for exercise, first in seen}
        wrong: list[tuple[Exercise, Decided]] = []
        for exercise, second in self._stage(hidden, HIDDEN, waiting, self.session):
            first = firsts[exercise.id]
            if first.verdict.outcome is not Outcome.RIGHT:
                both = first.verdict.right_parts
                if second.verdict.outcome is not Outcome.RIGHT:
                    both &= second.verdict.right_parts
                self._settle(exercise, replace(first, verdict=replace(first.verdict, right_parts=both)))
            elif second.verdict.outcome is Outcome.RIGHT:
                self._settle(exercise, replace(first, stage="hidden"))
            else:
                wrong.append((exercise, second))
        self._explain(wrong)
        return tuple(self._doubted(self.settled[exercise.id]) for exercise in exercises)

    def _doubted(self, result: ExerciseResult) -> ExerciseResult:
        """The result, for a person to look at if nobody can be sure that this is the student's answer. What
        the checks find right is right, wherever it stood.
        """
        doubt = self.graft.doubts.get(result.exercise)
        if doubt is None or result.outcome == Outcome.RIGHT or result.status is Status.BROKEN:
            return result
        sentence = f"{result.sentence.removesuffix('.')}; {LOOK}{doubt}"
        if result.written:  # never a zero that nobody saw
            result = replace(result, status=Status.PERSON, outcome="written", marks=None)
        return replace(result, sentence=sentence, look=doubt)

    def _to_check(self, exercises: Sequence[Exercise]) -> list[Exercise]:
        """The exercises that a check decides; the others get their result here."""
        waiting = []
        for exercise in exercises:
            if self.graft.untouched(exercise):
                why = EMPTY if exercise.written else UNATTEMPTED
                why = NEWER if exercise.id in self.graft.absent else why
                self._settle(exercise, Decided(Verdict(Outcome.UNATTEMPTED, why)))
            elif exercise.written:
                remark = self.graft.remark(exercise)
                said = "a person reads this answer" + (f"; {remark}" if remark else "")
                self.settled[exercise.id] = ExerciseResult.of(exercise, Status.PERSON, "written", None, said)
            else:
                waiting.append(exercise)
        return waiting

    def _stage(
        self, stage: Stage, name: str, exercises: Sequence[Exercise], session: Session
    ) -> list[tuple[Exercise, Decided]]:
        """What a stage says of each of these exercises. One whose check stops is settled, and left out."""
        decided = []
        for exercise in exercises:
            place = f"{exercise.id}{name}"
            try:
                decided.append((exercise, self._decide(stage, place, exercise, session)))
            except JudgeError as error:
                why = f"the check is broken: {error}"
                self.settled[exercise.id] = ExerciseResult.of(
                    exercise, Status.BROKEN, "error", None, why, stage=stage.__name__
                )
        return decided

    def _decide(self, stage: Stage, place: str, exercise: Exercise, session: Session) -> Decided:
        context, limits = self.context, session.limits
        if {place, EVERY} & context.given_up:
            return Decided(Verdict(Outcome.NOT_YET, SLOW, "time"))
        key = find_checked(exercise.id)
        context.begin(CELLS, limits.submission_seconds)
        try:
            # outside the exercise's clock: running the cells again after an incident is not this answer's
            # time
            session.start()
        except OverBudget as spent:
            return Decided(failed_verdict(spent))
        context.begin(place, limits.exercise_seconds + limits.call_seconds)
        return stage(exercise, key, self.draws, session)

    def _explain(self, wrong: Sequence[tuple[Exercise, Decided]]) -> None:
        """Settle what the hidden check found wrong, each with a sentence that no hidden input decides."""
        if not wrong:
            return
        if not self.own:
            self.session.drop()
        session = self.session if self.own else _session(self.graft, self.context, EXPLAIN_SECONDS)
        with contextlib.nullcontext() if self.own else contextlib.closing(session):
            said = self._stage(explained, EXPLAINED, [exercise for exercise, _ in wrong], session)
        for (exercise, second), (_, told) in zip(wrong, said, strict=True):
            verdict = told.verdict
            if verdict.incident is not None:  # no sentence could be found in time
                verdict = Verdict(Outcome.NOT_YET, OTHERS)
            verdict = replace(
                verdict, incident=second.verdict.incident, right_parts=second.verdict.right_parts
            )
            self._settle(exercise, replace(told, verdict=verdict, stage="hidden"))

    def _settle(self, exercise: Exercise, decided: Decided) -> None:
        """Enter the result of an exercise."""
        verdict = decided.verdict
        more = f"; it stopped with {verdict.raised}" if verdict.raised else ""
        more += parts_text(exercise, verdict.right_parts)
        sentence = observed_more(verdict.sentence, more)
        full = verdict.outcome is Outcome.RIGHT
        marks = float(exercise.points if full else sum(exercise.parts[name] for name in verdict.right_parts))
        status = Status.GRADED if verdict.incident is None else Status.INCIDENT
        if verdict.outcome is Outcome.UNATTEMPTED:
            status = Status.UNATTEMPTED
        facts = {"incident": verdict.incident, "mistake": decided.mistake, "stage": decided.stage}
        self.settled[exercise.id] = ExerciseResult.of(
            exercise, status, str(verdict.outcome), marks, sentence, **facts
        )
