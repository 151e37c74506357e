"""How answers are judged: one config, made by the command line and handed on unchanged to the judge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.judge.seeds import FIXED_KEY
from autograder.paths import course_folder
from autograder.sandbox.timeout_and_memory_limits import Limits

if TYPE_CHECKING:  # a worker reads its config before it imports anything heavy
    from autograder.judge.canaries import Canary

PERFORM = "autograder.judge.tasks:perform"
SQLITE = "sqlite:///"


@dataclass(frozen=True, kw_only=True)
class JudgeConfig:
    """How answers are judged."""

    # the course directory: notebooks, submissions, gradebook
    course: Path = field(default_factory=course_folder)
    # the course folder whose exercises and answer keys decide
    checks: Path = field(default_factory=course_folder)
    # from which the inputs of the checks are drawn, together with student and exercise
    key: bytes = FIXED_KEY
    limits: Limits = field(default_factory=Limits)
    tier: str | None = None  # of the sandbox; None for the strongest that works here
    workers: int | None = None  # side by side; None for one for each core
    patient: bool = False  # whether a submission may take all its time at once, though others wait
    perform: str = PERFORM  # "module:function" that does a task
    canaries: tuple[Canary, ...] = ()  # that each worker must judge rightly first

    @property
    def secret(self) -> tuple[Path, ...]:
        """What no runner may see, beside this process's course."""
        return (self.course, self.checks)


@dataclass(frozen=True, kw_only=True)
class GradingConfig(JudgeConfig):
    """One grading run. The course's key replaces `key`, its notebooks' known answers replace `canaries`."""

    assignment: str | None = None  # a notebook's name or number; None for all that anybody submitted
    # holds STUDENT/NOTEBOOK/NOTEBOOK.ipynb; None for the course's `submitted`
    submissions: Path | None = None
    db: str | None = None  # the gradebook's URL; None for what nbgrader_config.py says
    again: bool = False  # judge anew what the ledger holds
    solutions: bool = False  # whether feedback pages hold the model answers
    received_at: float | None = None  # when the submissions came, seconds since 1970; None for now

    @property
    def secret(self) -> tuple[Path, ...]:
        """What no runner may see, beside this process's course."""
        named = [] if self.submissions is None else [self.submissions]
        if self.db is not None and self.db.startswith(SQLITE):
            named.append(Path(self.db.removeprefix(SQLITE)))
        return (*super().secret, *named)


@dataclass(frozen=True, kw_only=True)
class WatchConfig:
    """How a course is watched."""

    grading: GradingConfig  # its course, limits, workers, gradebook
    names: tuple[str, ...]  # of the notebooks
    folder: Path | None = None  # where submissions come from; None for nbgrader's exchange
    daily: int | None = None  # graded submissions for each student and day
    every: float = 10.0  # seconds between two looks
    once: bool = False  # end when nothing waits that may be judged now
    page: Path  # the instructor's

    @property
    def limit(self) -> str:
        """The limit in words."""
        if self.daily is None:
            return "No limit."
        return f"At most {self.daily} graded submissions for each student and day."


@dataclass(frozen=True)
class Events:
    """Functions to call while answers are judged."""

    began: Callable[[int], Any] = lambda total: None  # with the number of answers or submissions
    done: Callable[[Any], Any] = lambda result: None  # with each result
    # with what a worker begins; "" when it is idle
    working: Callable[[str, str], Any] = lambda worker, what: None
    judged: Callable[[Any], Any] = lambda result: None  # with each submission that this run has judged
    mended: Callable[[Any], Any] = lambda entry: (
        None
    )  # with each stored version that was damaged and put back


SILENT = Events()
