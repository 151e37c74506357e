"""`kqa course grade`: receive what a class submitted, judge it, and publish the results.

1. Receive the files in the class's folder. The publisher's plan says which version of each student counts.
2. Judge every entry through the ledger (`Batch`). Results of earlier runs, even of killed ones, are used
   again.
3. Publish what the canaries held for (`Publisher`): before slow submissions are judged, and again at the end.

Whatever has no result, could not be judged or could not be recorded is listed, and the exit status is not 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from autograder.build.release import chosen
from autograder.course.log import log_mended, log_result
from autograder.course.private_files import keep_private
from autograder.course.publisher import Graded, Plan, Publisher
from autograder.course.receiving import receive_class
from autograder.gradebook.exchange_settings import inbound_folder
from autograder.grading.batch import Batch
from autograder.grading.config import SILENT, Events, GradingConfig
from autograder.grading.ledger import Ledger, ledger_path
from autograder.judge.canaries import CanaryDeviates
from autograder.judge.seeds import course_key
from autograder.sandbox.tiers import best_tier
from autograder.submissions.stored_bytes import mend
from kqa_core.errors import UserError


def grade(config: GradingConfig, events: Events = SILENT) -> Graded:
    """Grade one notebook, or all that anybody submitted.

    Raises UserError if there is nothing to grade, and CanaryDeviates if the judge cannot be trusted.
    """
    config = replace(config, tier=config.tier or best_tier())
    notebooks = chosen([config.assignment] if config.assignment is not None else (), config.course)
    publisher = Publisher(config)
    received = receive_class(
        *(config.course, notebooks, config.limits),
        folder=config.submissions,
        at=config.received_at,
        db=config.db,
    )
    plan = publisher.plan(notebooks, only_submitted=config.assignment is None)
    if not plan.entries:
        why = "".join(f"; {submission.line}" for submission in received.set_aside[:3])
        raise UserError(f"{config.course / 'received'}: {_nothing(config, notebooks)}{why}")
    graded = judge_and_publish(plan, publisher, events)
    return replace(graded, news=received.lines, set_aside=[each.line for each in received.set_aside])


def judge_and_publish(
    plan: Plan,
    publisher: Publisher,
    events: Events = SILENT,
    after: Callable[[Graded], Any] = lambda graded: None,
    slow: bool = True,
) -> Graded:
    """Judge the entries of a plan and publish the results: at first what need not wait for slow submissions,
    at last all. `after` is called each time that something was published.

    The publisher's config names the tier. Without `slow`, what takes long is left unjudged. Raises UserError,
    CanaryDeviates.
    """
    course = publisher.course
    keep_private(course, publisher.config.db)
    config = replace(publisher.config, key=course_key(course / ".course_key"))
    instructors = {name: course / "source" / name / f"{name}.ipynb" for name in plan.notebooks}
    events = replace(
        events,
        judged=lambda result: log_result(course, "judged", result),
        mended=lambda entry: log_mended(course, entry),
    )
    folder, inbound = publisher.config.submissions or course / "submitted", inbound_folder(course)
    events.began(len(plan.entries))
    with Ledger(ledger_path(course)) as ledger:
        store = course / "received"
        batch = Batch(
            *(plan.entries, store, instructors, ledger, config, events),
            mend=lambda entry: mend(store, entry, folder, config.limits, inbound),
        )
        if config.again:
            ledger.forget(list(batch.keys.values()))
        try:
            graded = publisher.publish(plan, batch.judge(), ledger)
            after(graded)
            while slow and not batch.finished:
                graded = publisher.publish(plan, batch.judge_slow(), ledger)
                after(graded)
        except CanaryDeviates as deviation:
            deviation.published = publisher.published
            raise
    return graded


def _nothing(config: GradingConfig, notebooks: list[str]) -> str:
    """The error of a folder with nothing to grade."""
    if config.assignment is None:
        return f"holds no submission of any notebook of the course ({', '.join(notebooks)})"
    return "knows no student; expected submissions as STUDENT/NOTEBOOK/NOTEBOOK.ipynb in --class FOLDER"
