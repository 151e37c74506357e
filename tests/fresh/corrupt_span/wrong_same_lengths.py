# lengths from 1 to 27, whatever is kept
def corrupt_span(document, block_size, rng):
    top = min(len(document), block_size * 7 // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, 27))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]
