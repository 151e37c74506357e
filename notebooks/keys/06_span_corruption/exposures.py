"""Answer key of exposures. Nothing random is judged: the law is given, the expectation is exact."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import torch
from course_exercises.exposures import judge

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady

Law = dict[tuple[int, int], float]


def random_law(rng: random.Random) -> Law:
    """Up to 30 pairs (L, m) with unequal probabilities,
    spans of one character and spans of all among them.
    """
    pairs = {(length, length) for length in (rng.randint(4, 20),)} | {(rng.randint(4, 60), 1)}
    while len(pairs) < rng.randint(8, 30):
        length = rng.randint(4, 112)
        pairs.add((length, rng.randint(1, max(1, length // 2))))
    weights = [rng.random() + 0.05 for _ in pairs]
    drawn = rng.sample(sorted(pairs), len(pairs))
    return {pair: weight / sum(weights) for pair, weight in zip(drawn, weights, strict=True)}


def whole_law(block: int) -> Law:
    """Lengths uniform on 4 … ⌊7/8·block⌋, spans uniform on 1 … ⌊L/3⌋:
    one of many laws, of a size that training has.
    """
    lengths = range(4, block * 7 // 8 + 1)
    return {(n, m): 1 / len(lengths) / (n // 3) for n in lengths for m in range(1, n // 3 + 1)}


def expected(law: Law, start: int, stop: int, epochs: int) -> float:
    """By counting every start."""
    total = Fraction(0)
    for (length, masked), probability in law.items():
        starts = range(length - masked + 1)
        total += Fraction(probability) * Fraction(
            sum(s <= start and s + masked >= stop for s in starts), len(starts)
        )
    return float(total * epochs)


def calls(rng: random.Random) -> list[tuple[object, ...]]:
    """Places early and late, short and long, some never wholly inside any span;
    and a law as large as a real one.
    """
    drawn: list[tuple[object, ...]] = []
    for _ in range(14):
        start = rng.choice((0, 1, rng.randint(0, 10), rng.randint(2, 60)))
        drawn.append(
            (
                random_law(rng),
                start,
                start + rng.choice((1, 2, 3, rng.randint(1, 12))),
                rng.choice((1, 650, rng.randint(2, 99))),
            )
        )
    long = {(100, 70): 0.3, (80, 50): 0.45, (60, 40): 0.25}  # its spans cover long places, too
    drawn += [(long, 12, 12 + rng.randint(15, 38), 99), (long, 0, 30, 650)]
    again = dict(zip(long, (0.25, 0.3, 0.45), strict=True))  # the same pairs, other probabilities
    share = rng.randint(200, 900) * 1e-7
    rare = {(9, 2): 1 - share, (5, 3): share}
    longer = {(700, 400): 0.4, (rng.randint(300, 600), 150): 0.35, (20, 3): 0.25}
    drawn += [(again, 0, 30, 650), (rare, 0, 3, 1), (rare, 0, 3, 10**6)]
    drawn += [(longer, 200, 200 + rng.randint(1, 90), 650), (longer, 299, 301, 77)]
    return [
        *drawn,
        (whole_law(64), 30, 37, 650),
        (random_law(rng), 3, 60, 650),
        (random_law(rng), 200, 204, 650),
    ]


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Two dozen laws and places; the first one many times."""
    drawn = calls(rng)
    for (law, start, stop, epochs), value in zip(drawn, answer.map(drawn), strict=True):
        judge(law, start, stop, epochs, expected(law, start, stop, epochs), value)  # type: ignore[arg-type]  # mixed arguments
    steady(answer, *drawn[0])
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """The same kinds of laws and places."""
    return calls(rng)


def exposures(law, start, stop, epochs):
    """The reference."""
    expected = 0.0
    for (length, masked), probability in law.items():
        first, last = max(0, stop - masked), min(start, length - masked)
        expected += probability * max(0, last - first + 1) / (length - masked + 1)
    return epochs * expected


def by_trying_every_start(law, start, stop, epochs):
    """Counts."""
    total = 0.0
    for (length, masked), probability in law.items():
        starts = range(length - masked + 1)
        hits = [s for s in starts if s <= start and stop <= s + masked]
        total += probability * len(hits) / len(starts)
    return total * epochs


def by_sets(law, start, stop, epochs):
    """Every span as a set of characters."""
    place = set(range(start, stop))
    share = 0.0
    for (n, m), p in law.items():
        spans = [set(range(s, s + m)) for s in range(n - m + 1)]
        share += p * sum(place <= span for span in spans) / len(spans)
    return share * epochs


def in_one_tensor(law, start, stop, epochs):
    """All pairs at once."""
    pairs = torch.tensor(list(law), dtype=torch.float64)
    p = torch.tensor(list(law.values()), dtype=torch.float64)
    starts = pairs[:, 0] - pairs[:, 1]
    last = torch.minimum(starts, torch.tensor(float(start), dtype=torch.float64))
    first = (stop - pairs[:, 1]).clamp(min=0)
    return epochs * (p * (last - first + 1).clamp(min=0) / (starts + 1)).sum()


def in_fractions(law, start, stop, epochs):
    """Exact shares, turned into a float at the end; the place must be kept, too."""
    total = Fraction(0)
    for (n, m), p in law.items():
        if n >= stop and m >= stop - start:
            total += Fraction(p) * Fraction(min(start, n - m) - max(stop - m, 0) + 1, n - m + 1)
    return float(epochs * total)


def with_numpy(law, start, stop, epochs):
    """A row of 0 and 1 for the starts of each pair, and its mean."""
    shares = []
    for (n, m), p in law.items():
        s = np.arange(n - m + 1)
        shares.append(p * np.mean((s <= start) & (s + m >= stop)))
    return epochs * np.sum(shares)


