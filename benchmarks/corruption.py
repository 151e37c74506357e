"""Span-corruption batches as a gather, against the assignment's dataset with a DataLoader.
Run: kqa bench corruption

- Both give batches of 128 rows at block 128 from the full world's documents, shuffled, in one process on one
  thread.
- The dataset is the original's form: a Python function per document, a list comprehension over characters,
  two tensors.
- The gather is timed as training uses it (`SpanBatches`: shuffled, several steps drawn by a call, shared
  padding cut off), and with one call of `corrupt_batch` a step.
- The two are timed in turns, five times each; figures are the best of five, the fairest one on a machine that
  does other things.
"""

from __future__ import annotations

import itertools
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from autograder.answer_key import find_key
from benchmarks._common import report
from kqa_core.text.corpus import read_corpus
from kqa_core.text.packaged import shipped
from kqa_core.text.span_corruption import DocumentTable, corrupt_batch
from kqa_core.text.vocabulary import Vocabulary
from kqa_core.training.batches import SpanBatches

BLOCK, BATCH, TURNS, BAR = 128, 128, 5, 20.0
corrupt_span = find_key("corrupt_span").reference


class PerItem(Dataset[tuple[Tensor, Tensor]]):
    """The assignment's CharCorruptionDataset."""

    def __init__(self, documents: list[str], vocabulary: Vocabulary) -> None:
        self.documents, self.stoi, self.rng = documents, vocabulary.index, random.Random(0)

    def __len__(self) -> int:
        return len(self.documents)

    def __getitem__(self, index: int) -> tuple[Tensor, Tensor]:
        row = corrupt_span(self.documents[index], BLOCK, self.rng)
        row += "□" * (BLOCK - len(row))
        x = torch.tensor([self.stoi[character] for character in row[:-1]], dtype=torch.long)
        return x, torch.tensor([self.stoi[character] for character in row[1:]], dtype=torch.long)


def seconds_a_batch(epoch: Callable[[], int]) -> float:
    """Seconds per batch of one call of `epoch`, which returns how many it made."""
    start = time.perf_counter()
    batches = epoch()
    return (time.perf_counter() - start) / batches


def main() -> None:
    """Print the table, and write the figures."""
    torch.set_num_threads(1)
    corpus = read_corpus(shipped("world/full"))
    vocabulary = corpus.vocabulary
    documents = list(corpus.documents)
    loader = DataLoader(PerItem(documents, vocabulary), batch_size=BATCH, shuffle=True, drop_last=True)
    table = DocumentTable(documents, vocabulary)
    source, steps = SpanBatches(documents, vocabulary, BLOCK, BATCH, seed=0), itertools.count()
    per_epoch = len(documents) // BATCH

    def loop() -> int:
        return sum(1 for _ in loader)

    def one_by_one() -> int:
        order = torch.randperm(len(documents))[: per_epoch * BATCH].view(-1, BATCH)
        for step, rows in enumerate(order):  # (BATCH,)
            corrupt_batch(table, rows, BLOCK, 0, step)
        return per_epoch

    def training() -> int:
        for _ in range(per_epoch):
            source.batch(next(steps))
        return per_epoch

    ways = {"loop": loop, "one_by_one": one_by_one, "training": training}
    best = dict.fromkeys(ways, float("inf"))
    for _ in range(TURNS):
        for name, way in ways.items():
            best[name] = min(best[name], seconds_a_batch(way))
    ratio = {name: best["loop"] / best[name] for name in ways}
    said = {
        "loop": "per-item loop and DataLoader",
        "one_by_one": "gather, one step a call",
        "training": "gather, as training draws it",
    }
    for name, label in said.items():
        print(f"{label:<30} {1e6 * best[name]:9,.0f} µs a batch of {BATCH}   {ratio[name]:6.1f} ×")
    figures = {f"{name}_us": round(1e6 * best[name], 1) for name in ways} | {
        f"{name}_ratio": round(ratio[name], 1) for name in ways
    }
    headline, met = f"{ratio['training']:.1f} × the per-item loop", ratio["training"] >= BAR
    report("corruption", figures, headline, f"≥ {BAR:.0f} ×", met)


if __name__ == "__main__":
    main()
