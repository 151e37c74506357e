"""check(), solution(), progress(), cockpit(), reset(), attempted() and predicted(): what a student calls in a
notebook, except for hint() and explain(), which are in `hints.py`.

- `check` prints one line when an answer is right, or passes what can be checked here. Otherwise it raises
  `NotRight`, which shows one line. So Run All, `nbgrader validate` and a saved notebook all see a failure,
  but the student does not see a traceback of our code.
- A mistake in the call itself (a misspelt name, quotes round the function, brackets after it) raises `Slip`,
  which gives the correct call.
- Text that the student's function writes to stderr (a warning, for example) is shown as ordinary output, so
  that it does not look like a failure.
- What is right must be right in what is submitted, too: a name that only a cell defines which is not
  submitted is an error (`submitted.py`).
- The inputs of the visible check are drawn from a seed that belongs to the exercise, so a check always gives
  the same verdict.
"""

from __future__ import annotations

import contextlib
import sys
import zlib
from collections.abc import Callable
from types import GeneratorType
from typing import TypeVar

from kqa_core.check.display import (
    OneLine,
    ProgressTable,
    call_text,
    line_in_cell,
    parts_of,
    points_text,
    result_text,
)
from kqa_core.check.exercise import Exercise, JudgeError, Outcome, Verdict
from kqa_core.check.progress_store import ProgressStore, Record
from kqa_core.check.registry import all_exercises, find, names
from kqa_core.check.submitted import missing_name, unsaved_name
from kqa_core.check.written import is_empty
from kqa_core.errors import UserError, useful_line, with_article

MISSING = object()
ASK = 'a question about your code, for no points: from kqa_core.check import explain; explain("{0}", {0})'
UNSAVED = (
    "    it needs `{0}`, which no cell of the saved notebook defines: save the notebook; if its cell is gone,"
    " write it again"
)
Value = TypeVar("Value")


class NotRight(OneLine):
    """The answer is not right: not yet, error or unattempted."""

    def __init__(self, message: str, verdict: Verdict) -> None:
        super().__init__(message)
        self.verdict = verdict


class Stopped(OneLine):
    """The student interrupted a cell."""


class Slip(OneLine, UserError):
    """The call itself is wrong; the message gives the correct one."""


def check(name: object = MISSING, function: object = MISSING, *, record: bool = True) -> None:
    """Check your answer to one exercise: `check("average_two", average_two)`.

    With `record=False`, `progress()` does not count the check: for a function that is wrong on purpose.
    Prints one line if it is right. Raises NotRight, shown as one line, if it is not yet right, raises an
    error or is unattempted, and Slip if the call itself is wrong.
    """
    exercise, answer = understood(name, function)
    verdict, detail = judged(exercise, answer)
    if record:
        store = ProgressStore()
        store.note_check(exercise.id, verdict.outcome)
        print_notices(store)
    text = result_text(exercise, verdict, detail)
    if verdict.outcome is not Outcome.RIGHT:
        raise NotRight(text, verdict) from None
    print(text)
    if exercise.questions:
        print(f"    {ASK.format(exercise.id)}")


def judged(exercise: Exercise, answer: Callable[..., object]) -> tuple[Verdict, str | None]:
    """The visible check's verdict on `answer`, and what is said under it:
    the exception and the line where the student's function raised, or what is not saved yet.
    """
    from kqa_core.check.local import LocalAnswer
    from kqa_core.check.run import run_check

    assert exercise.check is not None
    local = LocalAnswer(answer)
    try:
        with contextlib.redirect_stderr(sys.stdout):
            verdict = run_check(exercise.check, local, visible_seed(exercise.id), exercise.id)
    except JudgeError as problem:
        raise Slip(
            f"the check of {exercise.id} is broken: {problem} (our mistake, not yours: tell your instructor)"
        ) from None
    if verdict.outcome is Outcome.RIGHT:
        if missing := missing_name(answer, exercise.id, exercise.notebook):
            return Verdict(
                Outcome.ERROR, f"it is right here, but not yet in what you submit: {missing}"
            ), None
        name = unsaved_name(answer, exercise.notebook)
        return verdict, name and UNSAVED.format(name)
    if local.original is None or (verdict.outcome is not Outcome.ERROR and verdict.raised is None):
        return verdict, None
    # an error's own sentence says it
    stopped = f"    it stopped with {verdict.raised}" if verdict.raised else None
    line = line_in_cell(local.original.__traceback__, lambda names: names.get("__name__") == "__main__")
    given = f"    in the call {call_text(exercise.id, local.arguments)}" if local.arguments else None
    return verdict, "\n".join(part for part in (stopped, line, given) if part) or None


def visible_seed(exercise: str) -> int:
    """The seed of an exercise's visible check; the hidden check uses a different one."""
    return zlib.crc32(exercise.encode())


def solution(name: object = MISSING, code: str | None = None) -> None:
    """Show the model answer of an exercise: `solution("average_two")`.

    It is locked until your instructor opens it. The feedback page of a right answer has a code: give it once,
    as in `solution("average_two", code="…")`, and it is remembered. In a clone of the course, a right answer
    is enough.
    """
    from kqa_core.check.model_answers import find_answer

    exercise, store = exercise_named(name, "solution"), ProgressStore()
    try:
        found = find_answer(exercise, code, store)
    except UserError as problem:
        raise Slip(f"solution: {problem}") from None
    print_notices(store)
    if isinstance(found, str):
        print(found)
    else:
        _show(found)


def progress(notebook: str | None = None) -> None:
    """Show what is done in the notebooks you have begun. `progress("01_attention_as_a_lookup")` shows one,
    `progress("all")` all.

    The points are what the checks here would give; your mark is decided after you submit.
    """
    exercises, records, opened = _course(None if notebook == "all" else notebook)
    parts = parts_of(exercises, records)
    shown = [part for part in parts if part.name in opened and notebook != "all"]
    _show(ProgressTable(shown or parts, opened))


