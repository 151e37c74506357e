"""The second table of notebook 05: small models of the street stories, three seeds each.
Run: kqa bench street

- Rows, stories and measures are those of `kqa_core.experiments.street_stories`. Every figure is a loss in
  nats per answer.
- A run takes about 3 s of a core that does nothing else. Nothing is timed: the figures are losses, the
  machine may be busy.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._common import report
from kqa_core.experiments.street_stories import (
    STREET_MEASURED,
    STREET_ROWS,
    STREET_STEPS,
    measure_street,
    street_text,
    train_street,
)
from kqa_core.progress import progress
from kqa_core.stats import mean_sd

SEEDS = (0, 1, 2)
BAR = "≥ 3 seeds a row"


def main() -> None:
    """Train every row from every seed, print the table, and write the figures."""
    torch.set_num_threads(1)
    text = street_text()
    rows: dict[str, Any] = {}
    for name, row in STREET_ROWS.items():
        found = []
        for seed in SEEDS:
            with progress(STREET_STEPS, f"{name}, seed {seed}") as bar:
                found.append(measure_street(train_street(text, row, seed, watch=bar.update), text))
        rows[name] = {
            "losses": {what: [round(each[what], 4) for each in found] for what in STREET_MEASURED},
            "batches": {},
        }
        print(
            f"{name:<16}"
            + " ".join("{:8.2f} ± {:<7.2f}".format(*mean_sd(each)) for each in rows[name]["losses"].values())
        )
    figures = {"seeds": list(SEEDS), "steps": STREET_STEPS, "words": len(text.vocabulary), "rows": rows}
    rotary, learned = (math.exp(mean_sd(rows[name]["losses"]["long"])[0]) for name in ("rotary", "learned"))
    headline = (
        f"perplexity of long stories {rotary:.0f} with rotary positions, {learned:.0f} with learned ones,"
        f" {len(SEEDS)} seeds"
    )
    report("street", figures, headline, BAR, len(SEEDS) >= 3)


if __name__ == "__main__":
    main()
