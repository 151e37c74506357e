"""Span-corrupted rows: equal to a loop over characters with Python's integers,
and distributed as promised.
"""

from __future__ import annotations

import random

import pytest
import torch
from torch import Tensor

from kqa_core import kernels
from kqa_core.errors import UserError
from kqa_core.kernels import span_rows
from kqa_core.text.span_corruption import Documents, DocumentTable, corrupt_batch, spans
from kqa_core.text.vocabulary import Vocabulary

ALPHABET = "abcdefghij é"
VOCABULARY = Vocabulary.from_text(ALPHABET)
# the false-alarm rate of each chi-square test below; seeds are fixed, so a test fails always or never
UNLIKELY = 1e-6


def loop_philox(counter: list[int], key: list[int]) -> list[int]:
    """Philox4x32-10 as Salmon et al. 2011 write it."""
    c, k = list(counter), list(key)
    for _ in range(10):
        first, second = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [second >> 32 ^ c[1] ^ k[0], second % 2**32, first >> 32 ^ c[3] ^ k[1], first % 2**32]
        k = [(k[0] + 0x9E3779B9) % 2**32, (k[1] + 0xBB67AE85) % 2**32]
    return c


def loop_row(document: str, number: int, block: int, seed: int, step: int) -> str:
    """One corrupted row, a character at a time."""
    bits = loop_philox([number % 2**32, number >> 32, step, 0x636F7272], [seed % 2**32, seed >> 32])
    longest = block * 7 // 8
    length = min(4 + (bits[0] * (longest - 3) >> 32), len(document))
    masked = min(1 + (bits[1] * max(length // 2 - 1, 1) >> 32), length)
    start = bits[2] * (length - masked + 1) >> 32
    prefix, span, suffix = "", "", ""
    for i in range(length):
        if i < start:
            prefix += document[i]
        elif i < start + masked:
            span += document[i]
        else:
            suffix += document[i]
    row = prefix + "⁇" + suffix + "⁇" + span
    return row + "□" * (block - len(row))


@pytest.mark.parametrize("seed", range(12))
def test_rows_are_those_of_a_loop(seed: int) -> None:
    draw = random.Random(seed)
    documents = [
        "".join(draw.choices(ALPHABET, k=draw.choice((0, 1, 3, 4, 5, 40, 112, 300)))) for _ in range(9)
    ]
    block, key, step = draw.choice((16, 100, 128)), draw.getrandbits(64), draw.getrandbits(32)
    table, rows = DocumentTable(documents, VOCABULARY), torch.tensor([8, 0, 1, 2, 3, 4, 5, 6, 7, 8])
    expected = [loop_row(documents[row], row, block, key, step) for row in rows.tolist()]
    by_seam = _whole(kernels.corrupt_batch(table, rows, block, key, step))
    by_operator = span_rows.corrupted(table, rows, block, key, step)
    for row, first, second in zip(expected, by_seam, by_operator, strict=True):
        assert VOCABULARY.decode(first) == VOCABULARY.decode(second) == row


def _whole(batch: tuple[Tensor, Tensor]) -> Tensor:
    x, y = batch
    return torch.cat((x, y[:, -1:]), dim=1)


@pytest.mark.parametrize("choice", kernels.CHOICES)
def test_on_a_cpu_the_seam_is_the_same_whatever_is_chosen(choice: str) -> None:
    table, rows = DocumentTable([ALPHABET * 12] * 5, VOCABULARY), torch.arange(5)
    with kernels.using(choice):
        x, y = kernels.corrupt_batch(table, rows, 128, 7, torch.arange(5))
    expected = corrupt_batch(table, rows, 128, 7, torch.arange(5))
    assert torch.equal(x, expected[0]) and torch.equal(y, expected[1])


@pytest.mark.slow
def test_the_operator_is_registered_as_torch_wants_it() -> None:
    table = DocumentTable(["abc", "defabc"], VOCABULARY)
    rows, steps = torch.tensor([0, 1, 1]), torch.arange(3)
    seed = span_rows.seed_words(2**64 - 3, table.flat.device)
    torch.library.opcheck(
        span_rows.span_rows, (table.flat, table.offsets, table.lengths, rows, steps, seed, 16)
    )


@pytest.mark.slow
def test_the_operator_stands_in_a_compiled_graph() -> None:
    table, rows = DocumentTable([ALPHABET * 3] * 4, VOCABULARY), torch.arange(4)
    seed = span_rows.seed_words(11, table.flat.device)

    def characters(steps: Tensor) -> Tensor:
        return span_rows.span_rows(table.flat, table.offsets, table.lengths, rows, steps, seed, 32) + 1

    steps = torch.arange(4)
    assert torch.equal(
        torch.compile(characters, fullgraph=True, backend="aot_eager")(steps), characters(steps)
    )


def test_a_block_that_cannot_hold_a_row_is_refused() -> None:
    with pytest.raises(UserError, match="at least 16"):
        span_rows.corrupted(DocumentTable(["abcd"], VOCABULARY), torch.tensor([0]), 15, 0, 0)


def p_value(observed: Tensor, expected: Tensor) -> float:
    """Pearson's chi-square: the chance of so large a deviation,
    were `expected` (same total, each cell 20 or more) true.
    """
    assert expected.min() >= 20 and observed.sum() == pytest.approx(float(expected.sum()))
    statistic = ((observed.double() - expected) ** 2 / expected).sum()
    return float(
        torch.special.gammaincc(torch.tensor((observed.numel() - 1) / 2, dtype=torch.float64), statistic / 2)
    )


def uniform(values: Tensor, low: int, high: int) -> float:
    """p of `values` being uniform on low … high."""
    counts = torch.bincount(values - low, minlength=high - low + 1)
    return p_value(counts, torch.full((high - low + 1,), len(values) / (high - low + 1), dtype=torch.float64))


def independent(a: Tensor, b: Tensor) -> float:
    """p of two samples being uniform on 0 … 1 and having nothing to do with each other:
    chi-square over 8 × 8 cells.
    """
    cell = (a * 8).long() * 8 + (b * 8).long()
    return p_value(torch.bincount(cell, minlength=64), torch.full((64,), len(a) / 64, dtype=torch.float64))


def spread(values: Tensor, count: Tensor | int, seed: int) -> Tensor:
    """Whole numbers uniform on 0 … count − 1 as numbers uniform on 0 … 1:
    each is moved within its own cell by chance.
    """
    noise = torch.rand(len(values), generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    return (values + noise) / count


ROWS = 200_000
LONG = [ALPHABET * 12]  # 144 characters: longer than any cut
SEEDS = [0, 1, 2**63 + 5]


@pytest.mark.parametrize("seed", SEEDS)
def test_lengths_spans_and_starts_are_uniform_as_promised(seed: int) -> None:
    table = DocumentTable(LONG, VOCABULARY)
    length, start, masked = spans(table, torch.zeros(ROWS, dtype=torch.int64), 128, seed, torch.arange(ROWS))
    assert uniform(length, 4, 112) > UNLIKELY
    assert masked[length <= 5].eq(1).all()  # ⌊L/2⌋ − 1 is 1 up to L = 5
    for chosen in (30, 61, 100):  # 1,835 rows each on average
        assert uniform(masked[length == chosen], 1, chosen // 2 - 1) > UNLIKELY
    for chosen in (6, 7, 12):
        for k in (1, 2):
            assert uniform(start[(length == chosen) & (masked == k)], 0, chosen - k) > UNLIKELY


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_rows_steps_seeds_and_draws_have_nothing_to_do_with_each_other(seed: int) -> None:
    # as if there were so many documents: `spans` asks for their lengths alone
    lengths = torch.full((ROWS + 1,), len(LONG[0]))
    table = Documents(torch.empty(0), torch.empty(0), lengths)

    def drawn(first_row: int, seed: int, step: int) -> tuple[Tensor, Tensor, Tensor]:
        length, start, masked = spans(table, torch.arange(first_row, first_row + ROWS), 128, seed, step)
        counts = 109, (length // 2 - 1).clamp(min=1), length - masked + 1
        shares = [
            spread(values, count, 10 * step + i)
            for i, (values, count) in enumerate(zip((length - 4, masked - 1, start), counts, strict=True))
        ]
        return shares[0], shares[1], shares[2]

    length, masked, start = drawn(0, seed, 0)
    assert independent(length, masked) > UNLIKELY
    assert independent(length, start) > UNLIKELY
    assert independent(masked, start) > UNLIKELY
    for other in (drawn(1, seed, 0), drawn(0, seed, 1), drawn(0, seed + 1, 0)):
        for ours, theirs in zip((length, masked, start), other, strict=True):
            assert independent(ours, theirs) > UNLIKELY


def test_the_tests_of_distribution_notice_the_nearest_mistakes() -> None:
    table, rows, steps = (
        DocumentTable(LONG, VOCABULARY),
        torch.zeros(ROWS, dtype=torch.int64),
        torch.arange(ROWS),
    )
    length, start, masked = spans(table, rows, 128, 0, steps)
    one_short = torch.where(length == 112, 4, length)  # U{4 … 111}, its lowest a little likelier
    assert uniform(one_short, 4, 112) < UNLIKELY
    short = (length == 12) & (masked == 1)
    never_last = torch.where(start[short] == 11, 10, start[short])  # U{0 … L − length − 1}
    assert uniform(never_last, 0, 11) < UNLIKELY
    again = spread(length - 4, 109, 0)
    # another step that draws the same lengths
    assert independent(again, spread(length - 4, 109, 1)) < UNLIKELY
