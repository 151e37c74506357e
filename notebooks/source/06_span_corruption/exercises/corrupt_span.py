"""Exercise corrupt_span: cut a document, mask a span, and put it at the end."""

from __future__ import annotations

import random

from kqa_core.check.answer import Answer, Seeded
from kqa_core.check.exercise import Exercise, Verdict, expect, right
from kqa_core.exercise_helpers.corrupted_rows import AGAIN, CAPPED, cut_within_bounds, going_on, letters

LINE = (
    "Ōsada Ren. Ren was a weaver, born in Aberwyn, in a house by the sea that still stands, long before the"
    " railway came there."
)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """A long line, short ones, and a random one:
    is each row a row of its document, and do the draws come from rng?

    Two right rows of a line of 121 characters agree with probability below 1/100 (over a hundred kept
    lengths, and many spans of each), all twenty with less than 1e-38. Sixty right spans of a long document
    all start at its first character with probability below 2^-60. A right answer keeps all of a document of
    16 characters in 97/109 of the draws: in fewer than 25 of 60 with probability below 1e-18.
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
    whole = answer.map([(LINE[:16], 128, Seeded(rng.getrandbits(32))) for _ in range(60)])
    kept = sum(cut_within_bounds(LINE[:16], 128, row).length == 16 for row in whole)
    expect(kept >= 25, CAPPED.format(kept=kept, of=60, wanted=60 * 97 // 109))
    seeds = [rng.getrandbits(32) for _ in range(20)]
    first, second = (answer.map([(LINE, 128, Seeded(seed)) for seed in seeds]) for _ in range(2))
    expect(
        first == second,
        "with rng in the same state you return two different rows: draw every random number from rng only",
    )
    expect(len(set(map(str, first))) > 1, "twenty draws gave the same row: each call should draw anew")
    seed = rng.getrandbits(60)
    expect(len(set(map(str, answer.map([(LINE, 128, going_on(seed))] * 20)))) > 1, AGAIN.format("row"))
    alike = answer.map([("a" * 112, 128, Seeded(rng.getrandbits(32))) for _ in range(60)])
    expect(
        any(cut_within_bounds("a" * 112, 128, row).start for row in alike),
        "in a document of one repeated letter, your span always starts at the first character: cut it out"
        " where it is, not where its text occurs first",
    )
    return right(
        "every row is made of its document; a second check, after you submit, looks at how often each span is"
        " drawn"
    )


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
