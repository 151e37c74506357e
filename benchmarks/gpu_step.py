"""One training step of the assignment on a GPU against its plain eager loop. Run: kqa bench gpu_step

- The plain loop is that of `kqa bench step`, moved to the GPU: a Python function per document in a
  DataLoader, attention spelled out with a mask tensor, float32, the loss fetched at every step as the
  original's progress bar does.
- Ours is what `kqa pretrain vanilla` does there: everything on the device, several steps a CUDA graph,
  bfloat16 products. Same model, batch of 128, dropout 0.1, AdamW, clipping.
- The third way is ours with the blocks compiled by `torch.compile`, which `kqa pretrain` does not do.
- Each is timed over many steps with one wait at the end, in turns; figures are the best of each.
- MFU: 0.341 TFLOP a step (counted for whole rows, padding included) against the dense bfloat16 rate of the
  data sheet, 989 TFLOP/s for an H100 or H200. Tokens a second counts whole rows too.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import torch
from torch.utils.data import DataLoader

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._common import not_measured_here, report
from benchmarks.corruption import PerItem
from benchmarks.step import BATCH, PlainAttention
from kqa_core.model.config import GPTConfig
from kqa_core.model.gpt import GPT
from kqa_core.text.corpus import read_corpus
from kqa_core.text.packaged import shipped
from kqa_core.text.vocabulary import Vocabulary
from kqa_core.training.batches import SpanBatches
from kqa_core.training.gpu_engine import STRIDE, GpuEngine
from kqa_core.training.precision import find_precision
from kqa_core.training.recipes import ASSIGNMENT

TURNS, PLAIN_STEPS, OUR_ROUNDS, BAR = 5, 20, 40, 10.0
TFLOP_A_STEP, TFLOPS_OF = 0.341, {"H100": 989.0, "H200": 989.0}  # data sheet, dense bfloat16

Steps = Callable[[], int]  # takes some steps, waits for them, and says how many they were


def plain(documents: list[str], vocabulary: Vocabulary) -> Steps:
    """The assignment's loop."""
    model = GPT(GPTConfig(len(vocabulary)))
    for block in model.blocks:
        block.attention = PlainAttention(model.config)
    model.to("cuda").train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=6e-3, betas=(0.9, 0.95), weight_decay=0.1)
    loader = DataLoader(
        PerItem(documents, vocabulary), batch_size=BATCH, shuffle=True, drop_last=True, pin_memory=True
    )

    def steps() -> int:
        for number, (x, y) in enumerate(loader):
            if number == PLAIN_STEPS:
                break
            _, loss = model(x.to("cuda"), y.to("cuda"))
            assert loss is not None
            model.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            loss.item()
        torch.cuda.synchronize()
        return min(PLAIN_STEPS, len(loader))

    return steps


def ours(documents: list[str], vocabulary: Vocabulary, compiled: bool = False) -> Steps:
    """Our engine, with the blocks compiled or not."""
    device, config = torch.device("cuda"), GPTConfig(len(vocabulary))
    source = SpanBatches(documents, vocabulary, config.block_size, BATCH, 0)
    rates = [1e-3] * ((TURNS + 3) * OUR_ROUNDS * STRIDE)
    model, optimizer = GPT(config).to(device).train(), ASSIGNMENT.pretrain.optimizer
    for block in model.blocks:
        if compiled:
            block.compile()
    engine = GpuEngine(
        model, source, optimizer, rates, BATCH, 0, device, find_precision(config, device) == "bfloat16"
    )
    done = 0

    def steps() -> int:
        nonlocal done
        with engine.context():
            for _ in range(OUR_ROUNDS):
                done += engine.submit(done)
                engine.collect()
            engine.collect(wait=True)
        torch.cuda.synchronize()
        return OUR_ROUNDS * STRIDE

    return steps


def main() -> None:
    """Print the table, and write the figures."""
    bar = f"≥ {BAR:.0f} × the plain loop"
    if not torch.cuda.is_available():
        not_measured_here("gpu_step", bar)
        return
    corpus = read_corpus(shipped("world/full"))
    documents, vocabulary = list(corpus.documents), corpus.vocabulary
    ways = {
        "plain": plain(documents, vocabulary),
        "ours": ours(documents, vocabulary),
        "compiled": ours(documents, vocabulary, compiled=True),
    }
    best = dict.fromkeys(ways, float("inf"))
    for turn in range(TURNS + 1):
        for name, steps in ways.items():
            start = time.perf_counter()
            number = steps()
            if turn:  # the first of each warms up
                best[name] = min(best[name], (time.perf_counter() - start) / number)
    ratio, row = best["plain"] / best["ours"], BATCH * 128
    peak = next((rate for name, rate in TFLOPS_OF.items() if name in torch.cuda.get_device_name()), None)
    mfu = {
        name: None if peak is None else round(100 * TFLOP_A_STEP / taken / peak, 1)
        for name, taken in best.items()
    }
    for name, label in (
        ("plain", "plain eager loop"),
        ("ours", "kqa pretrain"),
        ("compiled", "its blocks compiled"),
    ):
        shown = "not known here" if mfu[name] is None else f"{mfu[name]} %"
        print(
            f"{label:<19} {1e3 * best[name]:7.2f} ms a step of {BATCH}   {row / best[name]:12,.0f} tokens/s  "
            f" MFU {shown}"
        )
    figures = {f"{name}_ms": round(1e3 * taken, 3) for name, taken in best.items()}
    figures |= {f"{name}_tokens_per_s": round(row / taken) for name, taken in best.items()}
    headline = f"{ratio:.1f} × the plain eager loop, {1e3 * best['ours']:.2f} ms a step, MFU {mfu['ours']} %"
    report("gpu_step", figures | {"ratio": round(ratio, 2), "mfu_percent": mfu}, headline, bar, ratio >= BAR)


if __name__ == "__main__":
    main()
