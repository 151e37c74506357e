"""Exercise pretraining_batch: a batch of corrupted documents, without needless padding."""

from __future__ import annotations

import random

import torch

from kqa_core.check.answer import Answer, Seeded
from kqa_core.check.exercise import POSSIBLE, Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.read_values import kind_of
from kqa_core.exercise_helpers.corrupted_rows import (
    AGAIN,
    Cut,
    cut_of_indices,
    going_on,
    index_table,
    letters,
    shown,
)

Index = dict[str, int]


def read_batch(documents: list[str], block_size: int, stoi: Index, value: object) -> list[Cut]:
    """The span of each row of the batch `value`. Raises NotYet unless it is a batch of these documents."""
    if type(value) not in (tuple, list) or len(value) != 2:  # type: ignore[arg-type]  # the type is tested before the length
        raise NotYet(f"return two tensors, x and y; yours is {kind_of(value)}")
    found = []
    alike = ", which are equal" * (len(documents) > 1 == len(set(documents)))
    for name, part in zip("xy", value, strict=True):  # type: ignore[call-overload]  # a list or tuple, by now
        if not isinstance(part, torch.Tensor):
            raise NotYet(f"{name} must be a torch tensor; yours is {kind_of(part)}")
        expect(
            part.dtype is torch.int64, f"{name} must be a long tensor (torch.int64); yours is {part.dtype}"
        )
        expect(
            part.ndim == 2 and len(part) == len(documents) and part.shape[1] > 0,
            f"{name} must have a row for each of the {len(documents)} documents{alike}, so the shape"
            f" ({len(documents)}, T); yours is {tuple(part.shape)}",
        )
        found.append(part.tolist())
    xs, ys = found
    expect(
        len(xs[0]) == len(ys[0]),
        f"x and y must have the same shape; yours have {len(xs[0])} and {len(ys[0])} columns",
    )
    cuts = []
    for i, (x, y) in enumerate(zip(xs, ys, strict=True)):
        try:
            cuts.append(cut_of_indices(documents[i], block_size, stoi, x, y))
        except NotYet as wrong:
            # short rows fit by chance: one counts only if its own document has got another row
            other = next(
                (
                    j
                    for j, document in enumerate(documents)
                    if _is_row_of(document, block_size, stoi, x, y, 3)
                    or (
                        _is_row_of(document, block_size, stoi, x, y)
                        and not _is_row_of(document, block_size, stoi, xs[j], ys[j])
                    )
                ),
                i,
            )
            expect(
                other == i,
                f"of {len(documents)} documents, row {i} should be made of document {i}, in the order of the"
                f" list; yours is a row of document {other}, {shown(documents[other])}",
            )
            if len(documents) == 1:
                raise
            raise NotYet(f"row {i}: {wrong}") from None
    longest = max(cut.length for cut in cuts) + 2  # two marks
    expect(
        len(xs[0]) == longest - 1,
        f"the longest row of the batch has {longest} characters, so x and y should have {longest - 1}"
        f" columns; yours have {len(xs[0])}",
    )
    return cuts


def _is_row_of(
    document: str, block_size: int, stoi: Index, x: list[int], y: list[int], fewest: int = 0
) -> bool:
    """Whether x and y are a row of this document that keeps `fewest` characters or more."""
    try:
        return cut_of_indices(document, block_size, stoi, x, y).length >= fewest
    except NotYet:
        return False


def batches(rng: random.Random, sizes: list[list[int]]) -> list[tuple[list[str], int, Index, Seeded]]:
    """Calls with documents of these sizes, each with a block size and an order of
    the vocabulary of its own.
    """
    return [
        (
            [letters(rng, size) for size in each],
            rng.choice((16, 64, 128)),
            index_table(rng),
            Seeded(rng.getrandbits(40)),
        )
        for each in sizes
    ]


def many(rng: random.Random) -> tuple[list[str], int, Index, Seeded]:
    """200 documents at block 16, which keeps 4 to 14 characters: an answer that may keep 3 or 15 keeps all
    within these bounds with probability (11/12)^200 < 1e-7.
    """
    return [letters(rng, 20) for _ in range(200)], 16, index_table(rng), Seeded(rng.getrandbits(40))


def check(answer: Answer, rng: random.Random) -> Verdict:
    """A few batches, one of rows that fill the block; equal documents in one batch;
    and whether the draws come from rng.

    Two right rows of a document of 90 characters agree with probability below 1/100, so forty of them are
    never all alike.
    """
    calls = [*batches(rng, [[90, 30, 60], [12], [4, 2, 0, 7], [0, 0]]), many(rng)]
    for (documents, block, stoi, _), value in zip(calls, answer.map(calls), strict=True):
        cuts = read_batch(documents, block, stoi, value)
    lengths = {cut.length for cut in cuts}  # of `many`: none of 200 has 14 with probability 5e-9
    kept = max(lengths)
    expect(
        len(lengths) > 1,
        f"of 200 documents at block_size 16 you keep {kept} characters each time; the length should be drawn"
        " anew for each",
    )
    expect(
        kept == 14,
        f"of 200 documents at block_size 16 you keep {kept} characters at most; ⌊7/8·16⌋ is 14",
    )
    stoi, document, seed = index_table(rng), letters(rng, 90), rng.getrandbits(40)
    first, again = (
        read_batch([document] * 40, 128, stoi, answer([document] * 40, 128, stoi, Seeded(seed)))
        for _ in range(2)
    )
    expect(
        first == again,
        "for forty copies of a document of 90 characters, with rng in the same state, you return two"
        f" different batches. {POSSIBLE}a random number does not come from rng, or something is kept from an"
        " earlier call",
    )
    expect(
        len(set(first)) > 1,
        "forty copies of a document of 90 characters in a batch were all cut and masked in the same places;"
        " each row should be corrupted anew",
    )
    for count in (2, 1):
        same = [document] * count
        going = answer.map([(same, 128, stoi, going_on(seed + count))] * 20)
        expect(len({tuple(read_batch(same, 128, stoi, value)) for value in going}) > 1, AGAIN.format("batch"))
    return right("a batch of your own rows, ready for training")


EXERCISE = Exercise(
    id="pretraining_batch",
    title="Bring your rows from notebook 06",
    order=5,
    points=2,
    difficulty=2,
    importance=5,
    minutes=15,
    source="CS224n A5 2(e)",
    hints=(
        (
            "corrupt_span from notebook 06 makes each row. What must you know about all rows before you can"
            " pad the first one?"
        ),
        (
            "First make a list of all corrupted rows. Then pad each to the length of the longest, look up the"
            " indices, and make one tensor of shape (B, longest). Its columns give x and y."
        ),
        (
            "`rows = [corrupt_span(document, block_size, rng) for document in documents]`, `longest ="
            ' max(map(len, rows))`. `row.ljust(longest, "□")` pads a row. If `codes` is the tensor of all'
            " indices, x is `codes[:, :-1]`. What is y?"
        ),
    ),
    check=check,
)
