"""500 questions answered side by side with remembered keys and values, against one by one.
Run: kqa bench decoding

- The model is the assignment's (4 layers, d_model 256), finetuned for 24 steps: enough to answer a short word
  and close it.
- One by one is the original's way: a whole forward pass for each of 32 characters, one prompt after the
  other.
- Both answer the dev questions of the full world, in float32, and must give the same answers, token for
  token.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._common import report
from kqa_core.evaluation.generate import answer_one_by_one, answer_questions
from kqa_core.text.corpus import DOCUMENTS, TRAIN, read_corpus
from kqa_core.text.packaged import shipped
from kqa_core.training.runs import finetune

PROMPTS, BAR, TURNS, STEPS = 500, 20.0, 3, 24


def main() -> None:
    """Print the table, and write the figures."""
    world = shipped("world/full")
    questions = [pair.question for pair in read_corpus(world).dev[:PROMPTS]]
    done = finetune("vanilla", world / DOCUMENTS, world / TRAIN, steps=STEPS, show=False)
    start = time.perf_counter()
    slow = answer_one_by_one(done.model, done.vocabulary, questions)
    one_by_one, batched = time.perf_counter() - start, float("inf")
    for _ in range(TURNS):
        start = time.perf_counter()
        fast = answer_questions(done.model, done.vocabulary, questions)
        batched = min(batched, time.perf_counter() - start)
        if fast != slow:
            raise SystemExit("batched answers differ from one-by-one answers")
    ratio = one_by_one / batched
    for label, seconds in (("one by one", one_by_one), ("batched, remembered", batched)):
        print(f"{label:<20} {seconds:7.2f} s for {len(questions)} prompts   {one_by_one / seconds:5.1f} ×")
    figures = {
        "prompts": len(questions),
        "mean_answer_length": round(sum(map(len, slow)) / len(slow), 1),
        "one_by_one_s": round(one_by_one, 2),
        "batched_s": round(batched, 3),
        "ratio": round(ratio, 1),
        "threads": torch.get_num_threads(),
    }
    report("decoding", figures, f"{ratio:.1f} × one by one, same answers", f"≥ {BAR:.0f} ×", ratio >= BAR)


if __name__ == "__main__":
    main()
