# spans begin at words only
def corrupt_span(document, block_size, rng):
    L = min(len(document), rng.randint(4, block_size * 7 // 8))
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    starts = [s for s in range(L - m + 1) if s == 0 or document[s - 1] == " "]
    s = rng.choice(starts)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]
