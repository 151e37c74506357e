"""Which rows each step of training reads.

- A batch is a function of the step number (and the seed): nothing is drawn from a generator that a killed run would lose.
- An epoch is a permutation of the documents or questions, seeded by (seed, epoch); its last batch is smaller, as in the original.
- The padding that every row of a batch shares is cut off. It changes no loss: padding stands on the right, where causal attention
  never looks, and its targets carry no loss.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import torch
from torch import Tensor

from kqa_core.kernels import corrupt_batch
from kqa_core.recipes import Pretraining
from kqa_core.text.corruption import DocumentTable
from kqa_core.text.names import Pair, encode_pairs
from kqa_core.text.salient import SalientTable, salient_batch
from kqa_core.text.vocabulary import Vocabulary

Batch = tuple[Tensor, Tensor]  # x and y, int64 (B, T)
LINES = 1  # streams of random choices under one seed: which documents, which questions
QUESTIONS = 2


class Batches(Protocol):
    """A source of batches."""

    steps_per_epoch: int
    row_length: int  # characters of an untrimmed x

    def batch(self, step: int) -> Batch:
        """The batch of this step, from 0."""
        ...

    def rows_through(self, step: int) -> int:
        """How many rows the steps 0 … `step` hold together."""
        ...


def trim(x: Tensor, y: Tensor) -> Batch:
    """Cut off the columns at the right in which no row has a target."""
    used = int((y != 0).any(dim=0).nonzero().max()) + 1 if bool((y != 0).any()) else 1
    return x[:, :used], y[:, :used]


def join(first: Batch, second: Batch) -> Batch:
    """Two batches as one, the narrower padded on the right."""
    width = max(first[0].shape[1], second[0].shape[1])
    x, y = (
        torch.cat([torch.nn.functional.pad(part, (0, width - part.shape[1])) for part in pair])
        for pair in zip(first, second, strict=True)
    )
    return x, y


class Order:
    """Rows 0 … n − 1 in batches, a fresh permutation each epoch."""

    def __init__(self, n: int, batch_size: int, seed: int, stream: int) -> None:
        self.n, self.batch_size = n, min(batch_size, n)
        self.seed, self.stream = seed, stream
        self.steps_per_epoch = -(-n // self.batch_size)
        self._epoch, self._order = -1, torch.empty(0, dtype=torch.int64)

    def rows(self, step: int) -> Tensor:
        """The rows of this step's batch."""
        epoch, i = divmod(step, self.steps_per_epoch)
        if epoch != self._epoch:
            key = (self.seed * 1_000_003 + self.stream) * 1_000_003 + epoch
            self._order = torch.randperm(self.n, generator=torch.Generator().manual_seed(key % 2**63))
            self._epoch = epoch
        return self._order[i * self.batch_size : (i + 1) * self.batch_size]

    def rows_through(self, step: int) -> int:
        """How many rows the steps 0 … `step` hold together."""
        epochs, i = divmod(step + 1, self.steps_per_epoch)
        return epochs * self.n + i * self.batch_size


class SpanBatches:
    """The assignment's span corruption of whole documents."""

    DRAWN = 16  # steps drawn by one call, which costs hardly more than drawing one

    def __init__(self, documents: Sequence[str], vocabulary: Vocabulary, block_size: int, batch_size: int, seed: int) -> None:
        self.table = DocumentTable(documents, vocabulary)
        self.order = Order(len(documents), batch_size, seed, LINES)
        self.block_size, self.seed, self.row_length = block_size, seed, block_size - 1
        self.steps_per_epoch, self.rows_through = self.order.steps_per_epoch, self.order.rows_through
        self._first, self._drawn = -1, list[Batch]()

    def batch(self, step: int) -> Batch:
        """Corrupted documents."""
        first = step - step % self.DRAWN
        if first != self._first:
            self._first, self._drawn = first, self._draw(range(first, first + self.DRAWN))
        return trim(*self._drawn[step - first])

    def _draw(self, steps: range) -> list[Batch]:
        """The batches of some steps, each as if it were drawn alone: a row depends on its own step and nothing else."""
        rows = [self.order.rows(step) for step in steps]
        sizes = [len(part) for part in rows]
        numbers = torch.repeat_interleave(torch.tensor(list(steps)), torch.tensor(sizes))  # (rows of all steps,)
        x, y = corrupt_batch(self.table, torch.cat(rows), self.block_size, self.seed, numbers)
        return list(zip(torch.split(x, sizes), torch.split(y, sizes), strict=True))


class QuestionBatches:
    """Questions with their answers."""

    def __init__(self, pairs: Sequence[Pair], vocabulary: Vocabulary, block_size: int, batch_size: int, seed: int) -> None:
        self.x, self.y = encode_pairs(pairs, vocabulary, block_size)  # (N, block_size − 1) each
        self.order = Order(len(pairs), batch_size, seed, QUESTIONS)
        self.row_length = block_size - 1
        self.steps_per_epoch, self.rows_through = self.order.steps_per_epoch, self.order.rows_through

    def batch(self, step: int) -> Batch:
        """Some of the pairs."""
        rows = self.order.rows(step)
        return trim(self.x[rows], self.y[rows])


class SalientBatches:
    """Short salient rows, with questions and whole lines mixed in."""

    def __init__(
        self,
        documents: Sequence[str],
        vocabulary: Vocabulary,
        block_size: int,
        phase: Pretraining,
        seed: int,
        pairs: Sequence[Pair] = (),
    ) -> None:
        self.table = SalientTable(documents, vocabulary, block_size, phase.anchor)
        asked = round(phase.batch_size * phase.question_share) if pairs else 0
        self.order = Order(len(documents), phase.batch_size - asked, seed, LINES)
        self.questions = QuestionBatches(pairs, vocabulary, block_size, asked, seed) if asked else None
        self.phase, self.seed, self.block_size, self.row_length = phase, seed, block_size, block_size - 1
        self.steps_per_epoch, self.rows_through = self.order.steps_per_epoch, self.order.rows_through

    def batch(self, step: int) -> Batch:
        """Salient rows and questions; or, every so often, whole lines."""
        rows = self.order.rows(step)
        share = self.phase.whole_share
        if int((step + 1) * share) > int(step * share):
            return self._whole(rows)
        rows_and_targets = salient_batch(self.table, rows, self.seed, step, self.phase.width, self.phase.preference)
        return rows_and_targets if self.questions is None else join(rows_and_targets, self.questions.batch(step))

    def _whole(self, rows: Tensor) -> Batch:
        """The documents from their first character on, the loss on every character."""
        place = torch.arange(self.block_size)  # (block,)
        source = (self.table.offsets[rows][:, None] + place).clamp(max=len(self.table.flat) - 1)  # (B, block)
        row = self.table.flat[source].masked_fill(place >= self.table.lengths[rows][:, None], 0)
        return trim(row[:, :-1], row[:, 1:])
