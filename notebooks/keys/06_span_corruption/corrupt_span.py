"""Answer key of corrupt_span.

The hidden check looks at 4,000 rows of a long document at block 128, 3,000 at block 20, 1,400 of short
documents, and 3,000 or more of 700 characters at block 4,096. The visible check makes the same tests on
fewer rows (`course_exercises._span_law`).
"""

from __future__ import annotations

import math
import random

import numpy as np
from course_exercises._span_law import (
    SMALL_BLOCK,
    averages,
    draw,
    each_length,
    edges,
    ends,
    long,
    positions,
    short,
    spaces,
    spread,
)
from course_keys import _corrupt_span_mistakes

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, Seeded
from kqa_core.check.exercise import Verdict, right
from kqa_core.exercise_helpers.corrupted_rows import letters

DRAWS = 4_000  # at block 128
SMALL_DRAWS = 3_000  # at this block, where the ends of every range are seen
SHORT_DRAWS = 1_000  # of a document of 16 characters
SHORTEST_DRAWS = 400  # of a document of 3 characters


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Structure on documents of every length, then the distribution."""
    for size in (0, 1, 2, 3, 4, 5, 7, 11, 40, 112, 113, 300):
        for block in (16, 64, 128, 130):
            draw(answer, letters(rng, size), block, 6, rng)
    spaces(answer, rng)
    small = draw(answer, letters(rng, 40), SMALL_BLOCK, SMALL_DRAWS, rng)
    ends(small, SMALL_BLOCK)
    edges(small)
    each_length([*small, *draw(answer, letters(rng, 3), SMALL_BLOCK, SHORTEST_DRAWS, rng)])
    short(draw(answer, letters(rng, 16), 128, SHORT_DRAWS, rng))
    cuts = draw(answer, f"{letters(rng, 30)}. {letters(rng, 98)}", 128, DRAWS, rng)
    averages(cuts)
    spread(cuts)
    positions(cuts, rng)
    long(answer, rng)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Long, short and shortest documents, and one that repeats itself, at two block sizes."""
    sizes = (170, 170, 170, 170, 60, 60, 60, 40, 40, 40, 12, 12, 7, 7, 5, 4, 3, 2, 1, 0)
    documents = [*(letters(rng, size) for size in sizes), "ab" * 60]
    return [(document, block, Seeded(rng.getrandbits(32))) for document in documents for block in (128, 16)]


def corrupt_span(document, block_size, rng):
    """The reference."""
    length = min(len(document), rng.randint(4, block_size * 7 // 8))
    kept = document[:length]
    masked = min(length, rng.randint(1, max(1, length // 2 - 1)))
    start = rng.randint(0, length - masked)
    prefix, span, suffix = kept[:start], kept[start : start + masked], kept[start + masked :]
    return prefix + "⁇" + suffix + "⁇" + span


def by_coins(document, block_size, rng):
    """A quarter of the characters by coins: a binomial length."""
    kept = document[: max(4, int(rng.random() * (int(block_size * 7 / 8) - 3)) + 4)]
    size = sum(rng.random() < 0.25 for _ in kept)
    size = max(min(1, len(kept)), size)
    start = int(rng.random() * (len(kept) - size + 1))
    cut = [kept[:start], kept[start + size :], kept[start : start + size]]
    return "⁇".join(cut)


def with_numpy(document, block_size, rng):
    """A numpy generator that is seeded from rng."""
    draws = np.random.default_rng(rng.getrandbits(64))
    kept = document[: int(draws.integers(4, block_size * 7 // 8, endpoint=True))]
    n = len(kept)
    size = min(n, int(draws.integers(1, max(2, n // 2))))
    start = int(draws.integers(0, n - size + 1))
    return f"{kept[:start]}⁇{kept[start + size :]}⁇{kept[start : start + size]}"


def by_triangle(document, block_size, rng):
    """A triangular span length around a quarter, and a list of all positions to choose from."""
    kept = document[: math.floor(rng.random() * (block_size * 7 // 8 - 3)) + 4]
    size = int(rng.triangular(0, len(kept) / 2, len(kept) / 4) + 0.5)
    size = min(max(size, 1), len(kept))
    start = rng.choice([*range(len(kept) - size + 1)])
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def rotated(document, block_size, rng):
    """Draws the start first, from the number of positions there are, and walks."""
    limit = rng.choice(list(range(4, block_size * 7 // 8 + 1)))
    characters = list(document)[:limit]
    count = len(characters)
    size = 1 + int(rng.random() * max(1, count // 2 - 1)) if count else 0
    position = int(rng.random() * (count - size + 1))
    row = []
    for index, character in enumerate(characters):
        if index == position:
            row.append("⁇")
        if not position <= index < position + size:
            row.append(character)
    if position >= count:
        row.append("⁇")
    return "".join(row) + "⁇" + "".join(characters[position : position + size])


def up_to_half(document, block_size, rng):
    """The commonest way: from 1 to half of what is kept, half a character over a quarter on average."""
    kept = document[: rng.randint(4, int(7 * block_size / 8))]
    if len(kept) < 2:
        return "⁇⁇" + kept
    size = rng.randint(1, len(kept) // 2)
    start = rng.randrange(len(kept) - size + 1)
    end = start + size
    return f"{kept[:start]}⁇{kept[end:]}⁇{kept[start:end]}"


def around_a_quarter(document, block_size, rng):
    """A bell curve around a quarter, rounded and kept within bounds."""
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    size = round(rng.gauss(len(kept) / 4, len(kept) / 12))
    size = sorted((min(1, len(kept)), size, len(kept)))[1]
    start = rng.choice(list(range(len(kept) + 1 - size)))
    return "⁇".join((kept[:start], kept[start + size :], kept[start : start + size]))


KEY = AnswerKey(
    id="corrupt_span",
    hidden=hidden,
    reference=corrupt_span,
    accepted=(by_coins, with_numpy, by_triangle, rotated, up_to_half, around_a_quarter),
    rejected=_corrupt_span_mistakes.REJECTED,
    fingerprint=fingerprint,
    commentary=r"""
    Draw in the order kept length, span length, start: each number then has bounds that are already known.
    Every span length from 1 to $\lfloor L/2\rfloor - 1$ is equally likely. The mean is
    $\lfloor L/2\rfloor/2$, that is, a quarter of the kept length. For very short texts this upper bound would
    be 0 or negative, so it is raised to 1, and the span is never longer than the text. Every start from 0 to
    $L-m$ is equally likely, both ends included. The most common mistake is to draw a start and then an end
    after it: the average is right, but short spans crowd at the end of the text. The second most common one
    is a generator with a fixed seed, which masks the same span in every epoch.
    """,
)
