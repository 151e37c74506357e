"""Wrong answers to pretraining_batch, each with one mistake."""

from __future__ import annotations

import random

import torch


def padded_to_the_block(documents, block_size, stoi, rng):
    """You pad every row to block_size. Pad to the longest row of the batch only."""
    rows = []
    for document in documents:
        kept = document[: rng.randint(4, block_size * 7 // 8)]
        size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
        at = rng.randint(0, len(kept) - size)
        rows.append(kept[:at] + "⁇" + kept[at + size :] + "⁇" + kept[at : at + size])
    longest = block_size
    codes = torch.tensor([[stoi[character] for character in row.ljust(longest, "□")] for row in rows])
    return codes[:, :-1], codes[:, 1:]


def one_column_too_many(documents, block_size, stoi, rng):
    """x and y are one column too wide. The longest row is one longer than x and y."""
    rows = []
    for document in documents:
        kept = document[: rng.randint(4, block_size * 7 // 8)]
        size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
        at = rng.randint(0, len(kept) - size)
        rows.append(kept[:at] + "⁇" + kept[at + size :] + "⁇" + kept[at : at + size])
    longest = max(len(row) for row in rows)
    codes = torch.tensor([[stoi[character] for character in row.ljust(longest, "□") + "□"] for row in rows])
    return codes[:, :-1], codes[:, 1:]


def cut_to_the_shortest(documents, block_size, stoi, rng):
    """You cut all rows to the shortest one. Pad them to the longest one."""
    rows = []
    for document in documents:
        kept = document[: rng.randint(4, block_size * 7 // 8)]
        size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
        at = rng.randint(0, len(kept) - size)
        rows.append(kept[:at] + "⁇" + kept[at + size :] + "⁇" + kept[at : at + size])
    longest = min(len(row) for row in rows)
    codes = torch.tensor([[stoi[character] for character in row[:longest]] for row in rows])
    return codes[:, :-1], codes[:, 1:]


def padded_in_front(documents, block_size, stoi, rng):
    """You pad before the rows. The padding comes after them."""
    rows = []
    for document in documents:
        kept = document[: rng.randint(4, block_size * 7 // 8)]
        size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
        at = rng.randint(0, len(kept) - size)
        rows.append(kept[:at] + "⁇" + kept[at + size :] + "⁇" + kept[at : at + size])
    longest = max(len(row) for row in rows)
    codes = torch.tensor([[stoi[character] for character in row.rjust(longest, "□")] for row in rows])
    return codes[:, :-1], codes[:, 1:]


def padded_with_zero(documents, block_size, stoi, rng):
    """You pad with the index 0. Use stoi["□"], because the dictionary decides which index □ has."""
    rows = []
    for document in documents:
        kept = document[: rng.randint(4, block_size * 7 // 8)]
        size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
        at = rng.randint(0, len(kept) - size)
        rows.append(kept[:at] + "⁇" + kept[at + size :] + "⁇" + kept[at : at + size])
    longest = max(len(row) for row in rows)
    codes = torch.tensor(
        [[stoi[character] for character in row] + [0] * (longest - len(row)) for row in rows]
    )
    return codes[:, :-1], codes[:, 1:]


def padded_with_the_mark(documents, block_size, stoi, rng):
    """You pad the rows with ⁇. The padding character is □."""
    rows = []
    for document in documents:
        kept = document[: rng.randint(4, block_size * 7 // 8)]
        size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
        at = rng.randint(0, len(kept) - size)
        rows.append(kept[:at] + "⁇" + kept[at + size :] + "⁇" + kept[at : at + size])
    longest = max(len(row) for row in rows)
    codes = torch.tensor([[stoi[character] for character in row.ljust(longest, "⁇")] for row in rows])
    return codes[:, :-1], codes[:, 1:]


def not_shifted(documents, block_size, stoi, rng):
    """Your y is the same as x, so the model would only have to copy its input. Shift y by one."""
    rows = []
    for document in documents:
        kept = document[: rng.randint(4, block_size * 7 // 8)]
        size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
        at = rng.randint(0, len(kept) - size)
        rows.append(kept[:at] + "⁇" + kept[at + size :] + "⁇" + kept[at : at + size])
    longest = max(len(row) for row in rows)
    codes = torch.tensor([[stoi[character] for character in row.ljust(longest, "□")] for row in rows])
    return codes[:, :-1], codes[:, :-1].clone()


def swapped(documents, block_size, stoi, rng):
    """You swapped x and y: y[t] is now the character before x[t]. It must be the one after it."""
    rows = []
    for document in documents:
        kept = document[: rng.randint(4, block_size * 7 // 8)]
        size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
        at = rng.randint(0, len(kept) - size)
        rows.append(kept[:at] + "⁇" + kept[at + size :] + "⁇" + kept[at : at + size])
    longest = max(len(row) for row in rows)
    codes = torch.tensor([[stoi[character] for character in row.ljust(longest, "□")] for row in rows])
    return codes[:, 1:], codes[:, :-1]


def shifted_along_the_batch(documents, block_size, stoi, rng):
    """You shift along the rows of the batch. Shift along the characters: codes[:, 1:]."""
    rows = []
    for document in documents:
        kept = document[: rng.randint(4, block_size * 7 // 8)]
        size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
        at = rng.randint(0, len(kept) - size)
        rows.append(kept[:at] + "⁇" + kept[at + size :] + "⁇" + kept[at : at + size])
    longest = max(len(row) for row in rows)
    codes = torch.tensor([[stoi[character] for character in row.ljust(longest, "□")] for row in rows])
    return codes[:-1], codes[1:]


def one_row_for_all(documents, block_size, stoi, rng):
    """You corrupt the first document only and repeat its row. Make a row of each document."""
    rows = []
    for document in documents:
        kept = document[: rng.randint(4, block_size * 7 // 8)]
        size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
        at = rng.randint(0, len(kept) - size)
        rows.append(kept[:at] + "⁇" + kept[at + size :] + "⁇" + kept[at : at + size])
    rows = rows[:1] * len(rows)
    longest = max(len(row) for row in rows)
    codes = torch.tensor([[stoi[character] for character in row.ljust(longest, "□")] for row in rows])
    return codes[:, :-1], codes[:, 1:]


def sorted_by_length(documents, block_size, stoi, rng):
    """You sort the rows by length. Keep the order of the documents."""
    rows = []
    for document in documents:
        kept = document[: rng.randint(4, block_size * 7 // 8)]
        size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
        at = rng.randint(0, len(kept) - size)
        rows.append(kept[:at] + "⁇" + kept[at + size :] + "⁇" + kept[at : at + size])
    rows.sort(key=len)
    longest = max(len(row) for row in rows)
    codes = torch.tensor([[stoi[character] for character in row.ljust(longest, "□")] for row in rows])
    return codes[:, :-1], codes[:, 1:]


def one_seed_for_all_rows(documents, block_size, stoi, rng):
    """Every row starts from the same random state,
    so copies of a document lose the same characters. Draw from rng.
    """
    rows = []
    seed = rng.getrandbits(32)
    for document in documents:
        rng = random.Random(seed)
        kept = document[: rng.randint(4, block_size * 7 // 8)]
        size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
        at = rng.randint(0, len(kept) - size)
        rows.append(kept[:at] + "⁇" + kept[at + size :] + "⁇" + kept[at : at + size])
    longest = max(len(row) for row in rows)
    codes = torch.tensor([[stoi[character] for character in row.ljust(longest, "□")] for row in rows])
    return codes[:, :-1], codes[:, 1:]


def not_corrupted(documents, block_size, stoi, rng):
    """Your rows are the documents themselves. Corrupt each document first."""
    rows = []
    for document in documents:
        kept = document[: rng.randint(4, block_size * 7 // 8)]
        rows.append(kept + "□")
    longest = max(len(row) for row in rows)
    codes = torch.tensor([[stoi[character] for character in row.ljust(longest, "□")] for row in rows])
    return codes[:, :-1], codes[:, 1:]


def span_targets_only(documents, block_size, stoi, rng):
    """You replace the targets before the masked span by □, as in finetuning.
    Here every character is a target.
    """
    rows = []
    for document in documents:
        kept = document[: rng.randint(4, block_size * 7 // 8)]
        size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
        at = rng.randint(0, len(kept) - size)
        rows.append(kept[:at] + "⁇" + kept[at + size :] + "⁇" + kept[at : at + size])
    longest = max(len(row) for row in rows)
    codes = torch.tensor([[stoi[character] for character in row.ljust(longest, "□")] for row in rows])
    before = (codes[:, :-1] == stoi["⁇"]).cumsum(1) < 2
    return codes[:, :-1], codes[:, 1:].masked_fill(before, stoi["□"])


def as_floats(documents, block_size, stoi, rng):
    """Your tensors hold floats. An embedding needs whole numbers: use dtype=torch.long."""
    rows = []
    for document in documents:
        kept = document[: rng.randint(4, block_size * 7 // 8)]
        size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
        at = rng.randint(0, len(kept) - size)
        rows.append(kept[:at] + "⁇" + kept[at + size :] + "⁇" + kept[at : at + size])
    longest = max(len(row) for row in rows)
    codes = torch.tensor(
        [[stoi[character] for character in row.ljust(longest, "□")] for row in rows], dtype=torch.float32
    )
    return codes[:, :-1], codes[:, 1:]


def whole_rows_only(documents, block_size, stoi, rng):
    """You return one tensor with the whole rows. Return x and y."""
    rows = []
    for document in documents:
        kept = document[: rng.randint(4, block_size * 7 // 8)]
        size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
        at = rng.randint(0, len(kept) - size)
        rows.append(kept[:at] + "⁇" + kept[at + size :] + "⁇" + kept[at : at + size])
    longest = max(len(row) for row in rows)
    codes = torch.tensor([[stoi[character] for character in row.ljust(longest, "□")] for row in rows])
    return codes


def one_more_than_fits(documents, block_size, stoi, rng):
    """You keep up to ⌊7/8 · block_size⌋ + 1 characters.
    `randint` includes its upper end, so nothing is added to it.
    """
    rows = []
    for document in documents:
        kept = document[: rng.randint(4, block_size * 7 // 8 + 1)]
        size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
        at = rng.randint(0, len(kept) - size)
        rows.append(kept[:at] + "⁇" + kept[at + size :] + "⁇" + kept[at : at + size])
    longest = max(len(row) for row in rows)
    codes = torch.tensor([[stoi[character] for character in row.ljust(longest, "□")] for row in rows])
    return codes[:, :-1], codes[:, 1:]


def x_cut_short(documents, block_size, stoi, rng):
    """You leave out the last two characters of x, which is one too many where a row fills the block."""
    rows = []
    for document in documents:
        kept = document[: rng.randint(4, block_size * 7 // 8)]
        size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
        at = rng.randint(0, len(kept) - size)
        rows.append(kept[:at] + "⁇" + kept[at + size :] + "⁇" + kept[at : at + size])
    longest = max(len(row) for row in rows)
    codes = torch.tensor([[stoi[character] for character in row.ljust(block_size, "□")] for row in rows])
    return codes[:, :-2][:, : longest - 1], codes[:, 1:longest]


REJECTED = (
    *(padded_to_the_block, one_column_too_many, cut_to_the_shortest, padded_in_front, padded_with_zero),
    *(padded_with_the_mark, not_shifted, swapped, shifted_along_the_batch, one_row_for_all),
    *(sorted_by_length, one_seed_for_all_rows, not_corrupted, span_targets_only, as_floats),
    *(whole_rows_only, one_more_than_fits, x_cut_short),
)
