# keeps the end of the document
def corrupt_span(document, block_size, rng):
    top = min(len(document), block_size * 7 // 8)
    L = rng.randint(min(4, top), top)
    kept = document[len(document) - L:]
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return kept[:s] + "⁇" + kept[s + m:] + "⁇" + kept[s:s + m]
