# draws the start up to L and moves it back, so spans at the end come too often
def corrupt_span(document, block_size, rng):
    kept = document[: rng.randint(4, 7 * block_size // 8)]
    L = len(kept)
    if L == 0:
        return "⁇⁇"
    m = rng.randint(1, max(1, L // 2 - 1))
    start = min(rng.randint(0, L - 1), L - m)
    return kept[:start] + "⁇" + kept[start + m :] + "⁇" + kept[start : start + m]
