"""Notebook 07 with its model answers, from several seeds: questions only, text only, text and then questions.

Run: kqa bench own_training

- It runs the notebook's own cells: its setup, the model answers, and the cells tagged `path`, which end in
  `whole_path`.
- A seed takes about four minutes of two cores that do nothing else. Seconds are those of pretraining.
- The comparison of two models is McNemar's test over the dev questions, all seeds together.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from autograder.build.assemble import assemble
from autograder.build.source import read_source
from benchmarks._common import report
from kqa_core.experiments.own_training import STAGES
from kqa_core.stats import mcnemar, mean_sd

SOURCE = Path(__file__).resolve().parents[1] / "notebooks" / "source"
NOTEBOOK = SOURCE / "07_pretrain_finetune_evaluate" / "07_pretrain_finetune_evaluate.py"
SEEDS = (0, 1, 2)
BAR = "no pretraining ≤ 5 %, pretrained ≥ 20 %"


def the_path() -> dict[str, Any]:
    """The names that the notebook's path defines, with the model answers in place of the student's."""
    names: dict[str, Any] = {}
    for cell in assemble(read_source(NOTEBOOK)).cells:
        kept = cell.metadata.get("nbgrader", {}).get("solution") or "path" in cell.metadata.get("tags", [])
        if cell.cell_type == "code" and (kept or cell.id == "setup_1"):
            exec(compile(cell.source, cell.id, "exec"), names)
    return names


def main() -> None:
    """Run the path from every seed and write the figures."""
    path, seconds = the_path(), []
    plain = path["train"]

    def timed(model: Any, *rest: Any) -> Any:
        began = time.monotonic()
        losses = plain(model, *rest)
        seconds.append((len(losses), time.monotonic() - began))
        return losses

    path["train"] = timed
    found: dict[str, list[list[bool]]] = {stage: [] for stage in STAGES}
    for seed in SEEDS:
        for stage, answers in path["whole_path"](seed).items():
            found[stage].append(answers)
        print(
            f"seed {seed}: " + ", ".join(f"{stage} {sum(each[-1])}" for stage, each in found.items()),
            flush=True,
        )
    right = {stage: [sum(answers) for answers in each] for stage, each in found.items()}
    questions = len(found[STAGES[0]][0])
    pairs = [
        pair
        for seed in range(len(SEEDS))
        for pair in zip(found[STAGES[0]][seed], found[STAGES[2]][seed], strict=True)
    ]
    figures = {
        "questions": questions,
        "right": right,
        "steps": path["TEXT_STEPS"],
        "seconds": [round(took) for steps, took in seconds if steps == path["limited"](path["TEXT_STEPS"])],
        "p, questions only against text and questions": mcnemar(
            pairs.count((False, True)), pairs.count((True, False))
        ),
    }
    none, before, after = (mean_sd([100 * count / questions for count in right[stage]]) for stage in STAGES)
    headline = (
        f"{after[0]:.1f} ± {after[1]:.1f} % pretrained and finetuned, {before[0]:.1f} ± {before[1]:.1f} %"
        f" before finetuning, {none[0]:.1f} ± {none[1]:.1f} % without pretraining, {len(SEEDS)} seeds"
    )
    report(
        "own_training", figures, headline, BAR, max(right[STAGES[0]]) <= 0.05 * questions and after[0] >= 20
    )


if __name__ == "__main__":
    main()
