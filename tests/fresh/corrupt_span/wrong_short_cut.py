# documents of fewer than 4 characters are cut, too
def corrupt_span(document, block_size, rng):
    if not document:
        return "⁇⁇"
    top = min(len(document), block_size * 7 // 8)
    L = rng.randint(4, top) if top >= 4 else rng.randint(1, top)
    m = rng.randint(1, max(1, L // 2 - 1))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]
