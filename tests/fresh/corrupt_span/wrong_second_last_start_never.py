# the last start, L − m, is never drawn
def corrupt_span(document, block_size, rng):
    kept = document[: rng.randint(4, 7 * block_size // 8)]
    L = len(kept)
    if L == 0:
        return "⁇⁇"
    m = rng.randint(1, max(1, L // 2 - 1))
    start = rng.randrange(L - m) if L > m else 0
    return kept[:start] + "⁇" + kept[start + m :] + "⁇" + kept[start : start + m]
