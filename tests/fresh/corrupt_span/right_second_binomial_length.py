# the length is 1 plus a number of biased coins, so its mean is exactly L/4
def corrupt_span(document, block_size, rng):
    limit = 7 * block_size // 8
    kept = document[: rng.choice(range(4, limit + 1))]
    L = len(kept)
    if L < 2:
        m = L
    else:
        heads = max(0.0, (L / 4 - 1) / (L - 1))
        m = 1 + sum(rng.random() < heads for _ in range(L - 1))
    start = rng.choice(range(L - m + 1))
    span = kept[start : start + m]
    return "⁇".join([kept[:start], kept[start + m :], span])
