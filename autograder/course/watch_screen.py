"""The texts of `kqa course watch`: the sentence for a student who waits, and the instructor's page."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from autograder.course.watch_queue import LIMIT, Waiting
from autograder.gradebook.due_dates import shown_time
from autograder.grading.answers import Answers
from autograder.report.watch_page import AnsweredRow, View, WaitingRow

LATEST = 50  # answers on the page


def sentence(submission: Waiting, position: int, busy: bool, daily: int | None) -> str:
    """The sentence for a student who waits. `position` is 1 for the next; `busy`: it is being judged now."""
    entry = submission.entry
    which = (
        f"version {entry.version}, received {shown_time(entry.received or 0.0)}"
        if entry.file
        else "which was refused"
    )
    your = f"Your submission of {entry.assignment} ({which})"
    if busy:
        return f"{your} is being graded now."
    if submission.until is None:
        return f"{your} waits to be graded: it is number {position} in the queue."
    when = shown_time(submission.until)
    if submission.why == LIMIT:
        limit = f"you have had {submission.rank} graded submissions today, and the limit is {daily}"
        return (
            f"{your} is graded after {when}, because {limit}. If you submit again before then, only the last"
            " one is graded."
        )
    return f"{your} could not be graded yet. The grader tries again after {when}; you need not do anything."


def view(queue: Sequence[Waiting], busy: Sequence[Waiting], answers: Answers, **facts: Any) -> View:
    """The instructor's page now. `busy`: what is being judged; `facts`: the other fields of the view."""
    judging = {submission.place: submission.work for submission in busy}
    rows, position = [], 0
    for submission in queue:
        if judging.get(submission.place) == submission.work:
            continue
        position += submission.until is None
        why = "limit of the day" if submission.why == LIMIT else "is tried again"
        place = (
            f"number {position}"
            if submission.until is None
            else f"after {shown_time(submission.until)}: {why}"
        )
        entry = submission.entry
        rows.append(
            WaitingRow(
                ", ".join(submission.members), entry.assignment, entry.version, _clock(entry.received), place
            )
        )
    answered = [
        AnsweredRow(
            answer.student,
            answer.assignment,
            answer.version,
            _clock(answer.at),
            _span(answer.at, answer.received),
            answer.said,
        )
        for answer in answers.latest(LATEST)
    ]
    lines = [", ".join((*submission.members, submission.entry.assignment)) for submission in busy]
    now: dict[str, Any] = {"when": shown_time(time.time()), "answers": answers.total()}
    return View(waiting=rows, judging=lines, answered=answered, **now, **facts)


def _clock(when: float | None) -> str:
    return time.strftime("%d %b %H:%M:%S", time.localtime(when)) if when is not None else "–"


def _span(at: float, received: float | None) -> str:
    seconds = round(at - received) if received is not None else 0
    return f"{seconds} s" if seconds < 120 else f"{seconds / 60:.0f} min"
