"""Fine-tuning an encoder to classify sentences: the batches, the head, and the training.

- `load_encoder` takes the shipped encoder's folder or a name on the Hugging Face hub; the rest is the same
  for both.
- Sentences are padded to the longest of their batch, and truncated to `MAX_LENGTH` tokens. The attention mask
  excludes padding, so a sentence's logits do not depend on the others in its batch, up to rounding.
- The head gets the first token's vector (<s>, as in BERT) or the mean over the sentence, and gives two
  logits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.utils.data import DataLoader, Sampler

from kqa_core.encoder.hugging_face import need, quiet
from kqa_core.encoder.sentiment import Example
from kqa_core.errors import UserError, first_line
from kqa_core.stats import Proportion

# tokens, <s> and </s> included: the small encoder has no more positions; 1 real sentence in 2,000 is longer
MAX_LENGTH = 64
CLIP = 1.0  # largest gradient norm
GROUP = 32  # batches; a batch of a group has sentences of about the same length
POOLINGS = ("first", "mean")
OPTIMIZERS = ("adamw", "sgd", "adagrad")

Batch = dict[str, Tensor]
Pooling = Literal["first", "mean"]


def load_encoder(source: str | Path) -> tuple[nn.Module, Any]:
    """A pretrained encoder and its tokenizer, from a folder or the hub. Raises UserError if there is none.

    `encoder(input_ids=…, attention_mask=…).last_hidden_state` is (B, T, encoder.config.hidden_size).
    """
    return from_pretrained("AutoModel", source)


def from_pretrained(kind: str, source: str | Path) -> tuple[nn.Module, Any]:
    """A model by transformers' class `kind`, in evaluation mode, and its tokenizer."""
    transformers = need("transformers")
    folder = Path(source)
    if not folder.is_dir() and (
        isinstance(source, Path) or folder.exists() or str(source).startswith((".", "/"))
    ):
        raise UserError(f"{source}: no such folder: an encoder's folder was expected, such as data/encoder")
    more = {"add_pooling_layer": False} if kind == "AutoModel" else {}
    try:
        with quiet(), torch.random.fork_rng(devices=[]):
            tokenizer = transformers.AutoTokenizer.from_pretrained(
                str(source), local_files_only=folder.is_dir()
            )
            model = getattr(transformers, kind).from_pretrained(
                str(source), local_files_only=folder.is_dir(), **more
            )
    except Exception as error:  # transformers raises errors of many kinds for files that it cannot read
        problem = (
            "not an encoder that transformers can load"
            if folder.is_dir()
            else "neither a folder nor available on the hub"
        )
        raise UserError(
            f"{source}: {problem} ({first_line(error)}): give an encoder's folder, such as data/encoder"
        ) from None
    model.eval()
    return model, tokenizer


def collate(batch: Sequence[tuple[str, int]], tokenizer: Any) -> Batch:
    """One batch: "input_ids" and "attention_mask" (B, T), "labels" (B,), all int64. T is the longest
    sentence's length in tokens, at most `MAX_LENGTH`; the mask is 1 on tokens and 0 on padding.
    """
    sentences, labels = zip(*batch, strict=True)
    encoded = tokenizer(
        list(sentences), padding="longest", truncation=True, max_length=MAX_LENGTH, return_tensors="pt"
    )
    return {
        "input_ids": encoded["input_ids"],
        "attention_mask": encoded["attention_mask"],
        "labels": torch.tensor(labels, dtype=torch.int64),
    }


class LengthGroups(Sampler[list[int]]):
    """The batches of an epoch in random order, each of sentences of about the same length: they need little
    padding. The sentences are shuffled, cut into groups of `GROUP` batches, and sorted by length in a group.

    >>> sorted(LengthGroups([3, 9, 4, 8], batch_size=2))
    [[0, 2], [3, 1]]
    """

    def __init__(self, lengths: Sequence[int], batch_size: int, seed: int = 0) -> None:
        self.lengths, self.batch_size = lengths, batch_size
        self.generator = torch.Generator().manual_seed(seed)

    def __len__(self) -> int:
        """The number of batches."""
        return math.ceil(len(self.lengths) / self.batch_size)

    def __iter__(self) -> Iterator[list[int]]:
        """Yield the numbers of each batch's sentences; every epoch has another order."""
        order = torch.randperm(len(self.lengths), generator=self.generator).tolist()
        size = GROUP * self.batch_size
        ordered: list[int] = []
        for start in range(0, len(order), size):
            ordered += sorted(order[start : start + size], key=self.lengths.__getitem__)
        batches = [ordered[i : i + self.batch_size] for i in range(0, len(ordered), self.batch_size)]
        for number in torch.randperm(len(batches), generator=self.generator).tolist():
            yield batches[number]


