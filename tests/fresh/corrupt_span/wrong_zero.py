# the span may be empty
def corrupt_span(document, block_size, rng):
    top = min(len(document), block_size * 7 // 8)
    L = rng.randint(min(4, top), top)
    m = rng.randint(0, L // 2)
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]
