# a quarter always, so the length of the span is not random
def corrupt_span(document, block_size, rng):
    top = min(len(document), block_size * 7 // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, max(1, L // 4))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]
