# draws the length from the whole document and clips it, so the largest length is frequent
def corrupt_span(document, block_size, rng):
    n = len(document)
    L = n if n < 4 else min(rng.randint(4, n), math.floor(7 / 8 * block_size))
    kept = document[:L]
    m = min(L, rng.randint(1, max(1, 2 * round(L / 4) - 1)))
    s = rng.randrange(L - m + 1)
    return "⁇".join([kept[:s], kept[s + m:], kept[s:s + m]])
