"""The recorded runs of notebook 09: attention and the dense Synthesizer on a world of few people.
Run: kqa bench few_people

- World, model and training are those of `kqa_core.experiments.few_people`, with twice as many steps as in the
  notebook.
- Recorded is which dev questions each model answers, as 0 and 1: the notebook computes its tests from them.
  Nothing is timed.
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._common import report
from kqa_core.experiments.few_people import RECORDED_STEPS, answers_right, few_people_corpus, train_few
from kqa_core.stats import mean_sd, paired

VARIANTS = ("vanilla", "synthesizer")
SEEDS = (0, 1, 2, 3, 4)
BAR = "≥ 3 seeds"


def main() -> None:
    """Train both variants from every seed, and write which questions they answer."""
    torch.set_num_threads(1)
    people = few_people_corpus()
    answers: dict[str, list[str]] = {variant: [] for variant in VARIANTS}
    for seed in SEEDS:
        for variant in VARIANTS:
            right = answers_right(train_few(variant, people, seed, RECORDED_STEPS), people.dev)
            answers[variant].append("".join(str(int(each)) for each in right))
            print(f"{variant:12} seed {seed}: {int(right.sum())} of {len(right)}", flush=True)
    figures = {
        "seeds": list(SEEDS),
        "steps": RECORDED_STEPS,
        "questions": len(people.dev),
        "answers": answers,
    }
    hits = {variant: [each.count("1") for each in by_seed] for variant, by_seed in answers.items()}
    means = ", ".join(f"{variant} {mean_sd(each)[0]:.1f}" for variant, each in hits.items())
    p = paired(hits["vanilla"], hits["synthesizer"])
    report(
        "few_people",
        figures,
        f"right answers of {len(people.dev)}: {means}; paired t-test p = {p:.3f}",
        BAR,
        len(SEEDS) >= 3,
    )


if __name__ == "__main__":
    main()
