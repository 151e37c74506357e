"""Answer key of gather_corruption: whole numbers, compared exactly.
`test_12_kernels.py` compares them with the library.
"""

from __future__ import annotations

import random

import torch
from course_exercises.gather_corruption import drawn, same_rows

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.exercise_helpers.transformer_parts import again


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """One row, many rows, small and usual blocks; empty documents, whole documents in the span."""
    for rows, block in ((1, 16), (40, 16), (40, 16), (64, 128), (9, 33), (8, 4), (6, 400)):
        given = drawn(rng, rows, block)
        same_rows(again(answer, *given), given)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Rows of every kind."""
    return [
        (torch.tensor([6]), torch.tensor([2]), torch.tensor([3]), 10),
        drawn(rng, 3, 16),
        drawn(rng, 24, 20),
    ]


def gather_corruption(length, start, masked, block_size):
    """The reference."""
    length, start, masked = length[:, None], start[:, None], masked[:, None]  # (B, 1)
    place = torch.arange(block_size)[None]  # (1, block_size)
    second = length - masked + 1
    source = torch.where(place > start, place + masked - 1, place)  # the suffix
    source = torch.where(place > second, start + place - second - 1, source)
    source = torch.where((place == start) | (place == second), -1, source)
    return torch.where(place >= length + 2, -2, source)


def piece_by_piece(length, start, masked, block_size):
    """Each row is put together from its pieces."""
    out = torch.full((len(length), block_size), -2)
    for row, n, a, k in zip(out, length.tolist(), start.tolist(), masked.tolist(), strict=True):
        ids = list(range(n))
        text = [*ids[:a], -1, *ids[a + k :], -1, *ids[a : a + k]]
        row[: len(text)] = torch.tensor(text)
    return out


def summed_jumps(length, start, masked, block_size):
    """The source grows by one from place to place, and jumps where a run begins: a running sum."""
    B = length.shape[0]
    step = torch.ones(B, block_size + 1, dtype=torch.long)
    step[:, 0] = 0
    rows = torch.arange(B)
    step[rows, start + 1] += masked - 1
    after = (length - masked + 2).clamp(max=block_size)
    step.index_put_((rows, after), start - length - 1, accumulate=True)
    walked = step.cumsum(1)[:, :block_size]
    columns = torch.arange(block_size).expand(B, -1)
    walked[columns == start.unsqueeze(1)] = -1
    walked[columns == (after - 1).unsqueeze(1)] = -1
    walked[columns > (length + 1).unsqueeze(1)] = -2
    return walked


def by_sorting(length, start, masked, block_size):
    """Every character, mark and pad has the number of its run; a stable sort puts them in order."""
    document = torch.arange(block_size).repeat(len(length), 1)
    late = document >= length.view(-1, 1)
    hidden_ones = (document >= start.view(-1, 1)) & (document < (start + masked).view(-1, 1))
    run = torch.zeros_like(document)
    run += 2 * (document >= (start + masked).view(-1, 1)).long()
    run[hidden_ones] = 4
    run[late] = 5
    marks = torch.tensor([1, 3]).repeat(len(length), 1)
    order = torch.argsort(torch.cat([run, marks], dim=1), dim=1, stable=True)
    named = torch.cat([document.masked_fill(late, -2), torch.full_like(marks, -1)], dim=1)
    return torch.take_along_dim(named, order, dim=1)[:, :block_size]


def run_by_number(length, start, masked, block_size):
    """The run of each place by a search among the beginnings of the runs;
    then the shift of each run from a table.
    """
    ends = torch.stack(
        (start, start + 1, length - masked + 1, length - masked + 2, length + 2), 1
    ).contiguous()
    spots = torch.arange(block_size).broadcast_to(len(length), block_size).contiguous()
    number = torch.searchsorted(ends, spots, right=True)
    shifts = torch.stack(
        (start * 0, start * 0, masked - 1, start * 0, start + masked - length - 2, start * 0), 1
    )
    found = spots + shifts.gather(1, number)
    fixed = torch.tensor([0, -1, 0, -1, 0, -2])[number]
    return found * (fixed == 0) + fixed


def suffix_one_late(length, start, masked, block_size):
    """Your suffix skips one character. After the first ⁇ the source is place + masked − 1,
    because one ⁇ was added.
    """
    length, start, masked = length[:, None], start[:, None], masked[:, None]
    place = torch.arange(block_size)[None]
    second = length - masked + 1
    source = torch.where(place > start, place + masked, place)
    source = torch.where(place > second, start + place - second - 1, source)
    source = torch.where((place == start) | (place == second), -1, source)
    return torch.where(place >= length + 2, -2, source)


def suffix_not_moved(length, start, masked, block_size):
    """After the first ⁇ you go on as if nothing had been removed.
    The suffix begins at character start + masked.
    """
    length, start, masked = length[:, None], start[:, None], masked[:, None]
    place = torch.arange(block_size)[None]
    second = length - masked + 1
    source = torch.where(place > start, place - 1, place)
    source = torch.where(place > second, start + place - second - 1, source)
    source = torch.where((place == start) | (place == second), -1, source)
    return torch.where(place >= length + 2, -2, source)


def second_mark_missing(length, start, masked, block_size):
    """You leave out the ⁇ before the span: a row should have two of them."""
    length, start, masked = length[:, None], start[:, None], masked[:, None]
    place = torch.arange(block_size)[None]
    second = length - masked + 1
    source = torch.where(place > start, place + masked - 1, place)
    source = torch.where(place >= second, start + place - second, source)
    source = torch.where(place == start, -1, source)
    return torch.where(place >= length + 1, -2, source)


def span_left_out(length, start, masked, block_size):
    """You leave out the span itself. It should come after the second ⁇."""
    length, start, masked = length[:, None], start[:, None], masked[:, None]
    place = torch.arange(block_size)[None]
    second = length - masked + 1
    source = torch.where(place > start, place + masked - 1, place)
    source = torch.where((place == start) | (place == second), -1, source)
    return torch.where(place > second, -2, source)


def span_from_the_beginning(length, start, masked, block_size):
    """After the second ⁇ you begin at character 0; the span should begin at character `start`."""
    length, start, masked = length[:, None], start[:, None], masked[:, None]
    place = torch.arange(block_size)[None]
    second = length - masked + 1
    source = torch.where(place > start, place + masked - 1, place)
    source = torch.where(place > second, place - second - 1, source)
    source = torch.where((place == start) | (place == second), -1, source)
    return torch.where(place >= length + 2, -2, source)


def mark_one_late(length, start, masked, block_size):
    """Your first ⁇ is one place late. The prefix has the characters 0 to start − 1,
    so its ⁇ should be at place `start`.
    """
    length, start, masked = length[:, None], start[:, None], masked[:, None]
    place = torch.arange(block_size)[None]
    second = length - masked + 1
    source = torch.where(place > start + 1, place + masked - 1, place)
    source = torch.where(place > second, start + place - second - 1, source)
    source = torch.where((place == start + 1) | (place == second), -1, source)
    return torch.where(place >= length + 2, -2, source)


def marks_not_counted(length, start, masked, block_size):
    """Your padding begins at place `length`, two places early:
    the two ⁇ make a row two longer than its document.
    """
    length, start, masked = length[:, None], start[:, None], masked[:, None]
    place = torch.arange(block_size)[None]
    second = length - masked + 1
    source = torch.where(place > start, place + masked - 1, place)
    source = torch.where(place > second, start + place - second - 1, source)
    source = torch.where((place == start) | (place == second), -1, source)
    return torch.where(place >= length, -2, source)


def never_padded(length, start, masked, block_size):
    """After the span you go on with the characters that follow it.
    From place length + 2 on, there is padding.
    """
    length, start, masked = length[:, None], start[:, None], masked[:, None]
    place = torch.arange(block_size)[None]
    second = length - masked + 1
    source = torch.where(place > start, place + masked - 1, place)
    source = torch.where(place > second, start + place - second - 1, source)
    return torch.where((place == start) | (place == second), -1, source)


def signs_exchanged(length, start, masked, block_size):
    """You exchange the two signs: ⁇ should be −1, and □ −2."""
    length, start, masked = length[:, None], start[:, None], masked[:, None]
    place = torch.arange(block_size)[None]
    second = length - masked + 1
    source = torch.where(place > start, place + masked - 1, place)
    source = torch.where(place > second, start + place - second - 1, source)
    source = torch.where((place == start) | (place == second), -2, source)
    return torch.where(place >= length + 2, -1, source)


def first_row_for_all(length, start, masked, block_size):
    """Every row is cut as the first one is. Keep the axis of rows: (B, 1) against (1, block_size)."""
    B = len(length)
    length, start, masked = length[0], start[0], masked[0]
    place = torch.arange(block_size).repeat(B, 1)
    second = length - masked + 1
    source = torch.where(place > start, place + masked - 1, place)
    source = torch.where(place > second, start + place - second - 1, source)
    source = torch.where((place == start) | (place == second), -1, source)
    return torch.where(place >= length + 2, -2, source)


def span_before_suffix(length, start, masked, block_size):
    """You put the span before the suffix. The order should be prefix, suffix, span:
    the model must see both sides of the gap first.
    """
    length, start, masked = length[:, None], start[:, None], masked[:, None]
    place = torch.arange(block_size)[None]
    second = start + masked + 1
    source = torch.where(place > start, place - 1, place)
    source = torch.where(place > second, place - 2, source)
    source = torch.where((place == start) | (place == second), -1, source)
    return torch.where(place >= length + 2, -2, source)


KEY = AnswerKey(
    id="gather_corruption",
    hidden=hidden,
    reference=gather_corruption,
    accepted=(piece_by_piece, summed_jumps, by_sorting, run_by_number),
    rejected=(
        *(
            suffix_one_late,
            suffix_not_moved,
            second_mark_missing,
            span_left_out,
            span_from_the_beginning,
            mark_one_late,
        ),
        *(marks_not_counted, never_padded, signs_exchanged, first_row_for_all, span_before_suffix),
    ),
    fingerprint=fingerprint,
    commentary=r"""
    Do not ask where a character goes; ask which character belongs in a place. Then every place is computed on
    its own, for all rows at once, with a place along one axis and the rows along the other. There are six
    runs, and each `torch.where` overwrites the places from one boundary on, so the order of the lines
    matters: the two ⁇ come after the suffix and the span, and the padding comes last. The common mistake is
    the shift of the suffix: `masked` characters are gone, but one ⁇ was added, so the source is ahead of the
    place by masked − 1.
    """,
)
