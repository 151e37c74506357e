"""How soon a GPU recalls as much as the best published run, 40.4 % of the dev questions. Run: kqa bench gpu_recall

- Recipe `best` with RoPE, trained to its end at several lengths: its schedule falls to nothing, so a shorter run is a run of its
  own and no part of a longer one. Finetuning and the dev questions follow each. Seconds are those of both trainings.
- The figure is the shortest time that reached 40.4 %, and the recall of the recipe's own length, over SEEDS seeds.
- `KQA_ORIGINAL=FOLDER` names the original data; else the full world is read, whose recall the published runs say nothing of.
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._common import report
from benchmarks._original import FILES, data
from kqa_core.evaluation.evaluate import evaluate
from kqa_core.stats import mean_sd
from kqa_core.text.birthplaces import read_pairs
from kqa_core.training.recipes import BEST
from kqa_core.training.runs import finetune, pretrain

PUBLISHED, BAR_SECONDS, SEEDS = 40.4, 60.0, (0, 1, 2)
SHARES = (0.1, 0.25, 0.5)  # of the recipe's own length, one seed each; its own length for every seed


def trained(steps: int, seed: int) -> tuple[float, float, int]:
    """Seconds, recall in per cent, and how many questions, of one run."""
    wiki, questions, dev = (data()[1] / each for each in FILES)
    done = pretrain("rope", wiki, None, questions, recipe="best", steps=steps, seed=seed, device="cuda")
    tuned = finetune("rope", wiki, questions, None, done, recipe="best", seed=seed, device="cuda")
    found = evaluate(tuned.model.to("cuda"), tuned.vocabulary, read_pairs(dev))
    seconds = done.seconds + tuned.seconds
    print(f"{steps:6,} steps, seed {seed}: {seconds:6.1f} s, {found}", flush=True)
    return seconds, 100 * found.accuracy.value, found.accuracy.total


def main() -> None:
    """Print the table, and write the figures."""
    bar = f"{PUBLISHED} % in ≤ {BAR_SECONDS:.0f} s; recipe `best` ≥ 85 %"
    if not torch.cuda.is_available():
        report("gpu_recall", {}, "not measured: that takes a GPU", bar)
        return
    whole = BEST.pretrain.steps
    assert whole is not None
    runs = [(round(share * whole), 0) for share in SHARES] + [(whole, seed) for seed in SEEDS]
    found = [(steps, seed, *trained(steps, seed)) for steps, seed in runs]
    reached = [seconds for _, _, seconds, recall, _ in found if recall >= PUBLISHED]
    mean, sd = mean_sd([recall for steps, _, _, recall, _ in found if steps == whole])
    soon = f"{min(reached):.1f} s" if reached else "never"
    figures = {
        "data": data()[0],
        "runs": [
            {"steps": steps, "seed": seed, "seconds": round(seconds, 2), "recall_percent": round(recall, 1), "questions": total}
            for steps, seed, seconds, recall, total in found
        ],
        "seconds_to_published": round(min(reached), 2) if reached else None,
        "best_percent": [round(mean, 1), round(sd, 1)],
    }
    headline = f"{PUBLISHED} % after {soon}; `best` {mean:.1f} ± {sd:.1f} % over {len(SEEDS)} seeds on the {data()[0]} data"
    met = bool(reached) and min(reached) <= BAR_SECONDS and mean >= 85
    report("gpu_recall", figures, headline, bar, met)


if __name__ == "__main__":
    main()
