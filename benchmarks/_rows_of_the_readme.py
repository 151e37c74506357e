"""The five figures of README.md: one number each, what it is compared with, and the command.

Each command has a row on the page of figures, which says the commit and the machine. No measured number is
typed here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks._figure import ladder_command, ladder_rows, share
from kqa_core.stats import mean_sd


@dataclass(frozen=True)
class Headline:
    """One figure of README.md."""

    what: str
    file: str
    number: Callable[..., str]  # called with the file's figures
    compared: Callable[..., str]
    command: str


def mean_recall(runs: list[dict[str, int]], name: str) -> str:
    """A row's recall on the original data in per cent, the mean over its seeds."""
    rows = ladder_rows(runs, "original", name)
    if not rows:
        raise LookupError(name)
    return f"{mean_sd([100 * row['correct'] / row['total'] for row in rows])[0]:.1f} %"


FIVE = (
    Headline(
        "wrong answers that are refused, each with the feedback for its own mistake",
        "proof",
        lambda f: f"{f['rejected'][0]} of {f['rejected'][1]}",
        lambda f: f"right answers that are accepted: {f['accepted'][0]} of {f['accepted'][1]}",
        "kqa course prove",
    ),
    Headline(
        "hostile submissions that earn a mark they should not",
        "hostile",
        lambda f: f"{f['marks_unearned']} of {f['submissions']}",
        lambda f: f"honest submissions beside them whose result changes: {f['neighbours_changed']}",
        "KQA_ALL=1 pytest -s tests/hostile",
    ),
    Headline(
        "submissions of a notebook with torch, graded a minute",
        "grading",
        lambda f: f"{f['ours_per_minute']:.0f}",
        lambda f: f"`nbgrader autograde`: {f['nbgrader_per_minute']:.0f}",
        "kqa bench grading",
    ),
    Headline(
        "recall on the small world after pretraining",
        "small_world",
        lambda f: share(f["pretrained"], interval=False),
        lambda f: f"without pretraining: {share(f['not_pretrained'], interval=False)}",
        "make course",
    ),
    Headline(
        "recall on the original data, recipe `best`",
        "ladder",
        lambda runs: mean_recall(runs, "best, all of it"),
        lambda runs: f"the assignment's recipe: {mean_recall(runs, 'assignment, all 650 epochs')}",
        ladder_command("original", "best, all of it"),
    ),
)
