"""One training step of the assignment against its plain eager loop. Run: kqa bench step

- The plain loop is the original's: a Python function per document in a DataLoader, attention spelled out with
  a mask tensor, whole rows of 127 characters, float32.
- Ours is what `kqa pretrain vanilla` does: the batch as one gather, torch's fused attention, rows in groups
  of similar length without their padding. Same model, batch of 128, dropout 0.1, AdamW, clipping. It is timed
  in float32, as the plain loop is, and in bfloat16, which `kqa pretrain` takes by itself where the processor
  is faster with it.
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
from kqa_core.hardware import has_fast_bfloat16
from kqa_core.model.attention import CausalSelfAttention, merge_heads, split_heads
from kqa_core.model.config import GPTConfig
from kqa_core.model.gpt import GPT
from kqa_core.text.corpus import read_corpus
from kqa_core.text.packaged import shipped
from kqa_core.text.vocabulary import Vocabulary
from kqa_core.training.batches import SpanBatches
from kqa_core.training.loop import loss_and_gradient
from kqa_core.training.optimizer import Optimizer
from kqa_core.training.recipes import ASSIGNMENT

BATCH, TURNS, BAR = 128, 5, 3.0


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


def ours(documents: list[str], vocabulary: Vocabulary, bfloat16: bool) -> Callable[[], None]:
    """Our step."""
    model = GPT(GPTConfig(len(vocabulary)))
    optimizer = Optimizer(model, ASSIGNMENT.pretrain.optimizer)
    source = SpanBatches(documents, vocabulary, model.config.block_size, BATCH, 0)
    steps = iter(range(10**6))

    def step() -> None:
        loss_and_gradient(model, source.batch(next(steps)), bfloat16)
        optimizer.step()

    return step


def main() -> None:
    """Print the table, and write the figures."""
    corpus = read_corpus(shipped("world/full"))
    documents, vocabulary = list(corpus.documents), corpus.vocabulary
    ways = {
        "plain eager loop": plain(documents, vocabulary),
        "kqa pretrain, float32": ours(documents, vocabulary, False),
        "kqa pretrain, bfloat16": ours(documents, vocabulary, True),
    }
    best = dict.fromkeys(ways, float("inf"))
    for turn in range(TURNS + 1):
        for name, step in ways.items():
            start = time.perf_counter()
            step()
            if turn:  # the first of each warms up
                best[name] = min(best[name], time.perf_counter() - start)
    plain_s, *ours_s = best.values()
    for name, seconds in best.items():
        print(f"{name:<24} {seconds:6.2f} s a step of {BATCH} rows   {plain_s / seconds:5.2f} ×")
    ratios = [plain_s / seconds for seconds in ours_s]
    figures = {
        "plain_s": round(plain_s, 3),
        "float32_s": round(ours_s[0], 3),
        "bfloat16_s": round(ours_s[1], 3),
        "ratio": round(ratios[0], 2),
        "ratio_bfloat16": round(ratios[1], 2),
        "fast_bfloat16": has_fast_bfloat16(),
        "threads": torch.get_num_threads(),
    }
    headline = f"{ratios[0]:.2f} × the plain eager loop in float32, {ratios[1]:.2f} × in bfloat16"
    report("step", figures, headline, f"≥ {BAR:.0f} × in float32", ratios[0] >= BAR)


if __name__ == "__main__":
    main()
