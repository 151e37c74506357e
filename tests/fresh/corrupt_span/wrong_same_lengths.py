# lengths from 1 to 27, whatever is kept
def corrupt_span(document, block_size, rng):
    L = min(len(document), rng.randint(4, block_size * 7 // 8))
    m = min(L, rng.randint(1, 27))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]