def cockpit(notebook: str | None = None) -> None:
    """Show all notebooks at a glance, the exercise where you stopped, and a link back to it.

    The notebooks you have begun are unfolded. `cockpit("02_one_head_or_many")`, or just `cockpit("02")`,
    unfolds that one, and `cockpit("all")` unfolds every one.
    """
    from kqa_core.check.cockpit_view import Cockpit

    _show(Cockpit(*_course(notebook)))


def reset(name: object = MISSING) -> None:
    """Start one exercise again: `reset("average_two")` restores the cell as you received it,
    and keeps a copy of what you wrote.

    It changes the notebook's file: save the notebook before, and reload it from disk after.
    """
    from kqa_core.check.reset_answer import reset_exercise

    exercise = exercise_named(name, "reset")
    try:
        print("\n".join(reset_exercise(exercise.id)))
    except UserError as problem:
        raise Slip(str(problem)) from None


def attempted(call: Callable[..., Value], *arguments: object) -> Value | None:
    """The value of `call(*arguments)`, for cells that show what a student's answer does.

    None, and one line of output, if the exercise is unattempted or its function raises: the check has already
    said why. Raises Stopped, shown as one line, if you interrupt it. A KeyboardInterrupt with a text says
    itself what was kept.
    """
    try:
        return call(*arguments)
    except KeyboardInterrupt as interrupt:
        for argument in arguments:
            if isinstance(argument, GeneratorType):
                argument.close()  # what shows the progress of these batches says where it was stopped
        lost = (
            "stopped, and what was computed is lost: run this cell again before the cells below, which need"
            " its result"
        )
        raise Stopped(str(interrupt) or lost) from None
    except Exception as problem:
        first = useful_line(str(problem))
        if isinstance(problem, NotImplementedError) and first.startswith("exercise "):
            print(
                f"(this cell shows something once {first.removeprefix('exercise ').partition(':')[0]} is"
                " done)"
            )
        else:
            print(f"(this cell stopped at {type(problem).__name__}{': ' + first if first else ''})")
    return None


def predicted(name: str) -> bool:
    """Whether the written answer to this exercise is begun, for cells that train only after a prediction.

    False, and one line of output, if it is empty in the saved notebook. True where that cannot be known.
    Raises Slip for an unknown exercise.
    """
    exercise = exercise_named(name, "predicted")
    if not is_empty(exercise.id, exercise.notebook):
        return True
    print(
        f"(this cell trains once your answer to {exercise.id} is written: save the notebook, then run this"
        " cell again)"
    )
    return False


def _course(wanted: str | None) -> tuple[tuple[Exercise, ...], dict[str, Record], set[str]]:
    """Exercises, the student's records, and the notebooks to unfold. Raises Slip for an unknown notebook."""
    from kqa_core.check.cockpit_view import shown_notebooks

    store = ProgressStore()
    records = store.read()
    print_notices(store)
    exercises = all_exercises()
    try:
        return exercises, records, shown_notebooks(wanted, exercises, records)
    except UserError as problem:
        raise Slip(str(problem)) from None


def exercise_named(name: object, call: str) -> Exercise:
    """The exercise called `name`. Raises Slip, with the correct form of `call`, if there is none."""
    if name is MISSING:
        raise Slip(f'{call}: name the exercise, in quotes, as in {call}("average_two")')
    if isinstance(name, str):
        try:
            return find(name)
        except UserError as problem:
            raise Slip(str(problem)) from None
    if callable(name):
        written = getattr(name, "__name__", "average_two")
        more = f", {written}" if call in ("check", "explain") else ""
        raise Slip(f'{call}: the exercise\'s name comes first, in quotes: {call}("{written}"{more})')
    raise Slip(
        f"{call}: the exercise's name comes first, as text in quotes; got {with_article(type(name).__name__)}"
    )


def understood(name: object, function: object, what: str = "check") -> tuple[Exercise, Callable[..., object]]:
    """The exercise and the function that a call of `check` or `explain` names.
    Raises Slip with the correct call if it names none.
    """
    if name is MISSING:
        raise Slip(
            f'{what}: name the exercise and give your function, as in {what}("average_two", average_two)'
        )
    exercise = exercise_named(name, what)
    call = f'{what}("{exercise.id}", {exercise.id})'
    if exercise.written:
        raise Slip(
            f"{exercise.id} is a written answer ({points_text(exercise)}): a person reads it, so nothing can"
            " be checked"
        )
    if function is MISSING:
        raise Slip(f"{what}: give your function too: {call}")
    if isinstance(function, str):
        raise Slip(f"{what}: give the function itself, without quotes: {call}")
    if not callable(function):
        got = with_article(type(function).__name__)
        raise Slip(
            f"{what}: expected your function {exercise.id}, got {got}; without brackets after its name:"
            f" {call}"
        )
    given = getattr(function, "__name__", "")
    if given != exercise.id and given in names():
        raise Slip(f"{what}: this is the check of {exercise.id}, but the function given is {given}: {call}")
    return exercise, function


def print_notices(store: ProgressStore) -> None:
    """Print what the progress file has to tell the student, once."""
    for notice in store.notices:
        print(notice)
    store.notices.clear()


def _show(table: object) -> None:
    """Display in a notebook, print anywhere else."""
    shell = sys.modules.get("IPython")
    if shell is not None and getattr(shell.get_ipython(), "kernel", None) is not None:
        from IPython.display import display

        display(table)  # type: ignore[no-untyped-call]  # IPython has no annotations
    else:
        print(table)
