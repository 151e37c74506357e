"""Answer key of corruption_example.

Judged is what this exercise adds: padding, indices, the move by one. How the cut is distributed is
corrupt_span's matter, so an answer that calls a corrupt_span of its own with some bias in it is right here.
"""

from __future__ import annotations

import random

import numpy as np
import torch
from course_exercises.corruption_example import example_of

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, Seeded
from kqa_core.check.exercise import Verdict, expect, right
from kqa_core.exercise_helpers.corrupted_rows import index_table, letters


def examples(rng: random.Random, each: int) -> list[tuple[object, ...]]:
    """Calls with documents of every length, several blocks, and a vocabulary in another order each."""
    calls: list[tuple[object, ...]] = []
    for size in (0, 1, 2, 3, 4, 5, 9, 28, 60, 113, 250):
        for block in (16, 63, 128):
            document, stoi = letters(rng, size), index_table(rng)
            calls += [(document, block, stoi, Seeded(rng.getrandbits(40))) for _ in range(each)]
    return calls


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Each example is one of its document; forty of a long one are not all alike
    (right ones are with probability < 1e-50).
    """
    calls = examples(rng, 4)
    # one row of eleven fills its block; none of 240 does with probability 1e-10
    calls += [(letters(rng, 40), 16, index_table(rng), Seeded(rng.getrandbits(40))) for _ in range(240)]
    cuts = [
        example_of(document, block, stoi, value)  # type: ignore[arg-type]  # the calls' arguments have lost their types
        for (document, block, stoi, _), value in zip(calls, answer.map(calls), strict=True)
    ]
    kept = max(cut.length for cut in cuts[-240:])
    expect(
        kept == 14,
        f"in 240 examples at block_size 16 you keep {kept} characters at most; ⌊7/8·16⌋ is 14",
    )
    document, stoi = letters(rng, 200), index_table(rng)
    values = answer.map([(document, 128, stoi, Seeded(rng.getrandbits(40))) for _ in range(40)])
    cuts = [example_of(document, 128, stoi, value) for value in values]
    expect(len(set(cuts)) > 1, "forty draws gave the same example: each call should draw anew")
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """One example of each kind."""
    return examples(rng, 1)


def corruption_example(document, block_size, stoi, rng):
    """The reference. (With corrupt_span it is three lines; here it stands alone.)"""
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    masked = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, len(kept) - masked)
    row = kept[:start] + "⁇" + kept[start + masked :] + "⁇" + kept[start : start + masked]
    row = row + "□" * (block_size - len(row))
    indices = torch.tensor([stoi[character] for character in row], dtype=torch.long)
    return indices[:-1], indices[1:]


def as_the_original_does(document, block_size, stoi, rng):
    """Two strings, two tensors."""
    n = min(len(document), rng.randint(4, block_size * 7 // 8))
    size = min(n, rng.randint(1, max(1, n // 2 - 1)))
    at = rng.randint(0, n - size)
    text = document[:at] + "⁇" + document[at + size : n] + "⁇" + document[at : at + size]
    text += "□" * (block_size - len(text))
    x, y = text[:-1], text[1:]
    return torch.tensor([stoi[c] for c in x]), torch.tensor([stoi[c] for c in y])


def filled_in(document, block_size, stoi, rng):
    """A full tensor of padding that the row is written into."""
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, len(kept) - size)
    row = torch.full((block_size,), stoi["□"], dtype=torch.int64)
    text = kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]
    for place, character in enumerate(text):
        row[place] = stoi[character]
    return row[:-1].clone(), row[1:].clone()


def with_a_numpy_array(document, block_size, stoi, rng):
    """An array of indices, and a concatenation of its pieces."""
    codes = np.array([stoi[c] for c in document], dtype=np.int64)[: rng.randint(4, block_size * 7 // 8)]
    size = min(len(codes), rng.randint(1, max(1, len(codes) // 2 - 1)))
    start = rng.randint(0, len(codes) - size)
    mark, pad = np.array([stoi["⁇"]]), np.array([stoi["□"]])
    pieces = [codes[:start], mark, codes[start + size :], mark, codes[start : start + size]]
    row = np.concatenate([*pieces, pad.repeat(block_size - len(codes) - 2)])
    return torch.from_numpy(row[:-1].copy()).long(), torch.from_numpy(row[1:].copy()).long()


def by_ljust(document, block_size, stoi, rng):
    """A list of two tensors, from a string filled up by ljust."""
    limit = rng.choice(range(4, block_size * 7 // 8 + 1))
    kept = document[:limit]
    size = min(len(kept), 1 + int(rng.random() * max(1, len(kept) // 2 - 1)))
    start = rng.choice(range(len(kept) - size + 1))
    text = "⁇".join([kept[:start], kept[start + size :], kept[start : start + size]]).ljust(block_size, "□")
    codes = list(map(stoi.__getitem__, text))
    return [torch.LongTensor(codes[:-1]), torch.LongTensor(codes[1:])]


def not_moved(document, block_size, stoi, rng):
    """Your y is the same as x, so the model would only have to copy its input.
    y[t] must be the character that follows x[t].
    """
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    masked = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, len(kept) - masked)
    row = kept[:start] + "⁇" + kept[start + masked :] + "⁇" + kept[start : start + masked]
    row = row + "□" * (block_size - len(row))
    indices = torch.tensor([stoi[character] for character in row], dtype=torch.long)
    return indices[:-1], indices[:-1].clone()


def moved_backwards(document, block_size, stoi, rng):
    """You swapped x and y: y[t] is now the character before x[t]. It must be the one after it."""
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    masked = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, len(kept) - masked)
    row = kept[:start] + "⁇" + kept[start + masked :] + "⁇" + kept[start : start + masked]
    row = row + "□" * (block_size - len(row))
    indices = torch.tensor([stoi[character] for character in row], dtype=torch.long)
    return indices[1:], indices[:-1]


def padded_in_front(document, block_size, stoi, rng):
    """You pad before the row. The padding comes after it."""
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    masked = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, len(kept) - masked)
    row = kept[:start] + "⁇" + kept[start + masked :] + "⁇" + kept[start : start + masked]
    row = "□" * (block_size - len(row)) + row
    indices = torch.tensor([stoi[character] for character in row], dtype=torch.long)
    return indices[:-1], indices[1:]


def padded_before_the_span(document, block_size, stoi, rng):
    """You pad between the second ⁇ and the span.
    The span follows the ⁇ directly, and the padding comes last.
    """
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    masked = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, len(kept) - masked)
    row = kept[:start] + "⁇" + kept[start + masked :] + "⁇"
    row = row + "□" * (block_size - len(row) - masked) + kept[start : start + masked]
    indices = torch.tensor([stoi[character] for character in row], dtype=torch.long)
    return indices[:-1], indices[1:]


def padded_with_zero(document, block_size, stoi, rng):
    """You pad with the index 0. Use stoi["□"]: the dictionary decides which index □ has."""
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    masked = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, len(kept) - masked)
    row = kept[:start] + "⁇" + kept[start + masked :] + "⁇" + kept[start : start + masked]
    codes = [stoi[character] for character in row] + [0] * (block_size - len(row))
    indices = torch.tensor(codes, dtype=torch.long)
    return indices[:-1], indices[1:]


def padded_with_the_mark(document, block_size, stoi, rng):
    """You pad the row with ⁇. The padding character is □."""
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    masked = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, len(kept) - masked)
    row = kept[:start] + "⁇" + kept[start + masked :] + "⁇" + kept[start : start + masked]
    row = row + "⁇" * (block_size - len(row))
    indices = torch.tensor([stoi[character] for character in row], dtype=torch.long)
    return indices[:-1], indices[1:]


def not_padded(document, block_size, stoi, rng):
    """You do not pad the row. Rows of different lengths cannot be stacked into a batch."""
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    masked = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, len(kept) - masked)
    row = kept[:start] + "⁇" + kept[start + masked :] + "⁇" + kept[start : start + masked]
    indices = torch.tensor([stoi[character] for character in row], dtype=torch.long)
    return indices[:-1], indices[1:]


def one_too_long(document, block_size, stoi, rng):
    """Your x and y have block_size characters. The row has, and x and y are each one shorter."""
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    masked = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, len(kept) - masked)
    row = kept[:start] + "⁇" + kept[start + masked :] + "⁇" + kept[start : start + masked]
    row = row + "□" * (block_size + 1 - len(row))
    indices = torch.tensor([stoi[character] for character in row], dtype=torch.long)
    return indices[:-1], indices[1:]


def as_floats(document, block_size, stoi, rng):
    """Your tensors hold floats. An embedding needs whole numbers: use dtype=torch.long."""
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    masked = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, len(kept) - masked)
    row = kept[:start] + "⁇" + kept[start + masked :] + "⁇" + kept[start : start + masked]
    row = row + "□" * (block_size - len(row))
    indices = torch.tensor([float(stoi[character]) for character in row])
    return indices[:-1], indices[1:]


def as_lists(document, block_size, stoi, rng):
    """You return lists of numbers. Make a long tensor of each."""
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    masked = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, len(kept) - masked)
    row = kept[:start] + "⁇" + kept[start + masked :] + "⁇" + kept[start : start + masked]
    codes = [stoi[character] for character in row + "□" * (block_size - len(row))]
    return codes[:-1], codes[1:]


def target_of_the_span_only(document, block_size, stoi, rng):
    """You replace the part of y before the span by □, as in finetuning.
    In pretraining every character of the row is a target.
    """
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    masked = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, len(kept) - masked)
    row = kept[:start] + "⁇" + kept[start + masked :] + "⁇" + kept[start : start + masked]
    asked = "□" * (len(kept) - masked + 2) + kept[start : start + masked]
    row, asked = row.ljust(block_size, "□"), asked.ljust(block_size, "□")
    x, y = ([stoi[character] for character in text] for text in (row[:-1], asked[1:]))
    return torch.tensor(x, dtype=torch.long), torch.tensor(y, dtype=torch.long)


def padding_in_x_only(document, block_size, stoi, rng):
    """You pad y with ⁇. It is the padded row without its first character, so its padding is □ as well."""
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    masked = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, len(kept) - masked)
    row = kept[:start] + "⁇" + kept[start + masked :] + "⁇" + kept[start : start + masked]
    x, y = row.ljust(block_size - 1, "□"), row[1:].ljust(block_size - 1, "⁇")
    return torch.tensor([stoi[c] for c in x], dtype=torch.long), torch.tensor(
        [stoi[c] for c in y], dtype=torch.long
    )


def one_seed_for_all(document, block_size, stoi, rng):
    """Every call draws from a generator that starts with the same seed, so a document always gets the same
    mask. Use the rng that is passed in, as it is.
    """
    own = random.Random(0)
    kept = document[: own.randint(4, block_size * 7 // 8)]
    masked = min(len(kept), own.randint(1, max(1, len(kept) // 2 - 1)))
    start = own.randint(0, len(kept) - masked)
    row = kept[:start] + "⁇" + kept[start + masked :] + "⁇" + kept[start : start + masked]
    row = row + "□" * (block_size - len(row))
    indices = torch.tensor([stoi[character] for character in row], dtype=torch.long)
    return indices[:-1], indices[1:]


KEY = AnswerKey(
    id="corruption_example",
    hidden=hidden,
    reference=corruption_example,
    accepted=(as_the_original_does, filled_in, with_a_numpy_array, by_ljust),
    rejected=(
        *(
            not_moved,
            moved_backwards,
            padded_in_front,
            padded_before_the_span,
            padded_with_zero,
            padded_with_the_mark,
        ),
        *(
            not_padded,
            one_too_long,
            as_floats,
            as_lists,
            target_of_the_span_only,
            padding_in_x_only,
            one_seed_for_all,
        ),
    ),
    fingerprint=fingerprint,
    commentary="""
    With `corrupt_span`, three lines are enough: corrupt and pad the row, look up its characters, and return
    it once without its last and once without its first character. (The reference repeats the corruption, so
    that it can be graded alone.) x and y come from the *same* padded row, so y[t] is always x[t + 1], in the
    padding, too. The padding has the index that `stoi` gives it. The most common mistake is to pad x and y
    separately, or before the shift to `block_size - 1` characters.
    """,
)
