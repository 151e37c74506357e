"""Answer key of pretraining_batch.

Judged is what this exercise adds: many rows, padding to the longest, the shift. How often a span is drawn is
judged in notebook 06.
"""

from __future__ import annotations

import random

import torch
from course_exercises.pretraining_batch import batches, many, read_batch
from course_keys import _batch_mistakes

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, Seeded
from kqa_core.check.exercise import POSSIBLE, Verdict, expect, right
from kqa_core.exercise_helpers.corrupted_rows import letters

SIZES = (
    [90],
    [3, 1, 2],
    [0],
    [0, 5],
    [250, 9, 60, 130],
    [20] * 9,
    [113, 112, 111],
    [400] * 3,
    [30, 200],
    [8, 8],
)


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Batches of every kind; then rows of one document,
    of which neighbours and ends differ (all alike: below 1e-20).
    """
    calls = [*batches(rng, [list(each) for each in SIZES * 3]), many(rng)]
    for (documents, block, stoi, _), value in zip(calls, answer.map(calls), strict=True):
        read_batch(documents, block, stoi, value)
    document, (_, _, stoi, _) = letters(rng, 120), calls[0]
    drawn = [([document] * 20, 128, stoi, Seeded(rng.getrandbits(40))) for _ in range(2)]
    first, second = (
        read_batch(call[0], 128, stoi, value) for call, value in zip(drawn, answer.map(drawn), strict=True)
    )
    expect(
        len(set(first)) > 1 and len(set(second)) > 1,
        "twenty copies of a document of 120 characters in a batch were all cut and masked in the same places;"
        " each row should be corrupted anew",
    )
    expect(
        first != second,
        "two batches of one document of 120 characters are alike, although rng has another seed."
        f" {POSSIBLE}the random numbers do not come from rng",
    )
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """A batch of each kind."""
    return [*batches(rng, [list(each) for each in SIZES]), many(rng)]


def pretraining_batch(documents, block_size, stoi, rng):
    """The reference. (Students paste their own corrupt_span above it.)"""

    def corrupt_span(document):
        kept = document[: rng.randint(4, block_size * 7 // 8)]
        masked = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
        start = rng.randint(0, len(kept) - masked)
        return kept[:start] + "⁇" + kept[start + masked :] + "⁇" + kept[start : start + masked]

    rows = [corrupt_span(document) for document in documents]
    longest = max(len(row) for row in rows)
    codes = torch.tensor([[stoi[character] for character in row.ljust(longest, "□")] for row in rows])
    return codes[:, :-1], codes[:, 1:]


def trimmed(documents, block_size, stoi, rng):
    """Stacks whole examples as in notebook 06, then cuts off the shared padding."""
    xs, ys = [], []
    for document in documents:
        n = min(len(document), rng.randint(4, int(block_size * 7 / 8)))
        size = min(n, 1 + rng.randrange(max(1, n // 2)))
        at = rng.randint(0, n - size)
        row = f"{document[:at]}⁇{document[at + size : n]}⁇{document[at : at + size]}".ljust(block_size, "□")
        indices = torch.tensor([stoi[character] for character in row], dtype=torch.long)
        xs.append(indices[:-1])
        ys.append(indices[1:])
    x, y = torch.stack(xs), torch.stack(ys)
    used = max(int((row != stoi["□"]).sum()) for row in y)
    return x[:, :used], y[:, :used]


def filled_in(documents, block_size, stoi, rng):
    """Writes each row into a tensor of padding."""
    rows = []
    for document in documents:
        kept = list(document)[: rng.choice(range(4, block_size * 7 // 8 + 1))]
        size = min(len(kept), rng.randint(1, max(1, len(kept) // 2)))
        at = rng.randrange(len(kept) - size + 1)
        rows.append([*kept[:at], "⁇", *kept[at + size :], "⁇", *kept[at : at + size]])
    out = torch.full((len(rows), max(map(len, rows))), stoi["□"], dtype=torch.int64)
    for number, row in enumerate(rows):
        for place, character in enumerate(row):
            out[number, place] = stoi[character]
    return [out[:, :-1].clone(), out[:, 1:].clone()]


def with_pad_sequence(documents, block_size, stoi, rng):
    """torch's own padding."""
    rows = []
    for document in documents:
        kept = document[: 4 + int(rng.random() * (block_size * 7 // 8 - 3))]
        size = max(min(1, len(kept)), sum(rng.random() < 0.25 for _ in kept))
        at = rng.randint(0, len(kept) - size)
        text = "⁇".join([kept[:at], kept[at + size :], kept[at : at + size]])
        rows.append(torch.tensor([stoi[character] for character in text]))
    padded = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=stoi["□"])
    return padded.narrow(1, 0, padded.shape[1] - 1), padded.narrow(1, 1, padded.shape[1] - 1)


def in_columns(documents, block_size, stoi, rng):
    """Builds the columns and transposes, so that x and y are not contiguous."""
    rows = []
    for document in documents:
        kept = document[: rng.randint(4, block_size * 7 // 8)]
        size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
        at = rng.randint(0, len(kept) - size)
        rows.append(kept[:at] + "⁇" + kept[at + size :] + "⁇" + kept[at : at + size])
    longest = len(max(rows, key=len))
    columns = [
        torch.tensor([stoi[row[place]] if place < len(row) else stoi["□"] for row in rows])
        for place in range(longest)
    ]
    return torch.stack(columns[:-1]).t(), torch.stack(columns[1:]).t()


KEY = AnswerKey(
    id="pretraining_batch",
    hidden=hidden,
    reference=pretraining_batch,
    accepted=(trimmed, filled_in, with_pad_sequence, in_columns),
    rejected=_batch_mistakes.REJECTED,
    fingerprint=fingerprint,
    commentary="""
    All rows are made first, because only then is the length of the longest one known. Every row is padded to
    this length, and not to `block_size`, so no column is padding only. Columns of padding would change
    nothing, because the loss ignores padding, but they cost as much computing time as any other. x is all
    columns but the last, y all but the first, so y[t] is always the character after x[t]. The most common
    mistake is to use one random state for all rows, so that every document of a batch loses the same
    characters.
    """,
)
