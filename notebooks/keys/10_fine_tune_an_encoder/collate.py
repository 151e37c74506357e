"""Answer key of collate."""

from __future__ import annotations

import random

import torch
from course_exercises._encoder_parts import LAST, Item, given_twice
from course_exercises.collate import agrees, items_of, plain
from torch import nn

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right

CASES = (
    ((3, 9, 5, 9), 0),
    ((4, 2, 6), 1),
    ((8, 3), 7),
    ((5, 5, 5), 0),
    ((6,), 3),
    ((2, 2), 9),
    ((7, 12, 3, 4, 5), 250),
    ((4, 6, 5), LAST),
    ((3, 520), 8),
)


def drawn(rng: random.Random, lengths: tuple[int, ...], pad_id: int) -> list[Item]:
    """Rows of these lengths, the first two with different labels."""
    items = items_of(rng, lengths, pad_id)
    return [(ids, i % 2 if i < 2 else label) for i, (ids, label) in enumerate(items)]


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Other lengths and ids of padding, rows all of one length, a batch of one."""
    for i, (lengths, pad_id) in enumerate(CASES):
        agrees(answer, drawn(rng, lengths, pad_id), pad_id, [max(each) for each, _ in CASES[:i]])
    agrees(answer, plain(rng), 0)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """The same, and one batch twice, the second time as the first call left it."""
    calls: list[tuple[object, ...]] = [(drawn(rng, lengths, pad_id), pad_id) for lengths, pad_id in CASES]
    items = drawn(rng, (4, 7, 3), 0)
    return [*calls, *given_twice(items, 0)]


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
    """You mask every token whose id is pad_id.
    This id may also occur in a sentence; build the mask from the lengths of the rows.
    """
    width = max(len(ids) for ids, _ in items)
    ids = torch.tensor([ids + [pad_id] * (width - len(ids)) for ids, _ in items])
    return {
        "input_ids": ids,
        "attention_mask": (ids != pad_id).long(),
        "labels": torch.tensor([label for _, label in items]),
    }


def mask_turned_round(items, pad_id):
    """Your mask is inverted. It should be 1 for a real token and 0 for padding."""
    width = max(len(ids) for ids, _ in items)
    return {
        "input_ids": torch.tensor([ids + [pad_id] * (width - len(ids)) for ids, _ in items]),
        "attention_mask": torch.tensor([[0] * len(ids) + [1] * (width - len(ids)) for ids, _ in items]),
        "labels": torch.tensor([label for _, label in items]),
    }


def mask_of_ones(items, pad_id):
    """Your mask is all ones, so the model would attend to the padding."""
    width = max(len(ids) for ids, _ in items)
    ids = torch.tensor([ids + [pad_id] * (width - len(ids)) for ids, _ in items])
    return {
        "input_ids": ids,
        "attention_mask": torch.ones_like(ids),
        "labels": torch.tensor([label for _, label in items]),
    }


def padded_with_zero(items, pad_id):
    """You pad with 0. Pad with pad_id, the id of the tokenizer's padding."""
    width = max(len(ids) for ids, _ in items)
    return {
        "input_ids": torch.tensor([ids + [0] * (width - len(ids)) for ids, _ in items]),
        "attention_mask": torch.tensor([[1] * len(ids) + [0] * (width - len(ids)) for ids, _ in items]),
        "labels": torch.tensor([label for _, label in items]),
    }


def padded_in_front(items, pad_id):
    """You pad on the left. Pad on the right, so that the first token stays in column 0."""
    width = max(len(ids) for ids, _ in items)
    return {
        "input_ids": torch.tensor([[pad_id] * (width - len(ids)) + ids for ids, _ in items]),
        "attention_mask": torch.tensor([[0] * (width - len(ids)) + [1] * len(ids) for ids, _ in items]),
        "labels": torch.tensor([label for _, label in items]),
    }


def mask_in_front(items, pad_id):
    """Ids and mask do not match: the tokens are on the left, and your mask has its ones on the right."""
    width = max(len(ids) for ids, _ in items)
    return {
        "input_ids": torch.tensor([ids + [pad_id] * (width - len(ids)) for ids, _ in items]),
        "attention_mask": torch.tensor([[0] * (width - len(ids)) + [1] * len(ids) for ids, _ in items]),
        "labels": torch.tensor([label for _, label in items]),
    }


def cut_to_the_shortest(items, pad_id):
    """All rows are cut to the shortest. Fill up the shorter rows instead, so that no token is lost."""
    width = min(len(ids) for ids, _ in items)
    ids = torch.tensor([ids[:width] for ids, _ in items])
    return {
        "input_ids": ids,
        "attention_mask": torch.ones_like(ids),
        "labels": torch.tensor([label for _, label in items]),
    }


