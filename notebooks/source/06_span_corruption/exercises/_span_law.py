"""The law that spans are drawn from, tested on many rows (corrupt_span).

Both checks use these tests, the hidden one on more rows. They refuse a right answer with probability below
1e-6 in all; each part says how. A right answer is one of any law of span lengths that the exercise allows.
The bounds on averages are worked out for span lengths whose spread, given L, is at most L/4 (uniform on
1 … L/2 has L/(2·√12) = 0.14·L).
"""

from __future__ import annotations

import math
import random
import statistics
from collections import Counter, defaultdict

from kqa_core.check.answer import Answer, Seeded
from kqa_core.check.exercise import expect
from kqa_core.exercise_helpers.corrupted_rows import CAPPED, Cut, cut_within_bounds, letters, longest_cut

SMALL_BLOCK = 20  # ⌊7/8·20⌋ is 17, and 7/8·20 rounded up is 18
LONG = 700  # characters of a document at block LONG_BLOCK, where 1½ of them are little against a quarter
LONG_BLOCK = 4_096
BINS = 10
# a bin holds Binomial(4000, 0.1); the exact chance of being off by more than 130 is 3e-11 (a test adds it up)
BIN_SLACK = 130
MEAN_SLACK = 1.5  # promised to the student
HALF_SLACK = 3.0  # for the shorter and the longer half of the kept texts alone


def draw(answer: Answer, document: str, block: int, count: int, rng: random.Random) -> list[Cut]:
    """`count` cuts of one document."""
    rows = answer.map([(document, block, Seeded(rng.getrandbits(40))) for _ in range(count)])
    return [cut_within_bounds(document, block, row) for row in rows]


def ends(cuts: list[Cut], block: int) -> None:
    """Every range is drawn from its first to its last value.

    At block 20 the kept length is one of 14: 3,000 draws miss one of them with probability 14·(13/14)^3000 <
    1e-90. How often each occurs is Binomial(3000, 1/14), with mean 214 and standard deviation 14.1: it is off
    by more than 100 (7 of them) with probability below 1e-10 for all 14. The span starts at 0, and ends the
    text, with probability at least 1/17 each: one is missed with 2·(16/17)^3000 < 1e-70. A span that is the
    whole text lies at both ends by itself and says nothing about where spans start: it does not count. With
    a quarter ± 1½ on average it is the whole of L ≥ 4 characters with probability at most (L/4 + ½)/(L − 1):
    over L = 4 … 17, 0.35 on average. Half of 3,000 is 17 standard deviations above.
    """
    lengths = {cut.length for cut in cuts}
    longest = longest_cut(block)
    never = f"in {len(cuts)} draws from a document of 40 characters at block_size {block}"
    expect(
        longest in lengths,
        f"the longest text you keep is too short: {never} you kept {max(lengths)} at most, ⌊7/8·{block}⌋ is"
        f" {longest}",
    )
    expect(
        4 in lengths,
        f"the shortest text you keep is too long: {never} you kept {min(lengths)} at least, 4 should occur",
    )
    counts = Counter(cut.length for cut in cuts)
    never_kept = sorted(set(range(4, longest + 1)) - lengths)
    expect(
        not never_kept,
        f"{never} you never kept {never_kept} characters; every length from 4 to {longest} should be"
        " possible",
    )
    expected = len(cuts) / (longest - 3)
    most = max(counts, key=lambda length: abs(counts[length] - expected))
    expect(
        abs(counts[most] - expected) <= 7.1 * math.sqrt(expected * (1 - expected / len(cuts))),
        f"all lengths should be equally likely: {never.replace('in', 'of', 1)}, you kept {most} characters in"
        f" {counts[most]}; about {expected:.0f} were expected",
    )
    whole = sum(cut.masked == cut.length for cut in cuts)
    expect(
        2 * whole <= len(cuts),
        f"{never} your span is the whole kept text {whole} times; it should be a quarter of it on average",
    )
    expect(
        any(cut.start > 0 for cut in cuts),
        f"{never} all your spans start at the first character; every position is equally likely",
    )
    expect(
        any(cut.start == 0 and cut.masked < cut.length for cut in cuts),
        f"{never} no span of yours that is shorter than the kept text starts at its first character; every"
        " position is equally likely",
    )
    expect(
        any(cut.start > 0 and cut.start + cut.masked == cut.length for cut in cuts),
        f"{never} no span of yours that is shorter than the kept text ends at its last character; every"
        " position is equally likely",
    )


