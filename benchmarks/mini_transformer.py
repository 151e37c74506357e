"""The table of notebook 05: nine small word models, three seeds each. Run: kqa bench mini_transformer

- Rows, text and sentences are those of `kqa_core.experiments.mini_transformer`. Every figure is a loss in
  nats per word, or its exponential.
- A run that is finished is kept in runs/mini_transformer, named by what it is, so that a run broken off goes
  on where it was.
- One run takes about 12 s of a core that does nothing else. Nothing is timed: the figures are losses, the
  machine may be busy.
- `batches` are the losses of each run on the same dev rows, read 1, 2, 4 … at a time: the experiment that
  solves the puzzle.
"""

from __future__ import annotations

import hashlib
import json
import math
import sys
from pathlib import Path
from typing import Any

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._common import report
from kqa_core.experiments import mini_transformer as mini_lab
from kqa_core.experiments.mini_transformer import (
    BATCH,
    MEASURED,
    STEPS,
    VARIANTS,
    LabText,
    by_batch_size,
    lab_text,
    measure,
    train_lab,
)
from kqa_core.files import write_whole
from kqa_core.progress import progress
from kqa_core.stats import mean_sd
from kqa_core.text.packaged import runs

SEEDS = (0, 1, 2)
BAR = "≥ 3 seeds a row"


def fingerprint() -> str:
    """Eight digits that change with the lab's settings: a kept run of other settings is not taken."""
    text = (mini_lab.ROW_LENGTH, mini_lab.LONG)
    settings = (*text, BATCH, STEPS, mini_lab.RATE, mini_lab.SENTENCES, mini_lab.PASSAGES, mini_lab.WORLD)
    return hashlib.sha256(repr(settings).encode()).hexdigest()[:8]


def run(text: LabText, name: str, seed: int, kept: Path) -> dict[str, dict[str, float]]:
    """The losses of one run, and by batch size: read back where it was done before, else trained and kept."""
    path = kept / f"{name}-{seed}-{fingerprint()}.json"
    if not path.is_file():
        with progress(STEPS, f"{name}, seed {seed}") as bar:
            model = train_lab(text, VARIANTS[name], seed, watch=bar.update)
        losses = {"losses": measure(model, text), "batches": by_batch_size(model, text)}
        write_whole(path, json.dumps(losses))
    found: dict[str, dict[str, float]] = json.loads(path.read_text(encoding="utf-8"))
    return found


def row_line(name: str, losses: list[dict[str, float]]) -> str:
    """One line of the table: the perplexities, mean ± s.d. over seeds."""
    cells = []
    for what in MEASURED:
        mean, sd = mean_sd([math.exp(each[what]) for each in losses])
        cells.append(f"{mean:9.1f} ± {sd:<7.1f}")
    return f"{name:<22}" + " ".join(cells)


def main() -> None:
    """Train what is not yet trained, print the table, and write the figures."""
    torch.set_num_threads(1)
    text, kept = lab_text(), runs("mini_transformer")
    found: dict[str, list[dict[str, dict[str, float]]]] = {name: [] for name in VARIANTS}
    for seed in SEEDS:  # seed by seed: a run broken off leaves whole tables
        for name in VARIANTS:
            found[name].append(run(text, name, seed, kept))
    print(f"{'perplexity':<22}" + " ".join(f"{what:>12}       " for what in MEASURED))
    for name, each in found.items():
        print(row_line(name, [one["losses"] for one in each]))
    rows: dict[str, Any] = {
        name: {
            "losses": {what: [round(one["losses"][what], 4) for one in each] for what in MEASURED},
            "batches": {
                size: [round(one["batches"][size], 4) for one in each] for size in each[0]["batches"]
            },
        }
        for name, each in found.items()
    }
    figures = {
        "seeds": list(SEEDS),
        "steps": STEPS,
        "batch": BATCH,
        "words": len(text.vocabulary),
        "rows": rows,
    }
    leak, clean = (mean_sd(rows[name]["losses"]["dev"])[0] for name in ("norm-reweight", "learned"))
    headline = (
        f"dev perplexity {math.exp(leak):.2f} re-weighted over the row, {math.exp(clean):.2f} plain,"
        f" {len(SEEDS)} seeds"
    )
    report("mini_transformer", figures, headline, BAR, len(SEEDS) >= 3)


if __name__ == "__main__":
    main()
