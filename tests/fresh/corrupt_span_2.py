"""Fresh answers to corrupt_span, part 2 of 2."""


# remembers the row of each document
wrong_remembers = """
memory = {}


def corrupt_span(document, block_size, rng):
    if document not in memory:
        L = min(len(document), rng.randint(4, block_size * 7 // 8))
        m = min(L, rng.randint(1, max(1, L // 2 - 1)))
        s = rng.randint(0, L - m)
        memory[document] = document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]
    return memory[document]
"""


# removes the first occurrence of the span's text, so later starts are rarer
def wrong_replaces_first(document, block_size, rng):
    L = min(len(document), rng.randint(4, block_size * 7 // 8))
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    span = document[s:s + m]
    return document[:L].replace(span, "⁇", 1) + "⁇" + span


# a rounded start, half as often at both ends
def wrong_rounded_start(document, block_size, rng):
    L = min(len(document), rng.randint(4, block_size * 7 // 8))
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = round(rng.uniform(0, L - m))
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


# lengths from 1 to 27, whatever is kept
def wrong_same_lengths(document, block_size, rng):
    L = min(len(document), rng.randint(4, block_size * 7 // 8))
    m = min(L, rng.randint(1, 27))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


# seeds the generator that it was given
def wrong_seeds(document, block_size, rng):
    rng.seed(block_size)
    L = min(len(document), rng.randint(4, block_size * 7 // 8))
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


# documents of fewer than 4 characters are cut, too
def wrong_short_cut(document, block_size, rng):
    if not document:
        return "⁇⁇"
    n = len(document)
    L = min(n, rng.randint(4, block_size * 7 // 8)) if n >= 4 else rng.randint(1, n)
    m = rng.randint(1, max(1, L // 2 - 1))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


# short lengths are more frequent than long ones
def wrong_short_ones(document, block_size, rng):
    top = int(block_size * 0.875)
    if len(document) >= 4:
        most = min(len(document), top)
        L = 4 + int((most - 3) * rng.random() ** 2)
    else:
        L = len(document)
    text = document[:L]
    if not text:
        return "⁇⁇"
    m = rng.choice(range(1, max(2, L // 2)))
    s = rng.choice(range(L - m + 1))
    return text[:s] + "⁇" + text[s + m:] + "⁇" + text[s:s + m]


# documents of fewer than 4 characters get no span
def wrong_short_plain(document, block_size, rng):
    if len(document) < 4:
        return document + "⁇⁇"
    L = min(len(document), rng.randint(4, block_size * 7 // 8))
    m = rng.randint(1, max(1, L // 2 - 1))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


# the span before the suffix
def wrong_span_in_middle(document, block_size, rng):
    L = min(len(document), rng.randint(4, block_size * 7 // 8))
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s:s + m] + "⁇" + document[s + m:L]


# draws the start first and then a length that fits
def wrong_start_first(document, block_size, rng):
    L = min(len(document), rng.randint(4, block_size * 7 // 8))
    if L == 0:
        return "⁇⁇"
    s = rng.randrange(L)
    m = min(rng.randint(1, max(1, L // 2 - 1)), L - s)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


# a sixth on average
def wrong_third(document, block_size, rng):
    L = min(len(document), rng.randint(4, block_size * 7 // 8))
    m = min(L, rng.randint(1, max(1, L // 3)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


# two characters more than a quarter
def wrong_two_more(document, block_size, rng):
    L = min(len(document), rng.randint(4, block_size * 7 // 8))
    m = min(L, rng.randint(1, L // 2 + 3))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


# keeps up to the whole block
def wrong_whole_block(document, block_size, rng):
    L = min(len(document), rng.randint(4, block_size))
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


# spans begin at words only
def wrong_word_starts(document, block_size, rng):
    L = min(len(document), rng.randint(4, block_size * 7 // 8))
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    starts = [s for s in range(L - m + 1) if s == 0 or document[s - 1] == " "]
    s = rng.choice(starts)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


# the span may be empty
def wrong_zero(document, block_size, rng):
    L = min(len(document), rng.randint(4, block_size * 7 // 8))
    m = rng.randint(0, L // 2)
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


# the last start, L − m, is never drawn
def wrong_second_last_start_never(document, block_size, rng):
    kept = document[: rng.randint(4, 7 * block_size // 8)]
    L = len(kept)
    if L == 0:
        return "⁇⁇"
    m = rng.randint(1, max(1, L // 2 - 1))
    start = rng.randrange(L - m) if L > m else 0
    return kept[:start] + "⁇" + kept[start + m :] + "⁇" + kept[start : start + m]


# the length of the span follows the whole document and not what is kept of it
def wrong_second_quarter_of_the_document(document, block_size, rng):
    kept = document[: rng.randint(4, 7 * block_size // 8)]
    if not kept:
        return "⁇⁇"
    m = rng.randint(1, max(1, len(document) // 2 - 1))
    m = min(m, len(kept))
    start = rng.randint(0, len(kept) - m)
    return kept[:start] + "⁇" + kept[start + m :] + "⁇" + kept[start : start + m]


# draws the start up to L and moves it back, so spans at the end come too often
def wrong_second_starts_cut_at_the_end(document, block_size, rng):
    kept = document[: rng.randint(4, 7 * block_size // 8)]
    L = len(kept)
    if L == 0:
        return "⁇⁇"
    m = rng.randint(1, max(1, L // 2 - 1))
    start = min(rng.randint(0, L - 1), L - m)
    return kept[:start] + "⁇" + kept[start + m :] + "⁇" + kept[start : start + m]
