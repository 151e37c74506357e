"""Run one check on one answer.

`run_check` turns everything that can happen into a `Verdict` or a `JudgeError`. A check that crashes, or
returns anything but a verdict, is our mistake: it never changes a mark.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from kqa_core.check.answer import Answer, AnswerFailed, AnswerMissing, AnswerRaised, AnswerTimeout
from kqa_core.check.exercise import Check, JudgeError, NotYet, Outcome, Verdict
from kqa_core.check.value_kinds import state_kept
from kqa_core.errors import readable, useful_line, with_article

INCIDENTS = {
    "time": (
        "your code did not finish in its processor time: look for a loop that does not end, or for far too"
        " much work"
    ),
    "memory": "your code used more memory than an answer may",
    "output": "your code returned something too large to be read",
    "died": "the process that ran your code ended before your code returned",
    "cell": "the cell that holds your answer could not be run",
    "budget": (
        "your notebook as a whole used up its time before this exercise was judged:"
        " look for cells that run long or end the process, remove them, and submit again"
    ),
}
CLOCKS = {  # the other two clocks that may end a call
    "waiting": (
        "your code did not finish in time, and mostly waited: look for a sleep, an input, or a process that"
        " does not end"
    ),
    "wall": (
        "your code did not finish, because the machine that judged it was too busy: ask your instructor to"
        " judge it again"
    ),
}
MISSING = (
    "no function of this name is defined: keep the name that the solution cell gives it, and run the cell"
)
UNATTEMPTED = "not attempted yet: the solution cell still holds its first line"
NOTHING = "your function returns None: it must return its result, and printing it is not enough"
NO_MEMORY = "can't allocate memory"
NEEDS = "your code needs {}, which is not done yet: do it first, or run its cell again"


def run_check(check: Check, answer: Answer, seed: int, exercise: str | None = None) -> Verdict:
    """The verdict of `check` on `answer`, with random inputs drawn from `seed`.
    Raises JudgeError if the check is wrong, and MemoryError if there is too little memory for it.

    If `exercise` is given, only its own stub counts as unattempted: an answer that calls another exercise's
    stub is an error.
    """
    try:
        with state_kept():
            verdict = check(answer, random.Random(seed))
    except NotYet as wrong:
        cause = wrong.__cause__
        return Verdict(
            Outcome.NOT_YET,
            readable(str(wrong)),
            raised=raised_text(cause) if isinstance(cause, AnswerRaised) else None,
        )
    except AnswerFailed as failed:
        return failed_verdict(failed, exercise)
    except (JudgeError, MemoryError):
        raise
    except Exception as error:
        if lacks_memory(error):
            raise MemoryError(NO_MEMORY) from error
        if getattr(answer, "gave_none", False) and "NoneType" in str(error):
            return Verdict(Outcome.NOT_YET, NOTHING)
        raise JudgeError(f"the check {_name(check)} stopped with {type(error).__name__}: {error}") from error
    if type(verdict) is not Verdict or type(verdict.outcome) is not Outcome:
        raise JudgeError(f"the check {_name(check)} must return a Verdict, got {type(verdict).__name__}")
    return verdict


def lacks_memory(error: Exception) -> bool:
    """Whether an error means that there was too little memory: torch raises a RuntimeError then."""
    return isinstance(error, MemoryError) or NO_MEMORY in str(error)


def failed_verdict(failed: AnswerFailed, exercise: str | None = None) -> Verdict:
    """The verdict on an answer to `exercise` that gave no value."""
    if isinstance(failed, AnswerRaised):
        if failed.stub is not None and exercise not in (None, failed.stub):
            return Verdict(Outcome.ERROR, NEEDS.format(failed.stub))
        if failed.stub is not None:
            return Verdict(Outcome.UNATTEMPTED, UNATTEMPTED)
        return Verdict(Outcome.ERROR, f"your code stopped with {raised_text(failed)}")
    if isinstance(failed, AnswerMissing):
        return Verdict(Outcome.ERROR, MISSING)
    incident = failed.incident if failed.incident in INCIDENTS else "died"
    sentence = INCIDENTS[incident]
    if isinstance(failed, AnswerTimeout):
        sentence = CLOCKS.get(failed.clock, sentence)
    return Verdict(Outcome.ERROR, sentence, incident)


def behaviour(answer: Answer, calls: Sequence[tuple[object, ...]]) -> list[object]:
    """The result of `answer` for each call: its value, or the `AnswerFailed` it ended in.
    A timeout ends the list.
    """
    seen: list[object] = []
    with state_kept():
        for args in calls:
            try:
                seen.append(answer(*args))
            except AnswerFailed as failed:
                seen.append(failed)
                if failed.incident is not None:
                    break
    return seen


def raised_text(failed: AnswerRaised) -> str:
    """An exception in words, such as "a KeyError: 'b' (line 3 of its cell: x = table['b']; in the call
    rate(tensor of shape (2, 3)))".
    """
    what = f": {useful_line(failed.message)[:300]}" if failed.message.strip() else ""
    places = [failed.line[:200], failed.call and f"in the call {failed.call[:200]}"]
    where = "; ".join(place for place in places if place)
    return readable(f"{with_article(failed.kind)}{what}{where and f' ({where})'}")


def _name(check: Check) -> str:
    return getattr(check, "__qualname__", repr(check))
