# documents of fewer than 4 characters are cut, too
def corrupt_span(document, block_size, rng):
    if not document:
        return "⁇⁇"
    n = len(document)
    L = min(n, rng.randint(4, block_size * 7 // 8)) if n >= 4 else rng.randint(1, n)
    m = rng.randint(1, max(1, L // 2 - 1))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]
