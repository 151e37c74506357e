"""Exercise gather_corruption: compute every character's source position from three numbers a row."""

from __future__ import annotations

import random

import torch

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.helpers.read_values import kind_of
from kqa_core.exercise_helpers.transformer_parts import again

MASK, PAD = -1, -2  # of ⁇ and □
SIGNS = {MASK: "⁇", PAD: "□"}


def drawn(rng: random.Random, rows: int, block: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, int]:
    """Arguments of a call: lengths, starts and lengths of the spans, of every kind; and the block."""
    lengths, starts, spans = [], [], []
    for number in range(rows):
        length = (
            (0, 1, block - 2, rng.randint(2, block - 2))[number % 4]
            if rows > 3
            else rng.randint(3, block - 2)
        )
        masked = min(length, rng.choice((1, rng.randint(1, max(1, length)), length // 2 or 1)))
        if number % 8 > 5:
            masked = length if number % 8 == 6 else 0
        lengths.append(length)
        spans.append(masked)
        starts.append(rng.choice((0, length - masked, rng.randint(0, length - masked))))
    return torch.tensor(lengths), torch.tensor(starts), torch.tensor(spans), block


def written_row(length: int, start: int, masked: int, block: int) -> list[int]:
    """The expected row, built piece by piece."""
    row = [*range(start), MASK]
    row += range(start + masked, length)
    row += [MASK, *range(start, start + masked)]
    return row + [PAD] * (block - len(row))


def shown(index: int) -> str:
    """An entry as text for a message."""
    return SIGNS.get(index, f"character {index}")


def same_rows(
    result: object, given: tuple[torch.Tensor, torch.Tensor, torch.Tensor, int], about: str = ""
) -> None:
    """Raise NotYet unless every row is right. `about` begins the sentence about a row."""
    lengths, starts, spans, block = given
    if not isinstance(result, torch.Tensor):
        raise NotYet(f"return a torch tensor; yours is {kind_of(result)}")
    expect(
        result.dtype is torch.int64,
        f"return whole numbers, torch.int64: they are indices; yours is {result.dtype}",
    )
    wanted = (len(lengths), block)
    expect(
        tuple(result.shape) == wanted,
        f"return a tensor of shape (B, block_size), here {wanted}; yours has {tuple(result.shape)}",
    )
    for number, (row, length, start, masked) in enumerate(
        zip(result.tolist(), lengths.tolist(), starts.tolist(), spans.tolist(), strict=True)
    ):
        right_row = written_row(length, start, masked, block)
        wrong = next(
            (i for i, (mine, theirs) in enumerate(zip(right_row, row, strict=True)) if mine != theirs), None
        )
        if wrong is not None:
            where = f"row {number} of a batch of {len(lengths)}: " if len(lengths) > 1 else ""
            raise NotYet(
                f"{about}{where}length {length}, start {start}, masked {masked}, block_size {block}: place"
                f" {wrong} should hold {shown(right_row[wrong])}; yours holds {shown(row[wrong])}"
            )


def check(answer: Answer, rng: random.Random) -> Verdict:
    """One plain row, three at once, and rows of every kind, two batches of one shape among them, and a larger
    one; nothing changed in place.
    """
    given = (torch.tensor([6]), torch.tensor([2]), torch.tensor([3]), 10)
    same_rows(answer(*given), given)
    second = "of two batches of the same shape, the first is right and the second is not: "
    for rows, block, about in ((3, 16, ""), (12, 20, ""), (12, 20, second), (20, 400, "")):
        given = drawn(rng, rows, block)
        same_rows(again(answer, *given), given, about)
    plain = torch.tensor([6, 9]), torch.tensor([2, 4]), torch.tensor([3, 2])  # none is 0
    leaves_alone(answer, ("length", "start", "masked"), *plain, 12)
    return right("every row of the batch is made at once")


EXERCISE = Exercise(
    id="gather_corruption",
    title="Span corruption without a loop",
    order=7,
    points=4,
    difficulty=3,
    importance=4,
    minutes=20,
    source="this course; CS224n A5 2(e)",
    hints=(
        (
            "Do not move text. For each place of the row, compute where its character comes from. In the"
            " prefix, that is the place itself."
        ),
        (
            "A row has six runs: prefix, ⁇, suffix, ⁇, span, padding. At which place does each begin? Take"
            " the example: in the suffix, place 3 holds character 5. In general, `masked` characters are"
            " missing there and one ⁇ was added."
        ),
        (
            "Let place = torch.arange(block_size), and write start[:, None], length[:, None], masked[:,"
            " None]. The second ⁇ is at place length − masked + 1, and padding begins at length + 2. After"
            " the first ⁇ the source is place + masked − 1; after the second one it is start + place − second"
            " − 1. Apply torch.where once for each run, the last run last."
        ),
    ),
    check=check,
    optional=True,
    extra=True,
)