def always_as_wide(items, pad_id):
    """You pad to a fixed width. Pad to the longest row of this batch; more would only cost time."""
    width = 40
    return {
        "input_ids": torch.tensor([ids + [pad_id] * (width - len(ids)) for ids, _ in items]),
        "attention_mask": torch.tensor([[1] * len(ids) + [0] * (width - len(ids)) for ids, _ in items]),
        "labels": torch.tensor([label for _, label in items]),
    }


def ends_masked(items, pad_id):
    """The special tokens are masked, too. They are real tokens, and a classifier may use the first one."""
    width = max(len(ids) for ids, _ in items)
    return {
        "input_ids": torch.tensor([ids + [pad_id] * (width - len(ids)) for ids, _ in items]),
        "attention_mask": torch.tensor(
            [[0] + [1] * (len(ids) - 2) + [0] * (width - len(ids) + 1) for ids, _ in items]
        ),
        "labels": torch.tensor([label for _, label in items]),
    }


def labels_in_a_column(items, pad_id):
    """Your labels have shape (B, 1). Cross-entropy needs one whole number per row, shape (B,)."""
    width = max(len(ids) for ids, _ in items)
    return {
        "input_ids": torch.tensor([ids + [pad_id] * (width - len(ids)) for ids, _ in items]),
        "attention_mask": torch.tensor([[1] * len(ids) + [0] * (width - len(ids)) for ids, _ in items]),
        "labels": torch.tensor([[label] for _, label in items]),
    }


def labels_as_floats(items, pad_id):
    """Your labels are floats. Cross-entropy needs class numbers, int64."""
    width = max(len(ids) for ids, _ in items)
    return {
        "input_ids": torch.tensor([ids + [pad_id] * (width - len(ids)) for ids, _ in items]),
        "attention_mask": torch.tensor([[1] * len(ids) + [0] * (width - len(ids)) for ids, _ in items]),
        "labels": torch.tensor([float(label) for _, label in items]),
    }


def ends_stripped(items, pad_id):
    """Every pad_id at the end of a row is masked, as if it were padding.
    In GPT-2 the token that ends a text often has the id of padding.
    """
    width = max(len(ids) for ids, _ in items)
    real = [max(i for i, each in enumerate([-1, *ids]) if each != pad_id) for ids, _ in items]
    return {
        "input_ids": torch.tensor([ids + [pad_id] * (width - len(ids)) for ids, _ in items]),
        "attention_mask": torch.tensor([[1] * n + [0] * (width - n) for n in real]),
        "labels": torch.tensor([label for _, label in items]),
    }


def labels_as_bools(items, pad_id):
    """Your labels are bools. F.cross_entropy needs whole numbers: int64."""
    width = max(len(ids) for ids, _ in items)
    return {
        "input_ids": torch.tensor([ids + [pad_id] * (width - len(ids)) for ids, _ in items]),
        "attention_mask": torch.tensor([[1] * len(ids) + [0] * (width - len(ids)) for ids, _ in items]),
        "labels": torch.tensor([label == 1 for _, label in items]),
    }


def longest_first(items, pad_id):
    """The rows are in another order than the labels, so rows get the labels of other rows."""
    rows = sorted((ids for ids, _ in items), key=len, reverse=True)
    width = len(rows[0])
    return {
        "input_ids": torch.tensor([ids + [pad_id] * (width - len(ids)) for ids in rows]),
        "attention_mask": torch.tensor([[1] * len(ids) + [0] * (width - len(ids)) for ids in rows]),
        "labels": torch.tensor([label for _, label in items]),
    }


def changes_its_items(items, pad_id):
    """You change the items that you were given, for example by adding the padding to their lists.
    Make new lists.
    """
    width = max(len(ids) for ids, _ in items)
    mask = [[1] * len(ids) + [0] * (width - len(ids)) for ids, _ in items]
    for ids, _ in items:
        ids += [pad_id] * (width - len(ids))
    return {
        "input_ids": torch.tensor([ids for ids, _ in items]),
        "attention_mask": torch.tensor(mask),
        "labels": torch.tensor([label for _, label in items]),
    }


KEY = AnswerKey(
    id="collate",
    hidden=hidden,
    reference=collate,
    accepted=(written_into, by_torch, from_lengths, row_after_row),
    rejected=(
        *(mask_from_ids, mask_turned_round, mask_of_ones, padded_with_zero, padded_in_front, mask_in_front),
        *(
            cut_to_the_shortest,
            always_as_wide,
            ends_masked,
            labels_in_a_column,
            labels_as_floats,
            labels_as_bools,
            longest_first,
        ),
        *(ends_stripped, changes_its_items),
    ),
    fingerprint=fingerprint,
    commentary=(
        "The width is the length of this batch's longest row, so no more padding is computed than necessary."
        " The mask comes from the lengths: `ids != pad_id` would hide a real token that happens to have the"
        " same id, as in models whose padding is their end-of-text token. New lists are made with `+`;"
        " `ids.append` would change the data set itself, and the second epoch would take the padding for"
        " tokens. `torch.tensor` of nested lists of ints is int64, as embeddings and cross-entropy need."
    ),
)