def edges(cuts: list[Cut], deviations: float = 6.2) -> None:
    """The first and the last start are as likely as any other.

    Given L and m, each has probability p = 1/(L − m + 1). The number of spans at one end has mean Σp and
    variance Σp(1 − p). Σp is above 170 for every law at block 20, so it is close to normal. It is more than
    6.2 standard deviations away with probability below 1e-8. Where Σp is smaller (75 or more in `short`), 7.5
    are allowed: by Chernoff's bound, 1e-9.
    """
    chances = [1 / (cut.length - cut.masked + 1) for cut in cuts]
    wanted, sd = sum(chances), math.sqrt(sum(p * (1 - p) for p in chances))
    for where, found in (
        ("starts at the first character", sum(cut.start == 0 for cut in cuts)),
        ("ends at the last character", sum(cut.start + cut.masked == cut.length for cut in cuts)),
    ):
        often = "more" if found > wanted else "less"
        expect(
            abs(found - wanted) <= deviations * sd,
            f"your span {where} {often} often than it should: {found} times in {len(cuts)} draws that keep up"
            f" to {max(cut.length for cut in cuts)} characters; about {wanted:.0f} were expected",
        )


def each_length(cuts: list[Cut]) -> None:
    """Every kept length by itself has spans of a quarter on average, up to 1½ characters, and from 8
    characters on they vary.

    `ends` leaves 114 spans or more for each. The mean may be off by 1½ and 6 of its standard deviations,
    measured on the same spans. Of a mean that is close to normal, Student's t with 113 degrees of freedom is
    beyond 6 on one side with 1.3e-8: for 15 lengths 2e-7. A law whose commonest span has probability at most
    0.8 gives one length only with 0.8^114 < 1e-11.
    """
    seen: dict[int, list[int]] = defaultdict(list)
    for cut in cuts:
        seen[cut.length].append(cut.masked)
    for length, spans in sorted(seen.items()):
        mean = statistics.mean(spans)
        expect(
            abs(mean - length / 4) <= MEAN_SLACK + 6 * statistics.stdev(spans) / math.sqrt(len(spans)),
            f"where you keep {length} characters, your spans have {mean:.2f} on average; a quarter is"
            f" {length / 4:.2f}, and a deviation of 1½ is allowed",
        )
        expect(
            length < 8 or len(set(spans)) > 1,
            f"where you keep {length} characters, your {len(spans)} spans all have {spans[0]}: their"
            " length should be random, too",
        )


def short(cuts: list[Cut]) -> None:
    """In a document of 16 characters, spans are a quarter of what is kept, too, and vary.

    All 16 are kept in 97/109 of the draws: 890 of 1,000, with a standard deviation of 10; 7 of them are
    allowed. The mean span may be off by 1.5. With a spread of at most L/4 its mean has a standard deviation
    of at most 4/√890 = 0.13: 2.5 is 7 of them more. A law whose commonest span has probability at most 0.8
    gives one length only with 0.8^800 < 1e-70. The span ends at the document's last character as often as
    anywhere: see `edges`.
    """
    kept = sum(cut.length == 16 for cut in cuts)
    expect(
        abs(kept - len(cuts) * 97 / 109) <= 7 * math.sqrt(len(cuts) * 97 / 109 * 12 / 109),
        CAPPED.format(kept=kept, of=len(cuts), wanted=round(len(cuts) * 97 / 109)),
    )
    whole = {cut.masked for cut in cuts if cut.length == 16}
    expect(
        len(whole) > 1,
        f"where you keep a document of 16 characters whole, your {kept} spans all have {min(whole)}: their"
        " length should be random, too",
    )
    edges([cut for cut in cuts if cut.length == 16], deviations=7.5)
    off = [cut.masked - cut.length / 4 for cut in cuts if cut.length >= 12]
    mean = sum(off) / len(off)
    expect(
        abs(mean) <= 2.5,
        f"in a document of 16 characters your spans are {abs(mean):.1f} characters"
        f" {'longer' if mean > 0 else 'shorter'} than a quarter, on average",
    )