def in_one_epoch(law, start, stop, epochs):
    """You return the probability in one epoch. Multiply it by the number of epochs."""
    expected = 0.0
    for (length, masked), probability in law.items():
        first, last = max(0, stop - masked), min(start, length - masked)
        expected += probability * max(0, last - first + 1) / (length - masked + 1)
    return expected


def one_start_too_few(law, start, stop, epochs):
    """You divide by L − m. From 0 to L − m there are L − m + 1 starts."""
    expected = 0.0
    for (length, masked), probability in law.items():
        first, last = max(0, stop - masked), min(start, length - masked)
        expected += probability * max(0, last - first + 1) / max(1, length - masked)
    return epochs * expected


def touched(law, start, stop, epochs):
    """You count spans that touch one of the characters. All of them must be inside the span."""
    expected = 0.0
    for (length, masked), probability in law.items():
        starts = range(length - masked + 1)
        expected += probability * sum(s < stop and s + masked > start for s in starts) / len(starts)
    return epochs * expected


def one_character_more(law, start, stop, epochs):
    """You require character `stop` as well. The last character is stop − 1."""
    expected = 0.0
    for (length, masked), probability in law.items():
        first, last = max(0, stop + 1 - masked), min(start, length - masked)
        expected += probability * max(0, last - first + 1) / (length - masked + 1)
    return epochs * expected


def one_character_less(law, start, stop, epochs):
    """You count spans that cover the characters up to stop − 2 only. The last character is stop − 1."""
    expected = 0.0
    for (length, masked), probability in law.items():
        first, last = max(0, stop - 1 - masked), min(start, length - masked)
        expected += probability * max(0, last - first + 1) / (length - masked + 1)
    return epochs * expected


def never_cut_off(law, start, stop, epochs):
    """You count starts after L − m. There the span would not fit into the kept text."""
    expected = 0.0
    for (length, masked), probability in law.items():
        first = max(0, stop - masked)
        expected += probability * max(0, start - first + 1) / (length - masked + 1)
    return epochs * expected


def before_the_first_character(law, start, stop, epochs):
    """You count starts below 0. The first possible start is 0."""
    expected = 0.0
    for (length, masked), probability in law.items():
        expected += (
            probability * max(0, min(start, length - masked) - (stop - masked) + 1) / (length - masked + 1)
        )
    return epochs * expected


def less_than_none(law, start, stop, epochs):
    """Where no start covers the characters, your count is negative and lowers the sum.
    It should be 0 there.
    """
    expected = 0.0
    for (length, masked), probability in law.items():
        first, last = max(0, stop - masked), min(start, length - masked)
        expected += probability * (last - first + 1) / (length - masked + 1)
    return epochs * expected


def at_least_once(law, start, stop, epochs):
    """You return the probability of at least one such epoch. Return the expected number of epochs."""
    expected = 0.0
    for (length, masked), probability in law.items():
        first, last = max(0, stop - masked), min(start, length - masked)
        expected += probability * max(0, last - first + 1) / (length - masked + 1)
    return 1 - (1 - expected) ** epochs


def long_enough(law, start, stop, epochs):
    """You count every span that is long enough. It must also be at the right place."""
    return epochs * sum(probability for (_, masked), probability in law.items() if masked >= stop - start)


def all_pairs_alike(law, start, stop, epochs):
    """You average over the pairs as if all were equally likely. Multiply each with its probability."""
    expected = 0.0
    for length, masked in law:
        first, last = max(0, stop - masked), min(start, length - masked)
        expected += max(0, last - first + 1) / (length - masked + 1) / len(law)
    return epochs * expected


def a_whole_number(law, start, stop, epochs):
    """You round to a whole number. An expected number need not be whole."""
    expected = 0.0
    for (length, masked), probability in law.items():
        first, last = max(0, stop - masked), min(start, length - masked)
        expected += probability * max(0, last - first + 1) / (length - masked + 1)
    return round(epochs * expected)


def of_the_average_span(law, start, stop, epochs):
    """You compute with the average length and the average span. The probability of covering the characters is
    not linear in these lengths: compute it for each pair, and then average.
    """
    length = sum(p * n for (n, _), p in law.items())
    masked = sum(p * m for (_, m), p in law.items())
    first, last = max(0.0, stop - masked), min(float(start), length - masked)
    return epochs * max(0.0, last - first + 1) / (length - masked + 1)


KEY = AnswerKey(
    id="exposures",
    hidden=hidden,
    reference=exposures,
    accepted=(by_trying_every_start, by_sets, in_one_tensor, in_fractions, with_numpy),
    rejected=(
        *(in_one_epoch, one_start_too_few, touched, one_character_more, one_character_less, never_cut_off),
        *(
            before_the_first_character,
            less_than_none,
            at_least_once,
            long_enough,
            all_pairs_alike,
            a_whole_number,
        ),
        of_the_average_span,
    ),
    fingerprint=fingerprint,
    commentary=r"""
    For one pair $(L, m)$, the span covers $s, \dots, s+m-1$. It covers all characters from `start` to
    `stop - 1` if $s \le$ `start` and $s + m \ge$ `stop`. Besides, $0 \le s \le L-m$. So the first good start
    is max(0, stop − m), the last one is min(start, L − m), and their number, if it is positive, is divided by
    the $L-m+1$ possible starts. Then average over the pairs with their probabilities, and multiply by the
    number of epochs: expectations add up. The most common mistakes are to count a negative number of starts,
    and to forget that there are $L-m+1$ starts and not $L-m$.
    """,
)
