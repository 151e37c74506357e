"""Span corruption of a whole batch at once: a gather with counter-based random numbers.

Each document is cut to a random length L, a random span of it is taken out, and the row the model reads is

    prefix ⁇ suffix ⁇ masked span □ □ … □          x = row[:-1], y = row[1:]

- L = min(document's length, U{4 … ⌊7/8·block⌋}): the assignment's bounds; documents under 4 characters are
  not cut.
- The span's length is U{1 … ⌊L/2⌋ − 1}: at least 1, on average L/4 (exactly for even L, ¼ of a character less
  for odd L).
- The span's start is U{0 … L − length}: given its length, every position is equally likely.
- The random numbers are Philox4x32-10 of the counter (row, row's high half, step, STREAM) under the key
  `seed`. So a row is a function of (seed, step, row) only. It does not depend on its batch, the device, the
  process or the number of workers.
- There is no Python loop over documents: a batch is about a hundred small tensor operations, for any batch
  size. Drawing random numbers takes as long for 128 rows as for 1,000, so several steps may be drawn at once
  (`step` may be a tensor).
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from kqa_core.errors import UserError
from kqa_core.text.vocabulary import Vocabulary

SHORTEST = 4  # characters; shorter documents are not cut, and no document is cut to less
STREAM = 0x636F7272  # separates these random numbers from others with the same seed
LOW = 0xFFFFFFFF
# Philox4x32's constants: Salmon et al. 2011, "Parallel random numbers"
MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
WEYL = (0x9E3779B9, 0xBB67AE85)
ROUNDS = 10


@dataclass(eq=False)
class Documents:
    """Documents concatenated in one tensor."""

    flat: Tensor  # int64 indices: a ⁇, then every document's characters, then one □
    offsets: Tensor  # (N,): the start of each document in it
    lengths: Tensor  # (N,): its number of characters


class DocumentTable(Documents):
    """`Documents` made of texts. Raises UserError for no documents.

    >>> DocumentTable(["abc", "ab"], Vocabulary.from_text("abc")).lengths
    tensor([3, 2])
    """

    def __init__(self, documents: Sequence[str], vocabulary: Vocabulary) -> None:
        if not documents:
            raise UserError("a table of documents needs at least one document")
        self.vocabulary = vocabulary
        text = vocabulary.encode("".join(documents))
        lengths = torch.tensor([len(document) for document in documents])  # (N,)
        flat = torch.tensor([vocabulary.mask_index, *text, vocabulary.pad_index])
        super().__init__(flat, torch.cumsum(lengths, 0) - lengths + 1, lengths)

    def __len__(self) -> int:
        return len(self.lengths)

    def to(self, device: torch.device | str) -> DocumentTable:
        """This table, moved to another device."""
        self.flat, self.lengths = self.flat.to(device), self.lengths.to(device)
        self.offsets = self.offsets.to(device)
        return self


@functools.lru_cache(maxsize=64)
def _constants(seed: int, device: torch.device) -> list[tuple[Tensor, Tensor]]:
    """Multipliers and key of each round, (2, 1) each, in the order of `philox`'s halves there."""
    constants = []
    for number in range(ROUNDS):
        key = [((seed >> 32 * i) + WEYL[i] * number) & LOW for i in (0, 1)]
        order = (0, 1) if number % 2 == 0 else (1, 0)
        multipliers = torch.tensor([[MULTIPLIERS[i]] for i in order], device=device)
        constants.append((multipliers, torch.tensor([[key[1 - i]] for i in order], device=device)))
    return constants


def philox(counter: Tensor, seed: int) -> Tensor:
    """Philox4x32-10: `counter` (4, B), 32 bits in int64, 64-bit `seed` → (4, B), uniform on 0 … 2³² − 1.

    - A product of two 32-bit numbers fills 64 bits exactly, so int64's wrap-around loses nothing: its two
      halves are `p & LOW` and `(p >> 32) & LOW`.
    - A round turns (c0, c1, c2, c3) into (hi(M1·c2)^c1^k0, lo(M1·c2), hi(M0·c0)^c3^k1, lo(M0·c0)). `even`
      holds c0 and c2, `odd` c3 and c1; a round makes c2 from c0 and c0 from c2, so the two change places with
      every round.

    >>> philox(torch.zeros(4, 1, dtype=torch.int64), seed=0)[:, 0]
    tensor([1713891541, 3781805453, 3159862348, 2600524760])
    """
    even, odd = counter[0::2], counter[1::2].flip(0)  # (c0, c2) and (c3, c1), (2, B) each
    for multipliers, key in _constants(seed, counter.device):
        product = even * multipliers  # (2, B)
        even = (product >> 32).bitwise_and_(LOW).bitwise_xor_(odd).bitwise_xor_(key)
        odd = product.bitwise_and_(LOW).flip(0)
    # an even number of rounds: c0 and c2 are back in their places
    return torch.stack((even[0], odd[1], even[1], odd[0]))


