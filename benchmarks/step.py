"""One training step of the assignment against its plain eager loop. Run: kqa bench step

- The plain loop is the original's: a Python function per document in a DataLoader, attention spelled out with a mask tensor,
  whole rows of 127 characters, float32.
- Ours is what `kqa pretrain vanilla` does: the batch as one gather, torch's fused attention, rows in groups of similar length
  without their padding, bfloat16 where the processor gains by it. Same model, batch of 128, dropout 0.1, AdamW, clipping.
- A step is timed with its batch, in turns; figures are the best of each.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.utils.data import DataLoader

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._common import report
from benchmarks.corruption import PerItem
from kqa_core.model.attention import CausalSelfAttention, merge_heads, split_heads
from kqa_core.model.config import GPTConfig
from kqa_core.model.gpt import GPT
from kqa_core.text.corpus import read_corpus
from kqa_core.text.packaged import shipped
from kqa_core.text.vocabulary import Vocabulary
from kqa_core.training.batches import SpanBatches
from kqa_core.training.loop import loss_and_gradient, uses_bfloat16
from kqa_core.training.optimizer import Optimizer
from kqa_core.training.recipes import ASSIGNMENT

BATCH, TURNS, BAR = 128, 5, 1.5


class PlainAttention(CausalSelfAttention):
    """Attention spelled out: logits, a mask tensor, softmax, dropout on the weights."""

    def __init__(self, config: GPTConfig) -> None:
        super().__init__(config)
        self.register_buffer("mask", torch.ones(config.block_size, config.block_size).tril())
        self.weight_dropout = nn.Dropout(config.attention_dropout)

    def forward(self, x: Tensor, cache: object = None) -> Tensor:
        """x (B, T, C) → (B, T, C)."""
        query, key, value = (split_heads(part(x), self.n_head) for part in (self.query, self.key, self.value))
        logits = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
        logits = logits.masked_fill(self.mask[: x.shape[1], : x.shape[1]] == 0, -1e10)
        weights = self.weight_dropout(F.softmax(logits, dim=-1))
        return self.residual_dropout(self.projection(merge_heads(weights @ value)))


def plain(documents: list[str], vocabulary: Vocabulary) -> Callable[[], None]:
    """The assignment's step."""
    model = GPT(GPTConfig(len(vocabulary)))
    for block in model.blocks:
        block.attention = PlainAttention(model.config)
    optimizer = torch.optim.AdamW(model.parameters(), lr=6e-3, betas=(0.9, 0.95), weight_decay=0.1)
    batches = iter(DataLoader(PerItem(documents, vocabulary), batch_size=BATCH, shuffle=True, drop_last=True))

    def step() -> None:
        x, y = next(batches)
        _, loss = model(x, y)
        assert loss is not None
        model.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()

    return step


def ours(documents: list[str], vocabulary: Vocabulary) -> Callable[[], None]:
    """Our step."""
    model = GPT(GPTConfig(len(vocabulary)))
    optimizer = Optimizer(model, ASSIGNMENT.pretrain.optimizer)
    source = SpanBatches(documents, vocabulary, model.config.block_size, BATCH, 0)
    bfloat16 = uses_bfloat16(model.config)
    steps = iter(range(10**6))

    def step() -> None:
        loss_and_gradient(model, source.batch(next(steps)), bfloat16)
        optimizer.step()

    return step


def main() -> None:
    """Print the table, and write the figures."""
    corpus = read_corpus(shipped("world/full"))
    vocabulary = Vocabulary.from_text(corpus.text)
    ways = {"plain": plain(list(corpus.documents), vocabulary), "ours": ours(list(corpus.documents), vocabulary)}
    best = dict.fromkeys(ways, float("inf"))
    for turn in range(TURNS + 1):
        for name, step in ways.items():
            start = time.perf_counter()
            step()
            if turn:  # the first of each warms up
                best[name] = min(best[name], time.perf_counter() - start)
    ratio = best["plain"] / best["ours"]
    for name, label in (("plain", "plain eager loop"), ("ours", "kqa pretrain")):
        print(f"{label:<20} {best[name]:6.2f} s a step of {BATCH} rows   {best['plain'] / best[name]:5.2f} ×")
    figures = {
        "plain_s": round(best["plain"], 3),
        "ours_s": round(best["ours"], 3),
        "ratio": round(ratio, 2),
        "bfloat16": uses_bfloat16(GPTConfig(len(vocabulary))),
        "threads": torch.get_num_threads(),
    }
    report("step", figures, f"{ratio:.2f} × the plain eager loop", f"≥ {BAR} ×", ratio >= BAR)


if __name__ == "__main__":
    main()
