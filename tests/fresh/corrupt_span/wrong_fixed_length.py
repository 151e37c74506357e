# a quarter always, so the length of the span is not random
def corrupt_span(document, block_size, rng):
    L = min(len(document), rng.randint(4, block_size * 7 // 8))
    m = min(L, max(1, L // 4))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]
