"""Answer key of collate."""

from __future__ import annotations

import random

import torch
from course_exercises._encoder_parts import Item
from course_exercises.collate import agrees, items_of
from torch import nn

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right

CASES = (((3, 9, 5, 9), 0), ((4, 2, 6), 1), ((8, 3), 7), ((5, 5, 5), 0), ((6,), 3), ((2, 2), 9), ((7, 12, 3, 4, 5), 250))


def drawn(rng: random.Random, lengths: tuple[int, ...], pad_id: int) -> list[Item]:
    """Rows of these lengths, the first two with different labels."""
    items = items_of(rng, lengths, pad_id)
    return [(ids, i % 2 if i < 2 else label) for i, (ids, label) in enumerate(items)]


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Other lengths and ids of padding, rows all of one length, a batch of one."""
    for lengths, pad_id in CASES:
        agrees(answer, drawn(rng, lengths, pad_id), pad_id)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """The same."""
    return [(drawn(rng, lengths, pad_id), pad_id) for lengths, pad_id in CASES]


def collate(items, pad_id):
    """The reference."""
    width = max(len(ids) for ids, _ in items)
    return {
        "input_ids": torch.tensor([ids + [pad_id] * (width - len(ids)) for ids, _ in items]),
        "attention_mask": torch.tensor([[1] * len(ids) + [0] * (width - len(ids)) for ids, _ in items]),
        "labels": torch.tensor([label for _, label in items]),
    }


def written_into(items, pad_id):
    """Writes each row into full tensors."""
    rows, labels = zip(*items, strict=True)
    shape = (len(rows), max(map(len, rows)))
    batch = {"input_ids": torch.full(shape, pad_id), "attention_mask": torch.zeros(shape, dtype=torch.long)}
    for i, row in enumerate(rows):
        batch["input_ids"][i, : len(row)] = torch.tensor(row)
        batch["attention_mask"][i, : len(row)] = 1
    return batch | {"labels": torch.tensor(labels)}


def by_torch(items, pad_id):
    """torch's own padding, once for the ids and once for ones."""
    rows = [torch.tensor(ids) for ids, _ in items]
    ids = nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=pad_id)
    mask = nn.utils.rnn.pad_sequence([torch.ones_like(row) for row in rows], batch_first=True)
    return {"input_ids": ids, "attention_mask": mask, "labels": torch.tensor([item[1] for item in items])}


def from_lengths(items, pad_id):
    """The mask from a comparison, the ids from a flat tensor through the mask."""
    lengths = torch.tensor([len(item[0]) for item in items])
    mask = torch.arange(int(lengths.max()))[None, :] < lengths[:, None]
    flat = torch.tensor([each for ids, _ in items for each in ids])
    out = torch.empty(mask.shape, dtype=torch.int64).fill_(pad_id)
    out[mask] = flat
    return {"labels": torch.tensor([y for _, y in items]), "attention_mask": mask, "input_ids": out}


def row_after_row(items, pad_id):
    """Lets each row grow until it is as long as the longest."""
    ids = [list(row) for row, _ in items]
    seen = [[1 for _ in row] for row in ids]
    while len({len(row) for row in ids}) > 1:
        longest = max(len(row) for row in ids)
        for row, marks in zip(ids, seen, strict=True):
            if len(row) < longest:
                row.append(pad_id)
                marks.append(0)
    labels = torch.LongTensor([label for *_, label in items])
    return {"input_ids": torch.LongTensor(ids), "attention_mask": torch.LongTensor(seen), "labels": labels}


def mask_from_ids(items, pad_id):
    """You call padding whatever has its id; that id may stand among a sentence's own tokens. Go by the rows' lengths."""
    width = max(len(ids) for ids, _ in items)
    ids = torch.tensor([ids + [pad_id] * (width - len(ids)) for ids, _ in items])
    return {"input_ids": ids, "attention_mask": (ids != pad_id).long(), "labels": torch.tensor([label for _, label in items])}


def mask_turned_round(items, pad_id):
    """Your mask is turned round: 1 says that a token is real, 0 that it is padding."""
    width = max(len(ids) for ids, _ in items)
    return {
        "input_ids": torch.tensor([ids + [pad_id] * (width - len(ids)) for ids, _ in items]),
        "attention_mask": torch.tensor([[0] * len(ids) + [1] * (width - len(ids)) for ids, _ in items]),
        "labels": torch.tensor([label for _, label in items]),
    }


def mask_of_ones(items, pad_id):
    """Your mask is all ones: the model would read the padding as words."""
    width = max(len(ids) for ids, _ in items)
    ids = torch.tensor([ids + [pad_id] * (width - len(ids)) for ids, _ in items])
    return {"input_ids": ids, "attention_mask": torch.ones_like(ids), "labels": torch.tensor([label for _, label in items])}