def long(answer: Answer, rng: random.Random) -> None:
    """In a document of 700 characters, spans are a quarter of what is kept, too, vary, and lie anywhere.

    All 700 are kept in 2,885 of 3,581 draws: about 2,420 of 3,000. Where their average is in doubt, three
    times as many decide. The mean of so many spans is close to normal. It is more than 5.5 of its standard
    deviations, measured on the same spans, from its expected value with probability below 4e-8.
    """
    document = letters(rng, LONG)

    def cuts(batches: int) -> list[Cut]:
        return [cut for _ in range(batches) for cut in draw(answer, document, LONG_BLOCK, 300, rng)]

    drawn = cuts(10)
    positions(drawn, rng)
    whole = [cut.masked for cut in drawn if cut.length == LONG]
    expect(
        len(whole) > 0.6 * len(drawn),
        f"of a document of {LONG} characters at block_size {LONG_BLOCK} you keep all in {len(whole)} of"
        f" {len(drawn)} draws; about {len(drawn) * 2_885 / 3_581:.0f} are expected",
    )
    expect(
        len(set(whole)) > 1,
        f"where you keep a document of {LONG} characters whole, your {len(whole)} spans all have {whole[0]}:"
        " their length should be random, too",
    )
    if _beyond(whole, 2.5):
        whole += [cut.masked for cut in cuts(20) if cut.length == LONG]
    off = statistics.mean(whole) - LONG / 4
    expect(
        not _beyond(whole, 5.5),
        f"in a document of {LONG} characters your spans are {abs(off):.1f} characters"
        f" {'longer' if off > 0 else 'shorter'} than a quarter, on average; 1½ is allowed",
    )


def _beyond(spans: list[int], deviations: float) -> bool:
    """Whether the mean of these spans of LONG characters is off by more than what is promised and so many of
    its standard deviations.
    """
    error = statistics.stdev(spans) / math.sqrt(len(spans))
    return abs(statistics.mean(spans) - LONG / 4) > MEAN_SLACK + deviations * error


def spaces(answer: Answer, rng: random.Random) -> None:
    """Spaces are kept: those at both ends of a document, and two in a row.

    A right answer keeps all of its 14 characters in 99/109 of the draws. It never does so in 30 with
    probability (10/109)^30 < 1e-31.
    """
    words = [letters(rng, 2).replace(" ", "x") for _ in range(3)]
    document = f"  {'  '.join(words)}  "
    cuts = draw(answer, document, 128, 30, rng)
    expect(
        any(cut.length == len(document) for cut in cuts),
        f"of a document of {len(document)} characters, the last two of which are spaces, about 27 of 30 draws"
        " should keep all, because the kept length is drawn from 4 to 112; yours keep"
        f" {max(cut.length for cut in cuts)} at most",
    )


