# documents of fewer than 4 characters get no span
def corrupt_span(document, block_size, rng):
    if len(document) < 4:
        return document + "⁇⁇"
    L = min(len(document), rng.randint(4, block_size * 7 // 8))
    m = rng.randint(1, max(1, L // 2 - 1))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]