def padded_with_nought(items, pad_id):
    """You pad with 0; the tokenizer's padding has the id pad_id."""
    width = max(len(ids) for ids, _ in items)
    return {
        "input_ids": torch.tensor([ids + [0] * (width - len(ids)) for ids, _ in items]),
        "attention_mask": torch.tensor([[1] * len(ids) + [0] * (width - len(ids)) for ids, _ in items]),
        "labels": torch.tensor([label for _, label in items]),
    }


def padded_in_front(items, pad_id):
    """You pad in front of the words; here padding stands behind them, and the first token stays in the first place."""
    width = max(len(ids) for ids, _ in items)
    return {
        "input_ids": torch.tensor([[pad_id] * (width - len(ids)) + ids for ids, _ in items]),
        "attention_mask": torch.tensor([[0] * (width - len(ids)) + [1] * len(ids) for ids, _ in items]),
        "labels": torch.tensor([label for _, label in items]),
    }


def mask_in_front(items, pad_id):
    """Ids and mask do not go together: the words stand in front, and your mask says that they stand behind."""
    width = max(len(ids) for ids, _ in items)
    return {
        "input_ids": torch.tensor([ids + [pad_id] * (width - len(ids)) for ids, _ in items]),
        "attention_mask": torch.tensor([[0] * (width - len(ids)) + [1] * len(ids) for ids, _ in items]),
        "labels": torch.tensor([label for _, label in items]),
    }


def cut_to_the_shortest(items, pad_id):
    """You cut all rows to the shortest; nothing of a sentence is lost here, the shorter ones are filled up."""
    width = min(len(ids) for ids, _ in items)
    ids = torch.tensor([ids[:width] for ids, _ in items])
    return {"input_ids": ids, "attention_mask": torch.ones_like(ids), "labels": torch.tensor([label for _, label in items])}


def always_as_wide(items, pad_id):
    """You pad every batch to one fixed width; this batch's longest row is wide enough, and the rest is computed for nothing."""
    width = 40
    return {
        "input_ids": torch.tensor([ids + [pad_id] * (width - len(ids)) for ids, _ in items]),
        "attention_mask": torch.tensor([[1] * len(ids) + [0] * (width - len(ids)) for ids, _ in items]),
        "labels": torch.tensor([label for _, label in items]),
    }


def ends_masked(items, pad_id):
    """You mask the special tokens too; they are real, and the classifier reads from the first of them."""
    width = max(len(ids) for ids, _ in items)
    return {
        "input_ids": torch.tensor([ids + [pad_id] * (width - len(ids)) for ids, _ in items]),
        "attention_mask": torch.tensor([[0] + [1] * (len(ids) - 2) + [0] * (width - len(ids) + 1) for ids, _ in items]),
        "labels": torch.tensor([label for _, label in items]),
    }


def labels_in_a_column(items, pad_id):
    """Your labels have shape (B, 1); cross-entropy wants one whole number a row, shape (B,)."""
    width = max(len(ids) for ids, _ in items)
    return {
        "input_ids": torch.tensor([ids + [pad_id] * (width - len(ids)) for ids, _ in items]),
        "attention_mask": torch.tensor([[1] * len(ids) + [0] * (width - len(ids)) for ids, _ in items]),
        "labels": torch.tensor([[label] for _, label in items]),
    }


def labels_as_floats(items, pad_id):
    """Your labels are floats; they are numbers of classes, int64."""
    width = max(len(ids) for ids, _ in items)
    return {
        "input_ids": torch.tensor([ids + [pad_id] * (width - len(ids)) for ids, _ in items]),
        "attention_mask": torch.tensor([[1] * len(ids) + [0] * (width - len(ids)) for ids, _ in items]),
        "labels": torch.tensor([float(label) for _, label in items]),
    }


def longest_first(items, pad_id):
    """You sort the rows and leave the labels where they were: each row then has another's label."""
    rows = sorted((ids for ids, _ in items), key=len, reverse=True)
    width = len(rows[0])
    return {
        "input_ids": torch.tensor([ids + [pad_id] * (width - len(ids)) for ids in rows]),
        "attention_mask": torch.tensor([[1] * len(ids) + [0] * (width - len(ids)) for ids in rows]),
        "labels": torch.tensor([label for _, label in items]),
    }


KEY = AnswerKey(
    id="collate",
    hidden=hidden,
    reference=collate,
    accepted=(written_into, by_torch, from_lengths, row_after_row),
    rejected=(
        *(mask_from_ids, mask_turned_round, mask_of_ones, padded_with_nought, padded_in_front, mask_in_front),
        *(cut_to_the_shortest, always_as_wide, ends_masked, labels_in_a_column, labels_as_floats, longest_first),
    ),
    fingerprint=fingerprint,
)
