"""A CPU's training step against `torch.compile`, which is what a user would try first.
Run: kqa bench compiled

- The assignment's model on one batch of 32 rows without dropout, forward and backward, one thread, float32.
- Eager: the model as it is, whole rows. Compiled: the same, after `torch.compile`. Ours: rows in groups of
  similar length without their padding, as `kqa pretrain` takes them; compiled code would need one shape a
  group, or be compiled for any.
- Compiling is timed by itself: the figure that decides is after how many steps it is paid back. The three are
  timed in turns, and figures are the best of each. Without a C++ compiler, torch cannot compile here, and
  nothing is measured.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._common import report
from kqa_core.model.config import GPTConfig
from kqa_core.model.gpt import GPT
from kqa_core.text.corpus import read_corpus
from kqa_core.text.packaged import shipped
from kqa_core.text.span_corruption import corrupt_batch
from kqa_core.training.batches import SpanBatches
from kqa_core.training.loop import loss_and_gradient
from kqa_core.training.step import gradient_of_fixed_shape

ROWS, TURNS = 32, 5
BAR = "ours ≥ 1 × compiled, else torch.compile is used"


def seconds(call: Callable[[], object]) -> float:
    """How long one call takes."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def main() -> None:
    """Print the table, and write the figures."""
    torch.set_num_threads(1)
    corpus = read_corpus(shipped("world/full"))
    documents, vocabulary = list(corpus.documents), corpus.vocabulary
    model = GPT(
        GPTConfig(len(vocabulary), embedding_dropout=0.0, attention_dropout=0.0, residual_dropout=0.0)
    )
    source = SpanBatches(documents, vocabulary, 128, ROWS, 0)
    whole = corrupt_batch(source.table, source.order.rows(0), 128, 0, 0)
    compiled = torch.compile(model)
    ways: dict[str, Callable[[], object]] = {
        "eager": lambda: gradient_of_fixed_shape(model, whole, False),
        "compiled": lambda: gradient_of_fixed_shape(compiled, whole, False),  # type: ignore[arg-type]  # a GPT in a wrapper
        "ours": lambda: loss_and_gradient(model, whole, False),
    }
    try:
        compiling = seconds(ways["compiled"])
    except RuntimeError as error:  # torch's InductorError is one
        print(f"torch.compile: {str(error).splitlines()[0]}")
        report("compiled", {}, "not measured: torch cannot compile here", BAR)
        return
    best = dict.fromkeys(ways, float("inf"))
    for _ in range(TURNS):
        for name, way in ways.items():
            best[name] = min(best[name], seconds(way))
            model.zero_grad()
    for name, taken in best.items():
        print(f"{name:<10} {taken:6.3f} s a step of {ROWS} rows   {best['eager'] / taken:5.2f} × eager")
    gained = best["eager"] - best["compiled"]
    steps = round(compiling / gained) if gained > 0 else None
    print(
        f"compiling took {compiling:.0f} s:"
        f" {'never paid back' if steps is None else f'paid back after {steps} steps'}"
    )
    ratio = best["compiled"] / best["ours"]
    figures = {f"{name}_s": round(taken, 4) for name, taken in best.items()}
    figures |= {"compiling_s": round(compiling, 1), "ours_over_compiled": round(ratio, 2)}
    headline = f"ours {ratio:.2f} × torch.compile on whole rows, which takes {compiling:.0f} s to compile"
    report("compiled", figures | {"steps_to_pay_back": steps}, headline, BAR, ratio >= 1)


if __name__ == "__main__":
    main()
