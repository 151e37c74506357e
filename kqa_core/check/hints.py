"""hint(): the hints of an exercise, from a nudge to a worked step. How many a student took is recorded."""

from __future__ import annotations

from kqa_core.check.api import MISSING, Slip, exercise_named, print_notices
from kqa_core.check.progress_store import ProgressStore

RUNGS = ("nudge", "method", "worked step")


def hint(name: object = MISSING, rung: int | None = None) -> None:
    """Give one hint: `hint("average_two")`. Each call gives the next:
    a nudge, the method, a worked step; then the last again.

    `hint("average_two", 1)` repeats the first.
    """
    exercise = exercise_named(name, "hint")
    store = ProgressStore()
    last = len(exercise.hints)
    if not last:
        raise Slip(f"hint: {exercise.id} has no hints")
    if rung is not None and rung not in range(1, last + 1):
        raise Slip(f"hint: {exercise.id} has hints 1 to {last}, not {rung!r}")
    rung = store.take_hint(exercise.id, last, rung)
    print_notices(store)
    more = "" if rung < last else ", the last"
    print(f"{exercise.id}, hint {rung} of {last} ({RUNGS[rung - 1]}{more}): {exercise.hints[rung - 1]}")
