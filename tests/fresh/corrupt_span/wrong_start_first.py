# draws the start first and then a length that fits
def corrupt_span(document, block_size, rng):
    L = min(len(document), rng.randint(4, block_size * 7 // 8))
    if L == 0:
        return "⁇⁇"
    s = rng.randrange(L)
    m = min(rng.randint(1, max(1, L // 2 - 1)), L - s)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]
