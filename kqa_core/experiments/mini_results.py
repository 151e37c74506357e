"""The recorded table of the mini-Transformer lab: `kqa bench mini_transformer` makes it, notebook 05 shows it.

- `PUBLISHED` is what a published run of the lab reports, perplexities of one seed on another text: word by word English, with a
  vocabulary of thousands. Ours has 695 words. So sizes cannot be compared, only which row is better, and by what share.
- Means and deviations over seeds are those of perplexities, as tables print them; tests compare losses.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path

from kqa_core.errors import UserError
from kqa_core.experiments.mini_transformer import MEASURED, ROWS
from kqa_core.stats import mean_sd
from kqa_core.text.packaged import shipped

PUBLISHED: dict[str, dict[str, float]] = {
    "learned": {"train": 401.0, "dev": 380.8},
    "norm-reweight": {"train": 362.8, "dev": 345.6, "single sentence": 2_200_000.0},
}


@dataclass(frozen=True)
class LabResults:
    """Losses in nats per word, one per seed."""

    losses: dict[str, dict[str, list[float]]]  # row → what was measured → one per seed
    batches: dict[str, dict[int, list[float]]]  # row → rows read at once → one per seed
    seeds: int

    def perplexities(self, row: str, what: str) -> list[float]:
        """One per seed."""
        return [math.exp(loss) for loss in self.losses[row][what]]

    def ratio(self, row: str, other: str, what: str) -> tuple[float, float]:
        """Perplexity of `row` over that of `other`, seed by seed: mean and standard deviation."""
        mine, theirs = self.perplexities(row, what), self.perplexities(other, what)
        return mean_sd([a / b for a, b in zip(mine, theirs, strict=True)])

    def table(self, rows: tuple[str, ...] = tuple(ROWS), columns: tuple[str, ...] = MEASURED) -> str:
        """The perplexities, mean ± standard deviation over seeds, a line for each row."""
        table = [("", *columns)]
        for row in rows:
            cells = (mean_sd(self.perplexities(row, what)) for what in columns)
            table.append((row, *(f"{_figure(mean)} ± {_figure(sd)}" for mean, sd in cells)))
        name, *widths = (max(map(len, column)) for column in zip(*table, strict=True))
        return "\n".join(f"{row:<{name}}" + "".join(map("  {:>{}}".format, cells, widths)) for row, *cells in table)


def _figure(value: float) -> str:
    """Three digits or more: 7.93, 12.4, 31,482."""
    if value < 10:
        return f"{value:.2f}"
    return f"{value:.1f}" if value < 1000 else f"{value:,.0f}"


def recorded_lab(path: Path | None = None) -> LabResults:
    """The recorded table, as shipped. Raises UserError where it is not there or cannot be read."""
    # benchmarks lies beside data, in a clone as in what is handed out
    path = path or shipped("world/small").parents[2] / "benchmarks" / "results" / "mini_transformer.json"
    try:
        figures = json.loads(path.read_text(encoding="utf-8"))["figures"]
        return LabResults(
            {row: each["losses"] for row, each in figures["rows"].items()},
            {row: {int(size): losses for size, losses in each["batches"].items()} for row, each in figures["rows"].items()},
            len(figures["seeds"]),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise UserError(f"{path}: no table of the lab can be read there: `kqa bench mini_transformer` makes it anew") from None