def make_loader(
    examples: Sequence[Example],
    tokenizer: Any,
    batch_size: int,
    shuffle: bool = False,
    seed: int = 0,
    group_by_length: bool = False,
) -> DataLoader[tuple[str, int]]:
    """Batches of examples; with `shuffle`, in a new random order each epoch, which depends on `seed`.
    `group_by_length` shuffles, too, and puts sentences of about the same length together.
    """
    pairs: Any = [(example.sentence, example.label) for example in examples]  # a list is a data set by index
    collate_fn = partial(collate, tokenizer=tokenizer)
    if group_by_length:
        lengths = [len(ids) for ids in tokenizer([sentence for sentence, _ in pairs])["input_ids"]]
        return DataLoader(pairs, batch_sampler=LengthGroups(lengths, batch_size, seed), collate_fn=collate_fn)
    generator = torch.Generator().manual_seed(seed)
    return DataLoader(pairs, batch_size, shuffle=shuffle, collate_fn=collate_fn, generator=generator)


class SentimentClassifier(nn.Module):
    """An encoder, dropout and a linear head."""

    def __init__(self, encoder: nn.Module, pooling: Pooling = "first", dropout: float = 0.1) -> None:
        """Raises UserError for a pooling that is neither "first" nor "mean"."""
        super().__init__()
        if pooling not in POOLINGS:
            raise UserError(f"pooling: {' or '.join(POOLINGS)} was expected, not {pooling!r}")
        self.encoder, self.pooling = encoder, pooling
        self.dropout = nn.Dropout(dropout)
        width: Any = encoder.config.hidden_size  # type: ignore[union-attr]
        self.head = nn.Linear(width, 2)

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """(B, T) tokens and mask → logits (B, 2) of negative and positive."""
        # (B, T, d)
        hidden = self.encoder(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        if self.pooling == "first":
            pooled = hidden[:, 0]  # (B, d)
        else:
            weight = attention_mask.unsqueeze(-1).to(hidden.dtype)  # (B, T, 1)
            pooled = (hidden * weight).sum(1) / weight.sum(1)  # (B, d)
        logits: Tensor = self.head(self.dropout(pooled))
        return logits


def make_optimizer(
    name: str, parameters: Iterable[nn.Parameter], learning_rate: float, weight_decay: float = 0.01
) -> torch.optim.Optimizer:
    """The optimiser "adamw", "sgd" (with momentum 0.9) or "adagrad". Raises UserError for another name."""
    if name == "adamw":
        return torch.optim.AdamW(parameters, learning_rate, weight_decay=weight_decay)
    if name == "sgd":
        return torch.optim.SGD(parameters, learning_rate, momentum=0.9, weight_decay=weight_decay)
    if name == "adagrad":
        return torch.optim.Adagrad(parameters, learning_rate, weight_decay=weight_decay)
    raise UserError(f"optimizer: {', '.join(OPTIMIZERS)} are known, not {name!r}")


def train_epoch(
    model: nn.Module,
    loader: Iterable[Batch],
    optimizer: torch.optim.Optimizer,
    schedule: Any = None,
    watch: Callable[[float], None] | None = None,
) -> list[float]:
    """One pass over the batches, in training mode. Returns each step's loss, which `watch` gets, too."""
    model.train()
    losses = []
    for batch in loader:
        loss = F.cross_entropy(model(batch["input_ids"], batch["attention_mask"]), batch["labels"])
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(model.parameters(), CLIP)
        optimizer.step()
        if schedule is not None:
            schedule.step()
        losses.append(float(loss.detach()))
        if watch is not None:
            watch(losses[-1])
    return losses


def evaluate(model: nn.Module, loader: Iterable[Batch]) -> tuple[float, Proportion]:
    """The mean loss, and the accuracy. In evaluation mode, without gradients."""
    training, summed, right, total = model.training, 0.0, 0, 0
    model.eval()
    with torch.no_grad():
        for batch in loader:
            logits = model(batch["input_ids"], batch["attention_mask"])  # (B, 2)
            summed += float(F.cross_entropy(logits, batch["labels"], reduction="sum"))
            right += int((logits.argmax(-1) == batch["labels"]).sum())
            total += len(logits)
    model.train(training)
    return summed / max(1, total), Proportion(right, total)


def predict(model: nn.Module, tokenizer: Any, sentences: Sequence[str], batch_size: int = 256) -> Tensor:
    """(N,) the probability that each sentence is positive."""
    chances = [torch.zeros(0)]
    training = model.training
    model.eval()
    with torch.no_grad():
        for batch in make_loader([Example(sentence, 0) for sentence in sentences], tokenizer, batch_size):
            chances.append(model(batch["input_ids"], batch["attention_mask"]).softmax(-1)[:, 1])
    model.train(training)
    return torch.cat(chances)
