"""The assignment's whole pretraining on a GPU, 650 epochs, everything counted. Run: kqa bench gpu_pretraining

- `kqa pretrain` from reading the files to the written model, in this process: drawing, capturing and saving
  included, importing torch not. Then finetuning and the dev questions, for what the model answers: that is a
  figure of its own, beside the seconds.
- Vanilla, RoPE and the Synthesizer, or those that are named: `python benchmarks/gpu_pretraining.py vanilla`.
  One seed.
- `KQA_ORIGINAL=FOLDER` names the original data; else the full world is read.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._common import not_measured_here, report
from benchmarks._original import FILES, data
from kqa_core.evaluation.evaluate import evaluate
from kqa_core.text.corpus import read_pairs
from kqa_core.training.runs import finetune, pretrain

BAR = 30.0  # seconds
VARIANTS = ("vanilla", "rope", "synthesizer")


def main(variants: Sequence[str] = VARIANTS) -> None:
    """Print the table, and write the figures."""
    bar = f"≤ {BAR:.0f} s"
    if not torch.cuda.is_available():
        not_measured_here("gpu_pretraining", bar)
        return
    name, folder = data()
    wiki, questions, dev = (folder / each for each in FILES)
    figures: dict[str, object] = {"data": name}
    taken: dict[str, float] = {}
    for variant in variants:
        with tempfile.TemporaryDirectory() as scratch:
            read = Path(scratch) / "pretrained"
            done = pretrain(variant, wiki, read, device="cuda")
            tuned = finetune(variant, wiki, questions, None, read, device="cuda")
        found = evaluate(tuned.model.to("cuda"), tuned.vocabulary, read_pairs(dev))
        taken[variant] = done.seconds
        print(
            f"{variant:<10} {len(done.losses):,} steps in {done.seconds:6.1f} s, loss {done.losses[-1]:.3f};"
            f" then {found}"
        )
        figures[variant] = {
            "steps": len(done.losses),
            "seconds": round(done.seconds, 2),
            "loss": round(done.losses[-1], 4),
            "correct": found.accuracy.hits,
            "total": found.accuracy.total,
        }
    said = ", ".join(f"{variant} {seconds:.1f} s" for variant, seconds in taken.items())
    report(
        "gpu_pretraining", figures, f"650 epochs on the {name} data: {said}", bar, max(taken.values()) <= BAR
    )


if __name__ == "__main__":
    main(sys.argv[1:] or VARIANTS)
