# triangular lengths of the span
def corrupt_span(document, block_size, rng):
    L = sorted((len(document), rng.randint(4, int(block_size * 7 / 8))))[0]
    m = max(min(L, 1), min(L, int(rng.triangular(0, L / 2 + 1))))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]