def averages(cuts: list[Cut]) -> None:
    """The span is a quarter of the kept length on average:
    over all, and over the shorter and the longer texts.

    With a spread of at most L/4 given L, and L uniform on 4 … 112, masked − L/4 has standard deviation at
    most √(E[L²])/4 = 16.5. Over 4,000 draws the mean has 0.26, so a law with mean 0 passes ±1.5 but for 5.75
    deviations: 9e-9. The longer half (about 2,000 draws, √(E[L²])/4 = 21.7, mean's deviation 0.49) passes ±3
    but for 6.1: 1e-9. Uniform spans, whose mean may be off by ½, stay further inside. With fewer draws, the
    limits are as many deviations.
    """
    wider = math.sqrt(max(1.0, 4_000 / len(cuts)))
    of = f"in {len(cuts)} draws from a document of 130 characters at block_size 128"
    kept = sum(cut.length for cut in cuts)
    share = f"{100 * sum(cut.masked for cut in cuts) / kept:.0f} % of the kept text"
    excess = sum(cut.masked - cut.length / 4 for cut in cuts) / len(cuts)
    expect(
        abs(excess) <= MEAN_SLACK * wider,
        f"{of} your spans average {share}; they should average a quarter of it, whatever its length",
    )
    for half, said in ((range(0, 59), "short"), (range(59, 113), "long")):
        chosen = [cut.masked - cut.length / 4 for cut in cuts if cut.length in half]
        expect(
            len(chosen) >= len(cuts) // 20,
            f"{of} you keep a {said} text, {half[0]} to {half[-1]} characters, in {len(chosen)}; every length"
            " from 4 on should be equally likely",
        )
        off = sum(chosen) / len(chosen)
        expect(
            abs(off) <= HALF_SLACK * wider,
            f"{of} your spans are a quarter of the kept text on average, but not for {said} texts, {half[0]}"
            f" to {half[-1]} characters: there they are off by {off:+.0f} characters",
        )


def spread(cuts: list[Cut]) -> None:
    """Given the kept length, the span's length varies.

    A length that occurs 10 times or more with one span only is counted. For a law whose commonest span given
    L has probability at most ½, that happens with at most 2^-9 a length; half of the 97 lengths from 16 on
    doing so has probability below 1e-100.
    """
    seen: dict[int, list[int]] = defaultdict(list)
    for cut in cuts:
        if cut.length >= 16:
            seen[cut.length].append(cut.masked)
    often = [spans for spans in seen.values() if len(spans) >= 10]
    single = sum(len(set(spans)) == 1 for spans in often)
    expect(
        2 * single <= len(often),
        f"for {single} of {len(often)} kept lengths, each drawn ten times or more, all your spans have one"
        " length: it should be random, too",
    )


def positions(cuts: list[Cut], rng: random.Random) -> None:
    """Given its length, the span starts everywhere equally often.

    (start + V) / (number of starts), V uniform on [0, 1), is then uniform on [0, 1) exactly, whatever the law
    of the lengths. Each of 10 bins holds a Binomial(4000, 1/10) of them: see BIN_SLACK; ten bins: 3e-10. The
    same holds for the spans below a quarter of the text alone, and for the others alone, if there are 500 or
    more: of so few, a bin is off by as many deviations with probability below 1e-8.
    """
    short = [cut for cut in cuts if 4 * cut.masked < cut.length]
    others = [cut for cut in cuts if 4 * cut.masked >= cut.length]
    for which, chosen in (("", cuts), ("shorter ", short), ("longer ", others)):
        if len(chosen) >= 500:
            even(chosen, which, rng)


def even(cuts: list[Cut], which: str, rng: random.Random) -> None:
    """Raise NotYet unless these spans start everywhere equally often."""
    bins = [0] * BINS
    for cut in cuts:
        place = (cut.start + rng.random()) / (cut.length - cut.masked + 1)
        bins[min(int(place * BINS), BINS - 1)] += 1
    worst = max(range(BINS), key=lambda k: abs(bins[k] - len(cuts) / BINS))
    where = "beginning" if worst < 3 else "end" if worst > 6 else "middle"
    more = "more" if bins[worst] > len(cuts) / BINS else "less"
    crowded = f"your {which}spans lie {more} often at the {where} of the kept text than they should"
    fair = abs(bins[worst] - len(cuts) / BINS) <= BIN_SLACK * math.sqrt(len(cuts) / 4_000)
    expect(
        fair,
        f"{crowded}: of {len(cuts)}, {bins[worst]} start in the tenth of their places that has number"
        f" {worst + 1}; about {len(cuts) / BINS:.0f} are expected, because every position is equally likely",
    )
