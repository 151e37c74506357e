# pads the row
def corrupt_span(document, block_size, rng):
    top = min(len(document), block_size * 7 // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    row = document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]
    return row.ljust(block_size, "□")
