"""Wrong answers to corrupt_span, each with one mistake, written as a student would write it."""

from __future__ import annotations

import random

import numpy as np


def up_to_a_quarter(document, block_size, rng):
    """Your span is drawn from 1 to a quarter of the kept text, so it averages an eighth: a quarter should be the average,
    not the most.
    """
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    size = min(len(kept), rng.randint(1, max(1, len(kept) // 4)))
    start = rng.randint(0, len(kept) - size)
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def nested_cuts(document, block_size, rng):
    """You draw the start first and then an end behind it. The average is a quarter indeed, but short spans crowd at the
    end of the text: draw the length first, then a start for which it fits.
    """
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    if not kept:
        return "⁇⁇"
    start = rng.randint(0, len(kept) - 1)
    end = rng.randint(start + 1, len(kept))
    return kept[:start] + "⁇" + kept[end:] + "⁇" + kept[start:end]


def from_the_uncut_document(document, block_size, rng):
    """You take a quarter of the document's own length; it should be a quarter of what is kept after cutting."""
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    size = min(len(kept), rng.randint(1, max(1, len(document) // 2 - 1)))
    start = rng.randint(0, len(kept) - size)
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def random_window(document, block_size, rng):
    """You keep a piece from the middle of the document; what is kept starts at its first character, where the name stands."""
    length = min(len(document), rng.randint(4, block_size * 7 // 8))
    first = rng.randint(0, len(document) - length)
    kept = document[first : first + length]
    size = min(length, rng.randint(1, max(1, length // 2 - 1)))
    start = rng.randint(0, length - size)
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def the_same_every_epoch(document, block_size, rng):
    """A document gets the same mask in every epoch: the model would meet one hole per line, however long it trains. Draw
    from the rng that is passed in.
    """
    own = random.Random(document)
    kept = document[: own.randint(4, block_size * 7 // 8)]
    size = min(len(kept), own.randint(1, max(1, len(kept) // 2 - 1)))
    start = own.randint(0, len(kept) - size)
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def numpy_s_global_generator(document, block_size, rng):
    """You draw from numpy's global generator, not from rng: a data loader's workers each start with a copy of it, and all
    draw the same masks.
    """
    kept = document[: np.random.randint(4, block_size * 7 // 8 + 1)]
    size = min(len(kept), np.random.randint(1, max(2, len(kept) // 2)))
    start = np.random.randint(0, len(kept) - size + 1)
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def a_generator_made_anew(document, block_size, rng):
    """You make a new generator with a fixed seed at every call, so every call draws the same numbers: use the rng that is
    passed in, which moves on.
    """
    draws = np.random.default_rng(0)
    kept = document[: int(draws.integers(4, block_size * 7 // 8 + 1))]
    size = min(len(kept), int(draws.integers(1, max(2, len(kept) // 2))))
    start = int(draws.integers(0, len(kept) - size + 1))
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def one_mark_only(document, block_size, rng):
    """The second ⁇ is missing: without it nothing tells the model where the suffix ends and the span begins."""
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, len(kept) - size)
    return kept[:start] + "⁇" + kept[start + size :] + kept[start : start + size]


def padded_before_the_span(document, block_size, rng):
    """You pad between the suffix and the span; padding comes last, and not in this exercise: the next one adds it."""
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, len(kept) - size)
    row = kept[:start] + "⁇" + kept[start + size :]
    return row + "□" * (block_size - len(row) - size - 1) + "⁇" + kept[start : start + size]


def padded_already(document, block_size, rng):
    """The row is padded to the block already; here it comes as it is, and the next exercise pads it."""
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, len(kept) - size)
    row = kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]
    return row + "□" * (block_size - len(row))


def always_a_quarter(document, block_size, rng):
    """Your span is always exactly a quarter of the kept text: a quarter is its average, and its length is random."""
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    size = min(len(kept), max(1, len(kept) // 4))
    start = rng.randint(0, len(kept) - size)
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def span_left_in_place(document, block_size, rng):
    """You leave the span between its two ⁇; it belongs at the end, so that the model has read both sides when it comes to it."""
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, len(kept) - size)
    return kept[:start] + "⁇" + kept[start : start + size] + "⁇" + kept[start + size :]


def cut_to_the_whole_block(document, block_size, rng):
    """You keep up to a whole block of characters; the row also needs room for its two ⁇, so at most ⌊7/8 · block_size⌋ are
    kept.
    """
    kept = document[: rng.randint(4, block_size)]
    size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, len(kept) - size)
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def one_short_of_the_longest(document, block_size, rng):
    """randrange leaves out its upper end, so ⌊7/8 · block_size⌋ characters are never kept; randint includes it."""
    kept = document[: rng.randrange(4, block_size * 7 // 8)]
    size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, len(kept) - size)
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def not_cut_at_random(document, block_size, rng):
    """You keep as much as fits every time; the length that is kept is to be drawn, from 4 characters up."""
    kept = document[: block_size * 7 // 8]
    size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, len(kept) - size)
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def sometimes_nothing(document, block_size, rng):
    """Your span may be empty, and then there is nothing to learn from the row: mask at least one character."""
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    size = rng.randint(0, len(kept) // 2)
    start = rng.randint(0, len(kept) - size)
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def clipped_at_the_end(document, block_size, rng):
    """You draw the start anywhere and let the span be cut off at the end of the text, so spans near the end come out too
    short: draw a start for which the whole span fits.
    """
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, max(0, len(kept) - 1))
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def never_at_the_edges(document, block_size, rng):
    """You always leave something before and behind the span; the first and the last character may be masked, too."""
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(1, len(kept) - size - 1) if len(kept) - size >= 2 else 0
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def whatever_was_kept(document, block_size, rng):
    """Your span's length does not follow the length that is kept: long texts lose too little, short ones too much."""
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    size = min(len(kept), rng.randint(1, block_size * 7 // 32))
    start = rng.randint(0, len(kept) - size)
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def only_ascii(document, block_size, rng):
    """You drop the letters outside ASCII; é and ō are characters of the text like any other."""
    kept = document.encode("ascii", "ignore").decode()[: rng.randint(4, block_size * 7 // 8)]
    size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, len(kept) - size)
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def short_ones_left_alone(document, block_size, rng):
    """You hand short documents back as they are; they are not cut, but a span is masked in them, too."""
    if len(document) < 4:
        return document
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, len(kept) - size)
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


REJECTED = (
    *(up_to_a_quarter, nested_cuts, from_the_uncut_document, random_window, the_same_every_epoch, numpy_s_global_generator),
    *(a_generator_made_anew, one_mark_only, padded_before_the_span, padded_already, always_a_quarter, span_left_in_place),
    *(cut_to_the_whole_block, one_short_of_the_longest, not_cut_at_random, sometimes_nothing, clipped_at_the_end),
    *(never_at_the_edges, whatever_was_kept, only_ascii, short_ones_left_alone),
)
