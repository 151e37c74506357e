"""The pages of `kqa course watch`: the instructor's, which reloads itself, and that of a waiting student."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from autograder.report.html import page

SHOWN = 200  # lines of a table


@dataclass(frozen=True)
class WaitingRow:
    """A submission that waits."""

    student: str
    notebook: str
    version: int
    received: str
    state: str  # its place in the queue, or until when it waits and why


@dataclass(frozen=True)
class AnsweredRow:
    """A submission that was answered."""

    student: str
    notebook: str
    version: int
    at: str
    took: str
    said: str


@dataclass(frozen=True)
class View:
    """The contents of the instructor's page. Times are texts."""

    state: str  # such as "watches" or "stopped"
    when: str
    source: str
    limit: str
    answers: int
    seconds: int  # after which the page is loaded again; 0: not any more
    waiting: Sequence[WaitingRow] = ()
    judging: Sequence[str] = ()  # the submissions of this round
    workers: Sequence[str] = ()  # the exercise that each worker judges now
    answered: Sequence[AnsweredRow] = ()
    incidents: Sequence[str] = field(default_factory=list)
    trouble: str = ""


def watch_page(view: View) -> str:
    """The instructor's page, as HTML."""
    return page("watch", title=f"Watcher: {view.state}", view=view, shown=SHOWN)


def waiting_page(notebook: str, sentence: str) -> str:
    """The page of a student who waits, as HTML. It names nobody."""
    return page("waiting", title=f"{notebook}: waits to be graded", notebook=notebook, sentence=sentence)
