"""Answer key of real_share."""

from __future__ import annotations

import random

import numpy as np
import torch
from course_exercises.real_share import (
    BY_LENGTH,
    IN_ORDER,
    LENGTHS,
    LONG,
    LONG_BATCHES,
    UNEVEN,
    Batches,
    agrees,
)

from autograder.answer_key import AnswerKey, mistakes
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right


def drawn(rng: random.Random, count: int, size: int) -> tuple[list[int], Batches]:
    """Lengths from 2 to 60, and shuffled batches of this size; the last may have fewer."""
    lengths = [rng.randint(2, 60) for _ in range(count)]
    order = list(range(count))
    rng.shuffle(order)
    return lengths, [order[i : i + size] for i in range(0, count, size)]


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Random lengths, batches of one, and one large batch."""
    for count, size in ((9, 4), (50, 8), (12, 1), (30, 30), (41, 16), (200, 5)):
        agrees(answer, *drawn(rng, count, size))
    lengths, batches = drawn(rng, 20, 4)
    agrees(answer, lengths, batches[:3])
    agrees(answer, LONG, LONG_BATCHES)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """The same kinds."""
    return [
        *((LENGTHS, batches) for batches in (IN_ORDER, BY_LENGTH, UNEVEN)),
        drawn(rng, 30, 8),
        ([2, 7, 3, 4], [[0, 2]]),
        ([2, 7, 3, 4], [[1], [2, 0, 3]]),
    ]


def real_share(lengths, batches):
    """The reference."""
    real = sum(lengths[i] for batch in batches for i in batch)
    places = sum(len(batch) * max(lengths[i] for i in batch) for batch in batches)
    return real / places


def in_numpy(lengths, batches):
    """Rows of an array; a numpy scalar is returned."""
    lengths = np.array(lengths)
    rows = [lengths[np.array(batch)] for batch in batches]
    return np.concatenate(rows).sum() / np.sum([row.max() * row.size for row in rows])


def in_torch(lengths, batches):
    """The mean of the masks that a collate function would make."""
    masks = [
        torch.arange(max(lengths[i] for i in batch)) < torch.tensor([lengths[i] for i in batch])[:, None]
        for batch in batches
    ]
    return sum(mask.sum() for mask in masks) / sum(mask.numel() for mask in masks)


def by_padding(lengths, batches):
    """One minus the share of padding."""
    padding = places = 0
    for batch in batches:
        longest = max(lengths[i] for i in batch)
        padding += sum(longest - lengths[i] for i in batch)
        places += longest * len(batch)
    return 1 - padding / places


def weighted(lengths, batches):
    """The mean of the batches' shares, weighted by their places."""
    total, summed = 0, 0.0
    for batch in batches:
        own = [lengths[i] for i in batch]
        places = max(own) * len(own)
        summed += sum(own) / places * places
        total += places
    return summed / total


def with_rows(lengths, batches):
    """Makes the padded rows and counts."""
    cells = []
    for batch in batches:
        width = sorted(lengths[i] for i in batch)[-1]
        for i in batch:
            cells += [1] * lengths[i] + [0] * (width - lengths[i])
    return cells.count(1) / len(cells)


def by_sorted_batches(lengths, batches):
    """The longest is the last after sorting; counts padding up from the shortest."""
    real = places = 0
    for batch in batches:
        own = sorted(lengths[i] for i in batch)
        real, places = real + sum(own), places + own[-1] * len(own)
    return np.float32(real / places)


def mean_of_batches(lengths, batches):
    """Your share is the mean of the shares of the batches. A batch with more places counts more: add up
    first.
    """
    shares = [
        sum(lengths[i] for i in batch) / (len(batch) * max(lengths[i] for i in batch)) for batch in batches
    ]
    return sum(shares) / len(shares)


def widest_of_all(lengths, batches):
    """Every batch is padded to the longest sentence of all. Each batch is as wide as its own longest one."""
    real = sum(lengths[i] for batch in batches for i in batch)
    return real / (max(lengths) * sum(len(batch) for batch in batches))


def widest_batch(lengths, batches):
    """Every batch is padded to the same width. Each batch is as wide as its own longest sentence."""
    used = [lengths[i] for batch in batches for i in batch]
    return sum(used) / (max(used) * len(used))


def ratio_of_sizes(lengths, batches):
    """You divide the longest by the sum. Divide real tokens by places."""
    return sum(max(lengths[i] for i in batch) for batch in batches) / sum(
        lengths[i] for batch in batches for i in batch
    )


def numbers_taken(lengths, batches):
    """The sentence numbers are used as lengths. lengths[i] is the length of sentence i."""
    places = sum(len(batch) * max(lengths[i] for i in batch) for batch in batches)
    return sum(i for batch in batches for i in batch) / places


def all_lengths(lengths, batches):
    """The lengths of all sentences are added up. Only those in a batch count."""
    return sum(lengths) / sum(len(batch) * max(lengths[i] for i in batch) for batch in batches)


def equal_batches(lengths, batches):
    """Every batch counts with the size of the first one. The last may have fewer sentences."""
    real = sum(lengths[i] for batch in batches for i in batch)
    return real / sum(len(batches[0]) * max(lengths[i] for i in batch) for batch in batches)


def last_longest(lengths, batches):
    """The last sentence of a batch counts as its longest."""
    real = sum(lengths[i] for batch in batches for i in batch)
    return min(1.0, real / sum(len(batch) * lengths[batch[-1]] for batch in batches))


def mean_over_longest(lengths, batches):
    """You divide the mean length by the mean of the longest. Longer batches of more sentences have more
    places: add up tokens and places.
    """
    used = [lengths[i] for batch in batches for i in batch]
    longest = [max(lengths[i] for i in batch) for batch in batches]
    return min(1.0, (sum(used) / len(used)) / (sum(longest) / len(longest)))


CHANGED = mistakes(
    real_share,
    {
        "padding_share": (
            "You return the share of padding. Asked is the share of real tokens.",
            {"real / places": "1 - real / places"},
        ),
        "upside_down": (
            "You divide places by real tokens. Asked is the share of places that hold a real token.",
            {"real / places": "places / real"},
        ),
        "first_batch": (
            "Only the first batch counts. All batches count.",
            {
                "for batch in batches for": "for batch in batches[:1] for",
                "for batch in batches)": "for batch in batches[:1])",
            },
        ),
        "in_percent": (
            "You return a percentage. A share lies between 0 and 1.",
            {"real / places": "100 * real / places"},
        ),
    },
)

KEY = AnswerKey(
    id="real_share",
    hidden=hidden,
    reference=real_share,
    accepted=(in_numpy, in_torch, by_padding, weighted, with_rows, by_sorted_batches),
    rejected=(
        *(mean_of_batches, widest_of_all, widest_batch, ratio_of_sizes, numbers_taken, all_lengths),
        *(equal_batches, last_longest, mean_over_longest),
        *CHANGED,
    ),
    fingerprint=fingerprint,
    commentary=(
        "A batch of n sentences has n times the length of its longest sentence places. Tokens and places are"
        " added up over all batches, and the division comes last. The mean of the batches' shares is another"
        " number, because batches with long sentences have more places. The computer works on every place,"
        " real or not, so one divided by this share is about how much longer the epoch takes."
    ),
)
