# the length of the span is a count of coins, at least 1
def corrupt_span(document, block_size, rng):
    L = min(len(document), rng.randint(4, 7 * block_size // 8))
    m = min(L, max(1, sum(rng.random() < 0.25 for _ in range(L))))
    s = rng.randint(0, L - m)
    kept = document[:L]
    return f"{kept[:s]}⁇{kept[s + m:]}⁇{kept[s:s + m]}"
