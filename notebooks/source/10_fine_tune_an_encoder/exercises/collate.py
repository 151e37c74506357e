"""Exercise collate: rows of different lengths become three tensors."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from typing import Any

import torch
from course_exercises._encoder_parts import FIRST, LAST, Item, whole_tensor
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.helpers.read_values import kind_of

NAMES = ("input_ids", "attention_mask", "labels")
KEPT = (
    ". {} is the width of an earlier batch. Possible cause: it is kept from that call, or fixed in your code"
)


def items_of(rng: random.Random, lengths: Sequence[int], pad_id: int) -> list[Item]:
    """A row of each length, with the padding's id among its words if there is room.
    Each row ends with LAST.
    """
    items = []
    for length in lengths:
        words = rng.sample([each for each in range(200, 900) if each != pad_id], length - 2)
        if len(words) > 1:
            words[rng.randrange(len(words))] = pad_id
        items.append(([FIRST, *words, LAST], rng.randint(0, 1)))
    return items


def plain(rng: random.Random) -> list[Item]:
    """Rows without special tokens, one of them a single token, two of them equal; large ids; five labels."""
    rows = [[5], [40_000, 20_000_001, 0, 7, 7], [5], [3, 70_000], [102, 4, 0]]
    return list(zip(rows, rng.sample(range(5), 5), strict=True))


def collated(
    answer: Answer, items: list[Item], pad_id: int, about: str, earlier: Collection[int]
) -> dict[str, Tensor]:
    """The three tensors of an answer. Raises NotYet unless they are there with the right shapes. `about`
    begins the sentence; `earlier` are the widths of earlier batches.
    """
    value = answer(items, pad_id)
    if not isinstance(value, dict):
        raise NotYet(f"return a dict with {', '.join(NAMES)}; yours is {kind_of(value)}")
    expect(
        set(value) == set(NAMES),
        f"the dict has {', '.join(NAMES)} and nothing else; yours has"
        f" {', '.join(map(str, value)) or 'nothing'}",
    )
    length = max(len(ids) for ids, _ in items)
    for name in ("input_ids", "labels"):
        kind = getattr(value[name], "dtype", None)
        expect(kind is not torch.bool, f"{name} must hold whole numbers, int64; yours is {kind}")
    tensors = {}
    for name in NAMES:
        shape = (len(items),) if name == "labels" else (len(items), length)
        found = tuple(value[name].shape) if isinstance(value[name], Tensor) else shape
        kept = KEPT.format(found[1]) if len(found) == 2 and found[1] in earlier else ""
        expect(found == shape, f"{about}{name} must have shape {shape}; yours has shape {found}{kept}")
        tensors[name] = whole_tensor(value[name], shape, name)
    return tensors


def agrees(answer: Answer, items: list[Item], pad_id: int, earlier: Collection[int] = ()) -> None:
    """Raise NotYet unless ids, mask and labels are those of the items; `earlier` as in `collated`."""
    length = max(len(ids) for ids, _ in items)
    shown = f"for rows of {', '.join(str(len(ids)) for ids, _ in items)} tokens and pad_id {pad_id}, "
    if sum(len(ids) for ids, _ in items) < 20:
        shown = f"for the items {items} and pad_id {pad_id}, "
    found = collated(answer, items, pad_id, shown, earlier)
    for row, (ids, label) in enumerate(items):
        spare = length - len(ids)
        theirs = {name: found[name][row].tolist() for name in NAMES}
        wanted: dict[str, Any] = {
            "input_ids": [*ids, *[pad_id] * spare],
            "attention_mask": [1] * len(ids) + [0] * spare,
            "labels": label,
        }
        for i, (each, _) in enumerate(items):
            swapped = theirs["input_ids"] == [*each, *[pad_id] * (length - len(each))] != wanted["input_ids"]
            expect(not swapped, f"{shown}row {row} of input_ids should hold item {row}; yours holds item {i}")
        for name in NAMES:
            where, mine, yours = f"{name} of row {row}", wanted[name], theirs[name]
            if length > 20 and name != "labels":
                place = next((i for i in range(length) if mine[i] != yours[i]), 0)
                where, mine, yours = f"entry {place} of {where}", mine[place], yours[place]
            expect(theirs[name] == wanted[name], f"{shown}{where} should be {mine}; yours is {yours}")
    leaves_alone(answer, ("items",), items, pad_id)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Rows shorter than the longest; the padding's id is a real token,
    and once it is also the token that ends each row; rows without special tokens.
    """
    agrees(answer, items_of(rng, (4, 7, 3), 0), 0)
    agrees(answer, items_of(rng, (3, 5), LAST), LAST, [7])
    agrees(answer, plain(rng), 9, [7])
    return right(
        "as wide as the longest row; the mask marks what is real, even where a real token has the id of"
        " padding"
    )


EXERCISE = Exercise(
    id="collate",
    title="Make a padded batch",
    order=4,
    points=3,
    difficulty=2,
    importance=5,
    minutes=15,
    source="Washington §3: collate_fn",
    hints=(
        (
            "All rows of a tensor have the same length. How wide must this batch be? How will the model know"
            " which places are padding?"
        ),
        (
            "Find the length of the longest row. Append pad_id to the others. Build the mask from the lengths"
            " of the rows, because pad_id may also occur as a real token. Then make three tensors."
        ),
        (
            "For a row of 4 in a batch of width 6, the ids are `ids + [pad_id] * 2` and the mask `[1] * 4 +"
            " [0] * 2`. `torch.tensor` of a list of such lists is int64 already."
        ),
    ),
    check=check,
)
