"""Workers that are broken in one way each: for the tests of the canaries."""

from __future__ import annotations

from dataclasses import replace

from autograder.judge.results import Judged
from autograder.judge.tasks import perform


def _changed(made, change):
    if isinstance(made, Judged):
        return made
    return change(made)


def generous(*job):
    """Calls wrong answers right."""
    full = lambda result: replace(result, outcome="right", marks=float(result.points))  # noqa: E731
    return _changed(perform(*job), lambda result: full(result) if result.outcome == "not yet" else result)


def harsh(*job):
    """Calls right answers wrong."""
    none = lambda result: replace(result, outcome="not yet", marks=0.0)  # noqa: E731
    return _changed(perform(*job), lambda result: none(result) if result.outcome == "right" else result)


def tardy(task, context):
    """Has no clock for a call: what does not end is killed from outside."""
    if getattr(task, "call_seconds", None) is None:  # not the endless answer
        return perform(task, context)
    longer = replace(context.limits, call_seconds=1e5, exercise_seconds=1e5)
    begin = lambda what, seconds: context.begin(what, 0.0)  # noqa: E731 - then it has the grace alone
    return perform(replace(task, call_seconds=None), replace(context, limits=longer, begin=begin))


def failing(*job):
    """Judges nothing."""
    raise RuntimeError("no luck")
