"""The figures of README.md, five at most: one number each, what it is compared with, and the command.

Each command has a row on the page of figures, which says the commit and the machine. No measured number is
typed here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks._figure import ladder_command, ladder_rows, share
from kqa_core.experiments.results import LADDER
from kqa_core.stats import mean_sd


@dataclass(frozen=True)
class Headline:
    """One figure of README.md."""

    what: str
    files: tuple[str, ...]
    number: Callable[..., str]  # called with each file's figures, in order
    compared: Callable[..., str]
    command: str


def mean_accuracy(runs: list[dict[str, int]], name: str) -> str:
    """A row's accuracy on the original data in per cent, the mean over its seeds."""
    rows = ladder_rows(runs, "original", name)
    if not rows:
        raise LookupError(name)
    return f"{mean_sd([100 * row['correct'] / row['total'] for row in rows])[0]:.1f} %"


def open_book(_: list[dict[str, int]], figures: dict[str, dict[str, list[int]]]) -> str:
    """The accuracy of the extractor on the dev questions of the original data."""
    return f"the same reader, document open: {share(figures['original']['dev'], interval=False)}"


LETTER, ROTARY = "assignment, all 650 epochs", "assignment with rotary positions, all 650 epochs"
BEST = "best, all of it"
HEADLINES = (
    Headline(
        "wrong answers that are refused, each with the feedback for its own mistake",
        ("proof",),
        lambda f: f"{f['rejected'][0]} of {f['rejected'][1]}",
        lambda f: f"right answers that are accepted: {f['accepted'][0]} of {f['accepted'][1]}",
        "kqa course prove",
    ),
    Headline(
        "hostile submissions that earn a mark they should not",
        ("hostile",),
        lambda f: f"{f['marks_unearned']} of {f['submissions']}",
        lambda f: f"honest submissions beside them whose result changes: {f['neighbours_changed']}",
        "KQA_ALL=1 pytest -s tests/hostile",
    ),
    Headline(
        "original data, (a): pretraining is told nothing of the questions to come",
        ("ladder",),
        lambda runs: mean_accuracy(runs, ROTARY),
        lambda runs: f"with the assignment's own positions: {mean_accuracy(runs, LETTER)}",
        ladder_command("original", ROTARY),
    ),
    Headline(
        "original data, (b): the train questions tell it the kind of fact, recipe `best`",
        ("ladder", "extractor"),
        lambda runs, _: mean_accuracy(runs, BEST),
        open_book,
        ladder_command("original", BEST),
    ),
    Headline(
        "original data, (c): a reader with the document open writes the questions",
        ("ladder", "extractor"),
        lambda runs, _: mean_accuracy(runs, LADDER[-1]),
        open_book,
        ladder_command("original", LADDER[-1]),
    ),
)
