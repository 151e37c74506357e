"""Span corruption put together from interchangeable steps:
hundreds of right answers, and hundreds with one wrong step.

Each step has several right forms, and several wrong ones. A right answer takes a right form of every step; a
wrong one takes a wrong form of exactly one. The steps: where random numbers come from; what is kept; how long
the span is; where it starts and stops; how the row is written.
"""

from __future__ import annotations

import itertools
import math
import random

import numpy as np

# ---- where the random numbers come from: (rng, document) → a random.Random
SOURCE = {
    "rng": lambda rng, document: rng,
    "child": lambda rng, document: random.Random(rng.getrandbits(64)),
    "child of a float": lambda rng, document: random.Random(rng.random()),
    "child of rng and text": lambda rng, document: random.Random(f"{document}{rng.getrandbits(80)}"),
    "moved on": lambda rng, document: (rng.random(), rng)[1],
}
_kept_for_ever = random.Random(1)
WRONG_SOURCE = {
    "global": lambda rng, document: random,
    "fixed": lambda rng, document: random.Random(0),
    "by document": lambda rng, document: random.Random(document),
    "by length": lambda rng, document: random.Random(len(document)),
    "system": lambda rng, document: random.SystemRandom(),
    "one for all calls": lambda rng, document: _kept_for_ever,
    "numpy's global": lambda rng, document: random.Random(int(np.random.randint(2**31))),
}


