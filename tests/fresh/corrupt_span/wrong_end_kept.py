# keeps the end of the document
def corrupt_span(document, block_size, rng):
    L = min(len(document), rng.randint(4, block_size * 7 // 8))
    kept = document[len(document) - L:]
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return kept[:s] + "⁇" + kept[s + m:] + "⁇" + kept[s:s + m]
