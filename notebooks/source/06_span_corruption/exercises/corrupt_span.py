"""Exercise corrupt_span: cut a document, mask a span, and put it at the end."""

from __future__ import annotations

import random

from course_exercises._rows import cut_within_bounds, letters

from kqa_core.check.answer import Answer, Seeded
from kqa_core.check.exercise import Exercise, Verdict, expect, right

LINE = (
    "Ōsada Ren. Ren was a weaver, born in Aberwyn, in a house by the sea that still stands, long before the railway came there."
)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """A long line, short ones, and a random one: is each row a row of its document, and do the draws come from rng?

    Two right rows of a line of 121 characters agree with probability below 1/100 (over a hundred kept lengths, and many spans of
    each), all twenty with less than 1e-38.
    """
    documents = [
        (LINE, 128),
        (letters(rng, rng.randint(20, 200)), 16 * rng.randint(1, 8)),
        ("Zoë.", 128),
        ("Ada", 64),
        ("é", 16),
        ("", 16),
    ]
    calls = [(document, block, Seeded(rng.getrandbits(32))) for document, block in documents for _ in range(10)]
    for (document, block, _), row in zip(calls, answer.map(calls), strict=True):
        cut_within_bounds(document, block, row)
    seeds = [rng.getrandbits(32) for _ in range(20)]
    first, second = (answer.map([(LINE, 128, Seeded(seed)) for seed in seeds]) for _ in range(2))
    expect(
        first == second,
        "with rng in the same state you gave two different rows: draw every random number from rng, and from nothing else",
    )
    expect(len(set(map(str, first))) > 1, "twenty draws gave the same row: each call should draw anew")
    return right("every row is made of its document; the hidden check also looks at how often each cut is drawn")


EXERCISE = Exercise(
    id="corrupt_span",
    title="Choose and hide a span",
    order=2,
    points=4,
    difficulty=3,
    importance=5,
    minutes=30,
    source="CS224n A5 2(e)",
    hints=(
        "Three random numbers decide everything: how much is kept, how long the span is, where it starts. Draw them in that "
        "order, each within bounds that the ones before allow.",
        "rng.randint(a, b) gives a, b and everything between. A whole number drawn evenly from 1 to n averages (n + 1) / 2: for "
        "which n is that a quarter of the kept length? And for a span of m characters in a text of L, which starts are possible?",
        "Say 20 characters are kept. Spans of 1 to 9 average 5, a quarter of 20. A span of 6 can start at 0, 1, … 14, and each "
        "should be equally likely. Then cut the kept text twice: before the span and behind it. With 3 characters or fewer kept, "
        "check what your bounds become.",
    ),
    check=check,
)
