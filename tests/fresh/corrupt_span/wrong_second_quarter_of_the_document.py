# the length of the span follows the whole document and not what is kept of it
def corrupt_span(document, block_size, rng):
    kept = document[: rng.randint(4, 7 * block_size // 8)]
    if not kept:
        return "⁇⁇"
    m = rng.randint(1, max(1, len(document) // 2 - 1))
    m = min(m, len(kept))
    start = rng.randint(0, len(kept) - m)
    return kept[:start] + "⁇" + kept[start + m :] + "⁇" + kept[start : start + m]
