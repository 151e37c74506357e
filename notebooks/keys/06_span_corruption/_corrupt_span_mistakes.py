"""Wrong answers to corrupt_span, each with one mistake, written as a student would write it."""

from __future__ import annotations

import random

import numpy as np


def up_to_a_quarter(document, block_size, rng):
    """You draw the span from 1 to a quarter of the kept text, so it averages an eighth. A quarter should be
    the average, not the maximum.
    """
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    size = min(len(kept), rng.randint(1, max(1, len(kept) // 4)))
    start = rng.randint(0, len(kept) - size)
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def nested_cuts(document, block_size, rng):
    """You draw the start first and then an end after it. The average is a quarter, but short spans crowd at
    the end of the text. Draw the length first, then a start for which it fits.
    """
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    if not kept:
        return "⁇⁇"
    start = rng.randint(0, len(kept) - 1)
    end = rng.randint(start + 1, len(kept))
    return kept[:start] + "⁇" + kept[end:] + "⁇" + kept[start:end]


def from_the_uncut_document(document, block_size, rng):
    """You mask a quarter of the document's own length.
    It should be a quarter of what is kept after cutting.
    """
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    size = min(len(kept), rng.randint(1, max(1, len(document) // 2 - 1)))
    start = rng.randint(0, len(kept) - size)
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def random_window(document, block_size, rng):
    """You keep a piece from the middle of the document. Keep its first characters: the name is there."""
    length = min(len(document), rng.randint(4, block_size * 7 // 8))
    first = rng.randint(0, len(document) - length)
    kept = document[first : first + length]
    size = min(length, rng.randint(1, max(1, length // 2 - 1)))
    start = rng.randint(0, length - size)
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def the_same_every_epoch(document, block_size, rng):
    """A document gets the same mask in every epoch, because your generator depends on the document only. Draw
    from the rng that is passed in.
    """
    own = random.Random(document)
    kept = document[: own.randint(4, block_size * 7 // 8)]
    size = min(len(kept), own.randint(1, max(1, len(kept) // 2 - 1)))
    start = own.randint(0, len(kept) - size)
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def numpy_s_global_generator(document, block_size, rng):
    """You draw from numpy's global generator and not from rng. The workers of a data loader all start with a
    copy of it, so all draw the same masks.
    """
    kept = document[: np.random.randint(4, block_size * 7 // 8 + 1)]
    size = min(len(kept), np.random.randint(1, max(2, len(kept) // 2)))
    start = np.random.randint(0, len(kept) - size + 1)
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def a_generator_made_anew(document, block_size, rng):
    """You make a new generator with a fixed seed at every call, so every call draws the same numbers. Use the
    rng that is passed in: it moves on.
    """
    draws = np.random.default_rng(0)
    kept = document[: int(draws.integers(4, block_size * 7 // 8 + 1))]
    size = min(len(kept), int(draws.integers(1, max(2, len(kept) // 2))))
    start = int(draws.integers(0, len(kept) - size + 1))
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def one_mark_only(document, block_size, rng):
    """The second ⁇ is missing. Without it, the model cannot tell where the suffix
    ends and the span begins.
    """
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, len(kept) - size)
    return kept[:start] + "⁇" + kept[start + size :] + kept[start : start + size]


def padded_before_the_span(document, block_size, rng):
    """You pad between the suffix and the span.
    Padding comes last, and not in this exercise: the next one adds it.
    """
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, len(kept) - size)
    row = kept[:start] + "⁇" + kept[start + size :]
    return row + "□" * (block_size - len(row) - size - 1) + "⁇" + kept[start : start + size]


def padded_already(document, block_size, rng):
    """You pad the row to the block size. Return it without padding here; the next exercise adds it."""
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, len(kept) - size)
    row = kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]
    return row + "□" * (block_size - len(row))


def always_a_quarter(document, block_size, rng):
    """Your span is always exactly a quarter of the kept text.
    A quarter should be its average: draw its length at random.
    """
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    size = min(len(kept), max(1, len(kept) // 4))
    start = rng.randint(0, len(kept) - size)
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def span_left_in_place(document, block_size, rng):
    """You leave the span between the two ⁇. Move it to the end,
    so that the model has seen both sides when it predicts it.
    """
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, len(kept) - size)
    return kept[:start] + "⁇" + kept[start : start + size] + "⁇" + kept[start + size :]


def cut_to_the_whole_block(document, block_size, rng):
    """You keep more than ⌊7/8 · block_size⌋ characters: up to the block, or to what is left of it after the
    two ⁇.
    """
    kept = document[: rng.randint(4, block_size)]
    size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, len(kept) - size)
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def one_short_of_the_longest(document, block_size, rng):
    """You never keep ⌊7/8 · block_size⌋ characters. Your range excludes its upper end, as that of randrange
    does; randint includes it.
    """
    kept = document[: rng.randrange(4, block_size * 7 // 8)]
    size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, len(kept) - size)
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def not_cut_at_random(document, block_size, rng):
    """You always keep as much as fits. Draw the kept length at random, from 4 characters up."""
    kept = document[: block_size * 7 // 8]
    size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, len(kept) - size)
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def sometimes_nothing(document, block_size, rng):
    """Your span may be empty, and then nothing is masked. Mask at least one character."""
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    size = rng.randint(0, len(kept) // 2)
    start = rng.randint(0, len(kept) - size)
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def clipped_at_the_end(document, block_size, rng):
    """You draw the start anywhere and let the text's end cut the span off, so spans near the end are too
    short. Draw a start for which the whole span fits.
    """
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, max(0, len(kept) - 1))
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def never_at_the_edges(document, block_size, rng):
    """You always leave something before and after the span.
    The first and the last character may be masked, too.
    """
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(1, len(kept) - size - 1) if len(kept) - size >= 2 else 0
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def whatever_was_kept(document, block_size, rng):
    """The length of your span does not depend on the kept length.
    Its average should be a quarter of what is kept.
    """
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    size = min(len(kept), rng.randint(1, block_size * 7 // 32))
    start = rng.randint(0, len(kept) - size)
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def only_ascii(document, block_size, rng):
    """You drop the letters outside ASCII. Characters such as é and ō belong to the text like any other."""
    kept = document.encode("ascii", "ignore").decode()[: rng.randint(4, block_size * 7 // 8)]
    size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, len(kept) - size)
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def short_ones_left_alone(document, block_size, rng):
    """You return short documents unchanged. They are not cut, but a span is masked in them, too."""
    if len(document) < 4:
        return document
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, len(kept) - size)
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def even_lengths_only(document, block_size, rng):
    """You keep even numbers of characters only. Every length from 4 to the largest should be possible."""
    kept = document[: 2 * rng.randint(2, block_size * 7 // 16)]
    size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, len(kept) - size)
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def rounded_start(document, block_size, rng):
    """You round an evenly drawn number to get the start, so the first and the last start are half as likely
    as the others. Use rng.randint.
    """
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = round(rng.uniform(0, len(kept) - size))
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def first_occurrence(document, block_size, rng):
    """You look for the span's text and cut it out where it occurs first. The same text may occur earlier in
    the line: cut at the start that you drew.
    """
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    masked = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, len(kept) - masked)
    span = kept[start : start + masked]
    return kept.replace(span, "⁇", 1) + "⁇" + span


def one_character_of_short_ones(document, block_size, rng):
    """In short documents you always mask one character.
    The rule is the same for every length: a quarter on average.
    """
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)) if len(document) > 20 else 1)
    start = rng.randint(0, len(kept) - size)
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def one_character_of_short_texts(document, block_size, rng):
    """Where you keep few characters, you always mask one.
    For every kept length, the span is random, and a quarter on average.
    """
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    size = rng.randint(1, max(1, len(kept) // 2 - 1)) if len(kept) > 15 else min(1, len(kept))
    start = rng.randint(0, len(kept) - size)
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def one_character_of_ten(document, block_size, rng):
    """Where you keep few characters, you always mask one.
    Its length should be random for every kept length.
    """
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    size = rng.randint(1, max(1, len(kept) // 2 - 1)) if len(kept) > 10 else min(1, len(kept))
    start = rng.randint(0, len(kept) - size)
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def a_quarter_of_short_texts(document, block_size, rng):
    """Where you keep few characters, you always mask a quarter of them, rounded. A quarter should be the
    average: draw the length of the span at random for every kept length.
    """
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    size = (
        rng.randint(1, len(kept) // 2 - 1) if len(kept) > 15 else min(len(kept), max(1, round(len(kept) / 4)))
    )
    start = rng.randint(0, len(kept) - size)
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def cut_to_what_there_is(document, block_size, rng):
    """You draw the kept length from what the document has, so a short document is almost never kept whole,
    and facts at its end are masked too seldom. Draw from 4 to ⌊7/8 · block_size⌋ always, and keep the whole
    document if it has fewer characters.
    """
    longest = min(len(document), int(block_size * 7 / 8))
    kept = document[: rng.randrange(4, longest + 1)] if longest > 4 else document[:4]
    if not kept:
        return "⁇⁇"
    size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.choice(range(len(kept) - size + 1))
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def short_ones_preferred(document, block_size, rng):
    """You keep short texts more often than long ones.
    All lengths from 4 to ⌊7/8 · block_size⌋ are equally likely.
    """
    kept = document[: 4 + int((block_size * 7 // 8 - 3) * rng.random() ** 2)]
    size = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    start = rng.randint(0, len(kept) - size)
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


def nearly_a_quarter(document, block_size, rng):
    """In long texts your spans average less than a quarter of what is kept.
    The deviation of 1½ characters is for rounding.
    """
    kept = document[: rng.randint(4, block_size * 7 // 8)]
    size = int(rng.triangular(0, len(kept) / 2, len(kept) / 5) + 0.5)
    size = min(max(size, 1), len(kept))
    start = rng.randint(0, len(kept) - size)
    return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]


REJECTED = (
    *(up_to_a_quarter, nested_cuts, from_the_uncut_document, random_window, the_same_every_epoch),
    *(numpy_s_global_generator, a_generator_made_anew, one_mark_only, padded_before_the_span, padded_already),
    *(always_a_quarter, span_left_in_place, cut_to_the_whole_block, one_short_of_the_longest),
    *(not_cut_at_random, sometimes_nothing, clipped_at_the_end, never_at_the_edges, whatever_was_kept),
    *(only_ascii, short_ones_left_alone, even_lengths_only, rounded_start, first_occurrence),
    *(one_character_of_short_ones, one_character_of_short_texts, one_character_of_ten),
    *(a_quarter_of_short_texts, cut_to_what_there_is, short_ones_preferred, nearly_a_quarter),
)