def below(bits: Tensor, bound: Tensor | int) -> Tensor:
    """Uniform integers below `bound` from 32 random bits each: ⌊bits·bound/2³²⌋, bias below 3e-8."""
    return (bits * bound) >> 32


def spans(
    table: Documents, rows: Tensor, block_size: int, seed: int, step: int | Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Each row's random numbers: truncated length, start of the span, length of the span; int64 (B,).

    >>> table = DocumentTable(["a" * 40], Vocabulary.from_text("a"))
    >>> length, start, masked = spans(table, torch.tensor([0]), block_size=32, seed=0, step=0)
    >>> bool(start + masked <= length)
    True
    """
    counter = rows.new_empty(4, len(rows))  # (4, B)
    counter[0], counter[1], counter[2], counter[3] = rows & LOW, rows >> 32, step & LOW, STREAM
    bits = philox(counter, seed)
    longest = block_size * 7 // 8
    length = torch.minimum(below(bits[0], longest - SHORTEST + 1) + SHORTEST, table.lengths[rows])
    masked = below(bits[1], (length // 2 - 1).clamp_(min=1)) + 1
    masked = torch.minimum(masked, length)  # an empty document masks nothing
    return length, below(bits[2], length - masked + 1), masked


def checked_block(block_size: int) -> int:
    """`block_size`, if a row fits into it; else raises UserError."""
    if block_size < 16:
        raise UserError(
            f"block_size {block_size}: at least 16 was expected, so that a cut document and its two ⁇ fit"
        )
    return block_size


def corrupt_batch(
    table: Documents, rows: Tensor, block_size: int, seed: int, step: int | Tensor
) -> tuple[Tensor, Tensor]:
    """Corrupt the documents `rows` (B,) int64 for step number `step`: one for all, or one each (B,).

    Returns x and y, two int64 tensors (B, block_size − 1). Raises UserError for a block under 16 characters.

    >>> vocabulary = Vocabulary.from_text("abcdefgh")
    >>> x, y = corrupt_batch(DocumentTable(["abcdefgh"], vocabulary), torch.tensor([0]), 16, seed=0, step=0)
    >>> vocabulary.decode(x[0])
    '⁇cdefgh⁇ab□□□□□'
    """
    row = corrupt_rows(table, rows, block_size, seed, step)  # (B, block)
    return row[:, :-1], row[:, 1:]


def corrupt_rows(table: Documents, rows: Tensor, block_size: int, seed: int, step: int | Tensor) -> Tensor:
    """The whole rows, int64 (B, block_size): x of `corrupt_batch` and the last character of y."""
    checked_block(block_size)
    length, start, masked = spans(table, rows, block_size, seed, step)  # (B,) each
    offset, second, end = table.offsets[rows], length - masked + 1, length + 2
    # A row has six parts: prefix, ⁇, suffix, ⁇, span, padding. Part k begins at place[k] of the row and
    # source[k] of the table. Within a part the source increases by 1 per place (in the padding it is clamped
    # to the table's last entry); where a part begins, it jumps. The cumulative sum gives every source.
    zero = torch.zeros_like(start)
    place = torch.stack((zero, start, start + 1, second, second + 1, end), 1)  # (B, 6)
    # (B, 6)
    source = torch.stack(
        (offset, zero, offset + start + masked, zero, offset + start, zero + len(table.flat) - 1), 1
    )
    jump = source.diff(dim=1, prepend=zero[:, None]) - place.diff(dim=1, prepend=zero[:, None])  # (B, 6)
    steps = torch.ones(len(rows), block_size + 1, dtype=torch.int64, device=rows.device)
    steps.scatter_add_(1, place, jump)
    steps[:, 0] -= 1
    gathered = table.flat.index_select(0, steps[:, :-1].cumsum(1).clamp_(max=len(table.flat) - 1).view(-1))
    return gathered.view(len(rows), block_size)  # (B * block,) -> (B, block)
