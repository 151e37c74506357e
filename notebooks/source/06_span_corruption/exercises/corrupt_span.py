"""Exercise corrupt_span: cut a document, mask a span, and put it at the end."""

from __future__ import annotations

import random

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

from kqa_core.check.answer import Answer, Seeded
from kqa_core.check.exercise import POSSIBLE, Exercise, Verdict, expect, right
from kqa_core.exercise_helpers.corrupted_rows import AGAIN, cut_within_bounds, going_on, letters, shown

LINE = (
    "Ōsada Ren. Ren was a weaver, born in Aberwyn, in a house by the sea that still stands, long before the"
    " railway came there."
)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """A long line, short ones, and a random one:
    is each row a row of its document, do the draws come from rng, and is each span drawn as often as it
    should be?

    Two right rows of a line of 121 characters agree with probability below 1/100 (over a hundred kept
    lengths, and many spans of each), all twenty with less than 1e-38. Sixty right spans of a long document
    all start at its first character with probability below 2^-60. `_span_law` says how rarely it
    refuses a right answer.
    """
    documents = [
        (LINE, 128),
        (letters(rng, rng.randint(20, 200)), 16 * rng.randint(1, 8)),
        ("Zoë.", 128),
        ("Ada", 64),
        ("é", 16),
        ("", 16),
    ]
    calls = [
        (document, block, Seeded(rng.getrandbits(32))) for document, block in documents for _ in range(10)
    ]
    for (document, block, _), row in zip(calls, answer.map(calls), strict=True):
        cut_within_bounds(document, block, row)
    spaces(answer, rng)
    seeds = [rng.getrandbits(32) for _ in range(20)]
    for text in (letters(rng, 3), letters(rng, 7), LINE):
        first, second = (answer.map([(text, 128, Seeded(seed)) for seed in seeds]) for _ in range(2))
        expect(
            first == second,
            f"from {shown(text)}, with rng in the same state, you return two different rows. {POSSIBLE}a"
            " random number does not come from rng, or something is kept from an earlier call",
        )
    expect(
        len(set(map(str, first))) > 1,
        f"twenty draws with different seeds gave the same row, {first[0]!r}: each call should draw anew",
    )
    seed = rng.getrandbits(60)
    expect(len(set(map(str, answer.map([(LINE, 128, going_on(seed))] * 20)))) > 1, AGAIN.format("row"))
    drawn_as_often(answer, rng)
    alike = answer.map([("a" * 112, 128, Seeded(rng.getrandbits(32))) for _ in range(60)])
    expect(
        any(cut_within_bounds("a" * 112, 128, row).start for row in alike),
        "in a document of one letter, repeated 112 times, your span should start anywhere; in all of 60 draws"
        f" it starts at the first character. {POSSIBLE}it is cut out where its text occurs first, and not"
        " where it is",
    )
    return right("every row is made of its document, and thousands of rows are drawn as they should be")


def drawn_as_often(answer: Answer, rng: random.Random) -> None:
    """Raise NotYet if the kept lengths, the spans' lengths or their places occur too often or too rarely."""
    small = draw(answer, letters(rng, 40), SMALL_BLOCK, 3_000, rng)
    ends(small, SMALL_BLOCK)
    edges(small)
    each_length([*small, *draw(answer, letters(rng, 3), SMALL_BLOCK, 400, rng)])
    short(draw(answer, letters(rng, 16), 128, 1_000, rng))
    cuts = draw(answer, f"{letters(rng, 30)}. {letters(rng, 98)}", 128, 2_000, rng)
    averages(cuts)
    spread(cuts)
    positions(cuts, rng)
    long(answer, rng)


EXERCISE = Exercise(
    id="corrupt_span",
    title="Choose and mask a span",
    order=2,
    points=4,
    difficulty=3,
    importance=5,
    minutes=30,
    source="CS224n A5 2(e)",
    hints=(
        (
            "Three random numbers decide everything: how much is kept, how long the span is, where it starts."
            " Draw them in this order. Each has bounds that depend on the ones before."
        ),
        (
            "rng.randint(a, b) gives whole numbers from a to b, both included. In the worked example with L ="
            " 20, m was drawn from 1 to 9. What is the upper bound for any L? And from where to where can a"
            " span of m characters start?"
        ),
        (
            "The upper bound for m is L // 2 − 1, and the start goes from 0 to L − m. Then kept[:start] is"
            " the prefix, kept[start : start + m] the span, kept[start + m :] the suffix. Now try L = 0, 1, 2"
            " and 3 on paper: what must happen to the bounds of m there?"
        ),
    ),
    check=check,
)
