"""500 questions answered side by side with remembered keys and values, against one by one. Run: kqa bench decoding

- The model is the assignment's (4 layers, d_model 256), finetuned for three epochs: enough to answer a short word and close it.
- One by one is the original's way: a whole forward pass for each of 32 characters, one prompt after the other.
- Both answer the dev questions of the full world, in float32, and must give the same answers, token for token.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._common import report
from kqa_core.decode import answer_one_by_one, answer_questions
from kqa_core.shipped import shipped
from kqa_core.text.corpus import DOCUMENTS, TRAIN, read_corpus
from kqa_core.train import finetune
from kqa_core.variants import variant_names

PROMPTS, BAR, TURNS = 500, 20.0, 3


def main() -> None:
    """Print the table, and write the figures."""
    world = shipped("world/full")
    questions = [pair.question for pair in read_corpus(world).dev[:PROMPTS]]
    figures: dict[str, object] = {"prompts": len(questions), "threads": torch.get_num_threads()}
    ratios = {}
    for variant in variant_names():
        done = finetune(variant, world / DOCUMENTS, world / TRAIN, epochs=3, show=False)
        few = questions if variant == "vanilla" else questions[:100]  # the figure is vanilla's; the others are checked on fewer
        start = time.perf_counter()
        slow = answer_one_by_one(done.model, done.vocabulary, few)
        one_by_one = time.perf_counter() - start
        batched = float("inf")
        for _ in range(TURNS):
            start = time.perf_counter()
            fast = answer_questions(done.model, done.vocabulary, few)
            batched = min(batched, time.perf_counter() - start)
        if fast != slow:
            raise SystemExit(f"{variant}: batched answers differ from one-by-one answers")
        ratios[variant] = one_by_one / batched
        times = f"one by one {one_by_one:7.2f} s   batched {batched:6.3f} s   {ratios[variant]:6.1f} ×"
        print(f"{variant:<12} {len(few)} prompts   {times}")
        figures[variant] = {
            "prompts": len(few),
            "one_by_one_s": round(one_by_one, 2),
            "batched_s": round(batched, 3),
            "ratio": round(ratios[variant], 1),
        }
    report("decoding", figures, f"{ratios['vanilla']:.1f} × one by one, same answers", f"≥ {BAR:.0f} ×")


if __name__ == "__main__":
    main()
