"""How soon a GPU is as accurate as the best published run, 40.4 % of the dev questions.
Run: kqa bench gpu_recall

- Recipe `best` with RoPE, trained to its end at several lengths: its schedule falls to nothing, so a shorter
  run is a run of its own and no part of a longer one. Finetuning and the dev questions follow each. Seconds
  are those of both trainings.
- The figures are the shortest time that reached 40.4 %, and the accuracy of the recipe's own length. One
  seed: `best, all of it` of the ladder has three.
- `KQA_ORIGINAL=FOLDER` names the original data; else the full world is read, whose accuracy the published
  runs say nothing of.
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._common import not_measured_here, report
from benchmarks._original import FILES, data
from kqa_core.evaluation.evaluate import evaluate
from kqa_core.stats import Proportion
from kqa_core.text.corpus import read_pairs
from kqa_core.training.recipes import BEST
from kqa_core.training.runs import finetune, pretrain

PUBLISHED, BAR_SECONDS, BAR_PERCENT = 40.4, 60.0, 85.0
SHARES = (0.1, 0.15, 0.25, 1.0)  # of the recipe's own length


def trained(steps: int) -> tuple[float, Proportion]:
    """Seconds, and how many dev questions were answered correctly."""
    wiki, questions, dev = (data()[1] / each for each in FILES)
    done = pretrain("rope", wiki, None, questions, recipe="best", steps=steps, device="cuda")
    tuned = finetune("rope", wiki, questions, None, done, recipe="best", device="cuda")
    found = evaluate(tuned.model.to("cuda"), tuned.vocabulary, read_pairs(dev))
    seconds = done.seconds + tuned.seconds
    print(f"{steps:6,} steps: {seconds:6.1f} s, {found}", flush=True)
    return seconds, found.accuracy


def main() -> None:
    """Print the table, and write the figures."""
    bar = f"{PUBLISHED} % in ≤ {BAR_SECONDS:.0f} s; recipe `best` ≥ {BAR_PERCENT:.0f} %"
    if not torch.cuda.is_available():
        not_measured_here("gpu_recall", bar)
        return
    whole = BEST.pretrain.steps
    assert whole is not None
    found = {steps: trained(steps) for steps in (round(share * whole) for share in SHARES)}
    reached = [seconds for seconds, accuracy in found.values() if 100 * accuracy.value >= PUBLISHED]
    seconds, accuracy = found[whole]
    figures = {
        "data": data()[0],
        "runs": [
            {"steps": steps, "seconds": round(seconds, 2), "correct": accuracy.hits, "total": accuracy.total}
            for steps, (seconds, accuracy) in found.items()
        ],
        "seconds_to_published": round(min(reached), 2) if reached else None,
        "best_percent": round(100 * accuracy.value, 1),
    }
    soon = f"{min(reached):.1f} s" if reached else "never"
    headline = (
        f"{PUBLISHED} % after {soon}; `best` {100 * accuracy.value:.1f} % after {seconds:.0f} s, on the"
        f" {data()[0]} data"
    )
    met = bool(reached) and min(reached) <= BAR_SECONDS and 100 * accuracy.value >= BAR_PERCENT
    report("gpu_recall", figures, headline, bar, met)


if __name__ == "__main__":
    main()
