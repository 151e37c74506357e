"""The recorded climb from the published recall to the ceiling: `kqa bench climb` makes it, notebook 07 and the README show it.

- A row is one training run: a world, a set of levers, a seed. Its accuracy is on that world's dev questions.
- `exposures` is how often training hid the place of a dev person, whole, on average over them.
- Rows of one world have read equally many characters. Seconds are those of the machine in the row; they can be compared where
  that is the same.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kqa_core.errors import UserError
from kqa_core.stats import Share, mean_sd
from kqa_core.text.packaged import shipped

LADDER = (  # each row changes one thing of the row before
    "assignment",
    "+ a rate that ends at 0",
    "+ rotary positions",
    "+ no dropout",
    "+ short salient rows",
    "+ train questions mixed in",
    "+ a third of the rate",  # and weight decay for matrices alone
    "+ Muon",
    "+ the word born (best)",
)
WITHOUT = (  # each row takes one thing away from the best
    "best without salient rows",
    "best without questions",
    "best without Muon",
    "best without rotary positions",
    "best without the anneal",
)
WHOLE = (  # for as long as their recipes say
    "assignment, all 650 epochs",
    "assignment with rotary positions, all 650 epochs",
    "best, all of it",
    "best without the word born, all of it",
    "best with the Synthesizer, all of it",
)


@dataclass(frozen=True)
class ClimbRow:
    """One run of the climb."""

    world: str  # small, full or original
    name: str  # of the row
    seed: int
    run: dict[str, Any]  # variant, recipe and characters to read: what the row is
    correct: int
    total: int
    steps: int
    characters: int  # read in pretraining, padding not counted
    documents: int
    parameters: int
    exposures: float  # of a dev person's place
    seconds: float | None  # training, evaluation not counted; None where the run was broken off, or shared its processors
    curve: list[dict[str, float]]  # step, seconds, correct: recall on the way, before finetuning
    machine: dict[str, Any]

    @property
    def share(self) -> Share:
        """Right answers of all dev questions."""
        return Share(self.correct, self.total)


def read_climb(path: Path | None = None) -> list[ClimbRow]:
    """The recorded rows; none where nothing has been recorded. Raises UserError for a file that cannot be read as one."""
    path = path or shipped("world/small").parents[2] / "benchmarks" / "results" / "climb.json"
    if not path.is_file():
        return []
    try:
        return [ClimbRow(**row) for row in json.loads(path.read_text(encoding="utf-8"))["rows"]]
    except (OSError, ValueError, KeyError, TypeError):
        raise UserError(f"{path}: the rows of a climb were expected: `kqa bench climb` makes them anew") from None


def of_row(rows: Sequence[ClimbRow], world: str, name: str) -> list[ClimbRow]:
    """The runs of one row, one per seed."""
    return sorted((row for row in rows if (row.world, row.name) == (world, name)), key=lambda row: row.seed)


def climb_table(rows: Sequence[ClimbRow], world: str, names: Sequence[str]) -> str:
    """One line a row: accuracy, mean ± standard deviation over seeds; exposures; seconds. "not measured" where there is none."""
    wide = max(map(len, names))
    lines = [f"{world:{wide}}  {'dev accuracy, %':>16}  {'seeds':>5}  {'exposures':>9}  {'seconds':>7}"]
    for name in names:
        mine = of_row(rows, world, name)
        if not mine:
            lines.append(f"{name:{wide}}  {'not measured':>16}")
            continue
        mean, sd = mean_sd([100 * row.share.value for row in mine])
        accuracy = f"{mean:.1f}" if len(mine) == 1 else f"{mean:.1f} ± {sd:.1f}"
        exposures = mean_sd([row.exposures for row in mine])[0]
        taken = [row.seconds for row in mine if row.seconds is not None]
        seconds = f"{mean_sd(taken)[0]:.0f}" if taken else ""
        lines.append(f"{name:{wide}}  {accuracy:>16}  {len(mine):>5}  {exposures:>9.1f}  {seconds:>7}".rstrip())
    return "\n".join(lines)
