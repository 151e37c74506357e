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
from autograder.course.log import log_received, log_result
from autograder.course.publisher import Graded, Plan, Publisher
from autograder.grading.batch import Batch
from autograder.grading.config import SILENT, Events, GradingConfig
from autograder.grading.ledger import Ledger, ledger_path
from autograder.judge.canaries import CanaryDeviates
from autograder.judge.seeds import course_key
from autograder.sandbox.tiers import best_tier
from autograder.submissions.store import receive
from kqa_core.errors import UserError


def grade(config: GradingConfig, events: Events = SILENT) -> Graded:
    """Grade one notebook, or all that anybody submitted.

    Raises UserError if there is nothing to grade, and CanaryDeviates if the judge cannot be trusted.
    """
    config = replace(config, tier=config.tier or best_tier())
    notebooks = chosen([config.assignment] if config.assignment is not None else (), config.course)
    publisher = Publisher(config)
    news = _receive(config, notebooks)
    plan = publisher.plan(notebooks, only_submitted=config.assignment is None)
    if not plan.entries:
        raise UserError(f"{config.course / 'received'}: {_nothing(config, notebooks)}")
    return replace(judge_and_publish(plan, publisher, events), news=news)


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
    config = replace(publisher.config, key=course_key(course / ".course_key"))
    instructors = {name: course / "source" / name / f"{name}.ipynb" for name in plan.notebooks}
    events = replace(events, judged=lambda result: log_result(course, "judged", result))
    events.began(len(plan.entries))
    with Ledger(ledger_path(course)) as ledger:
        batch = Batch(plan.entries, course / "received", instructors, ledger, config, events)
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


def _receive(config: GradingConfig, notebooks: list[str]) -> list[str]:
    """Receive the class's folder, if there is one or nothing was received yet. A line for each new file."""
    course, store = config.course, config.course / "received"
    folder = config.submissions or course / "submitted"
    if config.submissions is None and store.is_dir() and not folder.is_dir():
        return []
    news = receive(folder, store, notebooks, config.limits, config.received_at)
    log_received(course, news, notebooks)
    return news


def _nothing(config: GradingConfig, notebooks: list[str]) -> str:
    """What is wrong where there is nothing to grade."""
    if config.assignment is None:
        return f"holds no submission of any notebook of the course ({', '.join(notebooks)})"
    return "knows no student; expected submissions as STUDENT/NOTEBOOK/NOTEBOOK.ipynb in --class FOLDER"
