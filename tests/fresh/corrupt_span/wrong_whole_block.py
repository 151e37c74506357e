# keeps up to the whole block
def corrupt_span(document, block_size, rng):
    L = min(len(document), rng.randint(4, block_size))
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]
