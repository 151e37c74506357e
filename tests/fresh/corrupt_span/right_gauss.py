# a rounded normal length, kept between 1 and L
def corrupt_span(document, block_size, rng):
    L = len(document[:rng.randint(4, (block_size * 7) // 8)])
    if L == 0:
        return "⁇" * 2
    m = round(rng.gauss(L / 4, L / 12))
    m = max(1, min(L, m))
    s = rng.randint(0, L - m)
    d = document[:L]
    return d[:s] + "⁇" + d[s + m:] + "⁇" + d[s:s + m]
