"""Fresh answers to corrupt_span."""

# the length of the span is a count of coins, at least 1
def right_binomial(document, block_size, rng):
    L = min(len(document), rng.randint(4, 7 * block_size // 8))
    m = min(L, max(1, sum(rng.random() < 0.25 for _ in range(L))))
    s = rng.randint(0, L - m)
    kept = document[:L]
    return f"{kept[:s]}⁇{kept[s + m:]}⁇{kept[s:s + m]}"

# makes its own whole numbers from random bits
def right_bits(document, block_size, rng):
    below = lambda n: rng.getrandbits(48) % n
    top = block_size - math.ceil(block_size / 8)
    L = min(len(document), 4 + below(top - 3))
    m = min(1, L) if L < 4 else 1 + below(max(1, L // 2 - 1))
    s = below(L - m + 1)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]

# an exponential length, cut off at L
def right_exponential(document, block_size, rng):
    L = min(rng.choice(list(range(4, (block_size * 7) // 8 + 1))), len(document))
    m = min(L, 1 + int(rng.expovariate(4 / max(L, 1))))
    s = rng.sample(range(L - m + 1), 1)[0]
    characters = list(document[:L])
    span = characters[s:s + m]
    characters[s:s + m] = ["⁇"]
    return "".join(characters + ["⁇"] + span)

# a rounded normal length, kept between 1 and L
def right_gauss(document, block_size, rng):
    L = len(document[:rng.randint(4, (block_size * 7) // 8)])
    if L == 0: return "⁇" * 2
    m = round(rng.gauss(L / 4, L / 12))
    m = max(1, min(L, m))
    s = rng.randint(0, L - m)
    d = document[:L]
    return d[:s] + "⁇" + d[s + m:] + "⁇" + d[s:s + m]

# the span is a quarter, or one character more or less
def right_near_a_quarter(document, block_size, rng):
    L = rng.randrange(4, block_size * 7 // 8 + 1)
    L = len(document) if len(document) < L else L
    if L == 0: return "⁇⁇"
    m = min(L, max(1, L // 4 + rng.choice([-1, 0, 1])))
    start = int(rng.random() * (L - m + 1))
    prefix, span, suffix = document[:start], document[start:start + m], document[start + m:L]
    return prefix + "⁇" + suffix + "⁇" + span

# shuffles the possible starts and lengths
def right_shuffled(document, block_size, rng):
    lengths = list(range(4, int(7 / 8 * block_size) + 1))
    rng.shuffle(lengths)
    L = min(lengths[0], len(document))
    if L == 0: return "⁇⁇"
    sizes = list(range(1, max(1, int(L / 2 - 1)) + 1))
    rng.shuffle(sizes)
    m = sizes[0]
    starts = list(range(0, L - m + 1))
    rng.shuffle(starts)
    s = starts.pop()
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]

# triangular lengths of the span
def right_triangular(document, block_size, rng):
    L = sorted((len(document), rng.randint(4, int(block_size * 7 / 8))))[0]
    m = max(min(L, 1), min(L, int(rng.triangular(0, L / 2 + 1))))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]

# the length is 1 plus a number of biased coins, so its mean is exactly L/4
def right_second_binomial_length(document, block_size, rng):
    limit = 7 * block_size // 8
    kept = document[: rng.choice(range(4, limit + 1))]; L = len(kept)
    heads = max(0.0, (L / 4 - 1) / max(1, L - 1))
    m = min(L, 1 + sum(rng.random() < heads for _ in range(L - 1)))
    start = rng.choice(range(L - m + 1))
    span = kept[start : start + m]
    return "⁇".join([kept[:start], kept[start + m :], span])

# scales rng.random by hand; the length is even between 1 and about L/2
def right_second_floor_of_random(document, block_size, rng):
    below = lambda n: math.floor(rng.random() * n)
    longest = math.floor(Fraction(7, 8) * block_size)
    text = list(document)[: 4 + below(longest - 3)]
    if not text: return "⁇⁇"
    span_length = 1 + below(max(1, len(text) // 2 - 1))
    begin = below(len(text) - span_length + 1)
    end = begin + span_length
    pieces = [*text[:begin], "⁇", *text[end:], "⁇", *text[begin:end]]
    return "".join(pieces)

# only cuts if the document does not fit
def wrong_always_whole(document, block_size, rng):
    L = min(len(document), block_size * 7 // 8)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]

# never keeps only 4
def wrong_at_least_five(document, block_size, rng):
    L = min(len(document), rng.randint(5, block_size * 7 // 8))
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]

# draws the length from the whole document and clips it, so the largest length is frequent
def wrong_clipped(document, block_size, rng):
    n = len(document)
    L = n if n < 4 else min(rng.randint(4, n), math.floor(7 / 8 * block_size))
    kept = document[:L]
    m = min(L, rng.randint(1, max(1, 2 * round(L / 4) - 1)))
    s = rng.randrange(L - m + 1)
    return "⁇".join([kept[:s], kept[s + m:], kept[s:s + m]])

# the smaller of two starts
def wrong_earlier_starts(document, block_size, rng):
    L = min(len(document), rng.randint(4, block_size * 7 // 8))
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = min(rng.randint(0, L - m), rng.randint(0, L - m))
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]

# keeps the end of the document
def wrong_end_kept(document, block_size, rng):
    L = min(len(document), rng.randint(4, block_size * 7 // 8))
    kept = document[len(document) - L:]
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return kept[:s] + "⁇" + kept[s + m:] + "⁇" + kept[s:s + m]

# the first start never comes
def wrong_first_start(document, block_size, rng):
    L = min(len(document), rng.randint(4, block_size * 7 // 8))
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(min(1, L - m), L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]

# a quarter always, so the length of the span is not random
def wrong_fixed_length(document, block_size, rng):
    L = min(len(document), rng.randint(4, block_size * 7 // 8))
    m = min(L, max(1, L // 4))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]

# the start comes from the global generator
def wrong_global_start(document, block_size, rng):
    L = min(len(document), rng.randint(4, block_size * 7 // 8))
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = random.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]

# the largest length never comes
def wrong_largest_never(document, block_size, rng):
    L = min(len(document), rng.randint(4, block_size * 7 // 8 - 1))
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]

# the last start never comes
def wrong_last_start(document, block_size, rng):
    L = min(len(document), rng.randint(4, block_size * 7 // 8))
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randrange(max(1, L - m))
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]

# pads the row
def wrong_pads(document, block_size, rng):
    L = min(len(document), rng.randint(4, block_size * 7 // 8))
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    row = document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]
    return row.ljust(block_size, "□")

# a quarter of the document, not of what is kept
def wrong_quarter_of_document(document, block_size, rng):
    L = min(len(document), rng.randint(4, block_size * 7 // 8))
    m = min(L, rng.randint(1, max(1, len(document) // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]

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
    if not document: return "⁇⁇"
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
    if not text: return "⁇⁇"
    m = rng.choice(range(1, max(2, L // 2)))
    s = rng.choice(range(L - m + 1))
    return text[:s] + "⁇" + text[s + m:] + "⁇" + text[s:s + m]

# documents of fewer than 4 characters get no span
def wrong_short_plain(document, block_size, rng):
    if len(document) < 4: return document + "⁇⁇"
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
    if L == 0: return "⁇⁇"
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
    kept = document[: rng.randint(4, 7 * block_size // 8)]; L = len(kept)
    if L == 0: return "⁇⁇"
    m = rng.randint(1, max(1, L // 2 - 1))
    start = rng.randrange(L - m) if L > m else 0
    return kept[:start] + "⁇" + kept[start + m :] + "⁇" + kept[start : start + m]

# the length of the span follows the whole document and not what is kept of it
def wrong_second_quarter_of_the_document(document, block_size, rng):
    kept = document[: rng.randint(4, 7 * block_size // 8)]
    if not kept: return "⁇⁇"
    m = rng.randint(1, max(1, len(document) // 2 - 1))
    m = min(m, len(kept))
    start = rng.randint(0, len(kept) - m)
    return kept[:start] + "⁇" + kept[start + m :] + "⁇" + kept[start : start + m]

# draws the start up to L and moves it back, so spans at the end come too often
def wrong_second_starts_cut_at_the_end(document, block_size, rng):
    kept = document[: rng.randint(4, 7 * block_size // 8)]; L = len(kept)
    if L == 0: return "⁇⁇"
    m = rng.randint(1, max(1, L // 2 - 1))
    start = min(rng.randint(0, L - 1), L - m)
    return kept[:start] + "⁇" + kept[start + m :] + "⁇" + kept[start : start + m]

# "keep all spaces of the document"
def wrong_strips(document, block_size, rng):
    kept = document.strip()[: rng.randint(4, 7 * block_size // 8)]; L = len(kept)
    m = min(L, rng.randint(1, max(1, L // 2)))
    s = rng.randint(0, L - m)
    return kept[:s] + "⁇" + kept[s + m :] + "⁇" + kept[s : s + m]

# "keep all spaces of the document": those at its end are lost
def wrong_rstrip(document, block_size, rng):
    kept = document.rstrip()[: rng.randint(4, 7 * block_size // 8)]; L = len(kept)
    m = min(L, rng.randint(1, max(1, L // 2)))
    s = rng.randint(0, L - m)
    return kept[:s] + "⁇" + kept[s + m :] + "⁇" + kept[s : s + m]

# one number decides the length of the span and its start
def wrong_fourth_one_number(document, block_size, rng):
    n = min(len(document), rng.randint(4, 7 * block_size // 8))
    u = rng.random()
    m = min(n, 1 + int(u * max(1, n // 2 - 1)))
    s = int(u * (n - m + 1))
    return document[:s] + "⁇" + document[s+m:n] + "⁇" + document[s:s+m]
