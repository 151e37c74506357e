"""The batches of training: which rows each step uses.

- A batch is a function of the seed and the step number. No state of a random generator is needed to resume a
  killed run.
- An epoch is a permutation of the documents or questions, seeded by (seed, epoch), or their order in the file
  (`shuffle=False`); its last batch is smaller, as in the original.
- Documents and questions also give batches of a fixed shape, drawn on a device from a step number that is a
  tensor there, as a CUDA graph needs it. They have the same rows and characters; rows that a short batch
  lacks have no targets.
- Padding columns that all rows of a batch share are cut off. That does not change the loss of a causal model:
  padding is on the right, where causal attention does not look, and its targets carry no loss. Linformer and
  norm-reweight read padding, so their loss changes a little.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from kqa_core.kernels import corrupt_batch
from kqa_core.text.answer_extractor import generated_pairs
from kqa_core.text.birthplaces import Pair, encode_pairs
from kqa_core.text.corpus import Corpus
from kqa_core.text.salient_spans import SalientTable, salient_batch
from kqa_core.text.span_corruption import DocumentTable
from kqa_core.text.vocabulary import Vocabulary
from kqa_core.training.recipes import Loss, Pretraining

Batch = tuple[Tensor, Tensor]  # x and y, int64 (B, T)
# a step, int64 (1,) → its batch, untrimmed: always (B, T), on the step's device
Draw = Callable[[Tensor], Batch]
LINES = 1  # separate streams of random numbers under one seed: for documents and for questions
QUESTIONS = 2


def trim(x: Tensor, y: Tensor) -> Batch:
    """Cut off the columns on the right in which no row has a target: x, y (B, T) → (B, T')."""
    used = int((y != 0).any(dim=0).nonzero().max()) + 1 if bool((y != 0).any()) else 1
    return x[:, :used], y[:, :used]


def join(first: Batch, second: Batch) -> Batch:
    """Two batches as one; the narrower is padded on the right."""
    width = max(first[0].shape[1], second[0].shape[1])
    x, y = (
        torch.cat([torch.nn.functional.pad(part, (0, width - part.shape[1])) for part in pair])
        for pair in zip(first, second, strict=True)
    )
    return x, y


class Order:
    """Rows 0 … n − 1 in batches: a new permutation each epoch, or always this order."""

    def __init__(self, n: int, batch_size: int, seed: int, stream: int, shuffle: bool = True) -> None:
        self.n, self.batch_size = n, min(batch_size, n)
        self.seed, self.stream, self.shuffle = seed, stream, shuffle
        self.steps_per_epoch = -(-n // self.batch_size)
        self._epoch, self._order = -1, torch.empty(0, dtype=torch.int64)

    def rows(self, step: int) -> Tensor:
        """The rows of this step's batch."""
        epoch, i = divmod(step, self.steps_per_epoch)
        if epoch != self._epoch:
            self._order, self._epoch = self._permutation(epoch), epoch
        return self._order[i * self.batch_size : (i + 1) * self.batch_size]

    def _permutation(self, epoch: int) -> Tensor:
        """0 … n − 1 in the order of this epoch."""
        if not self.shuffle:
            return torch.arange(self.n)
        key = (self.seed * 1_000_003 + self.stream) * 1_000_003 + epoch
        return torch.randperm(self.n, generator=torch.Generator().manual_seed(key % 2**63))

    def table(self, steps: int) -> Tensor:
        """The rows of the steps 0 … `steps` − 1, int64 (steps, batch_size), −1 where a batch is short."""
        epochs = -(-steps // self.steps_per_epoch)
        padded = torch.full((epochs, self.steps_per_epoch * self.batch_size), -1)
        for epoch in range(epochs):
            padded[epoch, : self.n] = self._permutation(epoch)
        return padded.view(-1, self.batch_size)[:steps]

    def rows_through(self, step: int) -> int:
        """The number of rows in the steps 0 … `step` together."""
        epochs, i = divmod(step + 1, self.steps_per_epoch)
        return epochs * self.n + i * self.batch_size


class Batches:
    """A source of batches, whose rows come in an order."""

    def __init__(self, order: Order, block_size: int) -> None:
        self.order, self.row_length = order, block_size - 1  # of an untrimmed x, in characters
        self.steps_per_epoch, self.rows_through = order.steps_per_epoch, order.rows_through

    def batch(self, step: int) -> Batch:
        """The batch of this step, from 0."""
        raise NotImplementedError


def without_targets(y: Tensor, rows: Tensor) -> Tensor:
    """y (B, T) with no target where `rows` (B,) is −1."""
    return y.masked_fill(rows[:, None] < 0, 0)


class SpanBatches(Batches):
    """The assignment's span corruption of whole documents."""

    DRAWN = 16  # steps drawn by one call, which takes hardly longer than drawing one

    def __init__(
        self,
        documents: Sequence[str],
        vocabulary: Vocabulary,
        block_size: int,
        batch_size: int,
        seed: int,
        shuffle: bool = True,
        loss: Loss = "row",
    ) -> None:
        super().__init__(Order(len(documents), batch_size, seed, LINES, shuffle), block_size)
        self.table, self.block_size, self.seed = DocumentTable(documents, vocabulary), block_size, seed
        self._mask = vocabulary.mask_index if loss == "span" else None
        self._first, self._drawn = -1, list[Batch]()

    def batch(self, step: int) -> Batch:
        """The batch of this step: corrupted documents."""
        first = step - step % self.DRAWN
        if first != self._first:
            self._first, self._drawn = first, self._draw(range(first, first + self.DRAWN))
        return trim(*self._drawn[step - first])

    def draw_on(self, device: torch.device, steps: int) -> Draw:
        """A function that draws the batch of any of the steps 0 … `steps` − 1 on `device`."""
        table = copy.copy(self.table).to(device)
        rows_of = self.order.table(steps).to(device)  # (steps, B)

        def draw(step: Tensor) -> Batch:
            rows = rows_of.index_select(0, step)[0]  # (B,)
            x, y = corrupt_batch(table, rows.clamp(min=0), self.block_size, self.seed, step)
            return x, without_targets(self._with_loss(x, y), rows)

        return draw

    def _draw(self, steps: range) -> list[Batch]:
        """The batches of some steps, the same as if drawn one by one: a row depends on its own step only."""
        rows = [self.order.rows(step) for step in steps]
        sizes = [len(part) for part in rows]
        # (rows of all steps,)
        numbers = torch.repeat_interleave(torch.tensor(list(steps)), torch.tensor(sizes))
        x, y = corrupt_batch(self.table, torch.cat(rows), self.block_size, self.seed, numbers)
        return list(zip(torch.split(x, sizes), torch.split(self._with_loss(x, y), sizes), strict=True))

    def _with_loss(self, x: Tensor, y: Tensor) -> Tensor:
        """y (B, T) with the targets that have a loss: all, or those after the second ⁇."""
        return y if self._mask is None else y.masked_fill((x == self._mask).cumsum(1) < 2, 0)


class QuestionBatches(Batches):
    """Questions with their answers.

    >>> pairs = [Pair("Where was Ada born?", "London")]
    >>> batches = QuestionBatches(pairs, Vocabulary.from_text("".join(pairs[0])), 32, batch_size=1, seed=0)
    >>> batches.batch(0)[0].shape
    torch.Size([1, 26])
    """

    def __init__(
        self,
        pairs: Sequence[Pair],
        vocabulary: Vocabulary,
        block_size: int,
        batch_size: int,
        seed: int,
        shuffle: bool = True,
    ) -> None:
        self.x, self.y = encode_pairs(pairs, vocabulary, block_size)  # (N, block_size − 1) each
        super().__init__(Order(len(pairs), batch_size, seed, QUESTIONS, shuffle), block_size)

    def batch(self, step: int) -> Batch:
        """The batch of this step: questions with answers."""
        rows = self.order.rows(step)
        return trim(self.x[rows], self.y[rows])

    def draw_on(self, device: torch.device, steps: int) -> Draw:
        """A function that draws the batch of any of the steps 0 … `steps` − 1 on `device`."""
        x, y = self.x.to(device), self.y.to(device)
        rows_of = self.order.table(steps).to(device)  # (steps, B)

        def draw(step: Tensor) -> Batch:
            rows = rows_of.index_select(0, step)[0]  # (B,)
            known = rows.clamp(min=0)
            return x.index_select(0, known), without_targets(y.index_select(0, known), rows)

        return draw


class SalientBatches(Batches):
    """Short rows with salient-span masking, and questions mixed in."""

    def __init__(self, corpus: Corpus, block_size: int, phase: Pretraining, seed: int) -> None:
        documents, vocabulary, pairs = corpus.documents, corpus.vocabulary, corpus.train
        preferred = (
            [corpus.extractor.pick(document) for document in documents] if phase.cue_probability else None
        )
        self.table = SalientTable(documents, vocabulary, block_size, preferred, phase.any_word)
        if phase.generated_questions:
            pairs = (*pairs, *generated_pairs(documents, pairs, corpus.extractor))
        n_questions = round(phase.batch_size * phase.question_share) if pairs else 0
        super().__init__(
            Order(len(documents), phase.batch_size - n_questions, seed, LINES, phase.shuffle), block_size
        )
        self.questions = (
            QuestionBatches(pairs, vocabulary, block_size, n_questions, seed) if n_questions else None
        )
        self.phase, self.seed = phase, seed

    def batch(self, step: int) -> Batch:
        """The batch of this step: salient rows, then questions."""
        rows = self.order.rows(step)
        rows_and_targets = salient_batch(
            self.table, rows, self.seed, step, self.phase.width, self.phase.cue_probability, self.phase.loss
        )
        return (
            rows_and_targets if self.questions is None else join(rows_and_targets, self.questions.batch(step))
        )


def pretraining_batches(corpus: Corpus, block_size: int, phase: Pretraining, seed: int) -> Batches:
    """The batches of a phase, from rows as its `rows` says."""
    if phase.rows == "salient":
        return SalientBatches(corpus, block_size, phase, seed)
    how = (phase.batch_size, seed, phase.shuffle, phase.loss)
    return SpanBatches(corpus.documents, corpus.vocabulary, block_size, *how)