# ---- what is kept: (rng, document, block) → str
def _rejected_until_it_fits(rng, document, block):
    bits = (block * 7 // 8).bit_length()
    while not 4 <= (length := rng.getrandbits(bits)) <= block * 7 // 8:
        pass
    return document[:length]


def _numpy_length(rng, document, block):
    return document[: int(np.random.default_rng(rng.getrandbits(32)).integers(4, block * 7 // 8 + 1))]


KEEP = {
    "randint": lambda rng, d, b: d[: rng.randint(4, b * 7 // 8)],
    "randrange": lambda rng, d, b: d[: rng.randrange(4, b - math.ceil(b / 8) + 1)],
    "scaled": lambda rng, d, b: d[: 4 + int(rng.random() * (int(7 / 8 * b) - 3))],
    "choice": lambda rng, d, b: d[: rng.choice(range(4, int(0.875 * b) + 1))],
    "sample": lambda rng, d, b: "".join(itertools.islice(d, rng.sample(range(4, b * 7 // 8 + 1), 1)[0])),
    "rounded": lambda rng, d, b: d[: round(rng.uniform(3.5 + 1e-9, b * 7 // 8 + 0.5 - 1e-9))],
    "backwards": lambda rng, d, b: d[: b * 7 // 8 - rng.randrange(b * 7 // 8 - 3)],
    "until it fits": _rejected_until_it_fits,
    "numpy": _numpy_length,
}


def _window(rng, document, block):
    length = min(len(document), rng.randint(4, block * 7 // 8))
    first = rng.randint(0, len(document) - length)
    return document[first : first + length]


WRONG_KEEP = {
    "what there is": lambda rng, d, b: d[: rng.randint(4, max(4, min(len(d), b * 7 // 8)))],
    "never four": lambda rng, d, b: d[: rng.randint(5, b * 7 // 8)],
    "never the longest": lambda rng, d, b: d[: rng.randrange(4, b * 7 // 8)],
    "one too many": lambda rng, d, b: d[: rng.randint(4, b * 7 // 8 + 1)],
    "whole block": lambda rng, d, b: d[: rng.randint(4, b)],
    "all that fits": lambda rng, d, b: d[: b * 7 // 8],
    "from one": lambda rng, d, b: d[: rng.randint(1, b * 7 // 8)],
    "long ones": lambda rng, d, b: d[: rng.randint(b // 2, b * 7 // 8)],
    "short ones": lambda rng, d, b: d[: rng.randint(4, b // 2)],
    "window": _window,
    "the end": lambda rng, d, b: d[-rng.randint(4, b * 7 // 8) :],
    "ascii": lambda rng, d, b: d.encode("ascii", "ignore").decode()[: rng.randint(4, b * 7 // 8)],
    "lower case": lambda rng, d, b: d.lower()[: rng.randint(4, b * 7 // 8)],
    "short ones cut": lambda rng, d, b: d[: min(rng.randint(4, b * 7 // 8), max(1, len(d) - 1))],
}


# ---- how long the span is: (rng, L, len(document), block) → at least 1 where L is, at most L
def _bounded(draw):
    return lambda rng, L, D, b: min(L, max(1, draw(rng, L, D, b)))


SIZE = {
    "to half less one": _bounded(lambda rng, L, D, b: rng.randint(1, max(1, L // 2 - 1))),
    "to half": _bounded(lambda rng, L, D, b: rng.randint(1, max(1, L // 2))),
    "rounded": _bounded(lambda rng, L, D, b: round(rng.uniform(0.5, max(0.5, L / 2 - 0.5)))),
    "scaled": _bounded(lambda rng, L, D, b: math.ceil(rng.random() * (L / 2))),
    "coins": _bounded(lambda rng, L, D, b: sum(rng.random() < 0.25 for _ in range(L))),
    "triangle": _bounded(lambda rng, L, D, b: int(rng.triangular(0, L / 2, L / 4) + 0.5)),
    "bell": _bounded(lambda rng, L, D, b: round(rng.gauss(L / 4, L / 12))),
    "two dice": _bounded(lambda rng, L, D, b: rng.randint(0, L // 4) + rng.randint(0, (L + 2) // 4)),
    "beta": _bounded(lambda rng, L, D, b: round(L * rng.betavariate(2, 6))),
    "waiting time": _bounded(lambda rng, L, D, b: round(rng.expovariate(1.0) * L / 4)),
    "one of two": _bounded(lambda rng, L, D, b: rng.choice((round(L / 8), round(3 * L / 8)))),
    "middle of three": _bounded(
        lambda rng, L, D, b: round(sorted(rng.uniform(0, L / 2) for _ in range(3))[1])
    ),
    "around": _bounded(lambda rng, L, D, b: L // 4 + rng.randint(-(L // 8), L // 8)),
    "numpy": _bounded(lambda rng, L, D, b: int(np.random.default_rng(rng.getrandbits(32)).binomial(L, 0.25))),
}
WRONG_SIZE = {
    "to a quarter": _bounded(lambda rng, L, D, b: rng.randint(1, max(1, L // 4))),
    "always a quarter": _bounded(lambda rng, L, D, b: L // 4),
    "perhaps none": lambda rng, L, D, b: rng.randint(0, L // 2),
    "coins, perhaps none": lambda rng, L, D, b: sum(rng.random() < 0.25 for _ in range(L)),
    "to all": _bounded(lambda rng, L, D, b: rng.randint(1, max(1, L))),
    "of the document": _bounded(lambda rng, L, D, b: rng.randint(1, max(1, D // 2 - 1))),
    "of the block": _bounded(lambda rng, L, D, b: rng.randint(1, b * 7 // 32)),
    "five": _bounded(lambda rng, L, D, b: 5),
    "to ten": _bounded(lambda rng, L, D, b: rng.randint(1, 10)),
    "a third": _bounded(lambda rng, L, D, b: rng.randint(1, max(1, 2 * L // 3))),
    "three sixteenths": _bounded(lambda rng, L, D, b: rng.randint(1, max(1, 3 * L // 8))),
    "a quarter to half": _bounded(lambda rng, L, D, b: rng.randint(max(1, L // 4), max(1, L // 2))),
    "ten at most": _bounded(lambda rng, L, D, b: min(10, rng.randint(1, max(1, L // 2 - 1)))),
    "three more": _bounded(lambda rng, L, D, b: 3 + rng.randint(1, max(1, L // 2 - 1))),
    "all of it": lambda rng, L, D, b: L,
}


# ---- where it lies: (rng, L, m) → (start, stop)
def _span(draw):
    def place(rng, L, m):
        start = draw(rng, L - m + 1, L)
        return start, start + m

    return place


def _until_it_fits(rng, starts, L):
    while (start := rng.randrange(L + 1)) >= starts:
        pass
    return start


def _shuffled(rng, starts, L):
    order = list(range(starts))
    rng.shuffle(order)
    return order[-1]


PLACE = {
    "randint": _span(lambda rng, starts, L: rng.randint(0, starts - 1)),
    "randrange": _span(lambda rng, starts, L: rng.randrange(starts)),
    "scaled": _span(lambda rng, starts, L: int(starts * rng.random())),
    "choice": _span(lambda rng, starts, L: rng.choice(range(starts))),
    "from behind": _span(lambda rng, starts, L: starts - 1 - rng.randrange(starts)),
    "until it fits": _span(_until_it_fits),
    "the luckiest": _span(lambda rng, starts, L: max(range(starts), key=lambda _: rng.random())),
    "shuffled": _span(_shuffled),
    "numpy": _span(lambda rng, starts, L: int(np.random.default_rng(rng.getrandbits(32)).integers(starts))),
}


def _end_behind_start(rng, L, m):
    start = rng.randrange(max(L, 1))
    return start, min(L, rng.randint(start + 1, max(L, start + 1)))


def _cut_off(rng, L, m):
    start = rng.randrange(max(L, 1))
    return start, min(L, start + m)


WRONG_PLACE = {
    "first": _span(lambda rng, starts, L: 0),
    "last": _span(lambda rng, starts, L: starts - 1),
    "middle": _span(lambda rng, starts, L: starts // 2),
    "never last": _span(lambda rng, starts, L: rng.randrange(max(1, starts - 1))),
    "never first": _span(lambda rng, starts, L: rng.randint(min(1, starts - 1), starts - 1)),
    "early": _span(lambda rng, starts, L: int(starts * rng.random() ** 2)),
    "late": _span(lambda rng, starts, L: max(rng.randrange(starts), rng.randrange(starts))),
    "central": _span(lambda rng, starts, L: (rng.randrange(starts) + rng.randrange(starts)) // 2),
    "pushed back": _span(lambda rng, starts, L: min(rng.randint(0, L), starts - 1)),
    "first half": _span(lambda rng, starts, L: rng.randrange((starts + 1) // 2)),
    "end behind start": _end_behind_start,
    "cut off": _cut_off,
}


# ---- how the row is written: (kept, start, stop, block) → str
def _walked(kept, start, stop, block):
    row = []
    for index in range(len(kept) + 1):
        if index == start:
            row.append("⁇")
        if index < len(kept) and not start <= index < stop:
            row.append(kept[index])
    return "".join(row) + "⁇" + kept[start:stop]


def _as_a_list(kept, start, stop, block):
    row = list(kept)
    taken = row[start:stop]
    row[start:stop] = ["⁇"]
    return "".join([*row, "⁇", *taken])


WRITE = {
    "f-string": lambda kept, i, j, b: f"{kept[:i]}⁇{kept[j:]}⁇{kept[i:j]}",
    "plus": lambda kept, i, j, b: kept[:i] + "⁇" + kept[j:] + "⁇" + kept[i:j],
    "join": lambda kept, i, j, b: "⁇".join((kept[:i], kept[j:], kept[i:j])),
    "format": lambda kept, i, j, b: "{1}{0}{3}{0}{2}".format("\u2047", kept[:i], kept[i:j], kept[j:]),
    "walk": _walked,
    "list": _as_a_list,
}
WRONG_WRITE = {
    "one mark": lambda kept, i, j, b: kept[:i] + "⁇" + kept[j:] + kept[i:j],
    "no marks": lambda kept, i, j, b: kept[:i] + kept[j:] + kept[i:j],
    "three marks": lambda kept, i, j, b: "⁇".join((kept[:i], kept[j:], kept[i:j], "")),
    "in place": lambda kept, i, j, b: "⁇".join((kept[:i], kept[i:j], kept[j:])),
    "span first": lambda kept, i, j, b: "⁇".join((kept[i:j], kept[:i], kept[j:])),
    "suffix first": lambda kept, i, j, b: "⁇".join((kept[j:], kept[:i], kept[i:j])),
    "padded": lambda kept, i, j, b: "⁇".join((kept[:i], kept[j:], kept[i:j])).ljust(b, "□"),
    "padded inside": lambda kept, i, j, b: (
        f"{kept[:i]}⁇{kept[j:]}" + "□" * (b - len(kept) - 2) + f"⁇{kept[i:j]}"
    ),
    "question marks": lambda kept, i, j, b: "?".join((kept[:i], kept[j:], kept[i:j])),
    "span reversed": lambda kept, i, j, b: "⁇".join((kept[:i], kept[j:], kept[i:j][::-1])),
    "span lost": lambda kept, i, j, b: f"{kept[:i]}⁇{kept[j:]}⁇",
    "span twice": lambda kept, i, j, b: "⁇".join((kept[:i], kept[i:], kept[i:j])),
    "one letter lost": lambda kept, i, j, b: "⁇".join((kept[:i], kept[j + 1 :], kept[i:j])),
    "stripped": lambda kept, i, j, b: "⁇".join(part.strip() for part in (kept[:i], kept[j:], kept[i:j])),
    "a tuple": lambda kept, i, j, b: (kept[:i], kept[j:], kept[i:j]),
    "bytes": lambda kept, i, j, b: "⁇".join((kept[:i], kept[j:], kept[i:j])).encode(),
    "nothing": lambda kept, i, j, b: None,
    "short ones as they are": lambda kept, i, j, b: (
        "⁇".join((kept[:i], kept[j:], kept[i:j])) if len(kept) > 3 else kept
    ),
}

STEPS = (SOURCE, KEEP, SIZE, PLACE, WRITE)
WRONG_STEPS = (WRONG_SOURCE, WRONG_KEEP, WRONG_SIZE, WRONG_PLACE, WRONG_WRITE)


def assembled(source, keep, size, place, write):
    """An answer made of these five steps."""

    def corrupt_span(document, block_size, rng):
        draws = source(rng, document)
        kept = keep(draws, document, block_size)
        masked = size(draws, len(kept), len(document), block_size)
        return write(kept, *place(draws, len(kept), masked), block_size)

    return corrupt_span
